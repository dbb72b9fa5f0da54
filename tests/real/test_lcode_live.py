"""The real lcode, played a script on this machine: its stream and its saved session, decoded while it runs."""

from __future__ import annotations

import subprocess
import threading
from typing import Any

from installed import needs, version
from lcode_agent import FILE, LINES, PATIENCE, READ, WRONG, Lcode, Lines, edit
from model import ScriptedModel, Turn

from monitor.agents.lcode.find import FINDER
from monitor.events import (
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Thought,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
)

pytestmark = needs("lcode")

CLAIM = "The app name has been changed."


def follow(process: subprocess.Popen[bytes], results: int | None = None, lines: Lines | None = None) -> Lines:
    """The run's lines, up to so many results, or all of them."""
    assert process.stdout is not None
    lines = lines or Lines(FINDER.pipe("the pipe"))
    while results is None or len(lines.of(ToolReturned)) < results:
        data = process.stdout.readline()
        if not data:
            break
        assert lines.events or FINDER.sniff(data), data
        lines.take(data)
    return lines


def outcomes(lines: Lines) -> list[tuple[str, str]]:
    return [(one.outcome, one.failure) for one in lines.of(ToolReturned)]


def test_failed_edits_and_a_false_claim_are_seen_live(tmp_path, monkeypatch):
    """Each line is decoded when it comes, while the model is still at work; the saved session tells the same."""
    last = threading.Event()
    turns = [Turn(calls=(READ,)), Turn(calls=(WRONG,)), Turn(calls=(WRONG,)), Turn(CLAIM, until=last)]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model) as lcode:
        process = lcode.ask()
        lines = follow(process, results=3)
        assert turns[3].asked.wait(PATIENCE)
        assert process.poll() is None
        assert outcomes(lines) == [("ok", ""), ("failed", "not_found"), ("failed", "not_found")]
        assert lines.of(RequestEnded, RunEnded) == []
        last.set()
        follow(process, lines=lines)
        assert process.wait(PATIENCE) == 0

    (begun,) = lines.of(RunStarted)
    assert (begun.agent, begun.version, begun.model, begun.cwd) == (
        "lcode",
        version("lcode"),
        model.name,
        str(lcode.repo),
    )
    failed = [call for call in lines.of(ToolCalled) if call.kind == "write"]
    assert [(call.changes[0].file, call.changes[0].old) for call in failed] == [(FILE, "app_name: Hello")] * 2
    assert [(one.how, one.text) for one in lines.of(RequestEnded)] == [("answered", CLAIM)]
    assert [one.status for one in lines.of(RunEnded)] == ["success"]
    assert lines.of(Unreadable, TreeMeasured) == []
    assert (lcode.repo / FILE).read_text() == LINES

    monkeypatch.setenv("HOME", str(lcode.home))
    monkeypatch.delenv("LCODE_HOME", raising=False)
    (found,) = FINDER.named(begun.session)
    saved = Lines(found)
    saved.state()
    assert [one.output for one in saved.of(ToolReturned)] == [one.output for one in lines.of(ToolReturned)]
    assert outcomes(saved) == outcomes(lines)
    assert [one.text for one in saved.of(Prompted)] == ["Rename the app"]
    assert [one.text for one in saved.of(RequestEnded)] == [CLAIM]


PATCH = "--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-{old}\n+{new}\n"
MADE = "--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+x\n"
TOLD: tuple[tuple[tuple[str, dict[str, Any]], tuple[Any, ...]], ...] = (
    (edit("Hello", "Hi"), ("failed", "unread", None)),
    (edit("x", "y", "none.xml"), ("failed", "io", None)),
    (READ, ("ok", "", None)),
    (edit(">Hello<", ">Hi<"), ("failed", "ambiguous", None)),
    (edit(">Hello<", ">Hello<"), ("failed", "identical", None)),
    (edit("", "x"), ("failed", "arguments", None)),
    (edit("nowhere to be found", "x"), ("failed", "not_found", None)),
    (("apply_patch", {"patch": PATCH.format(file=FILE, old="absent", new="x")}), ("failed", "not_found", None)),
    (("apply_patch", {"patch": "no patch"}), ("failed", "arguments", None)),
    (("edit_file", {"path": FILE}), ("failed", "arguments", None)),
    (("no_such_tool", {}), ("failed", "arguments", None)),
    (("write_file", {"path": "app", "content": "x"}), ("failed", "io", None)),
    (("bash", {"command": "echo Error: not one"}), ("ok", "", 0)),
    (("bash", {"command": "exit 3"}), ("failed", "", 3)),
    (("bash", {"command": "sleep 9", "timeout": 1}), ("timed_out", "", -9)),
    (("bash", {"command": "cd / && pwd"}), ("ok", "", 0)),
    (("bash", {"command": "touch app/strings.xml -d tomorrow; cd app"}), ("ok", "", 0)),
    (edit('"a">Hello<', '"a">Hi<', "strings.xml"), ("failed", "stale", None)),
    (("read_file", {"path": "strings.xml"}), ("ok", "", None)),
    (edit('"a">Hello<', '"a">Hi<', "strings.xml"), ("ok", "", None)),
    (("write_file", {"path": "new.txt", "content": "a\nb\n"}), ("ok", "", None)),
    (("write_file", {"path": "new.txt", "content": "c\n"}), ("ok", "", None)),
    (("apply_patch", {"patch": MADE}), ("ok", "", None)),
    (("apply_patch", {"patch": MADE}), ("failed", "exists", None)),
)
"""Calls in their order, and what lcode's own words for each come to."""


def test_its_results_mean_what_it_says(tmp_path):
    """Each way in which lcode's tools fail and succeed is known by the words of the version that is installed."""
    turns = [*(Turn(calls=(call,)) for call, _ in TOLD), Turn("Done.")]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model) as lcode:
        lines = follow(lcode.ask())
    results = {one.call: one for one in lines.of(ToolReturned)}
    paired = [(call, results[call.call]) for call in lines.of(ToolCalled)]
    told = [(call.tool, one.outcome, one.failure, one.exit) for call, one in paired]
    assert told == [(call[0], *expected) for call, expected in TOLD]
    folders = [one.cwd for call, one in paired if "cd " in call.command]
    assert folders == [str(lcode.repo), str(lcode.repo / "app")]
    written = [one.files[0] for _, one in paired if one.outcome == "ok" and one.files]
    assert [one.file for one in written] == ["strings.xml", "new.txt", "new.txt", "made.txt"]
    assert [(one.added, one.removed) for one in written[1:3]] == [(2, 0), (None, None)]
    (measured,) = lines.of(TreeMeasured)
    assert set(measured.files) == {FILE, "app/new.txt", "app/made.txt"}
    assert lines.of(Unreadable) == []


def test_what_nobody_may_approve_is_refused(tmp_path):
    """A run without a person refuses what needs one: that is no person's denial."""
    turns = [Turn(calls=(("bash", {"command": "touch z"}),)), Turn("I was not allowed to.")]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model, mode="ask") as lcode:
        assert outcomes(follow(lcode.ask())) == [("refused", "other")]


def test_a_saved_session_is_told_as_it_grows(tmp_path, monkeypatch):
    """Each state of the file adds only what is new; of a dropped reply lcode's note is told, as its own words."""
    held = threading.Event()
    turns = [Turn(thinking=("First ", "look."), calls=(READ,)), Turn("", until=held)]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model) as lcode:
        monkeypatch.setenv("HOME", str(lcode.home))
        monkeypatch.delenv("LCODE_HOME", raising=False)
        process = lcode.ask()
        (begun,) = follow(process, results=1).of(RunStarted)
        assert turns[1].asked.wait(PATIENCE)
        (found,) = FINDER.named(begun.session)
        saved = Lines(found)
        first = [type(one) for one in saved.state()]
        assert first == [RunStarted, Prompted, Thought, ToolCalled, ReplyEnded, ToolReturned]
        assert saved.of(Thought)[0].text == "First look."
        held.set()
        rest = follow(process)
        assert [one.status for one in rest.of(RunEnded)] == ["loop"]
        process.wait(PATIENCE)
        new = saved.state(generation=1)
    assert [type(one) for one in new] == [ReplyEnded, Prompted]
    assert (new[0].empty, new[0].raw, new[1].by) == (True, "empty", "harness")
