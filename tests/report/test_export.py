"""The summary that a key writes."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import resource
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.report.export import export
from monitor.snapshot import Snapshot
folder = state_folder("reports")
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
try:
    export(Snapshot(), [], 0.0)
except MonitorError as error:
    print(error)
print([one.name for one in folder.iterdir()])
"""


def test_a_summary_that_finds_no_room_leaves_no_half_of_it(private_home):
    """It is said that it cannot be written, and no file stands there that could be taken for the whole."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    told, left = done.stdout.splitlines()
    assert "cannot be written (File too large)" in told
    assert left == "[]"
