"""How fast repeats are found in streamed text, beside lcode's class in the same process.

Run: python tests/bench/repeats.py [MILLIONS OF CHARACTERS]
"""

from __future__ import annotations

import base64
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable

from lcode.repeats import Circles

from monitor.detectors.thinking import Thinking
from monitor.events import Thought

WORDS = (
    "alpha", "beta", "the", "of", "module", "then", "gradle", "check", "writes", "file", "again", "into", "some", "with",
    "path", "folder", "maybe", "resolve", "import", "class", "test", "value", "returns", "when", "because", "instead",
)  # fmt: skip
DELTA = 20
ROUNDS = 5


def prose(random_: random.Random, length: int) -> str:
    """Sentences that do not repeat."""
    said: list[str] = []
    size = 0
    while size < length:
        said.append(
            " ".join(random_.choices(WORDS, k=random_.randint(6, 18))).capitalize()
            + random_.choice((". ", ".\n", "? "))
        )
        size += len(said[-1])
    return "".join(said)[:length]


def deltas(text: str) -> list[str]:
    """The text as a model streams it."""
    return [text[at : at + DELTA] for at in range(0, len(text), DELTA)]


def seconds(feed: Callable[[object], object], pieces: list[object]) -> float:
    """How long it takes to feed all pieces."""
    begin = time.process_time()
    for piece in pieces:
        feed(piece)
    return time.process_time() - begin


def ours(pieces: list[str]) -> list[object]:
    """The pieces as events, made before the clock runs."""
    return [Thought(text=piece, delta=True, message="m", turn=1, request=1) for piece in pieces]


def compare(name: str, text: str, rounds: int) -> None:
    """Both in turn, several times; the median of the ratios, and how the last quarter compares with the first."""
    pieces = deltas(text)
    events = ours(pieces)
    quarter = len(pieces) // 4
    ratios, drifts, rates = [], [], []
    for _ in range(rounds):
        theirs = seconds(Circles().feed, list(pieces))
        detector = Thinking()
        quarters = [seconds(detector.feed, events[at : at + quarter]) for at in range(0, 4 * quarter, quarter)]
        ratios.append(theirs / sum(quarters))
        drifts.append(quarters[3] / quarters[0])
        rates.append(len(text) / sum(quarters) / 1e6)
    print(
        f"{name:34} {statistics.median(rates):6.1f} Mchar/s   {statistics.median(ratios):7.2f} x lcode"
        f"   last quarter {statistics.median(drifts):.2f} x the first   flags {len(detector.view().flags)}"
    )


def slowest(text: str) -> None:
    """The 99th percentile of one piece."""
    detector, took = Thinking(), []
    for event in ours(deltas(text)):
        begin = time.perf_counter_ns()
        detector.feed(event)
        took.append(time.perf_counter_ns() - begin)
    took.sort()
    print(f"{'one piece of 20 characters':34} p50 {took[len(took) // 2]} ns   p99 {took[len(took) * 99 // 100]} ns")


def main() -> None:
    """Print every comparison."""
    random_ = random.Random(7)
    millions = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    text = prose(random_, int(millions * 1e6))
    compare(f"prose, {millions:g} million characters", text, ROUNDS)
    endless = base64.b64encode(random_.randbytes(300_000)).decode()
    compare("400 KB without a sentence end", endless, 1)
    compare("prose of the same length", text[:400_000], ROUNDS)
    compare(
        "Chinese without spaces", "".join(random_.choices("的一是在不了有和人这中大为上个国我以要。", k=400_000)), 1
    )
    slowest(text[:400_000])
    print(f"{'peak memory of the process':34} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
