from __future__ import annotations

import ast
import io
import re
import sys
from pathlib import Path

import pytest
from told import decoded, git, plain_files

from monitor import events
from monitor.demo.agent import run
from monitor.demo.files import FILES, SETTINGS, TEXTS
from monitor.demo.project import scratch_project
from monitor.demo.story import TASK, story
from monitor.demo.voice import Voice

DEMO = sorted((Path(__file__).resolve().parents[2] / "monitor" / "demo").glob("*.py"))


@pytest.fixture(scope="module")
def told():
    """What the agent tells when it is not interrupted: its events, and the scratch project's files afterwards."""
    out = io.BytesIO()
    with scratch_project() as project:
        assert run(project, out, lambda _: None) == 0
        after = {path.relative_to(project).as_posix(): path.read_text() for path in plain_files(project)}
    return decoded(out.getvalue()), after


def test_every_call_gets_its_result_and_every_whole_text_its_pieces(told):
    """Each call returns once, in its message; the pieces of a text are the text."""
    calls = {event.call: event.message for event in told[0] if isinstance(event, events.ToolCalled)}
    results = [event for event in told[0] if isinstance(event, events.ToolReturned)]
    assert [(event.call, event.message) for event in results] == list(calls.items())
    pieces = {}
    for event in told[0]:
        if isinstance(event, events.Spoken):
            key = (event.message, event.part)
            if event.delta:
                pieces[key] = pieces.get(key, "") + event.text
            else:
                assert pieces.pop(key) == event.text
    assert pieces == {}


def test_the_story_is_the_one_to_be_told(told):
    """An edit fails and is mended, another fails twice and stays so, then done is claimed with passing tests."""
    changes = {
        event.call: event.changes[0].file for event in told[0] if isinstance(event, events.ToolCalled) and event.changes
    }
    results = {event.call: event for event in told[0] if isinstance(event, events.ToolReturned)}
    made = [(file, results[call].outcome, results[call].failure) for call, file in changes.items()]
    missed = ("failed", "not_found")
    assert made == [(TEXTS, *missed), (TEXTS, "ok", ""), (SETTINGS, *missed), (SETTINGS, *missed)]
    checked = next(event for event in results.values() if "Ran 4 tests" in event.output)
    assert (checked.outcome, checked.exit) == ("ok", 0)
    claim = next(event for event in told[0] if isinstance(event, events.RequestEnded))
    assert claim.how == "answered"
    assert claim.text.startswith("Done.")


def test_the_project_is_changed_in_one_file_and_not_in_the_other(told):
    """The mended edit really stands in its file; every other file is as it was, and none is new."""
    after = told[1]
    assert {name for name in FILES if after[name] != FILES[name]} == {TEXTS}
    assert '"settings.title": "Einstellungen"' in after[TEXTS]
    assert set(after) == set(FILES)


def test_git_sees_the_same_change(project):
    """The repository's own status names the one file that changed."""
    assert git(project, "status", "--porcelain") == ""
    run(project, io.BytesIO(), lambda _: None)
    assert git(project, "status", "--porcelain").split() == ["M", TEXTS]


def test_the_claim_is_false(told):
    """The settings screen is still English when the agent says that it is German."""
    assert 'text("settings.title", "en")' in told[1][SETTINGS]


def test_the_thoughts_go_in_circles(told):
    """The rule of lcode itself finds the long thought to go in circles, and no other."""
    circles = pytest.importorskip("lcode.repeats").Circles
    rules, circling = {}, set()
    for event in told[0]:
        if isinstance(event, events.Thought) and event.delta:
            rule = rules.setdefault(event.message, circles())
            if rule.feed(event.text):
                circling.add(event.message)
    assert len(circling) == 1


def test_five_different_calls_reach_no_site(told):
    """The rule of lcode itself stops at the fifth different call to the host, which is reserved and belongs to nobody."""
    sites = pytest.importorskip("lcode.unreachable").Sites()
    results = {event.call: event for event in told[0] if isinstance(event, events.ToolReturned)}
    verdicts = []
    for event in told[0]:
        if isinstance(event, events.ToolCalled) and "curl" in event.command:
            output = f"{results[event.call].output}\n[exit code {results[event.call].exit}]"
            verdicts.append(sites.check("bash", {"command": event.command}, output))
    assert [verdict.calls for verdict in verdicts] == [0, 0, 3, 4, 5]
    assert [verdict.stop for verdict in verdicts] == [False] * 4 + [True]
    assert {verdict.site for verdict in verdicts[2:]} == {"docs.example.net"}
    hosts = re.findall(r"[\w.]+\.(?:net|com|org)\b", TASK + str(told[0]))
    assert set(hosts) == {"docs.example.net"}


def test_the_demo_has_the_standard_library_and_itself_and_no_network():
    """The demo imports nothing of ours but itself, and nothing that could reach a network."""
    assert DEMO
    for file in DEMO:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            else:
                continue
            for name in names:
                top = name.partition(".")[0]
                assert top in sys.stdlib_module_names or name.startswith("monitor.demo"), (file.name, name)
                assert top not in {"socket", "ssl", "http", "urllib", "asyncio", "ftplib", "smtplib"}, (file.name, name)


def test_it_takes_about_a_minute_and_a_half(project):
    """At its normal pace the pauses add up to 75 to 105 seconds, none longer than three."""
    pauses = list(story(Voice(io.BytesIO(), project), project))
    assert 75 <= sum(pauses) <= 105
    assert max(pauses) <= 3
