"""The benchmark of the folder runs, and prints what the README shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_it_prints_its_tables(tmp_path):
    """One command, however small the trees: ratios, memory, latency, idle cost, and that nothing in `.git` is touched."""
    program = Path(__file__).with_name("folder.py")
    words = ["--files", "60", "--large", "20", "--rounds", "1", "--edits", "5", "--idle", "0.1", "--at", str(tmp_path)]
    done = subprocess.run([sys.executable, str(program), *words], check=True, capture_output=True, text=True)
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", done.stdout, re.MULTILINE))
    assert rows["`git status -uall`"] == "1.00"
    assert float(rows["monitor, first"]) > 0
    assert float(rows["monitor, again"]) > 0
    assert re.fullmatch(r"\d+ / \d+", rows["MB, our process / largest git"])
    assert re.fullmatch(r"[\d.]+ / [\d.]+", rows["an edit is told after, ms, p50 / p95"])
    assert rows["of a core, idle"].endswith("%")
    assert "`.git` untouched" in done.stdout
    assert list(tmp_path.iterdir()) == []
