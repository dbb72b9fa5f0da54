"""What dirtywork's calls ask for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.dirtywork.arguments import CALL_LIMIT, read_arguments
from monitor.agents.dirtywork.calls import KINDS, called, tool_name
from monitor.events import Change, ToolCalled


def call(tool: str, arguments: object) -> ToolCalled:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return called(tool, text[:CALL_LIMIT], CALL_LIMIT, "t1.1", "t1")


WRITES = [
    ("write_file", {"path": "a", "content": "x\n"}, [Change("a", "write", new="x\n")]),
    ("append_file", {"path": "a", "text": "x\n"}, [Change("a", "append", new="x\n")]),
    ("edit_file", {"path": "a", "old_string": "x", "new_string": "y"}, [Change("a", "edit", "x", "y")]),
    ("insert_before", {"path": "a", "anchor": "x", "text": "y"}, [Change("a", "insert", "x", "y")]),
    ("insert_after", {"path": "a", "anchor": "x", "text": "y"}, [Change("a", "insert", "x", "y")]),
    (
        "apply_edits",
        {"path": "a", "edits": [{"old": "x", "new": "y"}, {"old": "p", "new": ""}]},
        [Change("a", "edit", "x", "y"), Change("a", "edit", "p", "")],
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "changes"), WRITES)
def test_each_write_tool_names_its_file_and_texts(tool, arguments, changes):
    """Every tool that writes tells the file, the old text and the new one."""
    made = call(tool, arguments)
    assert made.kind == "write"
    assert list(made.changes) == changes
    assert not made.arguments_cut


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "paths"),
    [
        ("read_file", {"path": "a/b"}, "read", ("a/b",)),
        ("list_dir", {}, "search", (".",)),
        ("grep", {"pattern": "x", "path": "src"}, "search", ("src",)),
        ("bash", {"command": "ls"}, "shell", ()),
        ("finish", {"summary": "Done."}, "finish", ()),
        ("nope", {"path": "a"}, "other", ()),
    ],
)
def test_the_other_tools(tool, arguments, kind, paths):
    """Tools that write nothing change nothing; an unknown one is `other`."""
    made = call(tool, arguments)
    assert (made.kind, made.paths, made.changes) == (kind, paths, ())


@pytest.mark.parametrize(
    ("told", "seconds"),
    [({}, 120), ({"timeout": 60}, 60), ({"timeout": "90"}, 90), ({"timeout": "2m"}, 120), ({"timeout": "5 min"}, 300),
     ({"timeout": 9999}, 600), ({"timeout": 0}, 1), ({"timeout": "soon"}, None), ({"timeout": True}, None)],
)  # fmt: skip
def test_how_long_bash_may_run(told, seconds):
    """A timeout is read in every form dirtywork takes, with its default and its bounds."""
    assert call("bash", {"command": "make", **told}).timeout == seconds


def test_a_name_with_stray_text_is_the_tool_that_runs():
    """Dirtywork runs the tool after a marker, so that is what was called, and it writes."""
    made = call("I will write it<tool_call>write_file", {"path": "a", "content": "x"})
    assert (made.tool, made.kind, made.changes) == ("write_file", "write", (Change("a", "write", new="x"),))


@settings(deadline=None, max_examples=60)
@given(
    st.text(max_size=12), st.sampled_from(["<tool_call>", "_tool_call_", "[TOOL_CALLS]", " ", "", "_function_"]),
    st.sampled_from([*KINDS, "nope", " bash", "bash "]),
)  # fmt: skip
def test_names_are_mended_as_dirtywork_mends_them(before, marker, tool):
    """The tool taken for a name is the one the real program takes."""
    normalize = pytest.importorskip("dirtywork.firewall.normalize")
    assert tool_name(before + marker + tool) == normalize.recover_name(before + marker + tool)[0]


def test_long_arguments_keep_what_stands_before_the_cut():
    """Arguments longer than the log keeps are marked cut, and the whole fields before the cut are used."""
    made = call("edit_file", {"path": "a.py", "old_string": "x = 1", "new_string": "y" * 3000})
    assert made.arguments_cut
    (change,) = made.changes
    assert (change.file, change.old, change.cut) == ("a.py", "x = 1", True)
    assert change.new
    assert set(change.new) == {"y"}


def test_arguments_of_exactly_the_kept_length_are_whole():
    """Two thousand characters that are complete JSON lost nothing."""
    text = json.dumps({"path": "a", "content": ""})
    text = json.dumps({"path": "a", "content": "x" * (CALL_LIMIT - len(text))})
    assert len(text) == CALL_LIMIT
    made = call("write_file", text)
    assert not made.arguments_cut
    assert not made.changes[0].cut


def test_broken_arguments_of_the_model_still_name_the_file():
    """What the model itself broke is not the log's cut, yet the failed write must be found by its file."""
    made = call("write_file", '{"path": "a.py", "content": "x = "1""}')
    assert not made.arguments_cut
    assert made.changes[0].file == "a.py"
    assert made.changes[0].cut


def test_a_cut_within_a_list_of_edits_keeps_the_whole_ones():
    """Of several edits only the one that the cut went through counts as cut."""
    edits = [{"old": "a", "new": "b"}, {"old": "c" * 2000, "new": "d"}]
    made = call("apply_edits", {"path": "a", "edits": edits})
    assert [(change.old[:1], change.cut) for change in made.changes] == [("a", False), ("c", True)]


def test_a_write_without_a_path_is_a_change_of_no_file():
    """A call that names no file has a change all the same: nothing settles it."""
    assert call("write_file", {"content": "x"}).changes == (Change("", "write", new="x"),)
    assert call("apply_edits", {"path": "a"}).changes == (Change("a", "edit"),)


def test_what_is_shown_is_clean():
    """Control characters in a call become visible where they enter."""
    made = call("bash", {"command": "echo \x1b[31m"})
    assert made.command == "echo ␛[31m"
    assert "\x1b" not in made.arguments


@pytest.mark.parametrize("nest", ['{"a":[', '{"edits":[{"old":"x"},', "[[", '{"a":{'])
@pytest.mark.parametrize("times", [330, 3_000])
def test_arguments_nested_without_end_are_no_harm(nest, times):
    """However deep a model nests what it never closes, the call is read, as it would be without arguments."""
    made = call("apply_edits", nest * times)
    assert (made.kind, made.changes[0].file) == ("write", "")


fields = st.dictionaries(st.sampled_from(["path", "old_string", "new_string", "edits"]), st.text(max_size=30))


@settings(deadline=None, max_examples=150)
@given(fields, st.integers(0, 120))
def test_a_cut_never_invents_text(arguments, at):
    """Whatever is read from cut arguments is a beginning of what stood there."""
    text = json.dumps(arguments)[:at]
    found = read_arguments(text, limit=at)
    for key, value in found.fields.items():
        assert key in arguments
        assert value is None or arguments[key].startswith(value)


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=80) | st.text(alphabet='{}[]",:\\u0 \n', max_size=60), st.sampled_from([*KINDS, "?", ""]))
def test_no_arguments_break_it(text, tool):
    """Any text is taken for arguments, with every tool."""
    made = called(tool, text, 2000, "c", "m")
    assert made.kind == KINDS.get(tool_name(tool), "other")
