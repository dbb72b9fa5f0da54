"""Recordings of the real OpenCode, judged from the log to the report."""

from __future__ import annotations

import pytest

from monitor.agents.opencode.find import FINDER
from monitor.events import RequestEnded, SourceChanged
from monitor.report.build import build
from monitor.streams.record import Record
from monitor.supervisor import Supervisor
from monitor.targets import find

REDONE = {"app.py": (False, 2)}
"""Refused, refused again, then changed."""
LOST = {"app.py": (True, 1)}
TEXTS = ("text", "output", "arguments", "command", "about")
RECORDED: dict[str, tuple] = {
    "abort-in-tool.sse": ("aborted", {}, 1, 1),
    "abort-midstream.sse": ("aborted", {}, 0, 1),
    "abort-then-redirect.sse": ("not made", LOST, 2, 2),
    "db-tail.jsonl": ("not made", {"app.py": (True, 3)}, 4, 1),
    "export-ses_dd49f8b33ffeqq8GPmNuFhhWhe.json": ("claimed", REDONE, 4, 1),
    "get-session-message.json": ("claimed", REDONE, 4, 1),
    "inject-during-final-answer.sse": ("looping", {}, 0, 1),
    "inject-during-tool.sse": ("claimed", {}, 2, 1),
    "inject-no-model.sse": ("claimed", {}, 2, 1),
    "inject-noReply.sse": ("claimed", {}, 2, 1),
    "live-permission-patch-pause.sse": ("aborted", {}, 9, 1),
    "model-fake-429.sse": ("claimed", {}, 0, 1),
    "model-fake-500.sse": ("aborted", {}, 0, 1),
    "model-fake-exit.sse": ("claimed", {}, 3, 1),
    "model-fake-hang.sse": ("aborted", {}, 0, 1),
    "model-fake-loop.sse": ("claimed", {}, 0, 1),
    "model-fake-par.sse": ("not made", LOST, 2, 1),
    "permission-deny-rule.sse": ("not made", {"denied.txt": (True, 1)}, 2, 1),
    "permission-reject-nomsg.sse": ("aborted", {}, 1, 1),
    "permission-reject.sse": ("not made", {"": (True, 1)}, 2, 1),
    "plugin-bridge.jsonl": ("aborted", {}, 3, 1),
    "plugin-bridge.run.jsonl": ("aborted", {}, 3, 1),
    "plugin-veto.jsonl": ("aborted", {"denied.txt": (True, 1)}, 2, 1),
    "queued-then-abort.sse": ("aborted", {}, 0, 1),
    "reconnect.api-event.sse": ("unknown", {}, 0, 0),
    "reconnect.last-event-id.sse": ("unknown", {}, 2, 0),
    "reconnect.sse": ("unknown", {}, 2, 1),
    "reconnect.sync-history.json": ("unknown", {}, 3, 0),
    "run-attach.api-event.sse": ("unknown", {}, 0, 1),
    "run-attach.event.sse": ("claimed", REDONE, 4, 1),
    "run-attach.global-event.sse": ("claimed", REDONE, 4, 1),
    "run-attach.run-format-json.jsonl": ("claimed", REDONE, 4, 1),
    "subagent.sse": ("claimed", {}, 2, 1),
    "tui-port.event.sse": ("aborted", {}, 3, 1),
    "v2-interrupt.sse": ("aborted", {}, 0, 1),
    "v2-prompt-steer.sse": ("claimed", {}, 2, 1),
}
"""State, failed writes, calls and requests."""
NEWER = "v2-prompt-steer.sse"
"""Somebody started a second loop there, by a protocol that is not read."""


def _path(shared, name):
    return shared / "captures" / "opencode" / name


@pytest.fixture
def judged(shared):
    """Judges a recording by its name."""

    def judge(name):
        supervisor = Supervisor(find(str(_path(shared, name))), live=False)
        supervisor.read_all()
        supervisor.close()
        return build(supervisor.snapshot, supervisor.accounts())

    return judge


def records(path, source):
    """The records of a file, as its reader gives them."""
    data, offset = path.read_bytes(), 0
    if source.shape == "document":
        return [Record(source, 1, 0, len(data), data)]
    found = []
    for number, line in enumerate(data.split(b"\n"), 1):
        found.append(Record(source, number, offset, len(line) + 1, line))
        offset += len(line) + 1
    return found


def events_of(path):
    found = FINDER.open(path)
    assert found is not None
    decoder = found.decoder()
    return [event for record in records(path, found.inputs()[0]) for event in decoder.feed(record)]


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_said_of_it(judged, name):
    """State, failed writes and counts of a recording are those of what happened in it; it is read to its last byte."""
    report = judged(name)
    writes = {
        one["file"].rpartition("/")[2]: (one["outstanding"], len(one["failures"])) for one in report["failed_writes"]
    }
    run = report["runs"][0]
    assert (report["verdict"]["state"], writes, run["calls"], run["requests"]) == RECORDED[name]
    account = report["inputs"][0]
    assert account["bytes"] == account["decoded_bytes"]
    assert name == NEWER or account["unknown_types"] == {}


def test_every_recording_is_listed(shared):
    """No recording was left out."""
    folder = shared / "captures" / "opencode"
    there = {one.name for one in folder.iterdir() if one.suffix in (".sse", ".jsonl", ".json") and one.stat().st_size}
    assert there == set(RECORDED)


def test_one_run_read_from_five_sources_is_one_report(judged):
    """Its server's two streams, what `opencode run` printed, its export and its messages say the same of a run."""
    names = [
        "run-attach.event.sse", "run-attach.global-event.sse", "run-attach.run-format-json.jsonl",
        "export-ses_dd49f8b33ffeqq8GPmNuFhhWhe.json", "get-session-message.json",
    ]  # fmt: skip
    told = []
    for name in names:
        report = judged(name)
        run = report["runs"][0]
        failures = [[one["failure"] for one in entry["failures"]] for entry in report["failed_writes"]]
        told.append((failures, report["sites"], run["tokens"], run["turns"], [one["text"] for one in report["claims"]]))
    assert told[0][0] == [["not_found", "not_found"]]
    assert all(one == told[0] for one in told)


@pytest.mark.parametrize("name", [one for one in RECORDED if not one.endswith(".json")])
def test_a_text_is_read_back_from_its_line(shared, name):
    """A fresh decoder, given one record, gives the same texts at the same items as one that has read all before it."""
    path = _path(shared, name)
    found = FINDER.open(path)
    reader = found.decoder()
    for record in records(path, found.inputs()[0]):
        again = {(type(one), one.place): one for one in found.decoder().feed(record)}
        for event in reader.feed(record):
            said = {field: getattr(event, field, "") for field in TEXTS}
            if any(said.values()) and not isinstance(event, (RequestEnded, SourceChanged)):
                other = again[type(event), event.place]
                assert said == {field: getattr(other, field, "") for field in TEXTS}


def test_a_second_loop_is_not_passed_over(judged):
    """What it did is not read: that is said, and nothing counts as fully seen."""
    report = judged(NEWER)
    assert report["coverage"]["failed_writes"]["sees"] == "partial"
    assert report["inputs"][0]["unknown_types"]["session.next.tool.called"] == 2


def test_the_same_events_twice_are_told_once(shared):
    """What the stream of all folders tells twice is what the stream of one folder tells once."""

    def told(name):
        return [
            (type(one), getattr(one, "text", ""), getattr(one, "call", "")) for one in events_of(_path(shared, name))
        ]

    assert told("run-attach.global-event.sse") == told("run-attach.event.sse")
