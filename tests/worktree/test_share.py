"""Which files a comparison shows where there are too many of them."""

from __future__ import annotations

from collections import Counter

from gathered import events
from hypothesis import given
from hypothesis import strategies as st

from monitor.worktree.diff import FILES
from monitor.worktree.share import share

BECAME = st.dictionaries(
    st.integers(0, 400).map(str), st.sampled_from(["modified", "deleted", "created"]), max_size=120
)


@given(BECAME, st.integers(5, 60), st.sets(st.integers(0, 400).map(str), max_size=20))
def test_what_was_there_before_comes_first(became, most, came):
    """Nothing twice and no more than there is room for; edits before new files, which keep a fifth; the rest is counted."""
    shown, left = share(became, came, most)
    assert len(set(shown)) == len(shown) == min(len(became), most)
    assert Counter(became[path] for path in shown) + Counter(dict(left)) == Counter(became.values())
    new = {path for path, what in became.items() if what == "created" and path not in came}
    old = became.keys() - new
    assert len(old & set(shown)) >= min(len(old), most - most // 5)
    assert len(new & set(shown)) >= min(len(new), most // 5)
    assert all(one in old for one in shown[: len(old & set(shown))])
    assert list(shown) == [one for part in (old, new) for one in became if one in part and one in shown]


def test_an_edit_is_not_hidden_by_new_files_that_come_before_it(folder, living):
    """Of hundreds of new files so many are shown as fit; what was changed, went or was moved is all there, and first."""
    folder.write("zz/edited.txt", "old\n")
    folder.write("zz/gone.txt", "went\n")
    folder.write("zz/here.txt", "moved along\n")
    live = living(folder)
    for number in range(FILES + 50):
        folder.write(f"aa/{number:03}.txt", f"{number}\n")
    folder.write("zz/edited.txt", "new\n")
    (folder.path / "zz/gone.txt").unlink()
    (folder.path / "zz/here.txt").rename(folder.path / "zz/there.txt")
    events(live)
    found = live.differences()
    assert [(one.file, one.what) for one in found.files[:3]] == [
        ("zz/edited.txt", "modified"), ("zz/gone.txt", "deleted"), ("zz/there.txt", "moved"),
    ]  # fmt: skip
    assert {one.what for one in found.files[3:]} == {"created"}
    assert found.left == (("created", 54),)
    assert found.left_out == 54


def test_what_came_and_went_again_is_not_counted(folder, living):
    """It was seen to change, and is now what it was: nothing."""
    live = living(folder)
    for number in range(FILES):
        folder.write(f"aa/{number:03}.txt", f"{number}\n")
    folder.write("brief.txt", "for a moment\n")
    assert "brief.txt" in events(live)
    (folder.path / "brief.txt").unlink()
    events(live)
    found = live.differences()
    assert (len(found.files), found.left) == (FILES, ())
