"""How much a run's state holds after many events that never repeat themselves: objects by part, not process memory.

Run: python tests/bench/state.py [EVENTS]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "detectors"))

from any_events import flood
from state_weight import weight

from monitor.events import Event
from monitor.run.run import Run


def endless() -> Iterator[Event]:
    """Ever new actors, folders, scripts, messages and calls."""
    number = 0
    while True:
        yield from flood(number)
        number += 1


def main() -> None:
    """Print the weight of each part at each tenth of the way."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    run = Run()
    for count, event in enumerate(endless(), 1):
        run.feed(event)
        if count % (most // 10) == 0:
            parts = {name: weight(part, set()) for name, part in vars(run).items()}
            every = {name: weight(getattr(run._every, name), set()) for name in run._every.__dataclass_fields__}
            told = ", ".join(f"{name} {size:,}" for name, size in {**parts, **every}.items() if size > 100)
            print(f"{count:>9,} events: {told}", flush=True)
        if count >= most:
            return


if __name__ == "__main__":
    main()
