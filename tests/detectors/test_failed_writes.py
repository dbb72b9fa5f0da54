"""Every row of the table: what opens an entry, what clears it, and what does neither."""

from __future__ import annotations

import pytest
from writes_story import Story

from monitor.events import Change, FileOutcome, ToolCalled


def test_nothing_has_happened() -> None:
    """Before any write the ledger is empty, and nothing is claimed about it."""
    view = Story().detector.view()
    assert (view.entries, view.outstanding, view.made, view.failed, view.findings) == ((), 0, 0, 0, ())


def test_a_failure_opens_at_note() -> None:
    """A failed write opens an entry for its file, at note."""
    story = Story()
    story.fail("a.py")
    entry = story.entry("a.py")
    assert (entry.key, entry.outstanding, entry.count) == ("/p/a.py", True, 1)
    assert (entry.last.failure, entry.last.what, entry.last.guess, entry.last.new) == (
        "not_found", "String to replace not found in file.", "a", "b",
    )  # fmt: skip
    assert story.levels == {"a.py": "note"}
    assert story.open[0].message == "The write to a.py failed, and no later one succeeded: old text not found"
    assert (story.detector.view().made, story.detector.view().failed) == (0, 1)


@pytest.mark.parametrize(
    "outcome", ["refused", "not_executed", "approval_timeout", "timed_out", "cancelled", "unknown"]
)
def test_what_is_not_a_persons_decision_opens(outcome: str) -> None:
    """Refusals, calls never executed, timeouts and cancellations open an entry; only some leave it unknown."""
    story = Story()
    story.edit("a.py", outcome)
    assert story.outstanding == ["a.py"]
    assert story.entry("a.py").unknown == (outcome in ("timed_out", "cancelled", "unknown"))


def test_a_later_success_clears() -> None:
    """A write to the same file in a later message mends it, whatever it changes."""
    story = Story()
    story.fail("a.py")
    story.edit("a.py", old="x", new="y")
    entry = story.entry("a.py")
    assert (entry.outstanding, entry.settled_by) == (False, "a later write")
    (finding,) = story.detector.view().findings
    assert (finding.state, finding.why_ended) == ("cleared", "a later write")
    assert finding.message == "The write to a.py failed: old text not found; cleared by a later write"
    assert (story.detector.view().made, story.detector.view().failed) == (1, 1)


@pytest.mark.parametrize("first", ["ok", "failed"])
def test_a_success_in_the_same_batch_clears_nothing(first: str) -> None:
    """A failure beside a success in one message stays, in whichever order their results come."""
    story = Story()
    calls = [story.call(Change("a.py", "edit", text, "n"), message="m") for text in ("x", "y")]
    story.result(calls[0], first, "not_found" if first == "failed" else "")
    story.result(calls[1], "failed" if first == "ok" else "ok", "not_found" if first == "ok" else "")
    assert story.outstanding == ["a.py"]


def test_a_success_clears_what_is_earlier_and_leaves_what_is_beside_it() -> None:
    """Of two failures of one file only the one of the earlier message is mended."""
    story = Story()
    story.fail("a.py")
    story.fail("a.py", message="m", old="x")
    story.edit("a.py", message="m", old="y")
    entry = story.entry("a.py")
    assert (entry.outstanding, entry.count, [one.guess for one in entry.failures]) == (True, 1, ["x"])


def test_without_message_ids_the_order_of_issue_decides() -> None:
    """Without message ids a failure is earlier when its result came before the call was issued."""
    story = Story()
    one = story.call(Change("a.py", "edit", "x", "n"))
    two = story.call(Change("a.py", "edit", "y", "n"))
    story.result(one, "failed", "not_found")
    story.result(two)
    assert story.outstanding == ["a.py"]
    three = story.call(Change("a.py", "edit", "z", "n"))
    story.result(three)
    assert story.outstanding == []


@pytest.mark.parametrize("outcome", ["denied", "corrected"])
def test_a_persons_decision_clears(outcome: str) -> None:
    """A person's denial or correction settles the file, and is shown."""
    story = Story()
    story.fail("a.py")
    story.edit("a.py", outcome)
    entry = story.entry("a.py")
    assert (entry.outstanding, entry.settled_by) == (False, f"{outcome} by a person")
    assert entry.last.outcome == outcome
    assert story.detector.view().failed == 1


def test_a_denial_alone_is_shown_and_found_nowhere() -> None:
    """A denied write that followed no failure is on record, and is no finding."""
    story = Story()
    story.edit("a.py", "denied")
    story.edit("b.py")
    assert story.entry("a.py").settled_by == "denied by a person"
    assert story.detector.view().findings == ()


def test_a_denial_settles_a_failure_beside_it() -> None:
    """A denial settles the file even when the failure was in the same message."""
    story = Story()
    story.fail("a.py", message="m")
    story.edit("a.py", "denied", message="m")
    assert story.outstanding == []


def test_an_approval_timeout_clears_nothing() -> None:
    """Nobody decided: the file stays outstanding, and the timeout is one more failure."""
    story = Story()
    story.fail("a.py")
    story.edit("a.py", "approval_timeout")
    assert story.entry("a.py").count == 2


def test_the_shell_neither_opens_nor_clears() -> None:
    """A failed command opens nothing, and a redo through the shell gets its needless warning."""
    story = Story()
    story.fail("a.py")
    story.shell("sed -i s/a/b/ a.py")
    story.tell(ToolCalled(call="x", kind="shell", tool="bash", command="cp"))
    story.result("x", "failed", "io")
    story.tell(ToolCalled(call="y", kind="other", tool="mcp__files__write"))
    story.result("y", "failed", "io")
    assert story.outstanding == ["a.py"]


def test_one_of_two_files_with_one_name_never_settles_the_other() -> None:
    """`values/strings.xml` is not `values-es/strings.xml`."""
    story = Story()
    story.fail("app/values-es/strings.xml")
    story.edit("app/values/strings.xml")
    assert story.outstanding == ["app/values-es/strings.xml"]


def test_a_path_that_names_no_file_keeps_its_own_key() -> None:
    """`app/` is settled neither by `app` nor by a file in it."""
    story = Story()
    story.create("app/", "failed", "io")
    story.create("app")
    story.create("app/a.py")
    assert story.outstanding == ["app/"]
    story.create("./app/")
    assert story.outstanding == []


def test_a_call_without_a_file_is_settled_by_nothing() -> None:
    """A call that named no file has a key of its own; other such calls do not mend it."""
    story = Story()
    call = story.call(message="m1")
    story.result(call, "failed", "arguments")
    story.edit("")
    story.edit("a.py")
    (entry,) = [one for one in story.entries if one.outstanding]
    assert entry.file == ""
    assert (
        story.open[0].message
        == "A write that named no file failed, and no later one succeeded: the arguments were not valid"
    )
    story.settle(story.open[0])
    assert story.outstanding == []


def test_a_patch_opens_each_file_and_names_the_cause() -> None:
    """A refused patch over several files opens one entry each; the one that failed is the cause."""
    story = Story()
    story.patch(["a.py", "b.py", "c.py"], "failed", "not_found", cause="b.py")
    assert story.outstanding == ["a.py", "b.py", "c.py"]
    assert [story.entry(file).last.cause for file in ("a.py", "b.py", "c.py")] == [False, True, False]
    assert "it made the whole call fail" in next(one.message for one in story.open if one.subject == "/p/b.py")


def test_one_file_alone_is_no_cause() -> None:
    """Where a call is about one file there is nothing to name."""
    story = Story()
    story.patch(["a.py"], "failed", "not_found", cause="a.py")
    assert not story.entry("a.py").last.cause


def test_a_half_made_patch_opens_only_what_failed() -> None:
    """Where the source tells per file, what was made is made."""
    story = Story()
    call = story.call(Change("a.py", "edit", "x", "y"), Change("b.py", "edit", "x", "y"), message="m")
    story.result(call, "failed", "not_found", files=(FileOutcome("a.py"), FileOutcome("b.py", "failed", "not_found")))
    assert story.outstanding == ["b.py"]
    assert (story.detector.view().made, story.detector.view().failed) == (0, 1)


def test_files_told_without_outcomes_take_the_calls() -> None:
    """A failed call whose files only say where they lie has made none of them."""
    story = Story()
    story.edit("a.py", "failed", "not_found", files=(FileOutcome("/p/a.py"),))
    assert story.outstanding == ["a.py"]


def test_a_move_names_two_files() -> None:
    """A failed move opens both ends; doing it by hand settles both."""
    story = Story()
    call = story.call(Change("a.py", "move", to="b.py"), message="m")
    story.result(call, "failed", "io")
    assert story.outstanding == ["a.py", "b.py"]
    call = story.call(Change("b.py", "create", None, "t"), Change("a.py", "delete"), message="n")
    story.result(call)
    assert story.outstanding == []
