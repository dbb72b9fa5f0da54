"""Small trajectories of mini-swe-agent, written anew."""

from __future__ import annotations

import json

import msgspec

from monitor.agents.mini_swe_agent import decode
from monitor.events import NOWHERE
from monitor.streams.record import Input, Record

MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
SUBMIT = f"echo {MARKER}"
REFUSED = "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."
HEAD = ({"role": "system", "content": "Answer with one bash block."}, {"role": "user", "content": "Mend a.py"})


def reply(*commands, words="Next.", **extra) -> dict:
    blocks = "".join(f"\n\n```bash\n{one}\n```" for one in commands)
    return {"role": "assistant", "content": words + blocks} | ({"extra": extra} if extra else {})


def seen(output="", code=0) -> dict:
    return {"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"}


def heard(text, **extra) -> dict:
    return {"role": "user", "content": text} | ({"extra": extra} if extra else {})


def tool(identity, code=0, **extra) -> dict:
    told = {"returncode": code, "raw_output": "out", "timestamp": 20.0} | extra
    return {"role": "tool", "tool_call_id": identity, "content": "<output>\nout\n</output>", "extra": told}


def asked(*commands) -> dict:
    actions = [{"command": one, "tool_call_id": f"c{number}"} for number, one in enumerate(commands)]
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
    choice = {"finish_reason": "tool_calls", "message": {"reasoning_content": "Hm."}}
    extra = {"actions": actions, "timestamp": 10.0, "cost": 0.5, "response": {"usage": usage, "choices": [choice]}}
    return {"role": "assistant", "content": None, "extra": extra}


DONE = (reply("ls"), seen("a.py"), reply(SUBMIT, words="It works."), heard("diff --git a/a.py b/a.py"))


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
