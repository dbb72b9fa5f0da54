"""Hooks in the real lcode: words and a denial reach the model with the results of its calls."""

from __future__ import annotations

import json
import threading

from installed import needs
from lcode_agent import Lcode
from model import ScriptedModel
from turns import Turn

from monitor.actions import Action
from monitor.hooks.installing import carry_out, plan_install, plan_remove
from monitor.hooks.mailbox import Mailbox
from monitor.hooks.places import place_of

pytestmark = needs("lcode")

WORDS = "Only rename the title; leave the rest."
MAKES = ("bash", {"command": "touch made", "timeout": 10})


def test_words_and_a_denial(tmp_path, monkeypatch):
    """The next call is refused with the reason, words stand behind a result, quiet calls get nothing; the config is as it was."""
    held = threading.Event()
    turns = [
        Turn(calls=(("list_dir", {"path": "app"}),), until=held),
        Turn(calls=(MAKES,)),
        Turn(calls=(MAKES,)),
        Turn("Done."),
    ]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model) as lcode:
        monkeypatch.setenv("HOME", str(lcode.home))
        config = lcode.home / ".config/lcode/config.toml"
        before = config.read_bytes()
        carry_out(plan_install(place_of("lcode", None)))
        process = lcode.ask()
        box = Mailbox("lcode", str(process.pid))
        try:
            box.leave("deny", Action("d", "deny", "No."), "Not yet, says the operator.")
            box.leave("words", Action("w", "feedback", WORDS), WORDS)
            held.set()
            process.communicate(timeout=60)
        finally:
            taken = {one.action.id: one.event for one in box.letters()}
            box.close()
        assert taken == {"d": "before_tool", "w": "after_tool"}
        asked = [json.dumps(one["messages"]) for one in model.requests if "messages" in one]
        assert "Not yet, says the operator." in asked[1]
        assert WORDS not in asked[1]
        assert WORDS in asked[2]
        assert asked[-1].count("A hook ran") == 1
        assert (lcode.repo / "made").exists()
        carry_out(plan_remove(place_of("lcode", None)))
        assert config.read_bytes() == before
