"""What the agent and those who speak to it say: starts, prompts, thinking, answers, ends."""

from __future__ import annotations

from typing import Literal

import msgspec

from monitor.events.seen import Coverage, Seen


class RunStarted(Seen, frozen=True, kw_only=True):
    """A run, or a sub-agent of it, has begun or says more of itself; empty fields say nothing new."""

    agent: str = ""
    version: str = ""
    model: str = ""
    session: str = ""
    parent: str | None = None
    """The actor that started this one; none for a root session."""
    parent_call: str = ""
    """The call that started a sub-agent."""
    cwd: str = ""
    project: str = ""
    task: str = ""
    change_required: bool | None = None
    """Whether the task cannot be done without a change; none where nothing says so."""
    lag: Literal["", "event", "message", "turn", "end"] = ""
    """How late the source tells: after each event, whole messages, whole turns, or only at the end."""
    deltas: bool | None = None
    """Whether thinking and answers stream in pieces."""
    coverage: dict[str, Coverage] = msgspec.field(default_factory=dict)
    """By name of `DETECTORS`; what is not named is fully seen."""


By = Literal["user", "operator", "hook", "harness"]


class Prompted(Seen, frozen=True, kw_only=True):
    """The agent was told something."""

    text: str
    by: By = "user"
    into: Literal["new", "running"] = "new"


class Spoken(Seen, frozen=True, kw_only=True):
    """What a model reply says, in pieces or whole; a whole equal to its pieces adds nothing, else it replaces them."""

    message: str = ""
    part: int = 0
    """The content block within the message."""
    text: str = ""
    delta: bool = False
    cut: bool = False
    """The log dropped a part of the text."""
    synthetic: Literal["", "api_error", "limit", "login", "filler"] = ""
    """Not the model's words: the harness put them in its mouth."""


class Thought(Spoken, frozen=True, kw_only=True):
    """Thinking of the model."""


class Said(Spoken, frozen=True, kw_only=True):
    """Text the model gave as its answer, or between calls."""


class ReplyEnded(Seen, frozen=True, kw_only=True):
    """A model reply is complete; may be told twice."""

    message: str = ""
    stop: Literal["end", "tools", "length", "refusal", "stopped", "filter", "error", "other"] = "end"
    raw: str = ""
    """The source's own word for it."""
    empty: bool = False
    """It held neither text nor call."""
    text: str = ""
    """The answer, where the source repeats it."""


class RequestEnded(Seen, frozen=True, kw_only=True):
    """The agent has stopped working on the request; an answer is its claim of done, unless it asks or says it could not."""

    how: Literal["answered", "asked", "refused", "error", "limit", "interrupted"] = "answered"
    text: str = ""
    """The final answer, or the error."""


class Tokens(msgspec.Struct, frozen=True, omit_defaults=True):
    """Token counts."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0


class Used(Seen, frozen=True, kw_only=True):
    """What was consumed; a later one with the same scope and key replaces it."""

    scope: Literal["message", "request", "run"] = "message"
    key: str = ""
    tokens: Tokens = Tokens()
    cost: float | None = None
    """US dollars."""
    context_used: int | None = None
    context_size: int | None = None


class Waiting(Seen, frozen=True, kw_only=True):
    """The agent waits for a person; `over` when it no longer does."""

    on: Literal["approval", "user"] = "approval"
    about: str = ""
    call: str = ""
    over: bool = False


class Noticed(Seen, frozen=True, kw_only=True):
    """The agent's own notice."""

    kind: Literal["retry", "compaction", "rate_limit", "guard", "hook", "limit", "status", "other"] = "other"
    name: str = ""
    """The agent's own word for it."""
    text: str = ""


class Checked(Seen, frozen=True, kw_only=True):
    """A test or verify command of the harness came out."""

    command: str = ""
    passed: bool | None = None
    exit: int | None = None
    output: str = ""


class RunEnded(Seen, frozen=True, kw_only=True):
    """The run, or a sub-agent, is over; a later prompt reopens it."""

    status: str = ""
    """As the agent gave it; `verdict.STATUSES` maps it to a state."""
    exit: int | None = None
    reason: str = ""
