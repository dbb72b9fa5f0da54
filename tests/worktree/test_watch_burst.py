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
