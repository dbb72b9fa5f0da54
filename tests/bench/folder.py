"""What it costs to measure and to watch a project folder, beside git and dirtywork in the same run, as a table.

Run: python tests/bench/folder.py [--files 1000,10000,100000] [--large MB] [--rounds 7] [--at FOLDER] [--edits 100] [--idle SECONDS]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from live import Watched, watch
from trees import ENVIRONMENT, repository, states

from monitor.worktree.contents import StatCache
from monitor.worktree.fingerprint import measure

Contender = Callable[[], object]
SLOW, FEW = 2.0, 3
"""What takes longer than so many seconds is timed in the first rounds alone."""
STATUS = "`git status -uall`"
SCRATCH = r"""
real=$(git rev-parse --absolute-git-dir)/objects; tmp=$(mktemp -d); mkdir "$tmp/objects"
export GIT_INDEX_FILE=$tmp/index GIT_OBJECT_DIRECTORY=$tmp/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=$real
git add -A && git write-tree; code=$?; rm -rf "$tmp"; exit $code
"""
"""An index that begins empty, the real objects as alternates."""
PEAK = """
import resource, sys
from pathlib import Path
from monitor.worktree.fingerprint import measure
assert measure(Path(sys.argv[1])).content
print(*(resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
"""


def contenders(top: Path) -> dict[str, Contender]:
    """What is timed, git's own status first."""
    cache = StatCache()
    measure(top, cache=cache)
    time.sleep(0.2)  # so that nothing is so new that it must be read again
    measure(top, cache=cache)
    found = {
        STATUS: command(top, "git", "status", "--porcelain=v2", "-z", "--untracked-files=all"),
        "monitor, first": lambda: measure(top, cache=StatCache()),
        "monitor, again": lambda: measure(top, cache=cache),
        "empty scratch index": command(top, "bash", "-c", SCRATCH),
    }
    try:
        from dirtywork.changes import FINGERPRINT_SCRIPT
    except ImportError:
        return found
    return {**found, "dirtywork's script": command(top, "bash", "-c", FINGERPRINT_SCRIPT)}


def command(top: Path, *words: str) -> Contender:
    """A program in the folder."""
    return lambda: subprocess.run(words, cwd=top, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)


def timed(call: Contender) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def compare(top: Path, rounds: int) -> dict[str, float]:
    """All in turn, several times: the median of the ratios to git's status, and what status took in seconds."""
    found = contenders(top)
    slow = {name for name, call in found.items() if timed(call) > SLOW}
    times = [
        {name: timed(call) for name, call in found.items() if round_ < FEW or name not in slow}
        for round_ in range(rounds)
    ]
    ratios = {name: statistics.median(one[name] / one[STATUS] for one in times if name in one) for name in found}
    return ratios | {"seconds": statistics.median(one[STATUS] for one in times)}


def untouched(top: Path) -> bool:
    """Whether measuring leaves everything in `.git` as it was, times included."""
    before = states(top / ".git")
    measure(top)
    return states(top / ".git") == before


def peak(top: Path) -> tuple[int, int]:
    """MB of a process that measures once, and of the largest of its children."""
    words = [sys.executable, "-c", PEAK, str(top)]
    own, child = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return int(own), int(child)


def main() -> None:
    """Print the tables."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--files", default="1000,10000,100000")
    asked.add_argument("--large", type=int, default=200)
    asked.add_argument("--rounds", type=int, default=7)
    asked.add_argument("--at", type=Path, default=Path(tempfile.gettempdir()))
    asked.add_argument("--edits", type=int, default=100)
    asked.add_argument("--idle", type=float, default=20.0)
    told = asked.parse_args()
    columns: dict[str, dict[str, float]] = {}
    peaks: dict[str, tuple[int, int]] = {}
    lives: dict[str, Watched] = {}
    touched = False
    sizes = [int(size) for size in told.files.split(",")]
    for files in sizes:
        name = f"{files:,} files"
        with repository(told.at, files) as top:
            columns[name] = compare(top, told.rounds)
            peaks[name], touched = peak(top), touched or not untouched(top)
            lives[name] = watch(top, told.edits, told.idle)
    with repository(told.at, sizes[0], told.large << 20) as top:
        columns[f"{sizes[0]:,} and {told.large} MB untracked"] = compare(top, told.rounds)
    show(columns, peaks, lives, touched=touched)


def show(
    columns: dict[str, dict[str, float]],
    peaks: dict[str, tuple[int, int]],
    lives: dict[str, Watched],
    *,
    touched: bool,
) -> None:
    """The tables in Markdown."""
    names = list(columns)
    print(f"| times {STATUS} | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for row in next(iter(columns.values())):
        if row != "seconds":
            print(f"| {row} | " + " | ".join(f"{columns[name][row]:.2f}" for name in names) + " |")
    print("| one status, ms | " + " | ".join(f"{columns[name]['seconds'] * 1000:.0f}" for name in names) + " |")
    print(f"\n`.git` {'TOUCHED' if touched else 'untouched, times included'}\n")
    print("| | " + " | ".join(peaks) + " |")
    print("|---" * (len(peaks) + 1) + "|")
    print("| MB, our process / largest git | " + " | ".join(f"{own} / {child}" for own, child in peaks.values()) + " |")
    print("| an edit is told after, ms, p50 / p95 | " + " | ".join(one.latency for one in lives.values()) + " |")
    print("| of a core, idle | " + " | ".join(f"{one.idle:.3%}" for one in lives.values()) + " |")


if __name__ == "__main__":
    main()
