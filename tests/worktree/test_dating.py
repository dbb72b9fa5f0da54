"""When a file came to be as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.worktree.dating import Dating
from monitor.worktree.sight import ABSENT, Sight

FILE = Sight(b"100644", b"1", "1")


@pytest.fixture
def dated(tmp_path):
    """A look at a folder that was last changed at `changed`."""
    made = Dating(str(tmp_path))
    made.changed = tmp_path.stat().st_ctime
    made.look(made.changed - 50)
    return made


def test_what_went_went_when_its_folder_changed(dated):
    """A file that is gone went when its folder last changed, though that is noticed later."""
    dated.look(dated.changed + 10)
    assert dated.at("a", replace(FILE, seen=dated.changed - 10), ABSENT) == dated.changed


def test_not_before_it_was_seen_as_it_was(dated):
    """Where the folder's time is older than the last sight of the file, it went when that was noticed."""
    seen = replace(FILE, seen=dated.changed + 5)
    dated.look(dated.changed + 10)
    assert dated.at("a", seen, ABSENT) == dated.changed + 10
    assert dated.at("a", replace(ABSENT, seen=dated.changed + 5), replace(FILE, changed=1.0)) == dated.changed + 10


def test_the_folder_was_replaced(dated):
    """With a disk mounted over the folder, or taken away, files went when that was noticed, whenever they are measured."""
    seen = replace(FILE, seen=dated.changed + 5)
    dated.look(dated.changed + 10)
    dated.lose()
    dated.look(dated.changed + 400)
    assert dated.at("a", seen, ABSENT) == dated.changed + 10
    assert dated.at("a", replace(seen, seen=dated.changed + 300), ABSENT) == dated.changed + 400


def test_nothing_before_the_first_look(tmp_path):
    """A file that only a measurement knew did not go before the folder was first looked at."""
    made = Dating(str(tmp_path))
    begun = tmp_path.stat().st_ctime + 100
    made.look(begun)
    made.look(begun + 60)
    assert made.at("a", FILE, ABSENT) == begun + 60


def test_the_clock_of_files_may_lag(dated):
    """A file's time that is behind the clock by a moment is still its time."""
    dated.look(dated.changed + 10)
    assert dated.at("a", replace(FILE, seen=dated.changed + 0.03), ABSENT) == dated.changed
