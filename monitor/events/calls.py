"""What the model does with tools: its calls, what they were to change, and what became of them."""

from __future__ import annotations

from typing import Literal

import msgspec

from monitor.events.seen import Seen

Kind = Literal["read", "write", "shell", "fetch", "search", "delegate", "poll", "ask", "plan", "finish", "other"]
Op = Literal["edit", "create", "write", "insert", "append", "delete", "move"]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change to one file, as a write call asks for it."""

    file: str
    """The path as the agent gave it; empty when the call named none."""
    op: Op = "edit"
    old: str | None = None
    new: str | None = None
    added: int | None = None
    """Lines added, where known."""
    removed: int | None = None
    to: str = ""
    """Where a move leads."""
    cut: bool = False
    """The log dropped a part of `old` or `new`: never the same as another change."""


class ToolCalled(Seen, frozen=True, kw_only=True):
    """The model called a tool; a source may tell it again, fuller, under the same call id."""

    call: str
    message: str = ""
    """The model message it came in: the calls of one message are a batch. Empty where the source has no ids."""
    tool: str = ""
    kind: Kind = "other"
    arguments: str = ""
    """The arguments as JSON, or as the source wrote them."""
    arguments_cut: bool = False
    changes: tuple[Change, ...] = ()
    corrects_names: bool = False
    """The tool turns a bare name into the project's one file of that name."""
    paths: tuple[str, ...] = ()
    """Files or folders it reads or searches."""
    command: str = ""
    url: str = ""
    timeout: float | None = None
    """Seconds."""
    background: bool = False
    partial: bool = False
    """The call is still being written by the model; a fuller one follows."""


Outcome = Literal[
    "ok", "failed", "denied", "refused", "corrected", "approval_timeout",
    "timed_out", "cancelled", "not_executed", "unknown",
]  # fmt: skip
"""`denied` and `corrected` are a person's; `refused` a rule's, a hook's, or for want of an approver."""
Failure = Literal["", "not_found", "exists", "identical", "ambiguous", "unread", "stale", "arguments", "io", "other"]


class FileOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one file of a write."""

    file: str
    """The path the tool resolved, where it says; else as given."""
    outcome: Outcome = "ok"
    failure: Failure = ""
    cause: bool = False
    """This file made the whole call fail."""
    added: int | None = None
    removed: int | None = None


class ToolReturned(Seen, frozen=True, kw_only=True):
    """A call's result."""

    call: str
    message: str = ""
    """The message of its call, where the result says."""
    outcome: Outcome = "ok"
    failure: Failure = ""
    files: tuple[FileOutcome, ...] = ()
    exit: int | None = None
    output: str = ""
    """What the model got to see, failures included."""
    cut: bool = False
    cwd: str = ""
    """The folder the actor works in afterwards, where the result says."""
    background: bool = False
    """The call goes on in the background; this only acknowledges it."""
