from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType

import pytest
from made_snapshots import LOG, TROUBLE, without

from monitor.detectors.thinking_view import ThinkingView
from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import DETECTORS, Coverage
from monitor.findings import Finding
from monitor.report import as_json
from monitor.report.build import build, fails
from monitor.snapshot import ActionFacts, RunFacts, Snapshot, Verdict
from monitor.streams.record import Account


def test_nothing_read_is_said_to_be_nothing_known():
    """A report of nothing claims nothing: no figure is nought where it is unknown, and nothing counts as seen."""
    report = build(Snapshot(), [])
    assert report["verdict"]["state"] == "unknown"
    assert report["worktree"]["changed"] is None
    assert report["thinking"] == {"characters": None, "peak": None, "limit": 0.8, "flags": []}
    assert set(report["replies"].values()) == set(report["tests"].values()) == {None}
    assert {seeing["sees"] for seeing in report["coverage"].values()} == {"none"}
    assert report["runs"][0]["tokens"] is None
    assert report["runs"][0]["agent"] is None


def test_every_detector_says_what_it_saw():
    """Every detector stands in the coverage; an empty part of one that saw nothing is never taken for a clean one."""
    coverage = build(TROUBLE, [LOG])["coverage"]
    assert list(coverage) == list(DETECTORS)
    assert coverage["failed_writes"] == coverage["worktree"] == {"sees": "full", "why": ""}


def test_the_root_comes_first_and_sub_agents_after_it():
    """The root is told once, with the run's own facts; each sub-agent follows with its parent."""
    root, child = build(TROUBLE, [])["runs"]
    assert (root["id"], root["parent"], root["session"], root["turns"]) == ("", None, "s-1", 6)
    assert (child["id"], child["parent"], child["calls"], child["agent"]) == ("helper", "", 3, None)


def test_a_failure_is_named_by_its_kind_or_by_what_kept_it_from_being_made():
    """A failed write names its kind of failure, a refused one says refused, and its closest lines say when they were read."""
    missed, refused = build(TROUBLE, [])["failed_writes"][0]["failures"]
    assert (missed["failure"], refused["failure"]) == ("not_found", "refused")
    assert missed["place"] == {"input": 0, "line": 9}
    first = missed["closest"][0]
    assert first == {"number": 12, "text": '    "title": "Einstellungen",  ', "cut": False, "source": "disk"}


@pytest.mark.parametrize(("outcome", "failure", "why"), [
    ("failed", "", "other"), ("ok", "io", "io"), ("failed", "stale", "stale"), ("cancelled", "", "cancelled"),
    ("timed_out", "io", "timed_out"), ("unknown", "", "unknown"),
])  # fmt: skip
def test_every_failure_has_a_name(outcome, failure, why):
    """What kept a write from being made goes before its kind of failure, and one without a kind is `other`."""
    entry = TROUBLE.writes.entries[0]
    failed = replace(entry.failures[0], outcome=outcome, failure=failure)
    writes = WritesView(entries=(replace(entry, failures=(failed,)),))
    assert build(without(writes=writes), [])["failed_writes"][0]["failures"][0]["failure"] == why


def test_a_failure_without_closest_lines_says_why():
    """Where no line resembles the guess the reason is given, and beside closest lines there is none."""
    missed, refused = build(TROUBLE, [])["failed_writes"][0]["failures"]
    assert (missed["no_lines"], refused["no_lines"]) == (None, "It was kept from being made.")
    assert refused["closest"] == []
    entry = TROUBLE.writes.entries[0]
    both = replace(entry, failures=(replace(entry.failures[0], no_lines="never"),))
    assert build(without(writes=WritesView(entries=(both,))), [])["failed_writes"][0]["failures"][0]["no_lines"] is None


def test_what_became_of_a_file_since_is_told():
    """An entry says that another hand wrote the text, that nobody knows whether it was written, and where it went instead."""
    outstanding, settled = build(TROUBLE, [])["failed_writes"]
    assert (outstanding["lowered"], outstanding["unknown"], outstanding["elsewhere"]) == (True, True, "/srv/copy.py")
    assert (settled["lowered"], settled["unknown"], settled["elsewhere"]) == (False, False, None)


def test_a_provisional_verdict_says_why():
    """The reason stands only beside a verdict that is provisional."""
    for provisional, why in ((True, "1 sub-agent still running"), (False, None)):
        verdict = Verdict("running", "It works", provisional=provisional, why_provisional="1 sub-agent still running")
        assert build(without(verdict=verdict), [])["verdict"]["why_provisional"] == why


def test_an_action_says_how_it_is_known():
    """The evidence of a receipt is given, and null where there is none."""
    assert build(TROUBLE, [])["actions"][0]["evidence"] == "The pipe took it."
    assert (
        build(without(actions=(ActionFacts("a", "warn", "operator", "queued"),)), [])["actions"][0]["evidence"] is None
    )


def test_sites_are_told_request_by_request():
    """Every site asked stands with its proxy, its failures by kind, its level, the cause and the results that prove it."""
    blocked, earlier = build(TROUBLE, [])["sites"]
    assert blocked == {
        "site": "pypi.example.org", "via": "127.0.0.1:9", "failed_calls": 5, "answered": False,
        "kinds": {"timed out": 3, "HTTP 404": 2}, "level": "stop", "cause": "proxy", "request": 2,
        "places": [{"input": 0, "line": 4}, {"input": 0, "line": 6}],
    }  # fmt: skip
    assert (earlier["via"], earlier["answered"], earlier["level"], earlier["request"]) == (None, True, None, 1)


def test_thinking_is_told_with_its_circles():
    """The amount, the peak and each reply in circles stand with where it showed and what repeats."""
    thinking = build(TROUBLE, [])["thinking"]
    assert (thinking["characters"], thinking["peak"], thinking["limit"]) == (48_000, 0.85, 0.8)
    ours, theirs = thinking["flags"]
    assert (ours["rule"], ours["at_character"], ours["of"], ours["theirs"]) == ("circles", 12_345, 20_000, True)
    assert (theirs["rule"], theirs["text"], theirs["place"]) == (
        "harness",
        "Reply dropped: it repeats itself.",
        {"input": 0, "line": 8},
    )


def test_thinking_that_is_not_shown_is_not_nought():
    """A source that shows no thinking, or not all, gives no amount for none; one that shows all and had none gives nought."""
    blind = MappingProxyType({"thinking": Coverage("none", "not in this log")})
    assert build(without(thinking=ThinkingView(), coverage=blind), [])["thinking"]["characters"] is None
    partly = MappingProxyType({"thinking": Coverage("partial", "not always in this log")})
    assert build(without(thinking=ThinkingView(), coverage=partly), [])["thinking"]["characters"] is None
    assert build(without(thinking=ThinkingView(9), coverage=partly), [])["thinking"]["characters"] == 9
    assert build(without(thinking=ThinkingView()), [])["thinking"]["characters"] == 0


def test_outstanding_is_settled_by_nothing():
    """Only a settled file says what settled it."""
    outstanding, settled = build(TROUBLE, [])["failed_writes"]
    assert (outstanding["outstanding"], outstanding["settled_by"]) == (True, None)
    assert (settled["outstanding"], settled["settled_by"]) == (False, "a later write")


def test_records_that_could_not_be_read_lessen_what_was_seen():
    """An unreadable record or a gap makes a full view of the writes a partial one, and says so; the folder stays measured."""
    coverage = build(without(unreadable=2, missed=("session.jsonl has a gap",)), [LOG])["coverage"]
    assert coverage["failed_writes"] == {
        "sees": "partial",
        "why": "2 records could not be read; session.jsonl has a gap",
    }
    assert coverage["worktree"]["sees"] == "full"


def test_what_is_wrong_beside_the_run_lessens_nothing_of_what_was_seen_of_it():
    """A journal that is not kept is told, and no view is partial for it; a folder not watched touches outside edits."""
    told = without(sources=("the journal is not kept", "the folder is not watched"), unwatched=("not watched",))
    report = build(told, [LOG])
    assert report["sources"] == ["the journal is not kept", "the folder is not watched"]
    assert {name for name, seen in report["coverage"].items() if "not" in seen["why"]} <= {"outside_edits"}
    assert report["coverage"]["failed_writes"] == build(without(), [LOG])["coverage"]["failed_writes"]


def test_a_source_that_shows_no_writes_stays_blind():
    """What the source cannot show is passed on with its reason, unreadable records or not."""
    blind = MappingProxyType({"failed_writes": Coverage("none", "no results in this log")})
    seeing = build(without(coverage=blind, unreadable=1), [])["coverage"]["failed_writes"]
    assert seeing == {"sees": "none", "why": "no results in this log; 1 record could not be read"}


def test_failures_no_longer_kept_are_counted():
    """When a file failed more often than is listed, the report says how often; excused repeats are not counted."""
    entry = replace(TROUBLE.writes.entries[0], count=23)
    seeing = build(without(writes=WritesView(entries=(entry,))), [])["coverage"]["failed_writes"]
    assert seeing == {"sees": "full", "why": "settings.py: 23 failures, the last 2 listed"}
    excused = replace(entry, failures=(*entry.failures, replace(entry.failures[0], excused=True)), count=2)
    assert build(without(writes=WritesView(entries=(excused,))), [])["coverage"]["failed_writes"]["why"] == ""
    denied = replace(entry, failures=(replace(entry.failures[0], outcome="denied"),), count=1)
    assert build(without(writes=WritesView(entries=(denied,))), [])["coverage"]["failed_writes"]["why"] == ""


@pytest.mark.parametrize(("tree", "sees", "why"), [
    (WorktreeView(reason="no project folder is known"), "none", "no project folder is known"),
    (WorktreeView(since_start=True, reason="not measured since the prompt", by="monitor"), "partial", "not measured since the prompt"),
    (WorktreeView(reason=""), "none", "not measured"),
    (WorktreeView(changed=False, by="agent"), "full", ""),
])  # fmt: skip
def test_a_folder_that_was_not_measured_says_why(tree, sees, why):
    """The folder counts as seen only where a measurement since the latest prompt exists."""
    report = build(without(worktree=tree), [])
    assert report["coverage"]["worktree"] == {"sees": sees, "why": why}
    assert (report["worktree"]["reason"] is None) == (tree.changed is not None or not tree.reason)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), float("-inf")])
def test_a_number_json_cannot_say_becomes_null(odd):
    """Impossible times and costs are null, so that any JSON reader can read the report."""
    root = json.loads(as_json.render([build(Snapshot(run=RunFacts(started=odd, cost=odd)), [])]))["runs"][0]
    assert (root["started"], root["cost"]) == (None, None)


def test_names_from_outside_are_cleaned_and_their_counts_kept():
    """Names of inputs and record types are shown clean; two types that look alike then are counted together."""
    account = Account("log\x1b[2J\udc80", unknown_types={"a\x07": 2, "a\u2407": 3})
    row = build(TROUBLE, [account])["inputs"][0]
    assert row["name"] == "log\u241b[2J\ufffd"
    assert row["unknown_types"] == {"a\u2407": 5}


@pytest.mark.parametrize(("level", "limit", "expected"), [
    ("note", "note", True), ("note", "warn", False), ("warn", "note", True), ("warn", "warn", True), ("warn", "stop", False),
    ("stop", "stop", True), ("stop", "never", False),
])  # fmt: skip
def test_a_report_fails_at_or_above_its_limit(level, limit, expected):
    """A standing finding at or above the limit fails the report; with `never` none does."""
    found = (Finding("failed_writes", "a", level, "a"),)
    assert fails(build(without(findings=found), []), limit) is expected


@pytest.mark.parametrize(
    ("state", "expected"), [("open", True), ("closed", True), ("cleared", False), ("settled", False)]
)
def test_only_what_still_stands_fails_a_report(state, expected):
    """What was cleared or settled no longer counts; what merely closed with its request does."""
    found = (Finding("failed_writes", "a", "stop", "a", state=state),)
    assert fails(build(without(findings=found), []), "note") is expected


def test_no_finding_fails_nothing():
    """Without findings no limit is reached."""
    assert not fails(build(without(findings=()), []), "note")


def test_one_report_is_one_object_and_several_are_one_a_line():
    """JSON of one log is one object; of several, one object on each line, in order; of none, nothing."""
    one, two = build(TROUBLE, [LOG]), build(Snapshot(), [])
    assert json.loads(as_json.render([one])) == one
    lines = as_json.render([one, two]).splitlines()
    assert [json.loads(text) for text in lines] == [one, two]
    assert as_json.render([]) == ""
