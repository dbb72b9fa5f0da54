"""What dirtywork's result texts mean, held against the texts the real program writes."""

from __future__ import annotations

import json

import pytest

from monitor.agents.dirtywork.arguments import CALL_LIMIT
from monitor.agents.dirtywork.calls import called
from monitor.agents.dirtywork.results import returned
from monitor.events import FileOutcome, ToolReturned


def judged(tool: str, arguments: object, text: str, **fields: object) -> ToolReturned:
    call = called(tool, json.dumps(arguments), CALL_LIMIT, "t1.1", "t1")
    return returned({"result": text, **fields}, call)


@pytest.fixture
def tools():
    return pytest.importorskip("dirtywork.tools")


@pytest.fixture
def tree(tmp_path):
    """A worktree with a file that holds `one` once and `two` twice."""
    (tmp_path / "a.txt").write_text("one\ntwo\ntwo\n")
    (tmp_path / "raw").write_bytes(b"\xff\xfe")
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    (tmp_path / "sub").mkdir()
    return tmp_path


EDIT = ("edit_file", ("path", "old_string", "new_string"))
REAL_FAILURES = [
    (EDIT, ("a.txt", "absent", "x"), ("failed", "not_found")),
    (EDIT, ("a.txt", "two", "x"), ("failed", "ambiguous")),
    (EDIT, ("gone.txt", "one", "x"), ("failed", "io")),
    (EDIT, ("raw", "one", "x"), ("failed", "io")),
    (EDIT, ("sub", "one", "x"), ("failed", "io")),
    (EDIT, ("../outside", "one", "x"), ("refused", "other")),
    (EDIT, (".git/config", "one", "x"), ("refused", "other")),
    (("insert_after", ("path", "anchor", "text")), ("a.txt", "absent", "x"), ("failed", "not_found")),
    (("insert_before", ("path", "anchor", "text")), ("a.txt", "two", "x"), ("failed", "ambiguous")),
    (("append_file", ("path", "text")), ("gone.txt", "x"), ("failed", "io")),
    (("append_file", ("path", "text")), ("a.txt", "x" * 6_000_000), ("failed", "io")),
    (("write_file", ("path", "content")), ("link", "x"), ("refused", "other")),
    (("write_file", ("path", "content")), ("sub", "x"), ("failed", "io")),
    (("write_file", ("path", "content")), ("b", "x" * 6_000_000), ("failed", "io")),
]


@pytest.mark.parametrize(("tool", "values", "judgement"), REAL_FAILURES)
def test_every_failed_write_of_the_real_tools_is_understood(tools, tree, tool, values, judgement):
    """Each way a write fails in dirtywork comes out as its own kind, and names its file as the cause."""
    name, keys = tool
    text = getattr(tools, name)(tree, *values)
    assert text.startswith("ERROR: ")
    arguments = dict(zip(keys, (value[:20] for value in values), strict=True))
    result = judged(name, arguments, text)
    assert (result.outcome, result.failure) == judgement
    assert result.files == (FileOutcome(values[0], *judgement, cause=True),)


@pytest.mark.parametrize(
    ("edits", "failure"),
    [
        ([{"old": "one", "new": "1"}, {"old": "absent", "new": "x"}], "not_found"),
        ([{"old": "two", "new": "x"}], "ambiguous"),
        ([{"old": "", "new": "x"}], "arguments"),
        ([{"old": "one"}], "arguments"),
    ],
)
def test_a_batch_of_edits_fails_as_one(tools, tree, edits, failure):
    """`apply_edits` writes all or nothing, and says which edit did not fit."""
    result = judged("apply_edits", {"path": "a.txt", "edits": edits}, tools.apply_edits(tree, "a.txt", edits))
    assert (result.outcome, result.failure) == ("failed", failure)
    assert len(result.files) == 1


REAL_WRITES = [
    (EDIT, ("a.txt", "one", "1\n2"), (2, 1)),
    (("write_file", ("path", "content")), ("new.txt", "x\ny\n"), (2, 0)),
    (("write_file", ("path", "content")), ("a.txt", "one\ntwo\ntwo\n"), (0, 0)),
    (("append_file", ("path", "text")), ("a.txt", "three\n"), (1, 0)),
    (("insert_before", ("path", "anchor", "text")), ("a.txt", "one", "zero"), (1, 0)),
    (("write_file", ("path", "content")), ("odd: +9 -9/x", "x\n"), (1, 0)),
]


@pytest.mark.parametrize(("tool", "values", "lines"), REAL_WRITES)
def test_a_write_that_was_made_tells_its_lines(tools, tree, tool, values, lines):
    """Lines added and removed are read off; +0 -0 is a write that changed nothing."""
    name, keys = tool
    text = getattr(tools, name)(tree, *values)
    result = judged(name, dict(zip(keys, values, strict=True)), text)
    assert result.outcome == "ok"
    assert result.files == (FileOutcome(values[0], added=lines[0], removed=lines[1]),)


def test_a_write_too_large_for_a_diff_is_made_all_the_same(tools):
    """A success without counts is a success."""
    text = tools.describe_change("big", "", "x\n" * 20_001, verb="Wrote")
    assert judged("write_file", {"path": "big"}, text).files == (FileOutcome("big"),)


def test_an_edit_of_equal_texts_is_made_and_changes_nothing(tools, tree):
    """Dirtywork does not refuse equal old and new text: it is made, with no line changed."""
    result = judged(*EDIT[:1], {"path": "a.txt"}, tools.edit_file(tree, "a.txt", "one", "one"))
    assert result.outcome == "ok"
    assert result.files == (FileOutcome("a.txt", added=0, removed=0),)


@pytest.mark.parametrize(
    ("text", "outcome", "code"),
    [
        ("exit code: 0\nfine", "ok", 0),
        ("exit code: 1\nERROR: no", "failed", 1),
        ("exit code: -9\n", "failed", -9),
        ("BLOCKED: sudo is not allowed", "refused", None),
        ("ERROR: bash failed: no such file", "failed", None),
        ("whatever a later version may say", "unknown", None),
        ("ERROR: run deadline exceeded; stop calling tools", "not_executed", None),
    ],
)
def test_bash_results(text, outcome, code):
    """The first line of a command's result is its exit code; without one it never came to an end."""
    result = judged("bash", {"command": "x"}, text)
    assert (result.outcome, result.exit) == (outcome, code)


def test_a_timed_out_command(tools):
    """A command that timed out has neither failed nor passed."""
    assert judged("bash", {"command": "x"}, tools.timeout_result(3)).outcome == "timed_out"
    assert judged("grep", {"pattern": "x"}, tools.grep_timeout_result(30)).outcome == "timed_out"
    assert judged("bash", {"command": "x"}, "whatever it says", timed_out=True).outcome == "timed_out"


def test_every_bad_call_that_the_firewall_words_is_a_fault_of_the_arguments():
    """All of the firewall's own sentences about malformed calls are told from other failures."""
    request = pytest.importorskip("dirtywork.firewall.request")
    reasons = pytest.importorskip("dirtywork.firewall.reasons")
    normalize = pytest.importorskip("dirtywork.firewall.normalize")
    details = [*request._DETAIL_BY_CODE.values()]
    details += [one("x").detail for one in (normalize._missing, normalize._type_invalid, normalize._unexpected)]
    details += [normalize._too_long("x", 3).detail, normalize._out_of_range("x", 1, 2).detail]
    details.append("duplicate call_id at batch index 1")
    assert len(details) > len(reasons.ReasonCode) // 2
    for detail in details:
        result = judged("write_file", {"path": "a"}, f"ERROR: {detail}")
        assert (result.outcome, result.failure) == ("failed", "arguments"), detail


def test_a_call_cut_off_at_the_token_limit_wrote_nothing():
    """A write that was cut off has failed, and its file is found in what there is of its arguments."""
    runner = pytest.importorskip("dirtywork.runner")
    numbers = dict.fromkeys(("cap", "cut_chars", "cut_lines", "n", "max", "target_chars", "target_lines"), 1)
    for raw in ('{"path": "a b.py", "content": "x', '{"content": "x'):
        text = runner.truncated_call_result("write_file", raw, numbers)
        result = returned({"result": text}, called("write_file", raw, CALL_LIMIT, "c", "m"))
        assert (result.outcome, result.failure) == ("failed", "arguments")
        assert result.files[0].file == ("a b.py" if "path" in raw else "")


def test_what_a_file_says_is_no_failure():
    """A file read, or a command's output, may speak of errors as it likes."""
    assert judged("read_file", {"path": "a"}, "     1\tERROR: occurs 0 times in a").outcome == "ok"
    assert judged("bash", {"command": "cat log"}, "exit code: 0\nERROR: old_string occurs 0 times in x").outcome == "ok"


def test_an_unknown_error_is_a_failure_of_no_kind_known():
    """What a later version may say is a failure all the same."""
    result = judged("edit_file", {"path": "a"}, "ERROR: the moon is full")
    assert (result.outcome, result.failure) == ("failed", "other")


def test_the_firewall_failing_itself_is_a_refusal():
    """A call that the broken firewall did not let through was refused, not failed."""
    assert judged("bash", {"command": "x"}, "ERROR: firewall internal error: KeyError").outcome == "refused"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("run finished", "ok"),
        ("Not accepted as the end of the run: nothing in the worktree changed", "refused"),
        ("VERIFY FAILED (round 1 of 2). The verification command", "refused"),
        ("run not finished: nothing changed", "failed"),
    ],
)
def test_how_a_finish_is_taken(text, outcome):
    """A `finish` is accepted, sent back, or the last before the run ends another way."""
    assert judged("finish", {"summary": "Done."}, text).outcome == outcome


def test_a_long_result_is_marked_cut():
    """The log keeps two thousand characters of a result, but all of a `finish`."""
    assert judged("bash", {"command": "x"}, "exit code: 0\n" + "x" * 1987).cut
    assert not judged("bash", {"command": "x"}, "exit code: 0\nshort").cut
    assert not judged("finish", {"summary": "x"}, "VERIFY FAILED" + "x" * 4000).cut


@pytest.mark.parametrize("fields", [{}, {"result": None}, {"result": 7}])
@pytest.mark.parametrize("tool", ["edit_file", "bash", "read_file"])
def test_a_call_whose_result_is_missing_is_not_known_to_have_succeeded(tool, fields):
    """Where the record holds no result, nothing says that the call was made."""
    result = returned(fields, called(tool, json.dumps({"path": "a"}), CALL_LIMIT, "c", "m"))
    assert {result.outcome, *(file.outcome for file in result.files)} == {"unknown"}
