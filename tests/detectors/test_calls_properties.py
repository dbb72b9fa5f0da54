"""What holds of the detectors of calls, replies, places and time for any order of any events."""

from __future__ import annotations

import pytest
from any_events import flood, numbered, renamed, runs
from hypothesis import given, settings
from hypothesis import strategies as st
from state_weight import weight

from monitor.detectors import call_book, docket, folder
from monitor.detectors.folder import Folder
from monitor.detectors.recipes import names, recipes
from monitor.detectors.repeats import Repeats
from monitor.detectors.replies import Replies
from monitor.detectors.scripts import Scripts
from monitor.detectors.stalls import Stalls
from monitor.detectors.tests_stale import TestsStale
from monitor.events import Prompted, RequestEnded, ToolCalled, ToolReturned
from monitor.findings import Finding

DETECTORS = (Repeats, Replies, Folder, Scripts, TestsStale, Stalls)
each = pytest.mark.parametrize("kind", DETECTORS, ids=lambda kind: kind.name)


def fed(kind, events):
    detector = kind()
    for event in events:
        detector.feed(event)
    return detector


@given(runs)
@settings(deadline=None, max_examples=150)
def test_no_order_throws_and_looking_changes_nothing(events):
    """Any events in any order are taken; a view is the same object until the next change, and makes no difference."""
    events = numbered(events)
    for kind in DETECTORS:
        looked_at = kind()
        for event in events:
            assert looked_at.feed(event) == ()
            view = looked_at.view()
            assert view is looked_at.view()
            keys = [one.key for one in view.findings if one.state == "open"]
            assert len(keys) == len(set(keys))
            for one in view.findings:
                assert one.detector == kind.name
                assert len(one.advice) < 1_200
                assert one.places
                assert (one.ended is None) == (one.state == "open")
        assert looked_at.view() == fed(kind, events).view()


@given(runs, st.integers(0, 45))
@settings(deadline=None, max_examples=150)
def test_a_copy_goes_on_like_the_first(events, at):
    """A copy taken anywhere and continued equals going straight on, and leaves the first alone."""
    events = numbered(events)
    for kind in DETECTORS:
        first = fed(kind, events[:at])
        before = first.view()
        second = first.copy()
        for event in events[at:]:
            second.feed(event)
        assert first.view() is before
        assert first.view() == fed(kind, events[:at]).view()
        assert second.view() == fed(kind, events).view()


@given(runs)
@settings(deadline=None, max_examples=100)
def test_renaming_changes_nothing_but_names(events):
    """With a.sh called z.sh throughout, what is found is the same but for the name."""
    events = numbered(events)
    for kind in DETECTORS:
        plain = repr(fed(kind, events).view())
        again = repr(fed(kind, [renamed(event) for event in events]).view())
        assert plain == again.replace("z.sh", "a.sh")


@given(runs)
@settings(deadline=None, max_examples=100)
def test_an_unrelated_read_opens_nothing(events):
    """A successful new read at the end opens no finding of any kind."""
    read = [
        ToolCalled(
            call="read", message="last", kind="read", tool="read", paths=("unrelated.txt",), arguments='{"path": "u"}'
        ),
        ToolReturned(call="read", output="text"),
    ]
    events = numbered([*events, *read])
    for kind in DETECTORS:
        before = {one.key for one in fed(kind, events[:-2]).view().findings}
        after = {one.key for one in fed(kind, events).view().findings}
        if kind not in (Replies, Repeats):
            assert after <= before
        else:
            assert {key for key in after - before if "no progress" not in key and "no answer" not in key} == set()


@each
def test_the_state_is_bounded(kind):
    """Twice as many events of a run that never repeats itself leave the state as large as it was."""
    detector = kind()
    sizes = []
    events = numbered([event for number in range(1_600) for event in flood(number)])
    for half in (events[: len(events) // 2], events[len(events) // 2 :]):
        for event in half:
            detector.feed(event)
        sizes.append(weight(detector, set()))
    assert sizes[1] < sizes[0] * 1.15


@each
def test_the_state_is_bounded_within_a_request(kind, monkeypatch):
    """No more is held where all of it, whoever does it, belongs to one request."""
    monkeypatch.setattr(docket, "_OPEN", 100)
    monkeypatch.setattr(folder, "_WROTE", 100)
    monkeypatch.setattr(call_book, "_CALLS", 100)
    detector = kind()
    sizes = []
    events = numbered([one for number in range(1_600) for one in flood(number) if not isinstance(one, Prompted)])
    for half in (events[: len(events) // 2], events[len(events) // 2 :]):
        for event in half:
            detector.feed(event)
        detector.feed(RequestEnded(text="Done.", seq=half[-1].seq))
        sizes.append(weight(detector, set()))
    assert sizes[1] < sizes[0] * 1.15


def test_the_most_pressing_findings_stay_open(monkeypatch):
    """Of more open findings than are held, the oldest of the least pressing are closed, and it is said why."""
    monkeypatch.setattr(docket, "_OPEN", 3)
    held = docket.Docket()
    for seq, level in enumerate(("note", "stop", "note", "warn", "note")):
        held.put(Finding("folder", f"f{seq}", level, "m", "a", opened=seq, raised=seq))
    found = [(one.subject, one.state, one.why_ended, one.ended) for one in held.findings()]
    assert found == [
        ("f1", "open", "", None),
        ("f3", "open", "", None),
        ("f4", "open", "", None),
        ("f0", "closed", "too many others are open", 3),
        ("f2", "closed", "too many others are open", 4),
    ]


@given(st.sampled_from(("make", "packages", "docker")), st.text(alphabet="ab:.= \t\n#$(){}[]\"'\\,-", max_size=200))
@settings(deadline=None, max_examples=150)
def test_any_build_file_is_read(way, text):
    """No text of a build file throws, and only so much is taken from it."""
    assert len(recipes(way, text, ("a", "build", "run"))) <= 200
    assert names(text, "a.sh") in (True, False)
