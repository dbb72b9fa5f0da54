"""How a run ended, from its `run_end` record or from run.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from monitor.agents.fields import Object, part, text, texts, truth, whole
from monitor.events import (
    Checked,
    Event,
    Outcome,
    RequestEnded,
    RunEnded,
    Tokens,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Used,
)
from monitor.text import shorten

How = Literal["error", "limit", "interrupted"]
_HOW: dict[str, How] = {
    "max_turns": "limit",
    "timeout": "limit",
    "context_exhausted": "limit",
    "budget_exceeded": "limit",
    "model_error": "error",
    "sandbox_error": "error",
    "export_failed": "error",
    "interrupted": "interrupted",
}
"""The ends that are no claim, and not the doing of a guard of dirtywork's."""
CLAIMED = ("completed", "unchanged", "verify_failed")
"""The ends that only a completion leads to."""
_NOT_MEASURED = ("interrupted", "timeout", "budget_exceeded", "sandbox_error")
"""Ends at which dirtywork takes no last measurement."""
_MOST_CUT = 6


def measured(found: Object, *, resumed: bool | None) -> TreeMeasured | None:
    """What dirtywork itself measured; its list of files counts from the branch's base, so a resumed run's is left out."""
    if "changed" not in found:
        return None
    changed = truth(found, "changed")
    status = text(found, "status")
    reason = text(found, "changed_reason")
    if changed is None and not reason:
        unsaid = (
            "it takes no measurement when a run ends like this" if status in _NOT_MEASURED else "it gives no reason"
        )
        reason = f"dirtywork did not measure: {unsaid}"
    files = () if changed is False or resumed is not False else texts(found, "files_changed")
    return TreeMeasured(
        when="end",
        by="agent",
        changed=changed,
        since_start=changed,
        reason=reason if changed is None else "",
        files=files,
    )


def used(found: Object) -> Used | None:
    """The tokens of the whole run."""
    usage = part(found, "usage")
    tokens = Tokens(input=whole(usage, "prompt_tokens") or 0, output=whole(usage, "completion_tokens") or 0)
    return Used(scope="run", tokens=tokens) if usage else None


def request_ended(found: Object, *, claimed: bool) -> RequestEnded | None:
    """How the request ended, where no claim has told it."""
    status = text(found, "status")
    if how := _HOW.get(status):
        return RequestEnded(how=how, text=_reason(found))
    if status in CLAIMED and not claimed:
        return RequestEnded(how="answered", text=text(found, "last_assistant_text"))
    return None


def run_ended(found: Object) -> RunEnded:
    """The run's end, with its status as given."""
    return RunEnded(status=text(found, "status"), reason=_reason(found))


def checked(found: Object) -> Checked | None:
    """The last run of the command that checks a completion."""
    verify = part(found, "verify")
    if not verify:
        return None
    return Checked(
        command=text(verify, "command"),
        passed=truth(verify, "passed"),
        exit=whole(verify, "exit_code"),
        output=text(verify, "output_tail"),
    )


def left_open(calls: Sequence[ToolCalled], found: Object) -> list[Event]:
    """The calls of the last reply that have no result: the first was under way, the others never began."""
    status = text(found, "status")
    under_way: Outcome = "unknown"
    if status == "interrupted":
        under_way = "cancelled"
    elif status not in ("budget_exceeded", "sandbox_error") and "error" not in found:
        under_way = "not_executed"
    rest: list[Outcome] = ["not_executed"] * (len(calls) - 1)
    return [
        ToolReturned(call=call.call, message=call.message, outcome=outcome)
        for call, outcome in zip(calls, [under_way, *rest], strict=False)
    ]


def _reason(found: Object) -> str:
    """Why it ended, where the record says."""
    if told := text(found, "error") or text(found, "finalize_error") or text(found, "watchdog_violation"):
        return told
    status = text(found, "status")
    if status == "stuck" and (stuck := part(found, "stuck_on")):
        return f"the same command failed {whole(stuck, 'repeats')} times running: {_short(stuck, 'command')}"
    if status == "verify_failed" and (verify := part(found, "verify")):
        return f"verify failed with exit {whole(verify, 'exit_code')}: {_short(verify, 'command')}"
    if status == "model_error" and (whole(found, "truncations") or 0) >= _MOST_CUT:
        return f"{whole(found, 'truncations')} replies were cut off at the token limit"
    return ""


def _short(found: Object, key: str) -> str:
    return shorten(text(found, key), 200)
