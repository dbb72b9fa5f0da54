"""What goes both ways between an agent and its channel, kept in one file."""

from __future__ import annotations

import json
import sys
import time

from kept_runs import kept
from waiting import until

from monitor.keeping.store import Store, WireLog
from monitor.launch.command import Prepared


def test_a_wire_keeps_both_directions(tmp_path):
    """Each line stands with its time and direction; what is no JSON is kept as text, pieces are put together."""
    log = WireLog(Store(tmp_path / "output"))
    log.came(b'{"id": 1, "res')
    log.sent(b'{"method": "x"}\n')
    log.came(b'ult": {}}\nplain "words"\n')
    rows = [json.loads(line) for line in (tmp_path / "output").read_bytes().splitlines()]
    assert [(row["dir"], row["msg"]) for row in rows] == [
        ("client->agent", {"method": "x"}), ("agent->client", {"id": 1, "result": {}}), ("agent->client", 'plain "words"'),
    ]  # fmt: skip
    assert all(abs(row["t"] - time.time()) < 60 for row in rows)


def test_a_line_without_an_end_is_kept_too(tmp_path, monkeypatch):
    """What an agent began to say before it ended stands in the log; a line longer than any reader takes, in pieces."""
    code = "import os, sys; sys.stdin.readline(); os.write(1, b'one\\nI give'); os.write(1, b' up')"
    with kept(Prepared("acp", (sys.executable, "-c", code), first=("go",), listens=True, wire=True), tmp_path) as found:
        until(lambda: found.ended() is not None)
    rows = [json.loads(line) for line in (found.folder / "output").read_bytes().splitlines()]
    assert [row["msg"] for row in rows] == ["go", "one", "I give up"]
    monkeypatch.setattr("monitor.keeping.store._LONGEST", 10)
    log = WireLog(Store(tmp_path / "output"))
    log.came(b"0123456789")
    log.came(b"abc")
    log.came(b"d\nnext\n")
    rows = [json.loads(line) for line in (tmp_path / "output").read_bytes().splitlines()]
    assert [row["msg"] for row in rows] == ["0123456789abc", "d", "next"]
