"""Snapshots made up for the tests: one that a person could follow, and any that the types allow."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import get_args

from hypothesis import strategies as st

from monitor import findings, snapshot
from monitor.detectors.folder_view import FolderView, Move
from monitor.detectors.numbers import DEFAULTS, Numbers, SitesNumbers, StallsNumbers
from monitor.detectors.outside_view import OutsideEdit, OutsideView
from monitor.detectors.repeats_view import Repeat, RepeatsView
from monitor.detectors.replies_view import RepliesView
from monitor.detectors.scripts_view import ScriptEntry, ScriptsView
from monitor.detectors.sites_view import Cause, SiteEntry, SitesView
from monitor.detectors.tests_view import TestsView
from monitor.detectors.thinking_view import ThinkingFlag, ThinkingView
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import FailedWrite, FileEntry, WritesView
from monitor.events import DETECTORS, CloseLine, Coverage, Failure, Outcome, Sees, Tokens
from monitor.findings import Finding, Spot
from monitor.snapshot import ActionFacts, ActorFacts, Claim, RunFacts, Snapshot, Verdict
from monitor.streams.record import Account

LOG = Account(
    name="session.jsonl",
    bytes=1300,
    records=14,
    decoded_bytes=1200,
    unreadable_bytes=60,
    unfinished_bytes=40,
    unreadable=1,
    unknown_types={"telemetry": 2},
)

_MISSED = FailedWrite(
    spot=Spot(8, 0, 9),
    call="c3",
    tool="edit",
    outcome="failed",
    failure="not_found",
    what="The text to replace does not stand in the file.",
    at=1_790_000_100.0,
    closest=(CloseLine(12, '    "title": "Einstellungen",  '), CloseLine(113, "\t" + "x" * 90, cut=True)),
    source="disk",
)
_REFUSED = FailedWrite(
    Spot(10, 0, 11), "c5", "write", "refused", "", "A rule forbids it.", no_lines="It was kept from being made."
)

TROUBLE = Snapshot(
    seq=20,
    run=RunFacts(
        agent="demo",
        version="1",
        session="s-1",
        project="/home/ann/notes",
        task="Give the settings German texts",
        started=1_790_000_000.0,
        ended=1_790_000_200.5,
        over=True,
        status="completed",
        requests=1,
        turns=6,
        calls=9,
        tokens=Tokens(input=12_000, output=800),
        cost=0.42,
    ),
    actors=(ActorFacts("", None), ActorFacts("helper", "", task="Look it up", turns=2, calls=3)),
    verdict=Verdict("not made", "1 write outstanding: settings.py", also=("unchanged",), claimed_done=True),
    claims=(Claim(Spot(18, 0, 12), 1_790_000_190.0, done=True, text="All done.\nTests pass.", state="not made", request=1),),
    coverage=MappingProxyType({"failed_writes": Coverage("full")}),
    writes=WritesView(
        entries=(
            FileEntry(
                "/home/ann/notes/settings.py", "settings.py", True, (_MISSED, _REFUSED), 2, lowered=True, unknown=True,
                elsewhere="/srv/copy.py",
            ),
            FileEntry("/home/ann/notes/texts.py", "texts.py", False, (_MISSED,), 1, settled_by="a later write"),
        ),
        outstanding=1,
    ),
    sites=SitesView(
        entries=(
            SiteEntry(
                "pypi.example.org", "127.0.0.1:9", 5, 5, kinds=(("timed out", 3), ("HTTP 404", 2)), level="stop", cause="proxy",
                spots=(Spot(3, 0, 4), Spot(5, 0, 6)), request=2,
            ),
        ),
        earlier=(SiteEntry("docs.example.org", failed_calls=1, answered=True, kinds=(("HTTP 404", 1),), request=1),),
        failing=1,
    ),
    thinking=ThinkingView(
        characters=48_000, peak=0.85, last=0.4,
        flags=(
            ThinkingFlag(Spot(6, 0, 7), "circles", 12_345, 20_000, "Let me look at it again.", theirs=True),
            ThinkingFlag(Spot(7, 0, 8), "harness", text="Reply dropped: it repeats itself.", theirs=True),
        ),
    ),
    worktree=WorktreeView(
        changed=False, since_start=True, reason="", by="monitor", kinds=("content",), measured=3,
        files=(ChangedFile("texts.py"), ChangedFile("README.md", by="outside", why="changed outside the agent's view")),
    ),
    findings=(
        Finding(
            "failed_writes", "settings.py", "stop", "settings.py: 2 writes failed, and done is claimed",
            advice="The change to settings.py was not made.\n\n  12 |     label = 1\n\nRead it again.",
            places=(Spot(8, 0, 9), Spot(-1, -1, 0)),
        ),
        Finding("failed_writes", "texts.py", "note", "texts.py: 1 write failed", state="cleared"),
        Finding("stalls", "model", "note", "The model has said nothing for 2 min", state="cleared", places=(Spot(2, 0, 3),)),
    ),
    repeats=RepeatsView((Repeat("same failing command", "make test", 4, "stop", Spot(4, 0, 5), Spot(9, 0, 10)),)),
    replies=RepliesView(empty=1, cut_off=2),
    folder=FolderView((Move(Spot(11, 0, 12), "/srv/copy", "wrote"),)),
    scripts=ScriptsView((
        ScriptEntry("/p/build.sh", "build.sh", Spot(12, 0, 13)),
        ScriptEntry("/p/try.sh", "try.sh", Spot(13, 0, 14), run=True, how="make try, through Makefile"),
    )),
    tests=TestsView(Spot(16, 0, 17), Spot(15, 0, 16), True, "texts.py", "pytest -q"),
    outside=OutsideView((OutsideEdit("README.md", 1_790_000_150.0, 14, overwritten=True),)),
    actions=(ActionFacts("a1", "warn", "operator", "delivered", "Read it again.", "The pipe took it."),),
)  # fmt: skip
"""A run with one of everything."""

_texts = st.text(max_size=30)
_counts = st.integers(0, 10**12)
_times = st.none() | st.floats()
_spots = st.builds(Spot, st.integers(-1, 10**6), st.integers(-1, 3), st.integers(0, 10**6))
_told = st.builds(Spot, st.integers(0, 10**6), st.integers(-1, 3), st.integers(0, 10**6))
"""Places of events that were told: each has its number."""
_some = {"max_size": 3}


def _few(values):
    return st.lists(values, max_size=3).map(tuple)


def _one_of(literal):
    return st.sampled_from(get_args(literal))


_closest = st.builds(CloseLine, st.integers(1, 10**7), _texts, st.booleans())
_failures = st.builds(
    FailedWrite, spot=_spots, call=_texts, tool=_texts, outcome=_one_of(Outcome), failure=_one_of(Failure), what=_texts,
    at=_times, excused=st.booleans(), closest=_few(_closest), source=st.sampled_from(["", "disk", "log", "today"]),
    no_lines=_texts,
)  # fmt: skip
_entries = st.builds(
    FileEntry, key=_texts, file=_texts, outstanding=st.booleans(), failures=_few(_failures), count=_counts, settled_by=_texts,
    lowered=st.booleans(), unknown=st.booleans(), elsewhere=_texts,
)  # fmt: skip
_sites = st.builds(
    SiteEntry, _texts, _texts, _counts, _counts, st.integers(1, 9), _few(st.tuples(_texts, _counts)), st.booleans(),
    st.none() | _one_of(findings.Level), _one_of(Cause), _few(_spots), _times, _counts,
)  # fmt: skip
_thoughts = st.builds(
    ThinkingView, characters=_counts, peak=st.none() | st.floats(), limit=st.floats(),
    flags=_few(st.builds(
        ThinkingFlag, _spots, st.sampled_from(["circles", "cycle", "harness"]), _counts, _counts, _texts,
        st.sampled_from(["thinking", "answer"]), st.booleans(),
    )),
)  # fmt: skip
_trees = st.builds(
    WorktreeView, changed=st.none() | st.booleans(), since_start=st.none() | st.booleans(), reason=_texts,
    by=st.sampled_from(["", "monitor", "agent"]), kinds=_few(_texts), measured=_counts,
    files=_few(st.builds(ChangedFile, _texts, _texts, _texts)),
)  # fmt: skip
_levels = _one_of(findings.Level)
_repeats = st.builds(
    Repeat, st.sampled_from(["same call", "no progress", "cycle of calls"]), _texts, _counts, _levels, _spots, _spots
)
_moves = st.builds(Move, _spots, _texts, st.sampled_from(["moved", "wrote", "put back"]))
_scripts = st.builds(
    ScriptEntry, _texts, _texts, _spots, run=st.booleans(), how=_texts, ran=st.none() | _spots, perhaps=_texts
)
_tested = st.builds(
    TestsView, st.none() | _told, st.none() | _told, st.none() | st.booleans(), edited=_texts, command=_texts
)
_numbers = st.sampled_from([DEFAULTS, Numbers(sites=SitesNumbers(warn=4)), Numbers(stalls=StallsNumbers(deltas=0.5))])
_findings = st.builds(
    Finding, detector=st.sampled_from(DETECTORS), subject=_texts, level=_one_of(findings.Level), message=_texts,
    advice=_texts, state=_one_of(findings.State), places=_few(_spots),
)  # fmt: skip
_verdicts = st.builds(
    Verdict, _one_of(snapshot.State), _texts, _few(_one_of(snapshot.State)), st.none() | st.booleans(), st.booleans(),
    _texts,
)  # fmt: skip
_runs = st.builds(
    RunFacts, agent=_texts, model=_texts, session=_texts, cwd=_texts, task=_texts, started=_times, ended=_times,
    status=_texts, requests=_counts, turns=_counts, calls=_counts, cost=_times,
    tokens=st.builds(Tokens, input=_counts, output=_counts),
)  # fmt: skip
_actions = st.builds(
    ActionFacts, _texts, _texts, st.sampled_from(["operator", "policy", "monitor"]),
    st.sampled_from(["queued", "delivered", "seen", "done", "failed"]), _texts, _texts, at=_times,
)  # fmt: skip

ANY = st.builds(
    Snapshot, seq=st.integers(-1, 10**6), run=_runs, verdict=_verdicts, worktree=_trees,
    actors=_few(st.builds(ActorFacts, _texts, st.none() | _texts, started=_times, ended=_times)),
    claims=_few(st.builds(Claim, _spots, _times, st.booleans(), _texts, _one_of(snapshot.State), _counts)),
    earlier_claims=_counts,
    coverage=st.dictionaries(st.sampled_from(DETECTORS) | _texts, st.builds(Coverage, _one_of(Sees), _texts), **_some),
    writes=st.builds(WritesView, entries=_few(_entries)), sites=st.builds(SitesView, _few(_sites), _few(_sites)),
    thinking=_thoughts, findings=_few(_findings), actions=_few(_actions),
    repeats=st.builds(RepeatsView, _few(_repeats)),
    replies=st.builds(RepliesView, empty=_counts, cut_off=_counts, circled=_counts, no_answer=_counts),
    folder=st.builds(FolderView, _few(_moves)), scripts=st.builds(ScriptsView, _few(_scripts)), tests=_tested,
    outside=st.builds(OutsideView, _few(st.builds(OutsideEdit, _texts, _times, _counts, overwritten=st.booleans()))),
    sources=_few(_texts), missed=_few(_texts), unwatched=_few(_texts), unreadable=_counts, numbers=_numbers,
)  # fmt: skip
"""Any snapshot that the types allow, hostile texts and times included."""

ACCOUNTS = st.lists(
    st.builds(
        Account,
        st.text(max_size=30),
        *[_counts] * 6,
        st.dictionaries(st.text(max_size=20), st.integers(1, 10**6), **_some),
    ),
    max_size=3,
)
"""Any accounts of bytes; their sums need not be right."""


def without(**parts):
    """TROUBLE with some parts replaced."""
    return replace(TROUBLE, **parts)
