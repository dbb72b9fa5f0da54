"""Tool results: what the model got to see, and what became of each file."""

from __future__ import annotations

import re

from msgspec import Raw, Struct, field

from monitor.agents.claude.calls import Call
from monitor.agents.claude.outcome import Meaning, Permission, judge
from monitor.agents.claude.parse import part, text_of
from monitor.agents.claude.shape import NOTHING, Block, Piece, Row
from monitor.agents.claude.where import Where
from monitor.events import FileOutcome, Kind, ToolReturned
from monitor.text import clean

_BACKGROUND = re.compile(
    r"Command running in background with ID: |Command was manually backgrounded"
    r"|Command .{1,200} moved to the background \(ID: |Async agent launched successfully"
)


class _Hunk(Struct, frozen=True, gc=False):
    lines: list[str] = []


class Done(Struct, frozen=True, gc=False):
    """What the tool itself reports, for the harness and not for the model."""

    type: str | None = None
    file: str | None = field(default=None, name="filePath")
    notebook: str | None = field(default=None, name="notebook_path")
    content: Raw = NOTHING
    patch: list[_Hunk] | None = field(default=None, name="structuredPatch")
    interrupted: bool | None = None
    interpretation: str | None = field(default=None, name="returnCodeInterpretation")
    task: str | None = field(default=None, name="backgroundTaskId")
    agent: str | None = field(default=None, name="agentId")
    status: str | None = None
    description: str | None = None
    error: str | None = None


def reported(row: Row, call: Call | None) -> Done:
    """The tool's own report; only of the tools whose report says more than their text, since some are long."""
    if call is None or call.kind in ("write", "shell", "delegate"):
        return part(Done, row.stream_result if row.result is NOTHING else row.result)
    return Done()


def returned(block: Block, row: Row, call: Call | None, done: Done, where: Where) -> ToolReturned:
    """The result in a `tool_result` block."""
    text = shown(block.content)
    kind = call.kind if call else _guess(text, done)
    meaning = judge(text, kind, _permission(row, block.tool_use_id), error=block.is_error is True)
    if meaning.outcome == "ok":
        meaning = _despite(meaning, done, block, kind)
    launched = done.status == "async_launched" or bool(done.task) or _BACKGROUND.match(text) is not None
    return ToolReturned(
        call=clean(block.tool_use_id),
        message=call.message if call else "",
        outcome=meaning.outcome,
        failure=meaning.failure,
        files=_files(call, done, meaning),
        exit=None if launched else meaning.exit,
        output=clean(text),
        cwd=clean(row.cwd or ""),
        background=launched and meaning.outcome == "ok",
        **where,
    )


def _guess(text: str, done: Done) -> Kind | None:
    """The kind of a call that is not known: only commands have an exit code, or may be interrupted."""
    return "shell" if done.interrupted is not None or text.startswith("Exit code ") else None


def shown(content: str | list[Piece] | None) -> str:
    """The text of a result's content; a part that is no text is named in brackets."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(one.text if one.type == "text" else f"[{one.type or 'something'}]" for one in content)


def _permission(row: Row, call: str) -> Permission:
    for denial in row.denials or ():
        if denial.id == call:
            kind, decision = denial.non_execution_kind, denial.permission_decision
            break
    else:
        kind, decision = row.denial, row.decision
    rejected = decision is not None and decision.decision == "reject"
    return Permission(kind or "", rejected, (decision.source or "") if decision else "")


def _despite(meaning: Meaning, done: Done, block: Block, kind: Kind | None) -> Meaning:
    """What the tool's report adds to a result that is not marked as an error."""
    if done.interrupted:
        return Meaning("cancelled")
    if kind == "write" and done.error:
        return Meaning("failed", "other")
    if kind == "shell" and block.is_error is False and done.interrupted is False and not done.interpretation:
        # Each other exit code is marked as an error, or has an interpretation beside it.
        return Meaning("ok", exit=0)
    return meaning


def _files(call: Call | None, done: Done, meaning: Meaning) -> tuple[FileOutcome, ...]:
    resolved = clean(done.file or done.notebook or "")
    if call is None:
        files: tuple[str, ...] = (resolved,) if resolved and done.patch is not None else ()
    elif call.kind != "write":
        return ()
    else:
        files = (resolved,) if resolved else call.files
    added, removed = _lines(done) if meaning.outcome == "ok" else (None, None)
    return tuple(FileOutcome(file, meaning.outcome, meaning.failure, added=added, removed=removed) for file in files)


def _lines(done: Done) -> tuple[int | None, int | None]:
    """Lines added and removed; of a created file all that it holds."""
    if done.type == "create":
        text = text_of(done.content)
        return text.count("\n") + (not text.endswith("\n") and text != ""), 0
    if done.patch is None:
        return None, None
    lines = [line for hunk in done.patch for line in hunk.lines]
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)
