"""What a wire tells of calls that were stopped, and of who stopped them."""

from __future__ import annotations

import pytest
from acp_wire import SESSION, answer, asked, call, chosen, chunk, decode, news, of, prompt, sent, stopped, thought

from monitor.events import Noticed, RequestEnded, RunEnded, ToolReturned, Waiting

EDIT = {"path": "a.py", "old_string": "a", "new_string": "b"}
BLOCKED = (
    "x\n\n[lcode] 5 different calls to x.org failed (HTTP 404) and none worked, so lcode stopped the request here: it"
)


def ends(*messages, agent=""):
    return [(one.how, one.text) for one in of(decode(*messages, agent=agent), RequestEnded)]


@pytest.mark.parametrize(
    ("decision", "outcome"),
    [
        (chosen("no"), "denied"),
        (chosen(None), "cancelled"),
        (answer(1, error={"code": -32601, "message": "?"}), "refused"),
    ],
)
def test_who_stopped_a_call(decision, outcome):
    """A person's rejection is a denial, a cancelled question cancels, and a client that cannot ask refuses."""
    events = decode(
        prompt(), call(rawInput=EDIT, title="Edit a.py"), asked(title="Edit a.py"), decision, news("c1", "failed", "no")
    )
    waits = of(events, Waiting)
    assert [(one.about, one.call, one.over) for one in waits] == [("Edit a.py", "c1", False), ("", "c1", True)]
    (back,) = of(events, ToolReturned)
    assert (back.outcome, [file.outcome for file in back.files]) == (outcome, [outcome])


def test_an_allowed_call_fails_by_itself():
    """Permission given has nothing to do with the failure behind it; nor is a denial told twice."""
    events = decode(prompt(), call(rawInput=EDIT), asked(), chosen("yes"), news("c1", "failed", "old_string not found"))
    assert [(one.outcome, one.failure) for one in of(events, ToolReturned)] == [("failed", "not_found")]
    silent = decode(prompt(), call(rawInput=EDIT), asked(), chosen("no"), stopped())
    assert [one.outcome for one in of(silent, ToolReturned)] == ["denied"]


def test_an_agent_that_stops_at_a_denial_claims_nothing():
    """The turn ends well by the protocol, and nothing was said: the person stopped it."""
    denied = (prompt(), call(rawInput=EDIT), asked(), chosen("no"), news("c1", "failed"))
    assert [how for how, _ in ends(*denied, stopped())] == ["interrupted"]
    assert ends(*denied, chunk("So be it."), stopped()) == [("answered", "So be it.")]


def test_cancelling_leaves_no_call_open():
    """One under way was cut off; one that never began was not executed, where the agent tells beginnings."""
    cancel = sent("session/cancel", {"sessionId": SESSION})
    events = decode(
        prompt(), call("c1", rawInput=EDIT), call("c2", rawInput=EDIT), news("c1", "in_progress"), cancel,
        stopped("cancelled"),
    )  # fmt: skip
    assert [(one.call, one.outcome) for one in of(events, ToolReturned)] == [
        ("c1", "cancelled"),
        ("c2", "not_executed"),
    ]
    assert [one.text for one in of(events, RequestEnded)] == ["cancelled by the client"]
    late = decode(prompt(), call("c1", rawInput=EDIT), cancel, news("c1", "failed", "gone"))
    assert [one.outcome for one in of(late, ToolReturned)] == ["cancelled"]


def test_lcode_hides_its_status_behind_the_protocols():
    """A site out of reach ends its turn well, and a loop by its limit of steps; both are told as lcode means them."""
    shell = call(kind="execute", title="curl x", rawInput={"command": "curl x"})
    blocked = decode(prompt(), shell, news(text=BLOCKED), stopped(), agent="lcode")
    assert [one.status for one in of(blocked, RunEnded)] == ["blocked"]
    assert [(one.kind, one.name) for one in of(blocked, Noticed)] == [("guard", "unreachable")]
    round_and_round = decode(prompt(), thought("again"), stopped("max_turn_requests"), agent="lcode")
    assert [one.status for one in of(round_and_round, RunEnded)] == ["loop"]
    steps = (prompt(), shell, news(text="x\n[exit code: 0]"), stopped("max_turn_requests"))
    assert [how for how, _ in ends(*steps, agent="lcode")] == ["limit"]
    answered = (prompt(), shell, news(text=BLOCKED), chunk("I stop."), stopped())
    assert ends(*answered, agent="lcode") == [("answered", "I stop.")]
    assert of(decode(*answered, agent="qwen-code"), RunEnded, Noticed) == []
