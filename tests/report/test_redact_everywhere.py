"""No planted secret leaves by any other way: what `watch` prints, what `e` writes, and the names of files it makes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
import test_redact_events as story
from planted_secrets import PLANTED, Planted

from monitor.commands import watch
from monitor.events import Change, CloseLine, Coverage, Event, FileOutcome, Tick, ToolCalled, ToolReturned
from monitor.report import as_json
from monitor.report.build import build
from monitor.report.export import export
from monitor.report.redact import Redactor, finished
from monitor.run.run import Run
from monitor.streams.record import Account

LEFT = {"actor", "parent", "place"}
"""Fields the planted story leaves out: of a sub-agent's name it tells in an event of its own."""
OF_THE_STORY = {
    "RunStarted.coverage", "Thought.message", "ToolCalled.call", "ToolReturned.call", "ToolReturned.cwd", "Looked.call",
}  # fmt: skip
"""What holds the planted story together; planted apart below."""


def lines_of(secret: str) -> list[str]:
    """The lines of a secret that give it away."""
    return [one for one in secret.replace("\\n", "\n").split("\n") if len(one) >= 6 and one[0] != "-"]


def may_hold(hint: object) -> bool:
    """Whether a field of that type can hold a text of somebody's own."""
    if get_origin(hint) is Literal:
        return False
    inner = get_args(hint)
    return hint in (str, Change, CloseLine, FileOutcome, Coverage) or any(may_hold(one) for one in inner)


def test_every_field_that_can_hold_a_text_is_planted() -> None:
    """By the types themselves: a field that is added to an event is planted, or named here."""
    for kind in [one for one in get_args(Event) if one is not Tick]:
        event, hints = story._filled(kind, "PLANTED"), get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            name = f"{kind.__name__}.{field.name}"
            if field.name in LEFT or name in OF_THE_STORY or not may_hold(hints[field.name]):
                continue
            assert "PLANTED" in str(getattr(event, field.name)), name
    for part in (Change, CloseLine, FileOutcome):
        held = [field.name for field in msgspec.structs.fields(part) if get_type_hints(part)[field.name] is str]
        made = story._value(part, "PLANTED")
        assert all("PLANTED" in str(getattr(made, name)) for name in held), part


def planted(text: str) -> Run:
    """A run with the text in every field, those that hold a story together among them."""
    run = Run()
    for event in story._story(text):
        run.feed(event)
    covered = dict.fromkeys(("thinking", "sites", "replies"), Coverage("partial", text))
    run.feed(msgspec.structs.replace(story._filled(story.events.RunStarted, text), coverage=covered))
    call = ToolCalled(call=text, tool="edit", kind="write", message=text, changes=(Change(file=text),), command=text)
    run.feed(call)
    run.feed(ToolReturned(call=text, outcome="failed", failure="io", cwd=text, output=text))
    return run


@pytest.mark.parametrize("one", PLANTED, ids=lambda one: one.kind)
def test_no_secret_is_exported_printed_or_named(
    one: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither in the summary and its file's name, nor in any line that `watch` prints while the run goes on."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    run = planted(one.text)
    path = Path(export(run.snapshot(), [Account(one.text)], 0.0))
    teller, told = watch._Teller(Redactor("/home/someone")), Run()
    for number, event in enumerate(story._story(one.text)):
        told.feed(event)
        if number % 3 == 0:
            teller.tell(told.snapshot())
    teller.tell(run.snapshot())
    printed = capsys.readouterr().out
    assert printed
    report = as_json.render([finished(build(run.snapshot(), [Account(one.text)]))])
    for line in lines_of(one.secret):
        assert line not in path.read_text(encoding="utf-8")
        assert line not in printed
        assert line not in report
        assert line.replace("_", "-") not in path.name
