from __future__ import annotations

import pytest
from calls_story import Calls
from scripts_story import SCRIPT

from monitor.detectors.folder import Folder
from monitor.detectors.scripts import Scripts
from monitor.detectors.tests_stale import TestsStale
from monitor.events import Change, FileOutcome


@pytest.mark.parametrize("outcome", ["ok", "failed"])
def test_a_result_that_names_no_file(outcome):
    """A write that succeeded wrote the files it was asked to write; one that failed wrote none."""
    expected = outcome == "ok"
    told = Calls(Folder())
    told.write("/srv/x.py", outcome=outcome, files=())
    assert bool(told.findings) == expected
    told = Calls(Scripts())
    told.write("build.sh", "#!/bin/sh\n", outcome=outcome, files=())
    told.answer()
    assert bool(told.findings) == expected
    told = Calls(TestsStale())
    told.edit("a.py")
    told.shell("pytest", "1 passed")
    told.edit("a.py", outcome=outcome, files=())
    told.answer()
    assert bool(told.findings) == expected


def patched(told, *changes, files=(), outcome="ok"):
    call = told.call("patch", "write", {"n": len(told.events)}, changes=changes)
    told.result(call, outcome=outcome, files=tuple(FileOutcome(file, state) for file, state in files))


def scripts(told):
    return [one.file for one in told.detector.view().scripts]


@pytest.mark.parametrize("files", [(("run.sh", "ok"),), (("build.sh", "ok"), ("run.sh", "ok")), ()])
def test_a_script_that_a_tool_moved(files):
    """A script moved by a file tool goes by its new path as people read it, whatever the result names; run, it was run."""
    told = Calls(Scripts())
    patched(told, Change("build.sh", "create", None, SCRIPT), files=(("build.sh", "ok"),))
    patched(told, Change("build.sh", "move", to="run.sh"), files=files)
    told.answer()
    assert [(one.subject, one.state) for one in told.findings] == [("run.sh", "open")]
    told.shell("bash run.sh")
    assert [(one.subject, one.state) for one in told.findings] == [("run.sh", "cleared")]


def test_a_patch_of_which_a_part_was_made():
    """Of a patch over several files only what its result says was made counts, each change for its own file."""
    told = Calls(Scripts())
    changes = Change("a.sh", "create", None, SCRIPT), Change("b.sh", "delete")
    patched(told, *changes, files=(("a.sh", "ok"), ("b.sh", "failed")), outcome="failed")
    assert scripts(told) == ["a.sh"]
    told = Calls(Scripts())
    changes = Change("c.py", "edit", "x", "y"), Change("a.sh", "create", None, SCRIPT)
    patched(told, *changes, files=(("c.py", "ok"), ("a.sh", "failed")), outcome="failed")
    assert scripts(told) == []


def test_files_in_another_order():
    """The files of a result stand in whatever order: each change is of the file it names."""
    told = Calls(Scripts())
    changes = Change("a.txt", "create", None, SCRIPT), Change("b.sh", "create", None, "ls")
    patched(told, *changes, files=(("b.sh", "ok"), ("a.txt", "ok")))
    told.shell("bash b.sh")
    assert [(one.file, one.run) for one in told.detector.view().scripts] == [("a.txt", False), ("b.sh", True)]


def test_a_path_that_the_tool_resolved():
    """What the tool made of a path is the file, where it is the call's only one, or each has one of its own."""
    told = Calls(Scripts())
    patched(
        told, Change("link.sh", "edit", "a", "b"), Change("link.sh", "edit", "c", "d"), files=(("/p/real.sh", "ok"),)
    )
    assert scripts(told) == ["real.sh"]
    told = Calls(Scripts())
    changes = Change("a.sh", "create", None, SCRIPT), Change("b.sh", "create", None, SCRIPT)
    patched(told, *changes, files=(("/p/x/a.sh", "ok"), ("/p/x/b.sh", "ok")))
    assert scripts(told) == ["x/a.sh", "x/b.sh"]
