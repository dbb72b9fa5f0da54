"""Whatever bytes a log holds and whatever happens to its file, the lines come out right and the account adds up."""

from __future__ import annotations

import os
import re
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.streams.follow import Follower
from monitor.streams.record import Input, Record, Shift

BOM = b"\xef\xbb\xbf"
CAP = 40

texts = st.lists(
    st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"a", b"bb", b" ", b"\x00", b"\xff\xfe", BOM, b"c" * 30]),
    max_size=14,
).map(b"".join)
places = st.floats(0, 1)


def lines_of(content: bytes) -> list[tuple[bytes, int, bool]]:
    """The lines of a whole log by the plainest means: data, length, whether it is too long to hold."""
    out = []
    parts = content.split(b"\n")
    for number, part in enumerate(parts):
        ended = number < len(parts) - 1
        if not ended and not part:
            continue
        data = part.removesuffix(b"\r") if ended else part
        if number == 0:
            data = data.removeprefix(BOM)
        long = len(part) > CAP
        out.append((b"" if long or not data.strip() else data, len(part) + ended, long))
    return out


class Reading:
    """A follower, and what a careful listener believes the log holds."""

    def __init__(self, path: Path) -> None:
        self.now = time.time()
        self.follower = Follower(Input(0, "log", "", path), cap=CAP, clock=lambda: self.now)
        self.lines: list[tuple[bytes, int, bool]] = []
        self.delivered = 0
        self.generation = 0

    def read(self, limit: int) -> None:
        self.hear(self.follower.read(limit))

    def read_all(self) -> None:
        self.read(7)
        while not self.follower.at_end:
            self.read(7)

    def hear(self, found: list[Record | Shift]) -> None:
        for one in found:
            if isinstance(one, Shift):
                self.turn(one)
                continue
            assert one.line == len(self.lines) + 1
            assert one.offset == sum(length for _, length, _ in self.lines)
            assert one.generation == self.generation
            assert not one.data or not one.problem
            self.lines.append((one.data, one.length, bool(one.problem)))
            self.delivered += one.length
        assert self.delivered + self.follower.unfinished == self.follower.bytes
        assert self.generation == self.follower.generation

    def turn(self, shift: Shift) -> None:
        if shift.what == "rewritten":
            self.generation += 1
            if cut := re.search(r"cut short: (\d+) of the (\d+) lines", shift.text):
                assert int(cut[2]) == len(self.lines)
                del self.lines[int(cut[1]) :]
            else:
                first = re.search(r"from line (\d+) on", shift.text)
                assert first
                assert 1 <= int(first[1]) <= len(self.lines)
                del self.lines[int(first[1]) - 1 :]


@settings(deadline=None, max_examples=150)
@given(content=texts, cuts=st.lists(places, max_size=5), limit=st.integers(1, 50), reads=st.booleans())
def test_pieces_make_the_same_records_as_the_whole(content, cuts, limit, reads):
    """Bytes written in any pieces, read in any steps, are the records of the whole; the bytes are conserved."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        reading = Reading(log)
        edges = [0, *sorted(int(place * len(content)) for place in cuts), len(content)]
        with log.open("ab", buffering=0) as writer:
            for start, end in pairwise(edges):
                writer.write(content[start:end])
                if reads:
                    reading.read(limit)
        reading.read_all()
        reading.hear(reading.follower.finish())
        assert reading.lines == lines_of(content)
        assert reading.follower.bytes == len(content)
        assert reading.follower.unfinished == 0
        assert reading.follower.generation == 0
        reading.follower.close()


changes = st.one_of(
    st.tuples(st.just("append"), st.just(1.0), texts),
    st.tuples(st.sampled_from(["rewrite", "replace", "overwrite"]), places, texts),
    st.tuples(st.sampled_from(["touch", "delete", "age", "read", "read_all", "close"]), st.just(1.0), st.just(b"")),
)


@settings(deadline=None, max_examples=250)
@given(steps=st.lists(changes, max_size=14), last=texts)
def test_any_fate_of_a_file(steps, last):
    """After appends, cuts, rewrites, replacements, losses and returns, what was told is what the log holds."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        reading = Reading(log)
        content = b""
        second = 1_000_000_000
        stamp = int(reading.now) * second
        for step in [*steps, ("append", 1.0, last)]:
            content = change(log, content, step, reading)
            stamp += second // 100
            if log.exists():
                os.utime(log, ns=(stamp, stamp))
        reading.read_all()
        reading.now += 10
        reading.hear(reading.follower.finish())
        assert reading.lines == lines_of(content)
        assert reading.follower.unfinished == 0
        reading.follower.close()


def change(log: Path, content: bytes, step: tuple[str, float, bytes], reading: Reading) -> bytes:
    what, place, text = step
    kept = content[: int(place * len(content))]
    match what:
        case "append":
            with log.open("ab") as writer:
                writer.write(text)
            return content + text
        case "rewrite":
            log.write_bytes(kept + text)
            return kept + text
        case "replace":
            new = log.with_name("new")
            new.write_bytes(kept + text)
            new.replace(log)
            return kept + text
        case "overwrite":
            with log.open("r+b" if log.exists() else "wb") as writer:
                writer.seek(len(kept))
                writer.write(text)
            return kept + text + content[len(kept) + len(text) :]
        case "delete":
            log.unlink(missing_ok=True)
            return b""
        case "age":
            reading.now += 100
        case "read":
            reading.read(5)
        case "read_all":
            reading.read_all()
        case "close":
            reading.follower.close()
    return content
