"""The benchmark of followed sessions runs, and tells what it means."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_it_tells_what_following_sessions_costs():
    """One command, however few sessions: without the overview and with it, git's part told apart."""
    program = Path(__file__).with_name("sessions.py")
    words = [sys.executable, str(program), "1", "1", "heavy"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    told = r"1 sessions, each a line every 0.5 s and an answer every 2 s \(a heavy pace\), {} the overview"
    for shown in ("without", "with"):
        assert re.search(rf"{told.format(shown)}: [\d.]+ % of a core, [\d.]+ of it git", done.stdout)
