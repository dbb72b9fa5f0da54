"""What holds for any order of any events."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from monitor.detectors import excuse, ledger, names, pairing, read_lines
from monitor.detectors.failed_writes import FailedWrites
from monitor.events import (
    Acted,
    Change,
    CloseLine,
    Event,
    FileChanged,
    FileOutcome,
    Looked,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)

FILES = ("a.py", "/p/a.py", "sub/../a.py", "sub/b.py", "/q/b.py", "app/", "", "strings.xml", "~/c", "d\\e")
OUTCOMES = (
    "ok", "ok", "failed", "failed", "denied", "refused", "corrected", "approval_timeout", "timed_out", "cancelled",
    "not_executed", "unknown",
)  # fmt: skip
FAILURES = ("", "not_found", "not_found", "exists", "identical", "ambiguous", "io", "arguments")

files = st.sampled_from(FILES)
calls = st.sampled_from(("c1", "c2", "c3", "c4"))
actors = st.sampled_from(("", "", "kid"))
messages = st.sampled_from(("", "m1", "m2", "m3"))
changes = st.builds(
    Change,
    file=files,
    op=st.sampled_from(("edit", "edit", "create", "write", "move", "delete")),
    old=st.sampled_from((None, "", "old", "other text")),
    new=st.sampled_from((None, "", "new", "x" * 2500)),
    to=st.sampled_from(("", "", "b.py")),
    cut=st.booleans(),
)
outcomes = st.builds(FileOutcome, files, st.sampled_from(OUTCOMES), st.sampled_from(FAILURES), st.booleans())
called = st.builds(
    ToolCalled,
    call=calls,
    actor=actors,
    message=messages,
    kind=st.sampled_from(("write", "write", "write", "shell", "read", "delegate", "other")),
    tool=st.sampled_from(("edit", "patch")),
    changes=st.lists(changes, max_size=3).map(tuple),
    paths=st.lists(files, max_size=2).map(tuple),
    corrects_names=st.booleans(),
    partial=st.booleans(),
    background=st.booleans(),
    copied=st.integers(0, 9).map(lambda number: number == 0),
)
returned = st.builds(
    ToolReturned,
    call=calls,
    actor=actors,
    message=messages,
    outcome=st.sampled_from(OUTCOMES),
    failure=st.sampled_from(FAILURES),
    files=st.lists(outcomes, max_size=3).map(tuple),
    output=st.sampled_from(("", "1\told\n2\tnew", "old text not found: other text")),
    cwd=st.sampled_from(("", "", "/p/sub")),
    background=st.integers(0, 9).map(lambda number: number == 0),
    at=st.sampled_from((None, 1.0, 2.0)),
)
others = st.one_of(
    st.builds(RunStarted, actor=actors, cwd=st.sampled_from(("", "/p")), project=st.sampled_from(("", "/p"))),
    st.builds(Prompted, text=st.just("go")),
    st.builds(RequestEnded, actor=actors, how=st.sampled_from(("answered", "asked", "refused", "error"))),
    st.builds(RunEnded, actor=actors),
    st.builds(SourceChanged, what=st.sampled_from(("gone", "end", "gap", "back"))),
    st.builds(FileChanged, file=files, at=st.sampled_from((None, 1.2, 3.0))),
    st.builds(TreeMeasured, content=st.sampled_from((None, "1", "2"))),
    st.builds(
        Looked, call=calls, file=files, closest=st.just((CloseLine(1, "old"),)),
        new_present=st.booleans(), old_gone=st.booleans(),
    ),
    st.builds(
        Acted, id=st.just("1"), action=st.just("settle"), receipt=st.just("done"),
        subject=files.map(lambda file: f"failed_writes::/p/{file}"),
    ),
)  # fmt: skip
runs = st.lists(st.one_of(called, called, returned, returned, returned, others), max_size=40)


def numbered(events: list[Event]) -> list[Event]:
    """The events in order, a new request with each prompt."""
    request = 1
    found = []
    for seq, event in enumerate(events):
        request += isinstance(event, Prompted)
        found.append(replace(event, seq=seq, request=request))
    return found


def fed(events: list[Event]) -> FailedWrites:
    detector = FailedWrites()
    for event in events:
        detector.feed(event)
    return detector


@given(runs)
@settings(deadline=None, max_examples=150)
def test_no_order_throws_and_looking_changes_nothing(events: list[Event]) -> None:
    """Any events in any order are taken, and a view at each step makes no difference at the end."""
    events = numbered(events)
    looked_at = FailedWrites()
    for event in events:
        looked_at.feed(event)
        view = looked_at.view()
        assert view is looked_at.view()
        assert view.outstanding == sum(entry.outstanding for entry in view.entries)
        assert len({entry.key for entry in view.entries}) == len(view.entries)
        assert all(entry.failures and entry.count > 0 for entry in view.entries)
        assert {one.subject for one in view.findings if one.state == "open"} == {
            entry.key for entry in view.entries if entry.outstanding
        }
        assert view.made >= 0
        assert view.failed >= 0
    assert looked_at.view() == fed(events).view()


@given(runs, st.integers(0, 40))
@settings(deadline=None, max_examples=100)
def test_a_copy_goes_on_like_the_first(events: list[Event], at: int) -> None:
    """A copy taken anywhere and continued equals going straight on, and leaves the first alone."""
    events = numbered(events)
    first = fed(events[:at])
    before = first.view()
    second = first.copy()
    for event in events[at:]:
        second.feed(event)
    assert first.view() is before
    assert first.view() == fed(events[:at]).view()
    assert second.view() == fed(events).view()


@given(runs, st.sampled_from(("denied", "corrected")), files, messages)
@settings(deadline=None, max_examples=100)
def test_a_persons_decision_never_leaves_an_entry(events: list[Event], decision: str, file: str, message: str) -> None:
    """Whatever came before, a call that a person denied leaves nothing outstanding on its file."""
    detector = fed(numbered(events))
    size = len(events)
    change = Change(file, "edit", "old", "new")
    detector.feed(ToolCalled(call="denied", message=message, kind="write", changes=(change,), seq=size))
    detector.feed(ToolReturned(call="denied", outcome=decision, seq=size + 1))
    entries = [entry for entry in detector.view().entries if any(one.call == "denied" for one in entry.failures)]
    assert [entry.outstanding for entry in entries] == [False]


@given(runs)
@settings(deadline=None, max_examples=60)
def test_renaming_a_file_changes_nothing_but_its_name(events: list[Event]) -> None:
    """Names decide nothing: with a.py called z.py throughout, the ledger is the same but for the name."""
    events = numbered(events)
    plain = [repr(entry) for entry in fed(events).view().entries]
    renamed = fed([_renamed(event) for event in events]).view()
    assert plain == [repr(entry).replace("z.py", "a.py") for entry in renamed.entries]


@given(runs)
@settings(deadline=None, max_examples=60)
def test_an_unrelated_read_opens_nothing(events: list[Event]) -> None:
    """A successful read of another file anywhere changes no file's standing."""
    read = [
        ToolCalled(call="read", kind="read", tool="read", paths=("unrelated.txt",)),
        ToolReturned(call="read", output="1\tx"),
    ]
    half = len(events) // 2
    without = fed(numbered(events)).view()
    with_read = fed(numbered([*events[:half], *read, *events[half:]])).view()
    assert [(e.key, e.outstanding, e.count) for e in with_read.entries] == [
        (e.key, e.outstanding, e.count) for e in without.entries
    ]


def test_the_state_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times the events take no more room, once every memory is full."""
    for module, limit in (
        (excuse, "_MOST"), (excuse, "_RUNNING"), (ledger, "_FILES"), (ledger, "SETTLED"), (names, "_MOST"),
        (pairing, "_WAITING"), (pairing, "_DONE"),
    ):  # fmt: skip
        monkeypatch.setattr(module, limit, 20)
    monkeypatch.setattr(read_lines, "_ALL", 8_000)
    detector = FailedWrites()
    sizes = []
    for number in range(4_400):
        for event in _hostile(number):
            detector.feed(event)
        if number in (399, 4_399):
            sizes.append(len(pickle.dumps(detector)))
    assert sizes[1] < 1.2 * sizes[0]


def _hostile(number: int) -> list[Event]:
    """Nothing ever comes twice: files, calls, actors, links, and many calls without a result."""
    seq, call, file = 10 * number, f"c{number:05}", f"f{number:05}.py"
    kind = ("write", "read", "write", "shell", "read", "read")[number % 6]
    outcome = OUTCOMES[number % 11]
    change = Change(file, ("edit", "create")[number % 2], f"old {number:05}", f"new {number:05}")
    actor = f"kid{number:05}" if number % 7 == 0 else ""
    files = (FileOutcome(f"/real/{file}", outcome, "not_found"),) if number % 3 == 0 else ()
    told: list[Event] = [
        ToolCalled(
            call=call, actor=actor, kind=kind, changes=(change,), paths=(file,), corrects_names=number % 2 == 0, seq=seq
        )
    ]
    if number % 4:
        told.append(ToolReturned(
            call=call, actor=actor, outcome=outcome, failure="not_found", files=files, output="1\tx", cwd=f"/p/{number:05}",
            seq=seq + 1,
        ))  # fmt: skip
    told.append(FileChanged(file=f"/p/x{number:05}", seq=seq + 2))
    if number % 50 == 0:
        told.append(RunEnded(seq=seq + 3))
    return told


def _renamed(event: Event) -> Event:
    def name(text: str) -> str:
        return text.replace("a.py", "z.py")

    match event:
        case ToolCalled():
            changes = tuple(replace(change, file=name(change.file)) for change in event.changes)
            return replace(event, changes=changes, paths=tuple(map(name, event.paths)))
        case ToolReturned():
            return replace(event, files=tuple(replace(one, file=name(one.file)) for one in event.files))
        case FileChanged() | Looked():
            return replace(event, file=name(event.file))
        case Acted():
            return replace(event, subject=name(event.subject))
        case _:
            return event
