"""How a request ended, from lcode's `result`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from monitor.agents.fields import Object, part, parts, raw, text, texts, whole
from monitor.events import (
    Checked,
    Event,
    Noticed,
    Outcome,
    RequestEnded,
    RunEnded,
    Tokens,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Used,
)
from monitor.text import clean

_HOW: Mapping[str, Literal["error", "limit", "interrupted"]] = {
    "error": "error",
    "max_steps": "limit",
    "interrupted": "interrupted",
}
"""The ends that are neither an answer nor the doing of a guard of lcode's."""
_MEASURED, _USED, _ENDED, _OVER, _REVIEWED, _CHECKS, _ASKED, LEFT = 0, 1, 2, 3, 4, 10, 40, 100
"""The items of a `result`."""
_FEW = 20


def ended(found: Object, *, claimed: bool) -> Iterator[tuple[int, Event]]:
    """All that a `result` says of the end, each with its item; `claimed` when its answer was told before."""
    for item, check in enumerate(parts(found, "checks")[:_FEW], _CHECKS):
        if raw(check, "by") == "lcode":
            yield item, _checked(check)
    for item, asked in enumerate(parts(found, "escalations")[:_FEW], _ASKED):
        told = ": ".join(filter(None, (text(asked, "model"), text(asked, "why"))))
        yield item, Noticed(kind="status", name="escalation", text=told)
    if problems := texts(found, "review"):
        yield _REVIEWED, Noticed(kind="guard", name="review", text="\n".join(problems))
    if files := _changed(found):
        yield _MEASURED, TreeMeasured(when="end", by="agent", changed=True, since_start=True, files=files)
    if usage := part(found, "usage"):
        tokens = Tokens(input=whole(usage, "prompt_tokens") or 0, output=whole(usage, "output_tokens") or 0)
        yield _USED, Used(scope="request", tokens=tokens)
    if (request := _request_ended(found, claimed=claimed)) is not None:
        yield _ENDED, request
    yield _OVER, RunEnded(status=text(found, "status"), reason=text(found, "error"))


def left_open(calls: Sequence[ToolCalled], status: str) -> list[tuple[int, Event]]:
    """The calls without a result: one may have been under way, the others never began."""
    under_way: Outcome = "unknown"
    if status == "interrupted":
        under_way = "cancelled"
    elif status in ("loop", "blocked"):
        under_way = "not_executed"
    rest: list[Outcome] = ["not_executed"] * (len(calls) - 1)
    return [
        (item, ToolReturned(call=call.call, message=call.message, outcome=outcome))
        for item, (call, outcome) in enumerate(zip(calls, [under_way, *rest], strict=False), LEFT)
    ]


def _request_ended(found: Object, *, claimed: bool) -> RequestEnded | None:
    status = raw(found, "status")
    if how := _HOW.get(status):
        return RequestEnded(how=how, text=text(found, "error") or (clean(status) if how == "limit" else ""))
    if status == "success" and not claimed:
        return RequestEnded(how="answered", text=text(found, "text"))
    return None


def _checked(check: Object) -> Checked:
    code = whole(check, "exit_code")
    return Checked(command=text(check, "command"), passed=None if code is None else code == 0, exit=code)


def _changed(found: Object) -> tuple[str, ...]:
    """The files that lcode found changed; where it lists none it may not have looked, which says nothing."""
    return tuple(name for change in parts(found, "files_changed") if (name := text(change, "path")))
