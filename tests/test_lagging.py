"""A screen that is behind says so, and by how much."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import logs

from monitor.agents.native.find import FINDER
from monitor.lagging import LEAST, Lagging, words
from monitor.snapshot import Snapshot
from monitor.streams.pipe import PipeReader
from monitor.supervisor import Supervisor


def test_the_distance_is_told_only_while_it_matters() -> None:
    """A moment's worth is nothing; with nothing more to be had it is over at once; else it is looked at in its pace."""
    clock, left = [10.0], [5 * LEAST]
    lagging, now = Lagging(lambda: left[0], lambda: clock[0]), Snapshot(sources=("the disk is full",))
    told = lagging.told(now, more=True)
    assert told.sources == ("the disk is full", "reading is 5 MB behind")
    left[0] = 2 * LEAST
    assert lagging.told(now, more=True) is told, "the same object until something changes"
    clock[0] += 1
    assert lagging.told(now, more=True).sources[-1] == "reading is 2 MB behind"
    assert lagging.told(replace(now, seq=5), more=True).seq == 5
    assert lagging.told(now, more=False) is now
    assert words(LEAST - 1) == ""


def test_a_pipe_that_is_written_faster_than_it_is_read_says_how_far_behind_it_is(tmp_path: Path) -> None:
    """All of it is kept; while it is read, the snapshot tells the distance, which shrinks and is gone at the end."""
    said = [{"event": "Said", "message": f"m{number}", "text": "word " * 400} for number in range(3_000)]
    data = logs.lines(logs.started(), logs.prompted(), *said)
    receiver, sender = os.pipe()
    found = FINDER.pipe("pipe")
    writer = threading.Thread(target=lambda: (os.write(sender, data[:1]), _all(sender, data[1:])))
    run = Supervisor(found, live=True, reader=lambda source: PipeReader(receiver, source, tmp_path))
    writer.start()
    writer.join()
    told, end = [], time.monotonic() + 30
    while not run.ended:
        assert time.monotonic() < end, "it never came to its end"
        run.step()
        told.append([one for one in run.snapshot.sources if "behind" in one])
    run.close()
    behind = [one for one in told if one]
    assert behind[0][0].startswith("reading is ")
    assert told[-1] == []
    assert run.snapshot.run.turns == len(said)


def _all(sender: int, data: bytes) -> None:
    with os.fdopen(sender, "wb") as out:
        out.write(data)
