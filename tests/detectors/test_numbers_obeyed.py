"""Each number does what is said of it: it moves its rule, and 0 turns it off."""

from __future__ import annotations

import pytest
from calls_story import Calls
from outside_story import Story
from reply_story import Replies as Spoken
from stalls_story import Live, calling

from monitor.detectors.failed_writes import FailedWrites
from monitor.detectors.folder import Folder
from monitor.detectors.numbers import (
    FolderNumbers,
    OutsideNumbers,
    RepliesNumbers,
    ScriptsNumbers,
    SitesNumbers,
    WorktreeNumbers,
    WritesNumbers,
)
from monitor.detectors.replies import Replies
from monitor.detectors.scripts import Scripts
from monitor.detectors.sites import Sites
from monitor.detectors.worktree import Worktree
from monitor.events import FileOutcome, RunEnded, TreeMeasured


def levels(told):
    """The levels of what is open."""
    return [one.level for one in told.detector.view().findings if one.state == "open"]


@pytest.mark.parametrize(
    ("warn", "stop", "said"),
    [(1, 2, ["warn", "stop", "stop"]), (2, 3, ["note", "warn", "stop"]), (0, 2, ["note", "stop", "stop"]), (1, 0, ["warn"] * 3), (0, 0, ["note"] * 3)],
)  # fmt: skip
def test_claims_over_a_failed_write(warn, stop, said):
    """The claim that warns and the claim that stops; with 0 neither comes, at the end of the run either."""
    told = Calls(FailedWrites(WritesNumbers(warn, stop)))
    told.edit("a.py", outcome="failed", files=(FileOutcome("a.py", "failed", "not_found"),))
    found = []
    for _ in range(3):
        told.answer()
        found += levels(told)
    assert found == said
    told.tell(RunEnded())
    assert levels(told) == ["stop" if stop else "warn" if warn else "note"]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (SitesNumbers(), ["warn", "warn", "stop"]),
        (SitesNumbers(more=0), ["warn", "warn", "warn"]),
        (SitesNumbers(warn=4, more=1), ["warn", "stop"]),
        (SitesNumbers(warn=0), []),
    ],
)
def test_failing_sites(numbers, said):
    """Where the warning comes and how many more block; without these a site is never blocked, or not judged at all."""
    told, found = Calls(Sites(numbers)), []
    for number in range(5):
        told.shell(f"curl -f https://a.example.org/{number}", "curl: (22) The requested URL returned error: 404", 22)
        found += levels(told)
    assert found == said


@pytest.mark.parametrize(("plenty", "answered"), [(400, True), (600, False), (0, False)])
def test_how_much_text_is_an_answer(plenty, answered):
    """So many characters of one site's call are an answer; with 0 text alone never is."""
    told = Calls(Sites(SitesNumbers(answered=plenty)))
    told.shell("curl -s https://a.example.org/", "x" * 500)
    assert [one.answered for one in told.detector.view().entries] == ([True] if answered else [])


def test_thinking_in_circles():
    """How often said, and at which reply it stops."""
    loop = "".join(f"The number of this thought is {chr(97 + n % 8) * 9} now.\n" for n in range(24))
    for said, rules in ((4, []), (2, ["circles"]), (0, [])):
        told = Spoken(said=said, repeats=0, circles=8)
        told.think(loop)
        assert told.rules() == rules
    for stop, found in ((2, ["warn", "stop"]), (3, ["warn", "warn"]), (0, ["warn", "warn"]), (1, ["stop", "stop"])):
        told, seen = Spoken(said=2, repeats=0, circles=8, stop=stop), []
        for _ in range(2):
            told.think(loop)
            told.end()
            seen += [one.level for one in told.open()]
        assert seen == found


def test_lost_replies():
    """Note, warning and stop move, and each can be turned off."""
    for numbers, said in (
        (RepliesNumbers(), ["note", "warn", "stop"]),
        (RepliesNumbers(note=0), ["warn", "stop"]),
        (RepliesNumbers(note=0, warn=0, empty=0), []),
        (RepliesNumbers(note=2, warn=3, empty=0), ["note", "warn"]),
    ):
        told, found = Calls(Replies(numbers)), []
        for _ in range(3):
            told.reply()
            found += levels(told)
        assert found == said
        assert told.detector.view().empty == 3, "they are counted all the same"


def test_switches_of_folder_and_scripts():
    """A rule that is off says nothing; what it counts is still shown."""
    for left, wrote, said in ((1, 1, ["warn"]), (0, 1, ["warn"]), (1, 0, ["note"]), (0, 0, [])):
        told = Calls(Folder(FolderNumbers(left, wrote)), cwd="/home/me/app")
        told.shell("cd /srv/x", cwd="/srv/x")
        told.write("/srv/x/a.py")
        assert levels(told) == said
        assert [one.how for one in told.detector.view().moves] == ["moved", "wrote"]
    for on in (0, 1):
        told = Calls(Scripts(ScriptsNumbers(never_run=on)))
        told.write("build.sh", "#!/bin/sh\nls\n")
        told.answer()
        assert levels(told) == ["note"] * on
        assert [one.run for one in told.detector.view().scripts] == [False]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (WorktreeNumbers(), ["warn", "stop"]),
        (WorktreeNumbers(warn=2, stop=0), ["note", "warn"]),
        (WorktreeNumbers(warn=0, stop=0), ["note", "note"]),
    ],
)
def test_claims_over_an_unchanged_folder(numbers, said):
    """Where a change is required, the claims that warn and stop."""
    told, found = Calls(Worktree(numbers), change_required=True), []
    told.tell(TreeMeasured(when="start", content="1", changed=False, since_start=False))
    for _ in range(2):
        told.answer()
        claim = told.events[-1].seq
        told.tell(TreeMeasured(when="claim", content="1", changed=False, since_start=False, about=claim))
        found += levels(told)
    assert found == said


def test_turns_between_measurements():
    """After so many turns a measurement is wanted; with 0 never."""
    for turns, wanted in ((10, [10, 20]), (5, [5, 10, 15, 20]), (0, [])):
        told = Calls(Worktree(WorktreeNumbers(turns=turns)))
        event = told.tell(TreeMeasured(when="start", content="1"))
        assert [turn for turn in range(1, 21) if told.detector.turned(event, turn)] == wanted


@pytest.mark.parametrize(
    ("changed", "overwrote", "said"), [(1, 1, ["note", "warn"]), (0, 1, ["warn"]), (1, 0, ["note", "note"]), (0, 0, [])]
)
def test_switches_of_outside_edits(changed, overwrote, said):
    """The note, and the warning for what was written over; the change is listed in any case."""
    told, found = Story(numbers=OutsideNumbers(changed, overwrote)), []
    told.read("a.py", 10)
    told.changed("a.py", 50)
    told.tick(90)
    found += levels(told)
    told.write("a.py", 100, 101)
    found += levels(told)
    assert found == said
    assert [one.file for one in told.detector.view().edits] == ["a.py"]


@pytest.mark.parametrize(
    ("numbers", "after", "formatter"),
    [(OutsideNumbers(), "agent", "unknown"), (OutsideNumbers(after=0, formatter=2), "unknown", "unknown"),
     (OutsideNumbers(after=0, formatter=0), "outside", "outside"), (OutsideNumbers(after=2), "agent", "agent")],
)  # fmt: skip
def test_how_near_to_a_write_a_change_is_its_own(numbers, after, formatter):
    """Half a second after a write, and a second and a half after it."""
    for seconds, by in ((0.4, after), (1.5, formatter)):
        told = Story(numbers=numbers)
        told.write("a.py", 10, 11)
        told.changed("a.py", 11 + seconds)
        told.tick(90)
        assert told.by() == by


def test_stalls_that_never_warn():
    """With 0 times there is no warning; a factor below 1 warns with the note, not before it."""
    for times, said in ((3, ["note", "warn"]), (0, ["note", "note"]), (0.5, ["warn", "warn"])):
        told = Live(times=times)
        calling(told)
        assert [told.later(700), told.later(5_000)] == said
