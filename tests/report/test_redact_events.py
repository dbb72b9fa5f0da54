from __future__ import annotations

from typing import Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from planted_secrets import PLANTED

from monitor import events
from monitor.events import Change, CloseLine, Event, FileOutcome, Tick
from monitor.report import as_json, as_markdown, as_text
from monitor.report.build import build
from monitor.report.redact import finished
from monitor.run.run import Run
from monitor.streams.record import Account

FIXED = {
    events.RunStarted: {"coverage": {}},
    events.Thought: {"message": "m", "delta": False},
    events.ToolCalled: {"kind": "write", "call": "c"},
    events.ToolReturned: {"outcome": "failed", "failure": "not_found", "call": "c", "cwd": ""},
    events.Looked: {"call": "c"},
    events.TreeMeasured: {"when": "claim", "since_start": True},
    events.Waiting: {"over": True},
}
"""What holds a story together: who it is about, which call, and that it goes on."""


def _value(hint, text):
    """A value for a field, with the text wherever the field can hold one; none where it cannot."""
    inner = get_args(hint)
    if hint is str:
        return text
    if hint is Change:
        return Change(file=text, old=text, new=text, to=text)
    if hint is FileOutcome:
        return FileOutcome(file=text, outcome="failed", failure="not_found")
    if hint is CloseLine:
        return CloseLine(3, text)
    if get_origin(hint) is tuple and inner[-1] is ...:
        one = _value(inner[0], text)
        return None if one is None else (one,)
    if get_origin(hint) in (Union, type(str | None)) and str in inner:
        return text
    return None


def _filled(kind, text):
    """An event of a type with the text in every field that can hold one."""
    hints = get_type_hints(kind)
    fields = {}
    for field in msgspec.structs.fields(kind):
        if field.name not in ("actor", "seq", "parent") and (value := _value(hints[field.name], text)) is not None:
            fields[field.name] = value
    return kind(**{**fields, **FIXED.get(kind, {})})


def _story(text):
    """Every type of event once in the order of a run, a claim among them, and what a sub-agent says."""
    kinds = [kind for kind in get_args(Event) if kind is not Tick]
    told = [_filled(kind, text) for kind in kinds]
    told += [events.Thought(message="n", text=f"{text}. {text}.\n" * 30)]
    told += [_filled(events.RequestEnded, text), events.RunStarted(actor=text, parent="", task=text, model=text)]
    return told


def _report(text):
    run = Run()
    for event in _story(text):
        run.feed(event)
    return build(run.snapshot(), [Account(text, unknown_types={text: 1})])


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.kind)
def test_no_secret_of_any_event_comes_out(planted):
    """A secret in every field of every type of event is in no form of the report that is made of them."""
    report = _report(planted.text)
    lines = [line for line in planted.secret.replace("\\n", "\n").split("\n") if len(line) >= 6 and line[0] != "-"]
    for render in (as_json.render, as_text.render, as_markdown.render):
        written = render([finished(report)])
        assert not [line for line in lines if line in written]


def test_the_story_reaches_the_report():
    """The planted text does stand in the parts of the report that is not redacted: the test above looks at something."""
    report = _report(PLANTED[6].text)
    secret = PLANTED[6].secret
    for part in ("runs", "verdict", "claims", "failed_writes", "worktree", "findings", "actions", "inputs"):
        assert secret in as_json.render([{**_report("x"), part: report[part]}]), part
