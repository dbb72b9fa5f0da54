"""Measurements written down, read back, and compared."""

from __future__ import annotations

import json

import pytest

from monitor.worktree.compare import Comparison, compare
from monitor.worktree.measurement import NO_COMMIT, Measurement, digest_of, history_of
from monitor.worktree.measurement_json import MeasurementError, from_json, to_json

ONE, TWO = "1" * 40, "2" * 40


def made(*lines, history=NO_COMMIT, **more):
    entries = b"\0".join(lines)
    return Measurement(digest_of(entries), history, entries=entries, **more)


def entry(name, mode="100644", found=ONE):
    return f"H {mode} {found} 0\t{name}".encode("utf-8", "surrogateescape")


def test_a_measurement_survives_being_written_down(project):
    """Names that are no UTF-8, newlines and repositories within come back as they were, and compare equal."""
    project.repository("vendor/lib")
    project.write("new\nline", "x\n")
    project.write("\udcff", "x\n")
    before = project.measure()
    text = json.dumps(to_json(before))
    assert text.isascii()
    assert from_json(text) == before
    assert from_json(text.encode()) == before
    project.write("\udcff", "edited\n")
    assert compare(from_json(text), project.measure()).files == ("\udcff",)


def test_without_paths_only_the_answer_is_left(project):
    """Kept without its paths, a measurement still tells whether anything changed, and says why not what."""
    before = project.measure()
    short = from_json(json.dumps(to_json(before, paths=False)))
    assert compare(short, before) == Comparison(False)
    project.write("README.md", "edited\n")
    found = compare(short, project.measure())
    assert (found.changed, found.kinds, found.files) == (True, ("content",), None)
    assert found.reason == "the earlier measurement was kept without its paths"
    assert "this measurement" in compare(project.measure(), short).reason


def test_the_printed_keys_are_those_promised():
    """`changed` and what follows stand there only where there was something to compare with."""
    before, after = made(), made(entry("a"))
    assert list(to_json(after)) == ["content", "history", "reason", "schema", "heads", "paths"]
    printed = to_json(after, compare(before, after))
    assert list(printed)[:6] == ["content", "history", "reason", "changed", "kinds", "files"]
    assert printed["paths"] == {"a": f"100644 {ONE}"}
    assert (printed["changed"], printed["kinds"], printed["files"]) == (True, ["content"], ["a"])
    unknown = Measurement(None, None, "too large")
    printed = to_json(unknown, compare(before, unknown))
    assert (printed["changed"], printed["files"], printed["reason"]) == (None, None, "too large")
    assert "paths" not in printed
    assert from_json(json.dumps(printed)) == unknown


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "{}", '"x"', "[" * 100_000, b"\xff",
        '{"content": null, "history": null, "reason": "x"}',
        '{"content": null, "history": null, "reason": "x", "schema": 99}',
        '{"content": "zz", "history": null, "reason": "", "schema": 1}',
        '{"content": 5, "history": null, "reason": "", "schema": 1}',
        '{"content": null, "history": null, "reason": "x", "schema": 1, "heads": []}',
        '{"content": null, "history": null, "reason": "x", "schema": 1, "heads": {".": "x"}}',
        json.dumps({"content": "0" * 64, "history": ONE, "reason": "", "schema": 1, "paths": {"a": f"100644 {ONE}"}}),
        json.dumps({"content": "0" * 64, "history": ONE, "reason": "", "schema": 1, "paths": {"a": "100644"}}),
        json.dumps({"content": "0" * 64, "history": ONE, "reason": "", "schema": 1, "paths": {"\ud800": f"100644 {ONE}"}}),
        json.dumps({"content": "0" * 64, "history": ONE, "reason": "", "schema": 1, "paths": {"a": None}}),
    ],
)  # fmt: skip
def test_what_is_no_measurement_is_refused(text):
    """A file that was cut, edited, or is something else is never taken for a measurement."""
    with pytest.raises(MeasurementError):
        from_json(text)


def test_files_are_those_whose_lines_differ():
    """A mode, an id, a new and a lost path are differences; a path is named once."""
    before = made(entry("same"), entry("mode"), entry("id"), entry("lost"))
    after = made(entry("same"), entry("mode", "100755"), entry("id", found=TWO), entry("new"))
    assert compare(before, after) == Comparison(True, ("content",), ("id", "lost", "mode", "new"))
    assert compare(before, before) == Comparison(False)


def test_a_known_difference_counts_where_another_is_unknown():
    """A HEAD that moved is a change though the content is unknown; a HEAD that stood still proves nothing."""
    before = made(entry("a"), history=ONE, heads={".": ONE})
    for head, changed in ((TWO, True), (ONE, None)):
        after = Measurement(None, None, "too large", heads={".": head})
        found = compare(before, after)
        assert (found.changed, found.files, found.reason) == (changed, None, "too large")
        assert compare(after, before).reason == "the earlier measurement: too large"
    unknown_history = made(entry("b"), history=None)
    assert compare(before, unknown_history).changed is True
    assert compare(before, made(entry("a"), history=None)).changed is None


def test_what_came_or_went_is_certain_though_nobody_may_read_it():
    """A new unreadable file is named; one that was only touched is not, and is the reason why the list may not be all."""
    kept, touched, new = entry("kept", "000000"), entry("kept", "000000", TWO), entry("new", "000000")
    why = "kept cannot be read, and its size or times changed"
    assert compare(made(kept), made(touched, new)) == Comparison(True, ("content",), ("new",), why)
    assert compare(made(touched, new), made(kept)) == Comparison(True, ("content",), ("new",), why)
    assert compare(made(kept), made(kept, new)) == Comparison(True, ("content",), ("new",))
    assert compare(made(kept), made(touched)) == Comparison(None, (), None, why)
    assert compare(made(kept), made(entry("kept"))).changed is None


def test_the_history_is_one_value_for_all_repositories():
    """Alone it is HEAD's own commit; repositories without a commit do not count; a path is part of the value."""
    assert history_of({}) == history_of({".": NO_COMMIT}) == history_of({"a": "0" * 64}) == NO_COMMIT
    assert history_of({".": ONE}) == history_of({".": ONE, "a": NO_COMMIT}) == ONE
    values = [history_of(heads) for heads in ({"a": ONE}, {"b": ONE}, {".": ONE, "a": ONE}, {".": ONE, "a": TWO})]
    assert len(set(values)) == 4
    assert history_of({"a": ONE, "b": TWO}) == history_of({"b": TWO, "a": ONE})
