from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from made_snapshots import ACCOUNTS, ANY, LOG, TROUBLE, without

from monitor.detectors.sites_view import SitesView
from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView, how_ended
from monitor.events import Coverage
from monitor.report import as_text
from monitor.report.build import build
from monitor.snapshot import RunFacts, Snapshot, Verdict
from monitor.streams.record import Account
from monitor.text import width


def _text(snapshot, *accounts):
    return as_text.render([build(snapshot, accounts)])


def _flat(text):
    return re.sub(r"\s+", " ", text)


def test_the_verdict_and_why_come_first():
    """The first line is the state and its reason; what was claimed and what was measured follow."""
    lines = _text(TROUBLE, LOG).splitlines()
    assert lines[0] == "NOT MADE: 1 write outstanding: settings.py"
    assert lines[1] == ""
    assert lines[2].startswith("Claimed   done (1 claim)")
    assert lines[3].startswith('          at session.jsonl:12 (not made): "All done.')
    measured = next(line for line in lines if line.startswith("Measured"))
    assert measured.startswith("Measured  unchanged since the latest prompt or feedback; changed since the start")


def test_failed_writes_show_failures_places_and_closest_lines():
    """Each failure stands with its place, tool, reason and the lines that resemble the guess, spaces made visible."""
    text = _text(TROUBLE, LOG)
    assert "Failed writes: 1 outstanding, 1 settled" in text
    assert "settings.py: outstanding, 2 failures" in text
    assert "session.jsonl:9: edit: old text not found" in text
    assert "session.jsonl:11: write: refused by a rule" in text
    assert "closest lines (read at the failure):" in text
    assert '       12 |     "title": "Einstellungen", [2 trailing spaces]' in text
    assert "      113 | ␉" + "x" * 20 in text
    assert "[cut]" in _flat(text)
    assert "texts.py: cleared by a later write, 1 failure" in text


@pytest.mark.parametrize("outcome", ["cancelled", "timed_out", "unknown", "refused"])
def test_a_write_that_may_have_been_made_is_not_called_failed(outcome):
    """Where nobody can tell whether the file was written, that is said; a refusal is plain."""
    entry = TROUBLE.writes.entries[0]
    writes = WritesView(entries=(replace(entry, failures=(replace(entry.failures[1], outcome=outcome),)),))
    unsure = "(whether it was written is unknown)" in _flat(_text(without(writes=writes), LOG))
    assert unsure is (outcome != "refused")


def test_why_there_are_no_closest_lines_is_said():
    """Where no line resembles the guess the reason stands in their place."""
    assert "      no closest lines: It was kept from being made.\n" in _text(TROUBLE, LOG)


def test_what_became_of_a_file_since_is_said():
    """An outstanding file that another hand wrote, or whose content went elsewhere, says so."""
    text = _flat(_text(TROUBLE, LOG))
    assert "something else has put the new text into the file" in text
    assert "the same content was written to /srv/copy.py, which mends nothing here" in text


def test_a_provisional_verdict_says_why():
    """The reason for waiting stands under the verdict; without one both that there are are named."""
    for why in ("1 sub-agent still running", ""):
        verdict = Verdict("running", "It works", provisional=True, why_provisional=why)
        said = why or "a sub-agent still runs, or a measurement is pending"
        assert f"  Provisional: {said}\n" in _text(without(verdict=verdict))


def test_sites_show_their_failures_and_places():
    """A site that never answered stands with its proxy, what failed and where; one that answered says so."""
    text = _text(TROUBLE, LOG)
    assert "Sites: 1 of 2 never answered\n  STOP pypi.example.org via 127.0.0.1:9, request 2: 5 different calls" in text
    assert "none succeeded; it is the proxy that fails" in _flat(text)
    assert "    timed out x3, HTTP 404 x2\n    seen at session.jsonl:4, session.jsonl:6\n" in text
    assert "docs.example.org, request 1: answered; 1 different call failed" in text
    assert "Sites: no call named one\n" in _text(without(sites=SitesView()), LOG)
    answered = without(sites=SitesView(earlier=TROUBLE.sites.earlier))
    assert "Sites: all 1 answered\n" in _text(answered, LOG)


def test_thinking_shows_its_peak_and_its_circles():
    """The share of repeats and each reply in circles stand with where that showed, and whose word it is."""
    text = _flat(_text(TROUBLE, LOG))
    assert "Thinking: 48,000 characters, 2 replies in circles; up to 85% of the last 20 sentences repeated" in text
    assert (
        "session.jsonl:7: the same sentences again and again, at character 12,345 of its thinking; the agent's own"
        in text
    )
    assert 'session.jsonl:8: dropped by the agent\'s own guard "Reply dropped: it repeats itself."' in text


def test_an_action_says_how_it_is_known():
    """The evidence of a receipt stands under the action."""
    assert "  warn by operator, delivered: Read it again.\n    The pipe took it.\n" in _text(TROUBLE)


def test_findings_carry_their_places_and_their_advice():
    """A finding shows level, message, places and the advice with its quoted lines as they stand."""
    text = _text(TROUBLE, LOG)
    assert "  STOP failed writes: settings.py: 2 writes failed, and done is claimed" in text
    assert "seen at session.jsonl:9, the monitor" in text
    assert "      The change to settings.py was not made.\n\n        12 |     label = 1\n\n      Read it again." in text
    assert "NOTE failed writes: texts.py: 1 write failed (cleared)" in text


def test_the_bytes_are_accounted_for():
    """Decoded, unreadable and unfinished bytes are each printed beside the sum, with unknown record types."""
    text = _flat(_text(TROUBLE, LOG))
    assert "1,300 bytes = 1,200 decoded + 60 unreadable + 40 unfinished; 14 records, 1 unreadable" in text
    assert "unknown record types: telemetry x2" in text
    assert "add up" not in text


def test_an_account_that_is_wrong_says_so():
    """Bytes that are in no class are named, not hidden."""
    text = _flat(_text(TROUBLE, Account("a.jsonl", bytes=100, records=1, decoded_bytes=90)))
    assert "100 bytes = 90 decoded + 0 unreadable + 0 unfinished (this does not add up: +10)" in text
    assert "unknown record types: none" in text


def test_nothing_to_say_is_said():
    """A report of nothing says none where nothing was found, and why where nothing was measured."""
    text = _text(Snapshot())
    assert text.startswith("UNKNOWN: Nothing has been read yet\n")
    assert "Claimed   nothing\n" in text
    assert "Measured  not measured: measured only live, with --project DIR\n" in text
    assert "Failed writes: not measured: nothing has been read\n" in text
    assert "Findings: none\n" in text
    assert "Actions: none\n" in text
    assert "Bytes: none, nothing was read\n" in text
    assert "Sites: not measured: nothing has been read\n" in text
    assert "Thinking: not measured: nothing has been read\n" in text
    assert "repeats, replies, folder" in text


def test_a_clean_run_has_no_failed_writes():
    """Where writes can be seen and none failed, the section says none."""
    assert "\nFailed writes: none\n" in _text(without(writes=WritesView()), LOG)


def test_a_blind_source_is_never_shown_as_clean():
    """Where the source cannot show failed writes, the section gives the reason and no figure."""
    blind = without(writes=WritesView(), coverage={"failed_writes": Coverage("none", "This log has no results.")})
    text = _text(blind, LOG)
    assert "Failed writes: not measured: This log has no results." in text
    assert "Failed writes: none" not in text


def test_what_was_partly_seen_says_so_beside_its_figures():
    """An unreadable record is named in the section it may have hidden something from."""
    text = _text(without(unreadable=1), LOG)
    assert "only partly seen: 1 record could not be read" in text
    assert re.search(
        r"  failed writes, sites, thinking[a-z, ]*: partly: 1 record could not",
        _flat(text).replace(" failed", "  failed"),
    )


def test_an_unmeasured_folder_gives_its_reason():
    """Without a measurement the reason stands where the result would."""
    text = _text(without(worktree=WorktreeView(reason="no project folder is known")), LOG)
    assert "Measured  not measured: no project folder is known\n" in text
    assert "worktree: no project folder is known" in text


def test_whose_measurement_it_is_is_said():
    """A measurement of the agent's own is called the agent's."""
    assert "(by the agent itself)" in _flat(_text(without(worktree=WorktreeView(changed=True, by="agent")), LOG))


def test_whose_hand_changed_a_file_is_said_where_it_is_known():
    """A changed file names its hand and why; where nobody looked it is named alone."""
    text = _text(TROUBLE, LOG)
    assert "\n          texts.py\n" in text
    assert "\n          README.md: outside, changed outside the agent's view\n" in text


def test_many_claims_are_counted_and_the_latest_listed():
    """Of more than ten claims the latest ten are listed, and the rest counted."""
    text = _text(without(claims=TROUBLE.claims * 14), LOG)
    assert "done (14 claims)" in text
    assert "4 earlier ones are not listed here" in text
    assert text.count("All done.") == 10


def test_a_claim_that_was_not_the_last_word_is_no_claim_of_nothing():
    """Where the agent went on after a claim, what is claimed at the end is told apart from what was claimed before."""
    after = without(verdict=Verdict("unknown", "It ended without saying that it is done"), claims=TROUBLE.claims)
    assert "Claimed   nothing at the end (1 claim before)\n" in _text(after, LOG)


def test_times_are_utc_and_an_impossible_one_is_called_so():
    """Times are given in UTC; one no calendar knows does not stop the report."""
    assert "2026-09-21 14:13:20 to 2026-09-21 14:16:40 (UTC)" in _text(TROUBLE)
    assert "an impossible time" in _text(Snapshot(run=RunFacts(started=1e300)))


def test_several_reports_are_counted_and_named():
    """Several logs give one report each, under a line that numbers and names it."""
    text = as_text.render([build(TROUBLE, [LOG]), build(Snapshot(), [])])
    assert text.startswith("== 1 of 2: session.jsonl\n\nNOT MADE")
    assert "\n\n== 2 of 2: no input\n\nUNKNOWN" in text
    assert "==" not in as_text.render([build(TROUBLE, [LOG])])
    assert as_text.render([]) == ""


def test_hostile_text_cannot_leave_its_line():
    """A message with newlines and escapes stays one clean, wrapped line of the report."""
    found = TROUBLE.findings[1]
    hostile = without(findings=(type(found)("failed_writes", "x", "warn", "a\n\x1b[31mFindings: none\r\nb"),))
    text = _text(hostile, LOG)
    assert "WARN failed writes: a ⏎ ␛[31mFindings: none ⏎ b" in text
    assert "\nFindings: none" not in text


@settings(deadline=None, max_examples=60)
@given(ANY, ACCOUNTS)
def test_no_line_is_wider_than_the_columns(snapshot, accounts):
    """Whatever the texts, no line takes more than 80 cells."""
    for line in as_text.render([build(snapshot, accounts)]).splitlines():
        assert width(line) <= 80


def test_what_ended_an_entry_has_the_word_of_the_manual():
    """A later write, a person or an excuse clears it; the operator alone settles it, with his reason."""
    assert how_ended("a later write") == "cleared by a later write"
    assert how_ended("denied by a person") == "cleared: denied by a person"
    assert how_ended("the operator: not needed") == "settled by the operator: not needed"
    assert how_ended("") == "settled"
