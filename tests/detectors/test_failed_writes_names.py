"""One file under several spellings is one entry; two files are two."""

from __future__ import annotations

from writes_story import Story

from monitor.events import Change, FileOutcome, RunStarted, ToolCalled, ToolReturned


def test_one_file_under_three_spellings() -> None:
    """Relative, absolute and dotted, it is one file: one write mends them all."""
    story = Story()
    for file in ("src/a.py", "/p/src/a.py", "./lib/../src/a.py"):
        story.fail(file)
    assert story.entry("src/a.py").count == 3
    story.edit("/p/src//a.py", old="x", new="y")
    assert story.outstanding == []


def test_relative_paths_follow_the_actors_folder() -> None:
    """After a move, a relative path is another file; a sub-agent has a folder of its own."""
    story = Story()
    story.fail("a.py")
    story.tell(ToolCalled(call="s", kind="shell", tool="bash", command="cd sub"))
    story.tell(ToolReturned(call="s", cwd="/p/sub"))
    story.edit("a.py")
    assert story.outstanding == ["a.py"]
    story.tell(RunStarted(actor="kid", parent="", cwd="/p"))
    story.edit("a.py", actor="kid")
    assert story.outstanding == []


def test_a_link_is_known_once_a_tool_resolved_it() -> None:
    """A path that a tool once resolved to another shares its key, before and after."""
    story = Story()
    story.fail("link/a.py")
    story.edit("link/a.py", old="x", new="y", files=(FileOutcome("/real/a.py"),))
    assert story.outstanding == []
    story.fail("link/a.py", old="z")
    assert story.outstanding == ["/real/a.py"]
    story.edit("/real/a.py", old="z")
    assert story.outstanding == []


def test_a_tool_that_mends_names_shares_the_files_key() -> None:
    """A bare name such a tool resolved, and the full path, are one file for it."""
    story = Story()
    strings = "/p/app/res/strings.xml"
    story.fail("strings.xml", corrects_names=True, files=(FileOutcome(strings, "failed", "not_found"),))
    assert story.outstanding == ["app/res/strings.xml"]
    story.fail("strings.xml", corrects_names=True)
    assert story.entry("app/res/strings.xml").count == 2
    story.edit("app/res/strings.xml", corrects_names=True)
    assert story.outstanding == []


def test_a_bare_name_resolved_later_takes_its_failures_along() -> None:
    """A failure under a bare name is the file's, once the tool says which file it means."""
    story = Story()
    story.fail("strings.xml", corrects_names=True)
    story.create("strings.xml", "failed", "io")
    story.edit("strings.xml", corrects_names=True, files=(FileOutcome("/p/res/strings.xml"),))
    assert story.outstanding == ["strings.xml"]
    assert story.entry("strings.xml").count == 1


def test_other_tools_take_a_bare_name_at_its_word() -> None:
    """What one tool corrects, another does not."""
    story = Story()
    story.edit("strings.xml", corrects_names=True, files=(FileOutcome("/p/res/strings.xml"),))
    story.create("strings.xml", "failed", "io")
    assert story.outstanding == ["strings.xml"]
    story.edit("strings.xml", corrects_names=True)
    assert story.outstanding == ["strings.xml"]


def test_a_path_relative_to_somewhere_else_is_found_by_its_end() -> None:
    """A tool that answers with a path relative to its own root means the file of the call."""
    story = Story()
    story.edit("/w/src/a.py", "failed", "not_found", files=(FileOutcome("src/a.py", "failed", "not_found"),))
    assert story.outstanding == ["/w/src/a.py"]
    story.edit("/w/src/a.py")
    assert story.outstanding == []


def test_windows_paths_in_both_spellings() -> None:
    """Slashes in the patch and backslashes in the error name one file."""
    story = Story("c:\\work")
    call = story.call(Change("src/a.py", "edit", "x", "y"), message="m")
    story.result(call, "failed", "not_found", files=(FileOutcome("C:\\work\\src\\a.py", "failed", "not_found"),))
    assert story.outstanding == ["src/a.py"]
    story.edit("C:/work/src/a.py")
    assert story.outstanding == []


def test_the_folder_may_be_told_late() -> None:
    """Relative paths told before the folder was known are the same files afterwards."""
    story = Story("")
    story.fail("a.py")
    story.tell(RunStarted(cwd="/p", project="/p"))
    assert [entry.key for entry in story.entries] == ["/p/a.py"]
    story.edit("/p/a.py")
    assert story.outstanding == []


def test_files_the_call_did_not_name() -> None:
    """What only the result names is a file of the call; a nameless call takes the one name its result gives."""
    story = Story()
    call = story.call(Change("a.py", "edit", "x", "y"), message="m")
    story.result(call, files=(FileOutcome("a.py"), FileOutcome("/p/b.py", "failed", "io")))
    assert story.outstanding == ["b.py"]
    story = Story()
    story.edit("", "failed", "not_found", files=(FileOutcome("/p/c.py", "failed", "not_found"),))
    assert story.outstanding == ["c.py"]


def test_a_result_without_its_call() -> None:
    """A result that names files is a write's even when its call never comes; one without is nobody's."""
    story = Story()
    story.result("lost", "failed", "not_found", files=(FileOutcome("/p/a.py", "failed", "not_found"),))
    story.result("also lost", "failed", "not_found")
    assert story.outstanding == ["a.py"]


def test_a_call_told_after_its_result() -> None:
    """A late call gives its result the file and the texts."""
    story = Story()
    story.result("c", "failed", "not_found", message="m1")
    assert story.entries == ()
    story.call(Change("a.py", "edit", "guess", "new"), call="c", message="m1")
    assert story.entry("a.py").last.guess == "guess"
    story.result("d", message="m2")
    story.call(Change("a.py", "edit", "other", "new"), call="d", message="m2")
    assert story.outstanding == []
    assert (story.detector.view().made, story.detector.view().failed) == (1, 1)


def test_a_call_told_again_fuller() -> None:
    """The fuller telling replaces the first, before the result or after it; the poorer changes nothing."""
    story = Story()
    story.call(call="c", message="m", partial=True)
    story.call(Change("a.py", "edit", "guess", "new"), call="c", message="m")
    story.call(call="c", message="m", partial=True)
    story.result("c", "failed", "not_found")
    assert story.entry("a.py").last.guess == "guess"
    story.call(Change("a.py", "edit", "guess", "new"), Change("b.py", "edit", "x", "y"), call="c", message="m")
    assert story.outstanding == ["a.py", "b.py"]
    assert story.detector.view().failed == 1


def test_a_result_told_twice() -> None:
    """The same result again changes nothing; another replaces it."""
    story = Story()
    call = story.fail("a.py")
    seq = story.entry("a.py").last.spot.seq
    story.result(call, "failed", "not_found")
    assert (story.entry("a.py").count, story.entry("a.py").last.spot.seq) == (1, seq)
    story.result(call)
    assert story.entries == ()


def test_a_call_id_used_again_is_another_call() -> None:
    """A source that counts its calls anew does not take back what failed before."""
    story = Story()
    story.fail("a.py", call="1", message="m1")
    story.edit("b.py", call="1", message="m2")
    assert story.outstanding == ["a.py"]


def test_a_late_call_of_an_earlier_success_mends_nothing_after_it() -> None:
    """A success whose call is told late still lies before the failure that followed it."""
    story = Story()
    story.result("c", message="m1")
    story.fail("a.py", message="m2")
    story.call(Change("a.py", "edit", "x", "y"), call="c", message="m1")
    assert story.outstanding == ["a.py"]


def test_a_late_call_without_a_message_mends_nothing() -> None:
    """When it was issued is not known, so nothing is known to lie before it."""
    story = Story()
    failed = story.call(Change("a.py", "edit", "x", "y"))
    story.result(failed, "failed", "not_found")
    story.result("late")
    story.call(Change("a.py", "edit", "x", "z"), call="late")
    assert story.outstanding == ["a.py"]


def test_a_call_is_issued_when_it_is_first_told() -> None:
    """Told again after the failure beside it, a call of the same batch is still of that batch."""
    story = Story()
    one = story.call(Change("a.py", "edit", "x", "y"))
    two = story.call(Change("a.py", "edit", "q", "r"))
    story.result(one, "failed", "not_found")
    story.call(Change("a.py", "edit", "q", "rr"), call=two)
    story.result(two)
    assert story.outstanding == ["a.py"]


def test_a_call_id_used_again_without_message_ids() -> None:
    """Other files make another call of it; the old result is not taken for its own."""
    story = Story()
    story.call(Change("a.py", "edit", "x", "y"), call="1")
    story.result("1", "failed", "not_found")
    story.call(Change("b.py", "edit", "x", "y"), call="1")
    assert story.outstanding == ["a.py"]
    story = Story()
    story.fail("a.py", call="1", message="m1")
    story.call(Change("a.py", "edit", "again", "y"), call="1", message="m2")
    assert story.entry("a.py").last.guess == "a"


def test_files_resolved_elsewhere_are_told_apart_by_name() -> None:
    """A tool that answers with real paths tells which of the call's files it means by their names."""
    story = Story()
    call = story.call(Change("a.py", "edit", "x", "y"), Change("b.py", "edit", "x", "y"), message="m")
    told = (FileOutcome("/real/b.py", "failed", "not_found"), FileOutcome("/real/a.py"))
    story.result(call, "failed", "not_found", files=told)
    assert story.outstanding == ["/real/b.py"]
    story.edit("b.py")
    assert story.outstanding == []


def test_what_a_tool_resolves_to_is_a_name_of_its_own() -> None:
    """A path once taken for a link is the file itself when a tool resolves another path to it."""
    story = Story()
    story.edit("x.py", files=(FileOutcome("/real/y.py"),))
    story.edit("z.py", files=(FileOutcome("/p/x.py"),))
    story.fail("z.py", old="q")
    story.edit("x.py", old="q")
    assert story.outstanding == []


def test_a_sub_agent_of_which_nothing_is_known_works_where_the_root_does() -> None:
    """Its relative paths are the root's."""
    story = Story()
    story.shell("cd sub")
    story.tell(ToolReturned(call="s1", cwd="/p/sub", exit=0))
    story.fail("a.py", actor="kid")
    assert [entry.key for entry in story.entries] == ["/p/sub/a.py"]


def test_paths_are_shown_against_the_project_once_it_is_known() -> None:
    """What is shown follows what is known of the project."""
    story = Story("/p/sub")
    story.fail("a.py")
    assert story.outstanding == ["a.py"]
    story.tell(RunStarted(project="/p"))
    assert story.outstanding == ["sub/a.py"]
