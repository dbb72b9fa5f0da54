"""What each agent's own statuses mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from monitor.snapshot import State

Ending = State | Literal["done"]
"""What a status says by itself; `done` is an ordinary end: claims and measurements decide."""


def _both(*statuses: str) -> tuple[str, ...]:
    """The statuses, and how SWE-agent says that it submitted by itself what there was."""
    return (*statuses, *(f"submitted ({status})" for status in statuses))


_STOPPED = ("exit_cost", "exit_context", "exit_total_execution_time", "exit_command_timeout")
_FAILED = ("exit_format", "exit_api", "exit_environment_error", "exit_error", "early_exit")
_SWE: Mapping[str, Ending] = {
    **dict.fromkeys(("submitted", "exit_command", "exit_forfeit", "skipped"), "done"),
    **dict.fromkeys(_both(*_STOPPED), "stopped"),
    **dict.fromkeys(_both(*_FAILED), "failed"),
}

STATUSES: Mapping[str, Mapping[str, Ending]] = {
    "dirtywork": {
        "completed": "done",
        "unchanged": "unchanged",
        "max_turns": "stopped",
        "timeout": "stopped",
        "budget_exceeded": "stopped",
        "context_exhausted": "stopped",
        "stalled": "looping",
        "stuck": "looping",
        "verify_failed": "failed",
        "model_error": "failed",
        "sandbox_error": "failed",
        "export_failed": "failed",
        "interrupted": "aborted",
        "running": "running",
    },
    "lcode": {
        "success": "done",
        "error": "failed",
        "blocked": "blocked",
        "loop": "looping",
        "max_steps": "stopped",
        "interrupted": "aborted",
    },
    "adfa": {
        "COMPLETED": "done",
        "ABANDONED": "stopped",
        "UNPARSABLE": "failed",
        "CYCLING": "looping",
        "REPEATED": "looping",
        "MAX_ITERATIONS": "stopped",
    },
    "claude": {
        "completed": "done",
        "success": "done",
        "background_requested": "done",
        "aborted_streaming": "aborted",
        "aborted_tools": "aborted",
        "hook_stopped": "stopped",
        "stop_hook_prevented": "stopped",
        "max_turns": "stopped",
        "error_max_turns": "stopped",
        "error_max_budget_usd": "stopped",
        "blocking_limit": "stopped",
        "budget_exhausted": "stopped",
        "tool_deferred": "stopped",
        "rapid_refill_breaker": "failed",
        "malformed_tool_use_exhausted": "failed",
        "structured_output_retry_exhausted": "failed",
        "turn_setup_failed": "failed",
        "prompt_too_long": "failed",
        "model_error": "failed",
        "image_error": "failed",
        "api_error": "failed",
        "error_during_execution": "failed",
    },
    "mini-swe-agent": {
        "Submitted": "done",
        "LimitsExceeded": "stopped",
        "TimeExceeded": "stopped",
        "ContextWindowExceeded": "stopped",
        "ContextWindowExceededError": "stopped",
        "UserInterruption": "aborted",
        "KeyboardInterrupt": "aborted",
    },
    "swe-agent": _SWE,
    "openhands": {
        "finished": "done",
        "rejected": "done",
        "max_iterations": "stopped",
        "max_budget": "stopped",
        "stuck": "looping",
        "error": "failed",
        "stopped": "aborted",
    },
    "": {
        "completed": "done",
        "done": "done",
        "success": "done",
        "failed": "failed",
        "error": "failed",
        "interrupted": "aborted",
        "aborted": "aborted",
        "stopped": "stopped",
        "limit": "stopped",
        "blocked": "blocked",
        "loop": "looping",
        "stuck": "looping",
    },
}
"""Each agent's own statuses, and under the empty name those of whoever speaks our format."""


def ending(agent: str, status: str) -> Ending | None:
    """What a status means; none when this version does not know it."""
    table = STATUSES.get(agent, STATUSES[""])
    return table.get(status)
