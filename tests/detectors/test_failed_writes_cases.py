"""Cases from real runs, and the tests the seed's makers thought worth having."""

from __future__ import annotations

from writes_story import Story

from monitor.events import Change


def test_one_patch_refused_three_times_two_files_redone() -> None:
    """One patch of three files refused three times, two redone another way: one outstanding."""
    story = Story()
    for _ in range(3):
        story.patch(["a.py", "b.py", "c.py"], "failed", "not_found", cause="b.py")
    story.edit("a.py", old="q")
    story.create("/p/c.py", op="write")
    assert story.outstanding == ["b.py"]
    assert story.entry("b.py").count == 3
    assert story.open[0].message == (
        "3 writes to b.py failed, and no later one succeeded: old text not found; it made the whole call fail"
    )


def test_a_patch_redone_piecewise() -> None:
    """A four-file patch redone piece by piece leaves nothing."""
    story = Story()
    files = ["a.py", "b.py", "c.py", "d.py"]
    story.patch(files, "failed", "not_found")
    for file in files:
        story.edit(file)
    assert story.outstanding == []


def test_a_denied_write_then_another_file() -> None:
    """A write a person denied, then another file written: denied, and nothing outstanding."""
    story = Story()
    story.create("a.py", "denied")
    story.create("b.py")
    assert [(entry.file, entry.settled_by) for entry in story.entries] == [("a.py", "denied by a person")]


def test_ten_refusals_a_comment_two_more_refusals() -> None:
    """A success that only inserts a comment clears the ten before it, and the two after it stand."""
    story = Story()
    for number in range(10):
        story.fail("parser.pony", old=f"guess {number}")
    call = story.call(Change("parser.pony", "insert", None, "// a comment"), message="i", tool="insert")
    story.result(call)
    assert story.outstanding == []
    story.fail("parser.pony", old="guess 11")
    story.fail("parser.pony", old="guess 12")
    assert (story.outstanding, story.entry("parser.pony").count) == (["parser.pony"], 2)
    story.answer("I was unable to make the necessary changes.")
    assert story.levels == {"parser.pony": "warn"}


def test_a_person_decides_each_in_its_own_way() -> None:
    """Denial and correction settle, an approval timeout does not."""
    for outcome, outstanding in (("denied", []), ("corrected", []), ("approval_timeout", ["a.py"])):
        story = Story()
        story.fail("a.py")
        story.edit("a.py", outcome)
        assert story.outstanding == outstanding


def test_a_stale_rewrite_then_the_repeat() -> None:
    """The edit was made, a rewrite of old content undid it, the repeat under another spelling fails: outstanding."""
    story = Story()
    story.edit("src/a.py")
    story.create("/p/src/a.py", op="write", message="m")
    story.fail("./src/a.py", message="m")
    assert story.outstanding == ["src/a.py"]


def test_a_stale_rewrite_by_an_open_editor() -> None:
    """The same through a person's editor, which only the folder shows."""
    story = Story()
    story.edit("a.py")
    story.outside("a.py")
    story.fail("a.py")
    assert story.outstanding == ["a.py"]


def test_a_create_repeated_after_a_rewrite() -> None:
    """The create that made the file is no failure when it is said again."""
    story = Story()
    story.create("a.py")
    story.create("a.py", op="write", new="more")
    story.create("a.py", "failed", "exists")
    assert story.outstanding == []


def test_a_create_of_a_file_that_does_not_exist_yet() -> None:
    """A failed create is settled by the next one that succeeds, and by no file of the same name elsewhere."""
    story = Story()
    story.create("values-es/strings.xml", "failed", "io")
    story.create("values/strings.xml")
    assert story.outstanding == ["values-es/strings.xml"]
    story.create("/p/values-es/strings.xml")
    assert story.outstanding == []


def test_the_edit_that_changes_nothing_is_never_excused() -> None:
    """Old and new text the same: outstanding, though the model may think it done."""
    story = Story()
    story.edit("a.py", old="x", new="y")
    story.fail("a.py", "identical", old="y", new="y")
    assert story.outstanding == ["a.py"]


def test_a_later_different_change_clears() -> None:
    """A limit that is said in the README: any later write to the file mends it."""
    story = Story()
    story.fail("a.py", old="the thing asked for")
    story.edit("a.py", old="another thing")
    assert story.outstanding == []


def test_more_failures_than_are_kept() -> None:
    """Twenty failures of a file are kept and all are counted; one later write mends them."""
    story = Story()
    for number in range(30):
        story.fail("a.py", old=f"guess {number}")
    entry = story.entry("a.py")
    assert (entry.count, len(entry.failures), entry.last.guess) == (30, 20, "guess 29")
    story.edit("a.py")
    assert story.outstanding == []


def test_more_files_than_are_told_apart() -> None:
    """Beyond 500 files the rest stays outstanding under one name that only the operator settles."""
    story = Story()
    story.patch([f"f{number}.py" for number in range(510)], "failed", "not_found")
    assert story.detector.view().outstanding == 501
    assert story.entry("other files").count == 10
    for number in range(510):
        story.edit(f"f{number}.py", old="q")
    assert story.outstanding == ["other files"]
    story.settle(story.open[0])
    assert story.outstanding == []


def test_settled_files_are_kept_for_a_while() -> None:
    """The last fifty settled files are shown, the latest first."""
    story = Story()
    for number in range(60):
        story.fail(f"f{number}.py")
        story.edit(f"f{number}.py")
    assert [entry.file for entry in story.entries] == [f"f{number}.py" for number in reversed(range(10, 60))]


def test_what_is_not_told_apart_is_not_taken_back() -> None:
    """A late result takes back the failures of its own call, not the crowd's."""
    story = Story()
    files = [f"f{number}.py" for number in range(510)]
    call = story.call(*(Change(file, "edit", "x", "y") for file in files), message="m")
    story.answer()
    assert story.detector.view().outstanding == 501
    story.result(call)
    assert story.outstanding == ["other files"]


def test_the_same_content_beside_it_is_not_elsewhere() -> None:
    """A create that failed and one that succeeded in one message are the same file, not another."""
    story = Story()
    story.create("a.py", "failed", "io", message="m")
    story.create("a.py", message="m")
    assert (story.outstanding, story.entry("a.py").elsewhere) == (["a.py"], "")
