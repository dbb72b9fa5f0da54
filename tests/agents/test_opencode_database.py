"""OpenCode's database: found, listed and followed without a trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from opencode_database import Database
from opencode_logs import CHILD, CWD, SESSION, Talk, ident, of, scenario

from monitor.agents.listed import Program
from monitor.agents.opencode import database as places
from monitor.agents.opencode.listing import OpenCodeLister
from monitor.agents.opencode.rows import SessionRows
from monitor.agents.opencode.stored import named, newest
from monitor.events import Prompted, RequestEnded, RunEnded, RunStarted, ToolReturned
from monitor.finding.ends import FileEnds
from monitor.report.build import build
from monitor.streams.record import Input, Record
from monitor.supervisor import Supervisor
from monitor.targets import find

OTHER = "ses_dd490000bffeqq8GPmNuFhhWhe"


class Machine:
    """The processes of OpenCode there are."""

    def __init__(self, *found: Program) -> None:
        self.found = found

    def programs(self, *names: str) -> list[Program]:
        return list(self.found) if "opencode" in names else []


def events_of(stored, rows):
    decoder = stored.decoder()
    source = Input(0, "db", "session")
    return [
        event for number, row in enumerate(rows, 1) for event in decoder.feed(Record(source, number, 0, len(row), row))
    ]


@pytest.fixture
def path():
    """Where OpenCode of this user keeps its database."""
    return places.database()


@pytest.fixture(params=[True, False], ids=["events", "messages"])
def kept(path, request):
    """A database whose version keeps events, and one that keeps messages alone."""
    made = Database(path, events=request.param)
    made.session()
    yield made
    made.close()


def look(path: Path) -> dict:
    return {one.name: (one.stat().st_mtime_ns, one.stat().st_size, one.read_bytes()) for one in path.parent.iterdir()}


def test_a_session_is_read_from_it(kept):
    """What was failed, tried again and claimed is the same from events and from messages; its id alone finds it."""
    talk = Talk()
    scenario(talk)
    kept.tell(talk.events)
    supervisor = Supervisor(find(SESSION), live=False)
    supervisor.read_all()
    report = build(supervisor.snapshot, supervisor.accounts())
    supervisor.close()
    assert report["verdict"]["state"] == "claimed"
    assert [[one["failure"] for one in entry["failures"]] for entry in report["failed_writes"]] == [
        ["not_found", "not_found"]
    ]
    assert [entry["outstanding"] for entry in report["failed_writes"]] == [False]
    assert report["runs"][0]["calls"] == 4
    account = report["inputs"][0]
    assert account["bytes"] == account["decoded_bytes"] > 0


def test_it_is_followed_as_it_grows(kept):
    """Each row is given once, and what a run says comes as it is written."""
    talk = Talk()
    talk.created()
    prompt = talk.asked("one")
    kept.tell(talk.events)
    stored = named(kept.path, SESSION)[0]
    rows = SessionRows(kept.path, SESSION)
    given = list(rows.lines())
    assert rows.lines() == []
    before, stamp = len([one for one in talk.events if not one["type"].endswith(".delta")]), rows.stamp()
    message = talk.reply(prompt)
    talk.spoken(message, "Done")
    talk.ended(message, "stop", prompt)
    kept.tell(talk.events, before)
    assert rows.stamp() != stamp
    given += rows.lines()
    assert rows.lines() == []
    events = events_of(stored, given)
    assert [one.text for one in of(events, Prompted)] == ["one"]
    assert [one.text for one in of(events, RequestEnded)] == ["Done"]


@pytest.mark.parametrize("moment", ["?", "null", "'x'"])
def test_what_is_written_in_the_moment_of_the_last_look_is_read(path, moment):
    """Messages are looked at by when they were written: one of the same millisecond, or without a time, is not lost."""
    made, talk = Database(path, events=False), Talk()
    made.session()
    prompt = talk.asked("one")
    made.tell(talk.events)
    rows = SessionRows(path, SESSION)
    given, before = list(rows.lines()), len(talk.events)
    (latest,) = made.held.execute("select max(time_updated) from part").fetchone()
    message = talk.reply(prompt)
    talk.spoken(message, "Done")
    talk.ended(message, "stop", prompt)
    made.tell([one for one in talk.events if "delta" not in one["type"]], before)
    at = moment.replace("?", str(latest))
    for table in ("message", "part"):
        made.held.execute(f"update {table} set time_updated = {at} where time_updated > {latest}")
    made.held.commit()
    events = events_of(named(path, SESSION)[0], [*given, *rows.lines()])
    assert rows.lines() == []
    made.close()
    assert [one.text for one in of(events, Prompted, RequestEnded)] == ["one", "Done"]


def test_sub_agents_come_with_it(kept):
    """The sessions that were started from it are read as its actors."""
    kept.session(CHILD, SESSION)
    talk = Talk()
    talk.created()
    message = talk.reply(talk.asked())
    child = Talk(CHILD)
    child.clock = talk.clock
    child.created(parentID=SESSION)
    reply = child.reply(child.asked("look"))
    child.bash(reply, "ls", 0, "app.py")
    child.ended(reply, "tool-calls")
    state = {"status": "running", "input": {"prompt": "look"}, "metadata": {"sessionId": CHILD}}
    talk.clock = child.clock
    talk.part("tool", message, tool="task", callID="call_0", state=state)
    kept.tell(talk.events)
    kept.tell(child.events)
    stored = named(kept.path, SESSION)[0]
    events = events_of(stored, SessionRows(kept.path, SESSION).lines())
    assert {one.actor for one in of(events, ToolReturned)} == {CHILD}
    assert any(one.parent == "" for one in of(events, RunStarted) if one.actor == CHILD)
    assert not of(events, RunEnded)


def test_reading_leaves_no_trace(kept):
    """While OpenCode runs, after it has ended, and after it was killed, no file in its folder changes."""
    talk = Talk()
    scenario(talk)
    kept.tell(talk.events)
    code = (
        "import sys; from pathlib import Path; from monitor.agents.opencode.stored import named;"
        "from monitor.agents.opencode.rows import SessionRows; path = Path(sys.argv[1]);"
        "assert named(path, sys.argv[2]); assert SessionRows(path, sys.argv[2]).lines()"
    )

    def read(path: Path) -> None:
        subprocess.run([sys.executable, "-c", code, str(path), SESSION], check=True)

    before = look(kept.path)
    assert {"opencode.db", "opencode.db-wal", "opencode.db-shm"} <= set(before)
    read(kept.path)
    assert look(kept.path) == before
    killed = kept.path.parent.with_name("killed")
    killed.mkdir()
    for name in ("opencode.db", "opencode.db-wal"):
        (killed / name).write_bytes(before[name][2])
    there = look(killed / "opencode.db")
    read(killed / "opencode.db")
    assert look(killed / "opencode.db") == there
    kept.close()
    ended = look(kept.path)
    assert set(ended) == {"opencode.db"}
    read(kept.path)
    assert look(kept.path) == ended


def test_what_is_no_database_of_opencode(tmp_path):
    """Another program's database, and what only begins like one, hold no run."""
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\0" + b"x" * 200)
    assert newest(tmp_path / "a.db") is None
    assert newest(tmp_path / "none.db") is None
    assert named(tmp_path / "a.db", "ses_") == []


def test_a_session_by_its_place(kept):
    """The database alone is the session written to last; with an id behind it, that session."""
    kept.session(OTHER, updated=3_000)
    kept.session(CHILD, SESSION, updated=9_000)
    assert find(str(kept.path)).title == OTHER
    assert find(str(kept.path.parent)).title == OTHER
    assert find(f"{kept.path}/{SESSION}").title == SESSION
    assert [one.title for one in named(kept.path, "ses_dd49")] == [OTHER, SESSION]
    assert [one.title for one in named(kept.path, CHILD)] == [CHILD]


def listed(*programs: Program):
    return {one.session: one for one in OpenCodeLister().listed(Machine(*programs), FileEnds())}


def test_which_run_lives(kept):
    """By the process in its folder, and by whether its last turn is over; one elsewhere may have any that is newer."""
    kept.session(OTHER, updated=3_000)
    here, before, after = Program(7, 1.0, CWD), Program(8, 1.0, "/elsewhere"), Program(9, 99.0, "/elsewhere")
    assert {one.state for one in listed().values()} == {"ended"}
    assert {one.state for one in listed(after).values()} == {"ended"}
    assert {one.state for one in listed(before).values()} == {"unknown"}
    found = listed(here)
    assert (found[OTHER].state, found[OTHER].pid) == ("idle", 7)
    assert found[SESSION].pid is None
    talk = Talk(OTHER)
    talk.created()
    talk.asked()
    kept.tell(talk.events)
    assert listed(here)[OTHER].state == "live"
    both = listed(here, Program(10, 1.5, CWD))
    assert [both[name].state for name in (OTHER, SESSION)] == ["unknown", "unknown"]


def test_a_listed_run_can_be_opened(kept):
    """Its place is what `monitor` takes."""
    (one,) = listed().values()
    assert (one.session, one.folder, one.title, one.version) == (SESSION, CWD, "t", "1.18.33")
    assert find(str(one.path)).title == SESSION


def test_ten_thousand_sessions_are_listed(path):
    """Each once; while nothing is written, a second look does not even open the database."""
    made = Database(path)
    values = [
        (ident("ses", n), "p", None, "s", f"/home/dev/{n % 50}", f"session {n}", "1", n, n) for n in range(10_000)
    ]
    made.held.executemany("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    made.held.commit()
    made.close()
    lister = OpenCodeLister()
    machine = Machine(Program(7, 1.0, "/home/dev/3"))
    first = list(lister.listed(machine, FileEnds()))
    assert len({one.session for one in first}) == 10_000
    path.chmod(0)
    assert list(lister.listed(machine, FileEnds())) == first
