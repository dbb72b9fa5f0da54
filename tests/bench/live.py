"""How soon a watch tells of an edit, and what it costs while nothing happens: measured in a process of its own."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PAUSE = 0.05
"""Seconds between two edits."""


@dataclass(frozen=True)
class Watched:
    """What a watch of one folder cost."""

    p50: float
    """Milliseconds from a finished write to the event."""
    p95: float
    idle: float
    """Share of a core."""

    @property
    def latency(self) -> str:
        return f"{self.p50:.1f} / {self.p95:.1f}"


def watch(top: Path, edits: int, idle: float) -> Watched:
    """Watch a folder in a fresh process."""
    words = [sys.executable, __file__, str(top), str(edits), str(idle)]
    told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return Watched(told["p50"], told["p95"], told["idle"])


def main() -> None:
    """Print what it cost as JSON."""
    from monitor.worktree.fingerprint import measure
    from monitor.worktree.live import LiveFolder

    top, edits, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with tempfile.TemporaryDirectory() as state:
        woken = threading.Event()
        live = LiveFolder(top, run="bench", state=Path(state), wake=woken.set)
        live.begin()
        live.reconcile(measure(top))
        live.changes()
        times = [edit(top, number, live, woken) for number in range(edits)]
        time.sleep(1)
        begin, used = time.monotonic(), time.process_time()
        time.sleep(seconds)
        share = (time.process_time() - used) / (time.monotonic() - begin)
        live.close()
    p95 = statistics.quantiles(times, n=20)[-1]
    print(json.dumps({"p50": statistics.median(times), "p95": p95, "idle": share}))


def edit(top: Path, number: int, live: object, woken: threading.Event) -> float:
    """Write one file; milliseconds until that is told."""
    file = f"live{number % 10}.txt"
    woken.clear()
    (top / file).write_text(f"edit {number}\n")
    begin = time.perf_counter()
    while file not in [one.file for one in live.changes()]:  # type: ignore[attr-defined]
        woken.wait(10)
        woken.clear()
    took = (time.perf_counter() - begin) * 1000
    time.sleep(PAUSE)
    return took


if __name__ == "__main__":
    main()
