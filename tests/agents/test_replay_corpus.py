"""Public logs of real agents, where they are beside the repository: read whole, and judged as they were labelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from waiting import until

from monitor.commands.report import judged
from monitor.events import ToolReturned
from monitor.replay.replay import Replay
from monitor.several import each_run
from monitor.sources import Sources
from monitor.streams.open import open_reader
from monitor.targets import find

FOLDERS = ("mini-swe-agent", "swe-agent", "openhands-output", "atif", "pi")
LABORATORY = {"extension-bridge.jsonl": 2}
"""Records of whoever kept the log, among those of pi."""


@pytest.fixture(scope="module")
def corpus(shared) -> Path:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the public logs beside the repository are not here")
    return folder


def reports(path) -> list:
    return [judged(run, None) for run in each_run(str(path))]


def only(corpus, part) -> dict:
    (path,) = [path for folder in FOLDERS for path in (corpus / folder).glob(f"*{part}*")]
    (report,) = reports(path)
    return report


def levels(report, detector) -> list[tuple[str, str]]:
    return [(one["level"], one["state"]) for one in report["findings"] if one["detector"] == detector]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_log_is_read_whole(corpus, folder):
    """No byte of a public log is unreadable, all are accounted for, and something is told of each."""
    paths = sorted((corpus / folder).iterdir())
    assert paths
    for path in paths:
        told = reports(path)
        assert sum(one["inputs"][0]["bytes"] for one in told) == path.stat().st_size
        for one in told:
            (account,) = one["inputs"]
            assert account["unreadable"] == account["unfinished_bytes"] == 0
            assert account["unknown_types"] == {}
            assert account["bytes"] == account["decoded_bytes"]
            assert one["runs"][0]["agent"]


def test_every_recording_of_pi_is_read(shared):
    """Sessions, streams of two versions, and kept wires; only what whoever kept them wrote beside is unreadable."""
    for path in sorted((shared / "captures" / "pi").glob("*.jsonl")):
        (one,) = reports(path)
        (account,) = one["inputs"]
        assert account["unreadable"] == LABORATORY.get(path.name, 0), path.name
        assert account["bytes"] == account["decoded_bytes"] + account["unreadable_bytes"] == path.stat().st_size
        assert one["runs"][0]["agent"] == "pi"


def test_sessions_of_a_chat_history(corpus):
    """Of 1,133 sessions those in which something was asked or done are runs; each notice of an edit is a result."""
    (path,) = (corpus / "aider").iterdir()
    text = path.read_text(encoding="utf-8", errors="replace").split("\n")
    told: dict[str, set[int]] = {"ok": set(), "not_found": set()}
    runs = each_run(str(path))
    for run in runs:
        sources = Sources(find(run), open_reader)
        events = []
        while taken := sources.take():
            events += taken
        (account,) = sources.accounts()
        assert (account.unreadable, account.bytes) == (0, account.decoded_bytes)
        for event in events:
            if isinstance(event, ToolReturned):
                told.setdefault(event.failure or event.outcome, set()).add(event.place.line)
        sources.close()
    assert len(runs) == 687
    assert {n for n, line in enumerate(text, 1) if line.startswith("> ## SearchReplaceNoExactMatch")} == told[
        "not_found"
    ]
    assert {n for n, line in enumerate(text, 1) if line.startswith("> Applied edit to")} <= told["ok"]
    report = judged(f"{path}:10130", None)
    assert [one["file"] for one in report["failed_writes"]] == ["aider/main.py"]


@pytest.mark.parametrize(
    ("part", "detector", "first", "last"),
    [
        ("atlassian-pyt__57Tokwg__trajectory", "repeats", 8, 48),
        ("HYLLUYy__trajectory", "repeats", 3, 18),
        ("deepseek-coder-v2__fasterxml__jackson-databind-3860", "repeats", 4, 31),
        ("gpt-4o-mini-2024-07-18__fasterxml__jackson-databind-3716", "repeats", 3, 18),
        ("deepseek-chat-v2__fasterxml__jackson-dataformat-xml-590", "repeats", 7, 14),
    ],
)
def test_loops_that_were_labelled(corpus, part, detector, first, last):
    """A loop is stopped at, at the steps at which a reader found it."""
    report = only(corpus, part)
    found = [one for one in report["findings"] if one["detector"] == detector and one["level"] == "stop"]
    assert (first, last) in [(one["places"][0]["line"], one["places"][-1]["line"]) for one in found]


def test_writes_that_were_labelled(corpus):
    """A write that stays failed, with an agent that says so; one swallowed by a heredoc; a run that was truly done."""
    told = reports(corpus / "openhands-output" / "All-Hands-AI__OpenHands__output.jsonl")
    assert [one["verdict"]["state"] for one in told] == ["claimed", "not made", "stopped"]
    assert told[1]["verdict"]["claimed_done"] is False
    assert told[1]["failed_writes"][0]["outstanding"]
    assert ("warn", "open") in levels(only(corpus, "Jnw3jKR__trajectory"), "scripts")
    assert not [one for one in only(corpus, "PFhAYyS__trajectory")["findings"] if one["level"] != "note"]


def test_places_where_nothing_is_to_be_found(corpus):
    """A build that runs again after each edit, and calls whose arguments are gone, are no loops."""
    assert not [one for one in only(corpus, "large-session")["findings"] if one["level"] == "stop"]
    for one in reports(corpus / "openhands-output" / "All-Hands-AI__OpenHands__output__2.jsonl"):
        assert not levels(one, "repeats")


@pytest.mark.parametrize(
    "part", ["SWE-agent__mini-swe-agent__github_issue", "test-repo-i1", "Cm3THyR__trajectory", "large-session"]
)
def test_a_log_is_replayed(corpus, part):
    """A replay of a log ends where its report does."""
    (path,) = [path for folder in FOLDERS for path in (corpus / folder).glob(f"*{part}*")]
    replay, report = Replay(find(str(path))), judged(str(path), None)
    replay.begin()
    try:
        until(lambda: replay.playback.read == 1.0 and replay.playback.total)
        total = replay.playback.total
        for count in (total // 2, total):
            replay.seek(count)
            until(lambda count=count: replay.playback.count == count and not replay.playback.playing)
        rows = replay.rows_at(total)
        assert all(rows.row(index).text for index in range(0, len(rows), max(len(rows) // 40, 1)))
        assert replay.snapshot.verdict.state == report["verdict"]["state"]
    finally:
        replay.close()
