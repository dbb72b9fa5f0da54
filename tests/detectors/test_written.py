from __future__ import annotations

import pytest
from calls_story import Calls

from monitor.detectors.folder import Folder
from monitor.detectors.scripts import Scripts
from monitor.detectors.tests_stale import TestsStale


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
