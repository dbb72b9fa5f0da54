"""Small trajectories of SWE-agent, written anew."""

from __future__ import annotations

import json

from monitor.agents.swe_agent import decode
from monitor.streams.record import Input, Record

FILE = "/repo/a.py"
LINT = "Your proposed edit has introduced new syntax error(s). Please understand the fixes.\n\nYour changes have NOT been applied."
UPDATED = f"[File: {FILE} (3 lines total)]\n1:x\nFile updated. Please review the changes."


def step(action, observation="", *, opened=FILE, folder="/repo", old=True, words="Next.") -> dict:
    state = {"open_file": opened or "n/a", "working_dir": folder}
    return {
        "action": action,
        "observation": observation,
        "response": f"{words}\n```\n{action}\n```",
        "thought": words,
        "state": json.dumps(state) if old else state,
    }


def document(*steps, status="submitted", history=None, **info) -> bytes:
    history = history if history is not None else [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "a demonstration", "is_demo": True},
        {"role": "user", "content": "Mend a.py"},
    ]  # fmt: skip
    told = {"exit_status": status, "model_stats": {"instance_cost": 0.5, "tokens_sent": 9, "tokens_received": 2}} | info
    return json.dumps({"environment": "e", "trajectory": list(steps), "history": history, "info": told}).encode()


def decoded(*states) -> list:
    decoder = decode.decoder()
    source = Input(0, "a.traj", "trajectory", None, "document")
    return [
        event
        for number, data in enumerate(states)
        for event in decoder.feed(Record(source, 1, 0, len(data), data, 5.0, number))
    ]


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]
