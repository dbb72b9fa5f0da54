"""A report of a run in which there was more of everything than is kept."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from made_snapshots import LOG, TROUBLE, without

from monitor.detectors.docket import ENDED
from monitor.detectors.folder_view import MOVES, FolderView
from monitor.detectors.repeats_view import ENTRIES, RepeatsView
from monitor.detectors.scripts_view import SCRIPTS, ScriptsView
from monitor.detectors.sites_view import EARLIER, SitesView
from monitor.detectors.thinking_view import FLAGS, ThinkingView
from monitor.detectors.writes_view import SETTLED, WritesView
from monitor.events import Change, FileOutcome, Prompted, RequestEnded, RunStarted, ToolCalled, ToolReturned
from monitor.report import as_markdown, as_text
from monitor.report.build import build, fails
from monitor.run.run import Run

MANY = 220
"""Requests: more than claims, and ended findings, that are kept."""
OUTSTANDING, SETTLED_ENTRY = TROUBLE.writes.entries


def both(snapshot):
    report = build(snapshot, [LOG])
    return [re.sub(r"\s+", " ", form([report]).replace("`", "")) for form in (as_text.render, as_markdown.render)]


def full(count):
    """A snapshot of which each list is as long as `count` says by its name."""
    return without(
        writes=WritesView((OUTSTANDING, *[SETTLED_ENTRY] * count["writes"]), outstanding=1),
        sites=SitesView((), (replace(TROUBLE.sites.earlier[0], answered=True),) * count["sites"]),
        thinking=ThinkingView(flags=TROUBLE.thinking.flags[:1] * count["thinking"]),
        repeats=RepeatsView(TROUBLE.repeats.entries * count["repeats"]),
        folder=FolderView(TROUBLE.folder.moves * count["folder"]),
        scripts=ScriptsView(TROUBLE.scripts.scripts[1:] * count["scripts"]),
        findings=TROUBLE.findings[2:] * count["stalls"],
    )


KEPT = {
    "writes": SETTLED, "sites": EARLIER, "thinking": FLAGS, "repeats": ENTRIES, "folder": MOVES, "scripts": SCRIPTS,
    "stalls": ENDED,
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "one_less"),
    [
        ("Failed writes: 1 outstanding, 50 or more settled", "Failed writes: 1 outstanding, 49 settled"),
        ("Sites: all of the last 100 answered", "Sites: all 99 answered"),
        ("50 replies or more in circles", "49 replies in circles"),
        ("Repeats: 200 or more", "Repeats: 199 "),
        ("Outside the project: 200 times or more", "Outside the project: 199 times "),
        ("Scripts written: 200 or more, 200 of the last run since", "Scripts written: 199, 199 run since"),
        ("Stalls: 100 or more", "Stalls: 99 "),
    ],
)
def test_a_count_says_where_there_may_be_more(words, one_less):
    """What is counted by what is kept says `or more` where no more could be kept, and else nothing of the kind."""
    for at_bound, below in zip(
        both(full(KEPT)), both(full({key: most - 1 for key, most in KEPT.items()})), strict=True
    ):
        assert words in at_bound
        assert one_less in below
        assert " or more" not in below


def test_sites_that_failed_are_counted_of_the_last():
    """Where sites of earlier requests may be gone, those that never answered are some of the last."""
    failing = SitesView(TROUBLE.sites.entries, TROUBLE.sites.earlier * EARLIER)
    for text in both(without(sites=failing)):
        assert "1 of the last 101 never answered" in text


def asked(number):
    """A request with the same command three times, a write that fails, the same one made, and a claim."""
    write = Change(f"{number}.py", "edit", old="a", new="b")
    yield Prompted(text=f"{number}")
    for call in range(3):
        key = f"{number}.{call}"
        yield ToolCalled(
            call=key, message=key, tool="bash", kind="shell", command=f"ls {number}", arguments=f"{number}"
        )
        yield ToolReturned(call=key, message=key, outcome="ok", exit=0, output="a")
    for outcome in ("failed", "ok"):
        key = f"{number}.{outcome}"
        failure = "not_found" if outcome == "failed" else ""
        yield ToolCalled(call=key, message=key, tool="edit", kind="write", changes=(write,))
        yield ToolReturned(call=key, message=key, outcome=outcome, files=(FileOutcome(write.file, outcome, failure),))
    yield RequestEnded(text="Done.")


@pytest.fixture(scope="module")
def long_run():
    """A run that goes in circles in its first request, and works on for many more."""
    run = Run()
    run.feed(RunStarted(agent="demo", cwd="/p"))
    run.feed(Prompted(text="first"))
    for call in range(6):
        key = f"first.{call}"
        run.feed(ToolCalled(call=key, message=key, tool="bash", kind="shell", command="make", arguments="make"))
        run.feed(ToolReturned(call=key, message=key, outcome="failed", exit=2, output="boom"))
    run.feed(RequestEnded(text="Done."))
    for number in range(MANY):
        for event in asked(number):
            run.feed(event)
    return run.snapshot()


def test_a_stop_is_not_forgotten(long_run):
    """A finding that stood at the level of a stop when its request ended still counts, however many ended since."""
    report = build(long_run, [])
    assert fails(report, "stop")
    assert {one["state"] for one in report["findings"] if one["level"] == "stop"} == {"closed"}


def test_all_claims_are_counted(long_run):
    """Of more claims than are kept the number is told all the same."""
    report = build(long_run, [])
    assert report["earlier_claims"] + len(report["claims"]) == MANY + 1
    assert f"Claimed done ({MANY + 1} claims) {MANY - 9} earlier ones are not listed here" in both(long_run)[0]
    assert "50 or more settled" in both(long_run)[0]
