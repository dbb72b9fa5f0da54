"""Answers to an ACP agent's questions go to the calls they are meant for."""

from __future__ import annotations

import pytest

from monitor.actions import Action
from monitor.agents.acp.asking import Asking
from monitor.agents.acp.frame import Frame
from monitor.channels.receipts import Receipts

OPTIONS = [{"kind": "allow_once", "optionId": "yes"}, {"kind": "reject_once", "optionId": "no"}]


def question(number: str, call: str) -> Frame:
    return Frame("session/request_permission", {"toolCall": {"toolCallId": call}, "options": OPTIONS}, number)


@pytest.fixture
def asked():
    """What is asked, the receipts, and what was sent: by the number of each question the option chosen."""
    sent: dict[int, str] = {}

    def send(message) -> int:
        sent[message["id"]] = message["result"]["outcome"]["optionId"]
        return len(sent)

    receipts = Receipts("test")
    return Asking(receipts, send), receipts, sent


def test_an_answer_goes_to_no_other_call(asked):
    """A call that no longer waits is answered no more, though another waits, and only one."""
    asking, receipts, sent = asked
    asking.hear(question("1", "c1"), cancelling=False)
    asking.hear(question("2", "c2"), cancelling=False)
    asking.settled(Frame(id="1", result={}))
    asking.answer(Action("a", "allow", subject="c1"))
    assert (receipts.receipt("a"), sent) == ("failed", {})
    asking.answer(Action("b", "deny", subject="c2"))
    assert (receipts.receipt("b"), sent) == ("done", {2: "no"})


@pytest.mark.parametrize("name", ["c1", "c1#2", "2.c1", "12.c1#3", ""])
def test_a_call_is_known_by_its_name_in_the_run(asked, name):
    """A run numbers an id that is used again, or in a later session; an answer without a name is for the first."""
    asking, receipts, sent = asked
    asking.hear(question("1", "c1"), cancelling=False)
    asking.hear(question("2", "1"), cancelling=False)
    asking.answer(Action("a", "allow", subject=name))
    assert (receipts.receipt("a"), sent) == ("done", {1: "yes"})
