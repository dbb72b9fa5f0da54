"""How long going to a moment of a 100 MB log takes, against folding everything before it again.

Run: python tests/bench/replay.py [MEGABYTES]
"""

from __future__ import annotations

import gc
import itertools
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import msgspec
from folding import story

from monitor.replay.replay import Replay
from monitor.run.run import Run
from monitor.targets import find

MOMENTS, STEPS = 300, 60


def write(path: Path, size: int) -> None:
    """A log of so many bytes in our own format, each line with the two ids that agents put there."""
    with path.open("wb") as file:
        for number, event in enumerate(story(10_000_000)):
            ids = {
                "session_id": "00000000-1111-4222-8333-000000000001",
                "uuid": f"{number:08x}-1111-4222-8333-44{number:010x}",
            }
            told = {"event": type(event).__name__, **msgspec.to_builtins(event), **ids, "parent_tool_use_id": None}
            file.write(msgspec.json.encode(told) + b"\n")
            if file.tell() > size:
                return


def gone(replay: Replay, count: int) -> tuple[float, float]:
    """How long going to a moment takes until all there is to show then stands there: by the clock, and of the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    replay._go(count, pause=True)
    assert replay.snapshot.seq == count - 1
    return time.perf_counter() - wall, time.process_time() - cpu


def tell(what: str, times: list[tuple[float, float]]) -> float:
    """Print how long it took; the median of the processor's time."""
    for name, found in zip(("by the clock", "processor"), zip(*times, strict=True), strict=True):
        print(f"  {what}, {name}: median {1e3 * median(found):.1f} ms, ", end="")
        print(f"95 of 100 under {1e3 * quantiles(found, n=20)[-1]:.1f}, longest {1e3 * max(found):.1f}")
    return median([cpu for _, cpu in times])


def moments(total: int) -> Iterator[int]:
    """Any moments, evenly spread and in no order."""
    chance = random.Random(2)
    return (chance.randrange(1, total) for _ in itertools.count())


def anew(replay: Replay, count: int) -> float:
    """The processor's time for folding everything up to a moment, without a checkpoint."""
    run, begun = Run(), time.process_time()
    for event in replay._tape.events(0, count):
        run.feed(event)
    run.snapshot()
    return time.process_time() - begun


def main() -> None:
    """Read the log, then go about in it; the collector of garbage is told what the screen tells it."""
    gc.set_threshold(50_000, 20, 100)
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "run.jsonl"
        write(path, int(sys.argv[1] if len(sys.argv) > 1 else 100) * 1_000_000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        replay = Replay(find(str(path)))
        wall, cpu = time.perf_counter(), time.process_time()
        replay._read()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        total = replay.playback.total
        print(
            f"{path.stat().st_size / 1e6:.0f} MB, {total:,} events: read in {wall:.1f} s ({cpu:.1f} s processor); ",
            end="",
        )
        print(f"{len(replay._tape._checkpoints):,} checkpoints, {grown:,.0f} MB more memory")
        going = tell("to any moment", [gone(replay, count) for count in itertools.islice(moments(total), MOMENTS)])
        gone(replay, total * 2 // 3)
        tell("a step back", [gone(replay, replay.playback.count - 1) for _ in range(STEPS)])
        middle = anew(replay, total // 2)
        print(f"  folding anew up to the middle: {1e3 * middle:,.0f} ms, {middle / going:,.0f} times as long")
        replay.close()


if __name__ == "__main__":
    main()
