"""The recordings of the real lcode, each scenario by its facts; skipped where they are not."""

from __future__ import annotations

import shutil

import msgspec
import pytest
from lcode_logs import file_events, file_records, of

from monitor.agents.lcode.decode import LcodeDecoder
from monitor.agents.lcode.find import FINDER
from monitor.events import Noticed, Prompted, ReplyEnded, RequestEnded, RunEnded, ToolCalled, ToolReturned, Unreadable
from monitor.streams.record import Record

UNREAD = ("app/strings.xml", "failed", "unread")
CHANGED = "The app name has been changed to Block Stacker."
CUT = "interrupted before the request was done"

STREAMS: dict[str, tuple] = {
    "01-success-edit": (2, [], [], ["Renamed the app to Block Stacker."], "success"),
    "02-unreachable-404": (5, [], [], [], "blocked"),
    "02b-MISS-proxy-url-in-command": (10, [], [], [], "loop"),
    "02c-web_fetch-404": (5, [], ["failed"] * 5, [], "blocked"),
    "03-unreachable-refused": (5, [], ["failed"] * 5, [], "blocked"),
    "04-circles": (0, [], [], [], "loop"),
    "05-circles-then-answer": (0, [], [], ["I could not do it; here is why."], "success"),
    "06-empty-replies": (0, [], [], [], "loop"),
    "07-cut-off-before-answer": (0, [], [], ["Short answer."], "success"),
    "08-cd-out-of-project": (3, [], [], ["Done."], "success"),
    "09-script-never-run": (2, [], [], ["Build script is ready and works.", "Trust me, it works."], "success"),
    "10-same-call-repeats": (5, [], [], [], "loop"),
    "11-failed-edits-then-claims-done": (2, [UNREAD, UNREAD], [], [CHANGED], "success"),
    "12-sigint-during-model": (1, [], [], [], "interrupted"),
    "13-sigterm-during-model": (1, [], [], [], None),
    "14-sigint-during-bash": (1, [], ["cancelled"], [], "interrupted"),
    "15-sigterm-during-bash": (1, [], [], [], None),
    "16-permission-refused-ask-mode": (2, [UNREAD], ["refused"], ["I was not allowed."], "success"),
    "17-openai-backend": (1, [UNREAD], [], ["Done."], "success"),
    "18-max-steps": (3, [], [], [], "max_steps"),
    "19-output-json": (1, [], [], ["x"], "success"),
    "20a-first-request": (1, [], [], ["I read it."], "success"),
    "20b-resume-with-stream-json": (0, [], [], ["second"], "success"),
    "36-hooks-steer-live": (5, [UNREAD], ["refused"], ["Done."], "success"),
    "38-sigterm-orphan": (2, [], [], [], None),
    "39-sigkill": (2, [], [], [], None),
}
"""Calls, failed writes, other results that are no success, claims, and the status."""
SESSIONS: dict[str, tuple] = {
    "12-sigint-during-model": (1, [], [], [], None),
    "14-sigint-during-bash": (1, [], ["cancelled"], [], None),
    "18-max-steps": (3, [], [], [], None),
    "20b-resume-with-stream-json": (0, [], [], ["second"], None),
    "20c-resume-with-text": (2, [UNREAD], [], ["I read it.", "second"], None),
    "30-acp-cancel-then-feedback": (2, [], [], ["Edited as you asked."], None),
    "30b-acp-cancel-before-first-byte": (1, [], [], [], None),
    "31-acp-cancel-during-bash": (1, [], ["cancelled"], [], None),
    "32-acp-second-prompt-while-running": (1, [], [], ["first done", "second done"], None),
    "33-acp-permission-reject": (1, [], ["denied"], ["You said no."], None),
    "34-acp-circles": (0, [], [], [], None),
    "35-acp-blocked": (5, [], [], [], "blocked"),
    "37-pty-steer": (3, [UNREAD], [], ["Done as noted."], None),
    "39-sigkill": (1, [], [], [], None),
}
"""Where the saved session tells something else than the stream, or there is no stream."""


def facts(events):
    back = of(events, ToolReturned)
    status = [one.status for one in of(events, RunEnded)]
    return (
        len({one.call for one in of(events, ToolCalled)}),
        [(file.file, file.outcome, file.failure) for one in back for file in one.files if file.outcome != "ok"],
        [one.outcome for one in back if one.outcome != "ok" and not one.files],
        [one.text for one in of(events, RequestEnded) if one.how == "answered"],
        *(status or [None]),
    )


def session_of(shared, name):
    """The session of a recording: the last it wrote, or the only one."""
    named = {"20b-resume-with-stream-json": "*d933c1", "20c-resume-with-text": "*73b29a"}.get(name, "*")
    (path,) = (shared / "captures/lcode" / name / "state/sessions").glob(f"{named}.json")
    return path


def opened(path):
    found = FINDER.open(path)
    assert found is not None
    return found


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_decoded_whole(shared, tmp_path, name):
    """Every line is known, whatever the file is called; calls, failed writes, claims and status are the scenario's."""
    shutil.copy(shared / "captures/lcode" / name / "stdout.jsonl", tmp_path / "some.log")
    events = file_events(opened(tmp_path / "some.log"))
    assert of(events, Unreadable) == []
    assert facts(events) == STREAMS[name]


@pytest.mark.parametrize("name", dict.fromkeys((*STREAMS, *SESSIONS)))
def test_a_session_is_decoded_whole(shared, name):
    """The saved session tells the same as the stream, but for an end that it does not hold."""
    found = opened(session_of(shared, name))
    events = file_events(found)
    assert of(events, Unreadable) == []
    expected = SESSIONS.get(name)
    if expected is None:
        *told, status = STREAMS[name]
        expected = (*told, status if status in ("blocked", "loop") and told[0] else None)
    assert facts(events) == expected
    if name in STREAMS and name != "39-sigkill":
        stream = file_events(opened(shared / "captures/lcode" / name / "stdout.jsonl"))
        outputs = [one.output for one in of(stream, ToolReturned) if one.output]
        assert [one.output for one in of(events, ToolReturned)][: len(outputs)] == outputs


@pytest.mark.parametrize("name", dict.fromkeys((*STREAMS, *SESSIONS)))
def test_a_session_that_grows_tells_each_message_once(shared, name):
    """Given one message after the other, the decoder tells what it tells of the whole document."""
    found = opened(session_of(shared, name))
    (whole,) = file_records(found)
    told = msgspec.json.decode(whole.data)
    decoder, grown = found.decoder(), []
    for size in range(1, len(told["messages"]) + 1):
        points = told["checkpoints"] if size == len(told["messages"]) else []
        data = msgspec.json.encode({**told, "messages": told["messages"][:size], "checkpoints": points})
        grown += decoder.feed(Record(whole.input, 1, 0, len(data), data, generation=size))
    seen = (Prompted, ToolCalled, ToolReturned, Noticed)
    once = of(file_events(found), *seen)
    assert [(type(one), one.place.line) for one in of(grown, *seen)] == [(type(one), one.place.line) for one in once]


def test_dropped_replies_are_told_by_the_session(shared):
    """What the stream cannot tell apart, lcode's own notes do: circles, an empty reply, and one cut off."""
    told = {}
    for name in ("04-circles", "06-empty-replies", "07-cut-off-before-answer"):
        stream = file_events(opened(shared / "captures/lcode" / name / "stdout.jsonl"))
        saved = file_events(opened(session_of(shared, name)))
        told[name] = [[one.raw for one in of(events, ReplyEnded) if one.empty] for events in (stream, saved)]
    assert told == {
        "04-circles": [["", ""], ["circles"]],
        "06-empty-replies": [["", ""], ["empty"]],
        "07-cut-off-before-answer": [[""], ["cut_off"]],
    }


def test_a_note_typed_while_it_worked_is_the_users(shared):
    """It does not begin a request; the one after the answer does."""
    events = file_events(opened(session_of(shared, "37-pty-steer")))
    assert [(one.by, one.into) for one in of(events, Prompted)] == [
        ("user", "new"),
        ("user", "running"),
        ("user", "new"),
    ]


@pytest.mark.parametrize("name", ["20c-resume-with-text/stdout.jsonl", "01-success-edit/script.json"])
def test_what_lcode_prints_for_people_is_no_log(shared, name):
    """The text on its terminal is not read."""
    assert FINDER.open(shared / "captures/lcode" / name) is None


TEXTS = ("text", "output", "arguments", "command", "task")


@pytest.mark.parametrize("name", STREAMS)
def test_a_text_is_read_back_from_its_line(shared, name):
    """A fresh decoder, given one record, gives the same texts at the same items as one that has read all before it."""
    found = opened(shared / "captures/lcode" / name / "stdout.jsonl")
    reader = found.decoder()
    assert isinstance(reader, LcodeDecoder)
    for record in file_records(found):
        again = {(type(one), one.place): one for one in found.decoder().feed(record)}
        for event in reader.feed(record):
            said = {field: getattr(event, field, "") for field in TEXTS}
            if any(said.values()):
                assert said == {field: getattr(again[type(event), event.place], field, "") for field in TEXTS}
