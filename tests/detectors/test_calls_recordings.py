"""Recordings of real agents: what is found in each, and that nothing else is."""

from __future__ import annotations

import pytest

from monitor.detectors.folder import Folder
from monitor.detectors.repeats import Repeats
from monitor.detectors.replies import Replies
from monitor.detectors.scripts import Scripts
from monitor.detectors.stalls import Stalls
from monitor.detectors.tests_stale import TestsStale
from monitor.run.numbering import Numbering
from monitor.sources import Sources
from monitor.streams.open import open_reader
from monitor.targets import find

FETCH = "curl -sI -x http://127.0.0.1:54185 http://dl.google.com/android/ndk-r31.zip | head -3"
DIRTYWORK = {
    "03-stuck-same-failing-cmd": [
        "same call: cat missing.txt warn open",
        "same failing command: cat missing.txt stop open",
    ],
    "04-stalled-rereads": ["no progress stop open", "same call: read_file README.md stop open"],
    "07-empty-replies": ["no answer stop open"],
    "08-truncated-replies": ["no answer stop open", "no progress note open"],
}
LCODE = {
    "02b-MISS-proxy-url-in-command": [f"same call: {FETCH} stop open"],
    "05-circles-then-answer": ["no answer note cleared"],
    "07-cut-off-before-answer": ["no answer note cleared"],
    "08-cd-out-of-project": ["/tmp note cleared"],
    "09-script-never-run": ["build.sh note open"],
    "10-same-call-repeats": ["same call: read_file README.md stop open"],
}
STREAMS = LCODE | {"04-circles": ["no answer stop open"], "06-empty-replies": ["no answer stop open"]}
SESSIONS = LCODE | {name: ["no answer note open"] for name in ("04-circles", "06-empty-replies", "34-acp-circles")}
"""A saved session does not hold that lcode stopped at the second lost reply."""


def found(path):
    """Every finding of these detectors in a run: its subject, level and state."""
    sources, numbering = Sources(find(str(path)), open_reader), Numbering()
    detectors = [kind() for kind in (Repeats, Replies, Folder, Scripts, TestsStale, Stalls)]
    events = []
    while taken := sources.take():
        events += taken
    for event in [*events, *sources.finish()]:
        numbered = numbering.number(event)
        for detector in detectors:
            if isinstance(numbered, detector.reads):
                detector.feed(numbered)
    findings = [one for detector in detectors for one in detector.view().findings]
    return sorted(f"{one.subject} {one.level} {one.state}" for one in findings)


def recordings(shared, pattern):
    return {
        path: path.relative_to(shared / "captures").parts[1] for path in sorted((shared / "captures").glob(pattern))
    }


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("dirtywork/*/rundir", DIRTYWORK),
        ("lcode/*/stdout.jsonl", STREAMS),
        ("lcode/*/state/sessions/*.json", SESSIONS),
    ],
)
def test_what_is_found_in_the_recordings(shared, pattern, expected):
    """Stuck, stalled, repeated and lost replies, a folder left, a script never run; the others are quiet."""
    runs = {
        path: name
        for path, name in recordings(shared, pattern).items()
        if name != "20c-resume-with-text" or "state" in str(path)
    }
    assert set(expected) <= set(runs.values())
    assert {str(path): found(path) for path in runs} == {
        str(path): expected.get(name, []) for path, name in runs.items()
    }


@pytest.mark.parametrize(
    "name", ["chiphuyen__sniffly__fed8ce56", "chiphuyen__sniffly__d3ad4cdc", "DRMacIver__claude-reliability__stop-hook"]
)
def test_ordinary_sessions_are_quiet(shared, name):
    """Real sessions of ordinary work, with a denied commit in two wordings, hooks and re-reads, bring nothing."""
    paths = sorted((shared / "corpus/claude-code").glob(f"{name}*.jsonl"))
    assert paths
    for path in paths:
        assert found(path) == []
