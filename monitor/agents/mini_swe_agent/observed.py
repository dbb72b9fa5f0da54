"""What mini-swe-agent tells the model of a command: its exit code and output, or why it did not run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.agents.fields import Object, raw, whole
from monitor.agents.mini_swe_agent.message import submits
from monitor.events import Outcome

_CODE = re.compile(r"\s*<returncode>(-?\d{1,10})</returncode>\s*")
_OUTPUT = re.compile(r"<output>\n?(.*?)\n?</output>\s*\Z", re.DOTALL)
_PIECES = re.compile(r"<output_head>\n?(.*?)\n?</output_head>.*?<output_tail>\n?(.*?)\n?</output_tail>", re.DOTALL)
_REPR = re.compile(r"Observation: \{.*'returncode': (-?\d{1,10})", re.DOTALL)
_TIMED_OUT = re.compile(r"The last command <command>.*?timed out and has been killed", re.DOTALL)
_REJECTED = re.compile(
    r"Commands? not executed\. The user rejected your commands? with the following message: (.*)", re.DOTALL
)
_INTERRUPTED = re.compile(r"Interrupted by user: ?(.*)", re.DOTALL)
_REFUSED = ("Please always provide EXACTLY ONE action", "Commands not executed", "Command not executed")
_NOT_RUN = "action was not executed"
_TASK = re.compile(r"The user added a new task: (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of a command."""

    outcome: Outcome = "unknown"
    exit: int | None = None
    output: str = ""
    """What it printed, not cleaned."""
    cut: bool = False
    said: str = ""
    """What a person said with it."""


def observe(text: str, extra: Object, command: str, *, alone: bool) -> Observed:
    """The meaning of an observation; `alone` when the reply asked for this one command, and so was taken."""
    if told := _REJECTED.match(text):
        return Observed("corrected", output=text, said=told[1])
    if told := _INTERRUPTED.match(text):
        return Observed("cancelled", output=text, said=told[1])
    if text.startswith("Command") and text.startswith(_REFUSED):
        return Observed("denied", output=text)
    if text.startswith(_REFUSED) or raw(extra, "interrupt_type") == "FormatError" or not alone:
        return Observed("not_executed", output=text)
    if _TIMED_OUT.match(text):
        return Observed("timed_out", output=text)
    code, (output, cut) = _exit(text, extra), _printed(text)
    if why := raw(extra, "exception_info"):
        return _broke(why, None if code == -1 else code, output)
    if code is not None:
        return Observed("ok" if code == 0 else "failed", code, output, cut)
    return Observed("ok" if submits(command) else "unknown", output=text)


def new_task(text: str) -> str:
    """The task that a person gave when the agent wanted to stop; empty where none was given."""
    told = _TASK.match(text)
    return told[1] if told else ""


def _broke(why: str, code: int | None, output: str) -> Observed:
    """A command that did not come to its end."""
    if _NOT_RUN in why:
        return Observed("not_executed", output=output or why)
    late = "timed out" in why.lower() or "timeout" in why.lower()
    return Observed("timed_out" if late else "failed", code, f"{output}\n{why}".strip())


def _exit(text: str, extra: Object) -> int | None:
    code = whole(extra, "returncode")
    if code is not None:
        return code
    told = _CODE.match(text) or _REPR.match(text)
    return int(told[1]) if told else None


def _printed(text: str) -> tuple[str, bool]:
    """What the command printed, without what mini-swe-agent puts around it, and whether some of it is missing."""
    if told := _PIECES.search(text):
        return f"{told[1]}\n{told[2]}", True
    told = _OUTPUT.search(text)
    return (told[1] if told else _CODE.sub("", text, count=1)), False
