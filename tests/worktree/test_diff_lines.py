"""Which lines differ, on any input, and how they are shown."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.worktree.diff_text import NOTHING, Content, diff_of, unified
from monitor.worktree.line_diff import Block, counted, differing, lines_of

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"", b"c\r", b"\xff", b"d e"]), max_size=40).map(b"\n".join)


def built(old, new, blocks):
    """The new text, made of the old one and the blocks."""
    out, at = [], 0
    for block in blocks:
        assert old[at : block.old_from] == new[len(out) : block.new_from]
        out += old[at : block.old_from] + new[block.new_from : block.new_to]
        at = block.old_to
    return out + old[at:]


@settings(deadline=None, max_examples=200)
@given(TEXTS, TEXTS)
def test_the_blocks_lead_from_the_old_text_to_the_new(old, new):
    """Between two blocks the texts are the same, and the blocks make one of the other."""
    before, after = lines_of(old), lines_of(new)
    assert built(before, after, differing(old, new)) == after


@settings(deadline=None, max_examples=40)
@given(TEXTS, TEXTS)
def test_a_patch_that_patch_itself_applies(tmp_path_factory, old, new):
    """What is shown is a unified diff that leads from the one text to the other."""
    diff = diff_of("f", Content(old), Content(new))
    text = "".join(line + "\n" for line in unified(diff))
    assert (diff.added, diff.removed) == counted(old, new)
    shown = [line for hunk in diff.hunks for line in hunk.lines]
    assert diff.added == sum(line.sign == "+" for line in shown)
    assert diff.removed == sum(line.sign == "-" for line in shown)
    if b"\xff" in old + new or b"\r" in old + new or old == new:
        return
    folder = tmp_path_factory.mktemp("patched")
    (folder / "f").write_bytes(old)
    subprocess.run(["git", "apply", "-p1", "--unidiff-zero", "-"], cwd=folder, input=text.encode(), check=True)
    assert (folder / "f").read_bytes() == new


def test_lines_that_stand_once_are_kept_together():
    """A function moved in front of another shows as one block added and one removed, its own lines whole."""
    one = b"def one():\n    x = 1\n    return x\n"
    two = b"def two():\n    y = 2\n    return y\n"
    assert counted(one + two, two + one) == (3, 3)


def test_texts_that_could_take_for_ever():
    """Twenty thousand lines of which none stands once are compared; of hundreds of thousands what differs is one block."""
    old = [b"x\n", b"y\n"] * 10_000
    new = [b"q\n", *reversed(old)]
    assert built(old, new, differing(b"".join(old), b"".join(new))) == new
    many = [b"same\n", *[b"x\n", b"y\n", b"y\n"] * 100_000, b"same\n"]
    others = [b"same\n", *[b"y\n", b"x\n"] * 120_000, b"same\n"]
    assert differing(b"".join(many), b"".join(others)) == [Block(1, 300_001, 1, 240_001)]


def test_a_comparison_opens_nothing(tmp_path, monkeypatch):
    """Compared in a repository set to run commands, nothing of it is looked at: only the two texts count."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".git/config").write_text(f"[diff]\n\texternal = touch {tmp_path}/ran\n[core]\n\tautocrlf = true\n")
    (tmp_path / ".gitattributes").write_text("* diff=none -text\n")
    monkeypatch.chdir(tmp_path)
    assert differing(b"a\r\nb\n", b"a\nb\n") == [Block(0, 1, 0, 1)]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("old", "new", "what", "note"),
    [
        (NOTHING, Content(b"a\n", b"100644"), "created", ""),
        (NOTHING, Content(b"a\n", b"100755"), "created", "a program"),
        (Content(b"a\n", b"100644"), NOTHING, "deleted", ""),
        (Content(b"a\n", b"100644"), Content(b"a\n", b"100755"), "mode", "a file before, a program now"),
        (Content(b"a\0", b"100644"), Content(b"ab\0", b"100644"), "modified", "no text: 2 bytes before, 3 now"),
        (Content(b"a\n", b"100644"), Content(b"a\n", b"100644"), "same", ""),
        (NOTHING, NOTHING, "same", ""),
    ],
)
def test_what_lines_cannot_say(old, new, what, note):
    """A new file, one that is gone, another mode, and bytes that are no text are named as what they are."""
    diff = diff_of("f", old, new)
    assert (diff.what, diff.note) == (what, note)


def test_what_is_not_known_is_said():
    """Where one side was not kept, nothing is shown, and the reason is."""
    diff = diff_of("f", Content(None, b"100644", "it is larger than 1 MB"), Content(b"a\n", b"100644"))
    assert (diff.hunks, diff.added) == ((), None)
    assert diff.note == "what it held before is not known: it is larger than 1 MB"
    assert diff_of("f", Content(None, why="never measured", there=None), NOTHING).what == "unknown"


def test_a_large_diff_is_cut_with_a_count():
    """Beyond so many lines a diff is cut, and says how many more there are; the counts are of all."""
    diff = diff_of("f", NOTHING, Content(b"line\n" * 50, b"100644"), most=20)
    assert sum(len(hunk.lines) for hunk in diff.hunks) == 20
    assert (diff.added, diff.left_out) == (50, 30)
    assert list(unified(diff))[-1] == "# 30 more lines not shown"


def test_control_characters_are_shown_not_sent():
    """Lines of a hostile file reach no terminal as they are; CRLF is told from a newline."""
    diff = diff_of("a\x1b.py", Content(b"a\n", b"100644"), Content(b"a\r\n\x1b[2J\n", b"100644"))
    text = "\n".join(unified(diff))
    assert "\x1b" not in text
    assert "\r" not in text
    assert "+a␍" in text


def test_a_missing_end_of_line_is_named():
    """A last line without its end differs from the same line with one, as everywhere."""
    diff = diff_of("f", Content(b"a\nb", b"100644"), Content(b"a\nb\n", b"100644"))
    assert [line.sign for hunk in diff.hunks for line in hunk.lines] == [" ", "-", "\\", "+"]


def test_the_hunks_of_gits_own_diff(tmp_path: Path):
    """Far differences make hunks of their own, near ones one hunk, with the headers that git writes."""
    old = b"".join(b"%d\n" % number for number in range(1, 41))
    new = old.replace(b"\n5\n", b"\nfive\n").replace(b"\n9\n", b"\nnine\n").replace(b"\n30\n", b"\n")
    (tmp_path / "old").write_bytes(old)
    (tmp_path / "new").write_bytes(new)
    done = subprocess.run(
        ["git", "diff", "--no-index", "old", "new"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    git = [line.split("@@")[1] for line in done.stdout.splitlines() if line.startswith("@@")]
    ours = [hunk.header.split("@@")[1] for hunk in diff_of("f", Content(old), Content(new)).hunks]
    assert ours == git
    assert len(git) == 2
