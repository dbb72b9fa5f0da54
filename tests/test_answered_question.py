"""The row in which a question ends is told from all that came before it."""

from __future__ import annotations

import json

from monitor.supervisor import Supervisor
from monitor.targets import find

THREAD, TURN = "01a22b6f-9908-79c2-9175-c7b267241848", "01a22b6f-9925-7fc3-bb91-39e05b6b191a"
CALL = {
    "type": "commandExecution",
    "id": "call_0",
    "command": "touch x",
    "cwd": "/home/dev/app",
    "status": "inProgress",
}


def told(method, at, **more):
    params = {"threadId": THREAD, "turnId": TURN, **more}
    return {"t": at, "dir": "in", "msg": {"method": method, "params": params}}


def test_a_question_that_the_server_takes_as_answered_has_words(tmp_path):
    """Its record names a number alone, of which only what was read before tells the question: the row is kept."""
    asked = told("item/commandExecution/requestApproval", 0.2, itemId="call_0", command="touch x", cwd="/home/dev/app")
    asked["msg"]["id"] = 0
    rows = [
        told("turn/started", 0.0, turn={"id": TURN, "items": [], "status": "inProgress"}),
        told("item/started", 0.1, item=CALL),
        asked,
        told("serverRequest/resolved", 0.3, requestId=0),
    ]
    log = tmp_path / "wire.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = Supervisor(find(str(log)), live=False)
    run.read_all()
    shown = [run.rows.row(run.rows.ref(number)).text for number in range(len(run.rows))]
    assert shown[-3:] == ["touch x", "approval", "the log ends, and is not followed"]
    run.close()
