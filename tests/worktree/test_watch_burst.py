"""Changes that are too many at once to be told one by one."""

from __future__ import annotations

from monitor.worktree.changes import BURST, Changes
from monitor.worktree.counting import Scope
from monitor.worktree.fingerprint import measure
from monitor.worktree.folders import Folder, Touch

HERE = Folder("", Scope())
MANY = BURST + 200


def test_a_file_told_and_then_left_out_is_counted_once(tmp_path):
    """Files are counted, not events: one that was told, and changed again when there was no room, is one file."""
    for number in range(MANY):
        (tmp_path / f"{number}").write_text("a\n")
    changes = Changes(tmp_path)
    changes.reconcile(measure(tmp_path), 1_000.0)

    def written(text):
        for number in range(MANY):
            (tmp_path / f"{number}").write_text(text)
        return [Touch(HERE, f"{number}", 1, (tmp_path / f"{number}").lstat()) for number in range(MANY)]

    told = {one.file for one in changes.tell(written("b\n"), 1_000.0)}
    assert (len(told), changes.unnamed) == (BURST, MANY - BURST)
    assert changes.tell(written("c\n"), 1_000.0) == []
    assert (changes.left_out, changes.unnamed) == (MANY, MANY - BURST)
    changes.reconcile(measure(tmp_path), 1_000.0)
    assert (changes.left_out, changes.unnamed) == (0, 0)


def test_what_was_told_is_told_again(tmp_path):
    """A file that was told once, and changed again among too many, is told once measured: another hand may have been at it."""
    for number in range(MANY):
        (tmp_path / f"{number}").write_text("a\n")
    changes = Changes(tmp_path)
    changes.reconcile(measure(tmp_path), 1_000.0)

    def touched(names):
        for name in names:
            path = tmp_path / name
            path.write_text(path.read_text() + "more\n")
        return [Touch(HERE, name, 1, (tmp_path / name).lstat()) for name in names]

    assert [one.file for one in changes.tell(touched(["1100"]), 1_000.0)] == ["1100"]
    told = {one.file for one in changes.tell(touched([f"{number}" for number in range(MANY)]), 1_000.0)}
    assert "1100" not in told
    assert "1100" in {one.file for one in changes.reconcile(measure(tmp_path), 1_030.0)}
