"""The benchmark of the replay runs, and goes to the moments it means."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_it_tells_how_long_going_back_takes():
    """One command, however small the log: going to any moment, a step back, and folding anew beside them."""
    program = Path(__file__).with_name("replay.py")
    done = subprocess.run([sys.executable, str(program), "1"], check=True, capture_output=True, text=True)
    assert re.match(r"1 MB, [\d,]+ events: read in [\d.]+ s", done.stdout)
    assert len(re.findall(r"median [\d.]+ ms, 95 of 100 under [\d.]+, longest [\d.]+", done.stdout)) == 4
    assert re.search(r"folding anew up to the middle: [\d,]+ ms, [\d,]+ times as long", done.stdout)
