"""Small trajectories of mini-swe-agent, written anew."""

from __future__ import annotations

import json

import msgspec

from monitor.agents.mini_swe_agent import decode
from monitor.events import NOWHERE
from monitor.streams.record import Input, Record

SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
REFUSED = "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."
HEAD = ({"role": "system", "content": "Answer with one bash block."}, {"role": "user", "content": "Mend a.py"})


def reply(*commands, words="Next.", **extra) -> dict:
    blocks = "".join(f"\n\n```bash\n{one}\n```" for one in commands)
    return {"role": "assistant", "content": words + blocks} | ({"extra": extra} if extra else {})


def seen(output="", code=0) -> dict:
    return {"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"}


def heard(text, **extra) -> dict:
    return {"role": "user", "content": text} | ({"extra": extra} if extra else {})


def document(*messages, status=None, submission=None, **info) -> bytes:
    told = {"exit_status": status, "submission": submission, "mini_version": "1.14.4"} | info
    return json.dumps({"info": told, "messages": [*HEAD, *messages], "trajectory_format": "mini-swe-agent-1"}).encode()


def record(data, generation=0, shape="document") -> Record:
    return Record(Input(0, "a.traj.json", "trajectory", None, shape), 1, 0, len(data), data, 5.0, generation)


def decoded(*states) -> list:
    decoder = decode.decoder()
    return [event for number, data in enumerate(states) for event in decoder.feed(record(data, number))]


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]


def placeless(events) -> list:
    """The events, wherever they stand: a document that grew is longer."""
    return [msgspec.structs.replace(event, place=NOWHERE) for event in events]
