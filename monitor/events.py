"""What can be seen to happen in a run: one frozen type per kind of event.

Decoders make events, `run.Run` numbers them and folds them through the detectors, the journal keeps them.
Texts in events are clean (`text.clean`): no control character but newline and tab.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where an event was read: its input, its line, and the bytes of the record."""

    input: int = -1
    """Index of the input within the run; -1 for what the monitor itself saw."""
    line: int = 0
    """Physical line from 1 in a log of lines; index of the item in a single document."""
    offset: int = 0
    """First byte of the record in its input."""
    length: int = 0
    """Bytes of the record, its line end included."""
    item: int = 0
    """Which part of the record: the index of the content block, or of the call, that the event was read from."""


NOWHERE = Place()


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=True):
    """What every event carries."""

    seq: int = -1
    """The order folded in, dense from 0; -1 until `Run` has numbered it."""
    at: float | None = None
    """The source's own time, seconds since the epoch."""
    seen: float = 0.0
    """When it reached the monitor, seconds since the epoch."""
    actor: str = ""
    """The sub-agent that did it; empty for the root session."""
    request: int = 0
    """The request it belongs to, from 1; 0 before any prompt. Numbered by `Run`."""
    turn: int = 0
    """The actor's model reply it belongs to, from 1. Numbered by `Run`."""
    place: Place = NOWHERE
    copied: bool = False
    """Copied from an older run (a fork, copied context): shown, marked, and not counted."""


Sees = Literal["full", "partial", "none"]


class Coverage(msgspec.Struct, frozen=True):
    """How much of what a detector needs this source can show."""

    sees: Sees
    why: str = ""


DETECTORS = (
    "failed_writes", "sites", "thinking", "repeats", "replies", "folder",
    "scripts", "worktree", "outside_edits", "tests", "stalls",
)  # fmt: skip
"""Every detector by the name that coverage, findings and the report use."""


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
    coverage: dict[str, Coverage] = {}
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


class SourceChanged(Seen, frozen=True, kw_only=True):
    """Something happened to an input, not to the run."""

    what: Literal["lagging", "lost", "back", "gap", "rewritten", "gone", "end"] = "lost"
    """`gone`: the agent's process no longer exists; `end`: the log was read to its end and is not followed."""
    input: int = -1
    text: str = ""


class TreeMeasured(Seen, frozen=True, kw_only=True):
    """The project folder was measured."""

    when: Literal["start", "prompt", "turn", "claim", "end", "asked"] = "asked"
    by: Literal["monitor", "agent"] = "monitor"
    content: str | None = None
    history: str | None = None
    changed: bool | None = None
    """Since the latest prompt or feedback; none with the reason."""
    since_start: bool | None = None
    reason: str = ""
    kinds: tuple[str, ...] = ()
    """What differs: content, history, ignored, outside."""
    files: tuple[str, ...] = ()
    about: int = -1
    """The seq of the event it was taken for."""
    late: bool = False
    """Of the start: the run was under way by then."""


class FileChanged(Seen, frozen=True, kw_only=True):
    """A file of the project is now another; who did it is a detector's conclusion."""

    file: str
    what: Literal["created", "modified", "deleted", "moved", "mode"] = "modified"
    """`moved`: it went elsewhere in the project, where another event tells of it."""
    before: str = ""
    """SHA-256 of what it held, of a link its target; empty where there was nothing, or it is not known."""
    after: str = ""
    folder: str = ""
    """The watched folder that `file` is relative to; empty for the run's project."""
    added: int | None = None
    """Lines added since the start; none where they were not counted."""
    removed: int | None = None
    by: str = ""
    """Another attached run that did it, where that is known."""


class CloseLine(msgspec.Struct, frozen=True, array_like=True):
    """One line of a file that resembles a guess: its number from 1, and its exact text."""

    number: int
    text: str
    cut: bool = False
    """The line is longer than what is kept."""


class Looked(Seen, frozen=True, kw_only=True):
    """A file was read at the moment of a failed write."""

    call: str
    file: str
    source: Literal["disk", "log", "today"] = "disk"
    """`today`: read long after the failure, from the project given by hand."""
    closest: tuple[CloseLine, ...] = ()
    new_present: bool | None = None
    old_gone: bool | None = None
    shebang: str = ""
    reason: str = ""
    """Why there is nothing to show."""


class Acted(Seen, frozen=True, kw_only=True):
    """An action of the operator, a policy or the monitor, and how far it got."""

    id: str
    action: str
    by: Literal["operator", "policy", "monitor"] = "operator"
    channel: str = ""
    receipt: Literal["queued", "delivered", "seen", "done", "failed"] = "queued"
    evidence: str = ""
    text: str = ""
    subject: str = ""
    """What it is about: a finding's key, a call, a file."""
    until: float | None = None
    """How long the step that was taken is given, seconds since the epoch; then comes `then`, if anything."""
    then: str = ""
    """The step that is taken at `until` unless it is done by then; empty when none is taken unasked."""


class Unreadable(Seen, frozen=True, kw_only=True):
    """A record no decoder could read; its bytes are counted."""

    why: str


class Tick(Seen, frozen=True, kw_only=True):
    """Time passed; takes no number and is never journaled."""

    now: float = 0.0
    alive: bool | None = None
    """Whether the agent's process exists; none when nothing tells."""


Event = (
    RunStarted | Prompted | Thought | Said | ToolCalled | ToolReturned | ReplyEnded | RequestEnded | Used | Waiting
    | Noticed | Checked | RunEnded | SourceChanged | TreeMeasured | FileChanged | Looked | Acted | Unreadable | Tick
)  # fmt: skip
"""Any event."""

OURS = (TreeMeasured, FileChanged, Looked, Acted, Tick)
"""Only the monitor may say these: in a foreign stream they are unreadable, so that no agent forges a measurement."""
