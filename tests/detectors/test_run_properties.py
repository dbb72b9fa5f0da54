"""What holds of a whole run, all detectors in it, for any events in any order."""

from __future__ import annotations

from any_events import FILES, flood, messages, renamed, runs, times
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from state_weight import weight

from monitor.detectors import (
    docket,
    excuse,
    names,
    outside_edits,
    outside_spans,
    outside_stories,
    pairing,
    pending,
    read_lines,
    repeats,
    replies,
    scripts,
    stalls,
    waits,
)
from monitor.events import (
    Acted,
    Change,
    CloseLine,
    Coverage,
    FileChanged,
    FileOutcome,
    Looked,
    Prompted,
    RunStarted,
    Said,
    Tick,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
    Used,
    Waiting,
)
from monitor.run import activity, facts, numbering, run
from monitor.run.run import Run

files = st.sampled_from(FILES)
seen = st.one_of(
    st.builds(TreeMeasured, when=st.sampled_from(("start", "prompt", "claim", "end")), by=st.sampled_from(("monitor", "agent")),
              content=st.sampled_from((None, "1", "2")), changed=st.sampled_from((None, True, False)), about=st.integers(-1, 9),
              files=st.lists(files, max_size=2).map(tuple), at=times),
    st.builds(FileChanged, file=st.sampled_from(("a.sh", "q/b.py", "x")), after=st.sampled_from(("", "d1")), at=times, folder=st.just("/p")),
    st.builds(Looked, call=st.sampled_from(("c1", "c2")), file=files, closest=st.just((CloseLine(1, "ls"),)),
              new_present=st.sampled_from((None, True)), old_gone=st.sampled_from((None, True))),
    st.builds(Used, scope=st.sampled_from(("message", "request", "run")), key=messages, cost=st.sampled_from((None, 0.5))),
    st.builds(Unreadable, why=st.just("broken")),
)  # fmt: skip
stories = st.lists(st.one_of(runs, st.lists(seen, max_size=3)), max_size=4).map(
    lambda lists: [event for part in lists for event in part]
)


def fed(events, *, looking=False):
    """A run after these events; looked at after each of them, or not."""
    folded = Run()
    for event in events:
        folded.feed(event)
        if looking:
            folded.snapshot()
    return folded


@given(stories)
@settings(deadline=None, max_examples=150)
def test_one_by_one_is_all_at_once_and_nothing_throws(events):
    """Whatever comes in whatever order is taken, and looking in between makes no difference."""
    one, other = fed(events, looking=True), fed(events)
    assert one.snapshot() == other.snapshot()
    snapshot = other.snapshot()
    assert snapshot is other.snapshot()
    open_now = [found.key for found in snapshot.findings if found.state == "open"]
    assert len(open_now) == len(set(open_now))
    assert all(len(found.advice) < 1_200 for found in snapshot.findings)


@given(stories, st.integers(0, 60))
@settings(deadline=None, max_examples=120)
def test_a_checkpoint_goes_on_like_the_run(events, at):
    """A copy taken anywhere gives what going straight on gives, and leaves the first as it was."""
    first = fed(events[:at])
    before = first.snapshot()
    second = first.copy()
    for event in events[at:]:
        second.feed(event)
    assert second.snapshot() == fed(events).snapshot()
    assert first.snapshot() is before
    assert first.snapshot() == fed(events[:at]).snapshot()


def test_mere_time_changes_no_snapshot():
    """A second that brings nothing leaves the very same snapshot, so that a screen has nothing to draw."""
    run = Run()
    for event in (RunStarted(agent="mine"), Prompted(text="go"), Said(message="m", text="I begin.")):
        run.feed(event)
    before = run.snapshot()
    run.feed(Tick(now=5.0, alive=True))
    run.feed(Tick(now=6.0, alive=True))
    assert run.snapshot() is before
    run.feed(Said(message="n", text="I go on."))
    assert run.snapshot() is not before


@given(stories, files.filter(bool), messages, st.sampled_from(("denied", "corrected")))
@settings(deadline=None, max_examples=150)
def test_a_persons_denial_never_leaves_an_entry(events, file, message, outcome):
    """When a person has denied a write of a file, nothing is outstanding on it, whatever came before."""
    call = ToolCalled(
        call="asked", message=message, kind="write", tool="edit", changes=(Change(file, "edit", "old", "new"),)
    )
    denied = ToolReturned(call="asked", message=message, outcome=outcome, files=(FileOutcome(file, outcome=outcome),))
    folded = fed([*events, call, denied])
    decided = [one for one in folded.snapshot().writes.entries if one.failures[-1].call == "asked"]
    assert decided
    assert not any(one.outstanding for one in decided)


@given(stories)
@settings(deadline=None, max_examples=120)
def test_renaming_a_file_changes_nothing_but_its_name(events):
    """With a.sh called z.sh throughout, the whole snapshot is the same but for the name."""

    def name(event):
        match event:
            case FileChanged() | Looked():
                return replace(event, file=event.file.replace("a.sh", "z.sh"))
            case TreeMeasured():
                return replace(event, files=tuple(one.replace("a.sh", "z.sh") for one in event.files))
            case _:
                return renamed(event)

    plain = repr(fed(events).snapshot())
    assert plain == repr(fed([name(event) for event in events]).snapshot()).replace("z.sh", "a.sh")


@given(stories)
@settings(deadline=None, max_examples=120)
def test_an_unrelated_read_opens_nothing(events):
    """A successful new read of another file opens no finding but of a turn that was over already."""
    read = [
        ToolCalled(call="r", message="last", kind="read", tool="read", paths=("other.txt",), arguments='{"p": "other"}'),
        ToolReturned(call="r", output="text that nobody has seen"),
    ]  # fmt: skip
    before = {one.key for one in fed(events).snapshot().findings}
    after = {one.key for one in fed([*events, *read]).snapshot().findings}
    assert {key for key in after - before if "no progress" not in key and "no answer" not in key} == set()


def test_the_state_of_a_whole_run_is_bounded(monkeypatch):
    """Twice as many events of a run that never repeats itself leave all that it holds as large as it was."""
    small = {
        activity: ("_CALLS", "_ASKED"), facts: ("_ACTORS", "_KEPT"), numbering: ("_ACTORS",), run: ("_ACTIONS",),
        docket: ("ENDED", "_SETTLED"), pairing: ("_WAITING",), pending: ("_DONE", "_WAITING"), names: ("_MOST",),
        outside_stories: ("_STORIES", "_PAST"), outside_edits: ("_RECENT",), outside_spans: ("_OPEN", "_CLOSED"),
        excuse: ("_MOST", "_RUNNING"), read_lines: ("_ALL",), stalls: ("_ACTORS",), waits: ("_CALLS",),
        repeats: ("_ACTORS", "ENTRIES"), replies: ("_ACTORS",), scripts: ("_ACTORS",),
    }  # fmt: skip
    for module, limits in small.items():
        for limit in limits:
            assert getattr(module, limit) >= 40
            monkeypatch.setattr(module, limit, 40)
    folded, sizes = Run(), []
    for half in (range(250), range(250, 500)):
        for number in half:
            for event in flood(number):
                folded.feed(event)
            for event in _more(number):
                folded.feed(event)
        folded.snapshot()
        sizes.append({name: weight(part, set()) for name, part in vars(folded).items()})
    assert {name: size for name, size in sizes[1].items() if size > max(sizes[0][name] * 1.15, 30)} == {}


def _more(number):
    """What the flood of calls leaves out."""
    yield Used(scope="request", key=f"u{number}")
    yield Used(scope="run", key=f"r{number}", actor=f"kid{number}")
    yield Waiting(call=f"w{number}", about="x")
    yield Acted(id=f"a{number}", action="note", receipt="done")
    if number % 50 == 0:
        yield RunStarted(coverage={f"made up {number}": Coverage("none")})
    yield FileChanged(file=f"f{number}", at=float(number * 1_000))
    yield TreeMeasured(content=str(number), files=(f"f{number}",))
    yield ToolCalled(call=f"never{number}", kind="shell", command=f"sleep {number}")
    yield Prompted(text=f"go {number}") if number % 10 == 0 else Unreadable(why="x")
