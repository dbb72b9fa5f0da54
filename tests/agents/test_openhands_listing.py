"""Conversations of OpenHands among the runs of this machine."""

from __future__ import annotations

from found_machine import Pretended, look, one
from openhands_folder import ID as CONVERSATION
from openhands_folder import Talk

from monitor.agents.listed import Program


def test_a_conversation_of_openhands(private_home):
    """Its first prompt, folder and state; its process is not named, so that it is known to be over only when it says so."""
    talk = Talk(private_home / ".openhands" / "conversations" / CONVERSATION)
    assert look().runs == ()
    talk.add("SystemPromptEvent", system_prompt={"text": "You are"})
    talk.said("Fix the failing test\nand no other")
    talk.state("running", working="1")
    found = one(look())
    assert (found.agent, found.session, found.title, found.folder) == (
        "openhands",
        CONVERSATION,
        "Fix the failing test",
        "/w",
    )
    assert (found.state, found.how, found.alive) == (
        "unknown",
        "its state says running, and no process of OpenHands is seen in its folder",
        False,
    )
    assert "k-secret" not in repr(found)
    machine = Pretended({"openhands": [Program(77, 1.0, "/w")]})
    assert (one(look(machine)).state, one(look(machine)).pid, one(look(machine)).alive) == ("unknown", 77, True)
    assert one(look(Pretended({"openhands": [Program(77, 1.0, "/elsewhere")]}))).pid is None
    talk.state("finished")
    assert (one(look()).state, one(look()).how) == ("ended", "its state says finished")
    (talk.folder / "base_state.json").write_text("{broken")
    assert one(look()).how == "its state says nothing, and no process of OpenHands is seen in its folder"
