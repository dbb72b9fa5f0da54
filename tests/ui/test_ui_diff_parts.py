"""What the parts of a comparison say, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui_differing import differences
from ui_samples import NOWS, PEN, at, joined

from monitor.detectors.outside_view import UNSEEN, Author
from monitor.events import Change, FileChanged, ToolCalled
from monitor.snapshot import RunFacts, Snapshot
from monitor.ui.present.diff import Changed, file_line, patch, scopes, story, subject
from monitor.ui.present.panel import Entry
from monitor.worktree.diff_text import Content, diff_of

NOW = NOWS["trouble"]


def test_what_the_start_is() -> None:
    """For a run that was under way the start is the moment of attaching; an earlier prompt cannot be compared with."""
    tree = replace(Snapshot().worktree, attached=at("15:02:00"), since=at("15:01:12"))
    (only,) = scopes(PEN, replace(Snapshot(), worktree=tree), "", NOW)
    assert only.name == "since attaching at 15:02:00"
    later = replace(tree, since=at("15:04:00"), since_feedback=True)
    names = [one.name for one in scopes(PEN, replace(Snapshot(), worktree=later), "a.py", NOW)]
    assert names == [
        "of a.py since attaching at 15:02:00", "since attaching at 15:02:00", "since your feedback at 15:04:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("entry", "event", "panel", "file"),
    [
        (Entry("", "src/a.py", path=True), None, "worktree", "src/a.py"),
        (Entry("", "since the start"), None, "worktree", ""),
        (None, FileChanged(file="b.py"), "", "b.py"),
        (None, ToolCalled(call="1", kind="write", changes=(Change("x.py"),)), "", "/p/sub/x.py"),
        (None, ToolCalled(call="1", kind="write", changes=(Change("/q/x.py"),)), "", "/q/x.py"),
        (None, ToolCalled(call="1", kind="read", paths=("x.py",)), "", ""),
        (None, None, "", ""),
    ],
)
def test_which_file_is_looked_at(
    entry: Entry | None, event: FileChanged | ToolCalled | None, panel: str, file: str
) -> None:
    """A panel's file, a change from outside, a write: by its path from the project or from the top; a read is none."""
    assert subject(entry, event, panel, RunFacts(project="/p", cwd="/p/sub")) == file


@pytest.mark.parametrize(
    ("author", "words", "row"),
    [
        (Author("", "the agent's log is behind", NOW), "By whom is not known yet at", "not known yet"),
        (Author(), "By whom is not known yet.", "not known yet"),
        (UNSEEN, "By whom is not known: it was not seen to change by itself.", "unknown"),
    ],
)
def test_no_name_is_the_agents_alone(author: Author, words: str, row: str) -> None:
    """A file whose hand is not known, or not yet, says so in the list and above its lines, and why."""
    changed = Changed(diff_of("a.py", Content(b"a\n"), Content(b"b\n")), author)
    assert words in " ".join(one.plain.strip() for one in story(PEN, changed, 100, NOW))
    assert row in file_line(PEN, changed, 60, here=False).plain
    assert row not in file_line(PEN, replace(changed, author=Author("agent")), 60, here=False).plain


def test_a_part_of_the_lines() -> None:
    """Whatever part is asked for, it is that part of all lines; the last says what is not shown."""
    old = "".join(f"line {number}\n" for number in range(300)).encode()
    new = b"".join(line + b"more\n" for line in old.splitlines(keepends=True)[::7])
    changed = Changed(diff_of("a", Content(old), Content(new), most=200))
    whole = joined(patch(PEN, changed, 100, (0, changed.rows + 1))).split("\n")
    assert len(whole) == changed.rows + 1
    assert whole[-1].endswith("more lines of the differences not shown")
    for begin in range(0, changed.rows, 13):
        assert joined(patch(PEN, changed, 100, (begin, begin + 20))).split("\n") == whole[begin : begin + 20]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=200), st.text(max_size=40), st.integers(2, 200), st.integers(0, 40))
def test_nothing_hostile_is_drawn(old: bytes, new: bytes, file: str, room: int, left: int) -> None:
    """Whatever files hold and however they are called, each line is as wide as the room, and clean."""
    changed = Changed(diff_of(file, Content(old, b"100644"), Content(new, b"100755")), Author("shell", file, 1.0))
    for line in patch(PEN, changed, room, (0, 1000), left):
        assert line.cell_length == room
        assert "\x1b" not in line.plain
    assert all("\x1b" not in line.plain for line in story(PEN, changed, room, NOW))


def test_the_sample_holds_every_kind() -> None:
    """The picture of the README shows each kind of difference."""
    assert {one.what for one in differences()} == {"created", "deleted", "modified", "moved", "mode"}
