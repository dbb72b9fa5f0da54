"""What holds for any order of any events."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from outside_story import reveal

from monitor.detectors import outside_story
from monitor.detectors.outside_edits import OutsideEdits
from monitor.events import (
    Acted,
    Change,
    Coverage,
    FileChanged,
    FileOutcome,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    Tick,
    ToolCalled,
    ToolReturned,
    Waiting,
)

FILES = ("a.py", "/p/a.py", "sub/../a.py", "b.py", "A.PY", "", "~/c", "x\0y", "d" * 5_000)
OUTCOMES = ("ok", "ok", "ok", "failed", "denied", "timed_out", "unknown", "cancelled")
FAILURES = ("", "stale", "stale", "not_found", "io")
DIGESTS = ("", "0" * 64, "1" * 64)

files = st.sampled_from(FILES)
times = st.sampled_from((None, 0.0, 1.0, 2.0, 2.4, 3.0, 10.0, 1e9, -5.0))
calls = st.sampled_from(("c1", "c2", "c3"))
actors = st.sampled_from(("", "", "kid"))
events = st.one_of(
    st.builds(
        ToolCalled,
        call=calls,
        actor=actors,
        kind=st.sampled_from(("write", "write", "shell", "read", "delegate", "other", "search")),
        changes=st.lists(st.builds(Change, file=files, op=st.sampled_from(("edit", "write", "move")), new=st.just("x"),
                                   to=files), max_size=2).map(tuple),
        paths=st.lists(files, max_size=2).map(tuple),
        command=st.sampled_from(("", "make", "cat a.py", "cat 'a.py", "sed -n 1p a.py")),
        partial=st.booleans(),
        background=st.booleans(),
        at=times,
    ),
    st.builds(
        ToolReturned,
        call=calls,
        actor=actors,
        outcome=st.sampled_from(OUTCOMES),
        failure=st.sampled_from(FAILURES),
        files=st.lists(st.builds(FileOutcome, files, st.sampled_from(OUTCOMES), st.sampled_from(FAILURES)), max_size=2
                       ).map(tuple),
        background=st.booleans(),
        cwd=st.sampled_from(("", "/q")),
        at=times,
    ),
    st.builds(
        FileChanged,
        file=files,
        what=st.sampled_from(("created", "modified", "deleted", "moved", "mode")),
        after=st.sampled_from(DIGESTS),
        folder=st.sampled_from(("", "/p", "/link")),
        by=st.sampled_from(("", "", "other run")),
        at=times,
    ),
    st.builds(Waiting, call=calls, actor=actors, over=st.booleans(), at=times),
    st.builds(Noticed, name=st.just("file changed outside"), text=files, at=times),
    st.builds(RunStarted, actor=actors, cwd=st.sampled_from(("", "/p", "rel")), parent_call=calls,
              lag=st.sampled_from(("", "event", "message", "turn", "end")),
              coverage=st.sampled_from(({}, {"outside_edits": Coverage("none", "why")},
                                        {"outside_edits": Coverage("full")})), at=times),
    st.builds(Prompted, text=st.just("x"), at=times),
    st.builds(RequestEnded, at=times),
    st.builds(ReplyEnded, at=times),
    st.builds(RunEnded, actor=actors, at=times),
    st.builds(SourceChanged, what=st.sampled_from(("lost", "gone", "end"))),
    st.builds(Acted, id=st.just("1"), action=st.just("settle"), receipt=st.just("done"),
              subject=st.sampled_from(("outside_edits::a.py", "outside_edits::", "x"))),
    st.builds(Tick, now=st.sampled_from((0.0, 5.0, 100.0, 2e9)), alive=st.sampled_from((None, True, False))),
)  # fmt: skip
stories = st.lists(events, max_size=40)


def numbered(story):
    seq = -1
    for event in story:
        if not isinstance(event, Tick):
            seq += 1
            event = replace(event, seq=seq)  # noqa: PLW2901 - the event with its number
        yield event


def fed(story, detector=None):
    detector = detector or OutsideEdits()
    revealed = {one.seq for one in detector.view().edits}
    for event in story:
        reveal(detector.feed(event), revealed)
    changes = {event.seq for event in story if isinstance(event, FileChanged)}
    assert {one.seq for one in detector.view().edits} & changes == revealed & changes, "what is listed has its row"
    return detector


def state(detector):
    """The detector's whole state, whatever the order its parts were made in."""
    view = detector.view()
    return pickle.dumps((view.edits, view.overwritten, sorted(view.authors.items()), view.pending, view.findings))


@settings(deadline=None, max_examples=150)
@given(stories)
def test_any_story_in_any_order(story):
    """It throws on nothing, looked at in between or not; each finding has a place, words, and stands once."""
    detector = OutsideEdits()
    for event in numbered(story):
        detector.feed(event)
        view = detector.view()
        assert detector.view() is view
        still = [one.key for one in view.findings if one.state == "open"]
        assert len(still) == len(set(still))
        for finding in view.findings:
            assert finding.message
            assert 0 < len(finding.advice) < 1_200
            if finding.state == "open":
                assert finding.places
        assert {one.digest for one in view.overwritten} <= set(DIGESTS[1:])
        assert all(author.by or author.why for author in view.authors.values())
    assert state(detector) == state(fed(numbered(story)))


@settings(deadline=None, max_examples=80)
@given(stories, stories)
def test_a_copy_goes_its_own_way(story, more):
    """Copied and fed on, a detector is one fed all at once; what it was copied from is as it was."""
    whole = list(numbered([*story, *more]))
    detector = fed(whole[: len(story)])
    before = state(detector)
    other = fed(whole[len(story) :], detector.copy())
    assert state(detector) == before
    assert state(other) == state(fed(whole))


@st.composite
def happenings(draw):
    """Calls with results, and changes of files, at times of their own; no two alike."""
    moments = draw(st.lists(st.integers(0, 400), unique=True, min_size=2, max_size=24))
    told, number = [], 0
    while len(moments) > 1:
        file, kind = (
            draw(st.sampled_from(("a.py", "b.py"))),
            draw(st.sampled_from(("read", "write", "shell", "changed"))),
        )
        if kind == "changed":
            told.append(
                [FileChanged(file=file, after=f"{moments[0]:064}", folder="/p", at=1_000.0 + moments.pop() / 10)]
            )
            continue
        begin, end = sorted((moments.pop(), moments.pop()))
        number += 1
        call = ToolCalled(
            call=f"c{number}", kind=kind, at=1_000.0 + begin / 10, paths=(file,) if kind == "read" else (),
            changes=(Change(file, draw(st.sampled_from(("edit", "write"))), "o", "n"),) if kind == "write" else (), command="make" * (kind == "shell"),
        )  # fmt: skip
        told.append([call, ToolReturned(call=f"c{number}", at=1_000.0 + end / 10)])
    return told


@settings(deadline=None, max_examples=150)
@given(happenings(), st.randoms(use_true_random=False))
def test_late_events_come_to_the_same(told, chance):
    """However late the calls are told, in the end every change has the author, and every file the level, it would have had."""
    ends = [RequestEnded(at=2_000.0), Tick(now=9e9, alive=True)]
    start = RunStarted(cwd="/p", lag="message", at=900.0)
    in_time = sorted((event for some in told for event in some), key=lambda event: event.at)
    mixed = [list(some) for some in told]
    late = []
    while mixed:
        some = chance.choice(mixed)
        late.append(some.pop(0))
        mixed = [one for one in mixed if one]
    found = []
    for order in (in_time, late):
        view = fed(numbered([start, *order, *ends])).view()
        authors = {file: (who.by, who.at) for file, who in view.authors.items()}
        levels = {one.subject: one.level for one in view.findings if one.state == "open"}
        edits = sorted((edit.file, edit.at, edit.overwritten) for edit in view.edits)
        found.append((authors, levels, edits, sorted((one.digest, one.at) for one in view.overwritten)))
    assert found[0] == found[1]


@settings(deadline=None, max_examples=60)
@given(happenings(), st.lists(st.booleans(), min_size=24, max_size=24))
def test_what_is_forgotten_is_judged_first(told, within):
    """However few happenings of a file are remembered, one after another comes to the same author, level and lists."""
    timed = []
    for number, (some, inside) in enumerate(zip(told, within, strict=False)):
        begin = 1_000.0 + 10 * number - (9.8 if inside and len(some) == 1 else 0)
        timed += [replace(event, at=begin + step) for event, step in zip(some, (0.0, 0.3), strict=False)]
    events = [RunStarted(cwd="/p", lag="event", at=900.0)]
    for event in sorted(timed, key=lambda event: event.at):
        events += [event, Tick(now=event.at + 50.0, alive=True)]
    found = []
    for limit in (1, 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(outside_story, "_ITEMS", limit)
            view = fed(list(numbered(events))).view()
        levels = [(one.subject, one.level, one.state, one.why_ended) for one in view.findings]
        who = {file: (one.by, one.at, one.last) for file, one in view.authors.items()}
        found.append((who, levels, view.edits, view.overwritten))
    assert found[0] == found[1]
