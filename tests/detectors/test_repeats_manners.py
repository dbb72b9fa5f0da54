from __future__ import annotations

import pytest
from repeats_story import FAILS, story

from monitor.events import ToolCalled, ToolReturned


def test_every_rule_can_be_turned_off():
    """With 0 for its first number a rule is silent; with 0 for its stop it never goes beyond the first level."""
    off = story(same_call=0, failing_command=0, same_change=0, cycle=0, not_executed=0, no_progress=0)
    mild = story(
        same_call_more=0, same_change_stop=0, cycle_stop=0, not_executed_stop=0, no_progress_stop=0, failing_command=0
    )
    for told in (off, mild):
        for _ in range(20):
            told.read("a.py")
            told.read("b.py", "gone", "failed")
            told.shell("x", "bad", 1)
        for _ in range(20):
            told.edit("a.py", "1", "2")
            told.shell("y", outcome="not_executed")
    assert off.findings == ()
    assert {one.level for one in mild.findings} == {"note", "warn"}


def test_a_new_request_begins_anew():
    """Findings close with their request, and nothing of it counts in the next."""
    told = story()
    for _ in range(5):
        told.read("a.py")
        told.shell("make", "bad", 2)
    assert told.open
    told.answer()
    told.prompt()
    assert told.open == []
    assert {(one.state, one.why_ended) for one in told.findings} == {("closed", "a new request began")}
    told.read("a.py")
    told.read("a.py")
    assert told.open == []
    assert {entry.request for entry in told.detector.view().entries} == {1}


def test_what_the_operator_settles_stays_quiet():
    """A settled finding does not come back in its request."""
    told = story()
    for _ in range(3):
        told.read("a.py")
    told.act("settle", told.open[0].key)
    told.read("a.py")
    assert told.open == []
    assert [one.state for one in told.findings] == ["settled"]


class TestWarned:
    def test_one_repeat_of_the_last_batch_does_not_count(self):
        """A model that obeys a warning by looking again gets its turn, once."""
        told = story()
        for _ in range(3):
            told.read("a.py")
        told.act("warn", told.open[0].key, "queued")
        told.act("warn", told.open[0].key, "delivered")
        told.act("warn", told.open[0].key, "seen")
        told.read("a.py")
        assert told.open[0].figure == "×3"
        told.read("a.py")
        assert told.open[0].figure == "×4"

    @pytest.mark.parametrize("actor", ["kid", "kid:1", "kid:1:2"])
    def test_a_sub_agents_warning_is_its_own(self, actor):
        """A warning to a sub-agent gives that one its turn, whatever signs its name holds, and no other."""
        told = story()
        for _ in range(3):
            told.read("b.py", actor="kid:1:2:3")
            told.read("a.py", actor=actor)
        told.act("warn", next(one.key for one in told.open if one.actor == actor), "delivered")
        told.read("a.py", actor=actor)
        told.read("b.py", actor="kid:1:2:3")
        assert {one.actor: one.figure for one in told.open} == {actor: "×3", "kid:1:2:3": "×4"}

    def test_the_whole_batch_gets_its_turn(self):
        """All calls of the last message may be made once more; others count."""
        told = story()
        for turn in range(3):
            for file in ("a", "b"):
                call = told.call("read_file", "read", {"path": file}, message=f"batch {turn}")
                told.result(call, "text")
        told.read("c")
        told.read("c")
        told.act("feedback", "", "delivered")
        told.read("c")
        assert not [one for one in told.open if one.subject.endswith(" c")]
        told.read("c")
        assert [one.subject for one in told.open if one.subject.endswith('"c"}') or one.subject.endswith(" c")]


def test_results_told_twice_count_once():
    """A call told again, fuller, and a result told again are the same call and the same result."""
    told = story()
    for number in range(2):
        for _ in range(3):
            told.tell(ToolCalled(call=f"c{number}", message="m", tool="read", kind="read", partial=True))
            told.tell(ToolCalled(call=f"c{number}", message="m", tool="read", kind="read", arguments='{"path":"a"}'))
        for _ in range(3):
            told.tell(ToolReturned(call=f"c{number}", output="text"))
            told.tell(ToolCalled(call=f"c{number}", message="m", tool="read", kind="read", arguments='{"path":"a"}'))
    assert told.levels == {}


def test_cut_results_never_stop():
    """Where the log has only a part of the results, they may differ in the rest: a warning at most."""
    told = story()
    for _ in range(14):
        told.shell("pytest", FAILS, 1, cut=True)
    assert {one.level for one in told.open} == {"warn"}


def test_two_calls_that_read_alike_are_told_apart():
    """Different calls of one name have findings of their own."""
    told = story()
    for old in ("1", "2"):
        for _ in range(3):
            told.edit("a.py", old, "x", "failed", output="no")
    assert sorted(one.subject for one in told.open) == ["same call: edit_file a.py", "same call: edit_file a.py (2)"]


def test_advice_is_short_and_to_the_point():
    """Every advice is under 1,200 characters, names what was done, and gives a next step and a check."""
    told = story()
    for _ in range(13):
        told.shell("long " + "x" * 5_000, "bad", 1)
        told.edit("a.py", "1", "2")
    for _ in range(6):
        told.shell("y" * 3_000, outcome="not_executed")
    for _ in range(13):
        told.read("z" * 4_000)
    assert {one.subject.split(":")[0] for one in told.findings} == {
        "same call", "same failing command", "same change", "not executed", "cycle of calls", "no progress",
    }  # fmt: skip
    for one in told.findings:
        assert 100 < len(one.advice) < 1_200
        assert len(one.message) < 300
        assert "\n" not in one.message
