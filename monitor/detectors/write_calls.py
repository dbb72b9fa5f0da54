"""Calls and their results, with what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b

from monitor.events import Change, Failure, FileOutcome, Kind, Op, Outcome, ToolCalled, ToolReturned
from monitor.findings import Spot
from monitor.shell.shown import shown_by
from monitor.text import first_line, shorten

TEXT = 2_000
"""Characters kept of a guess and of a new text."""
_TEXTS = 50
"""Changes of one call whose texts are kept."""
_FILES = 1_000
"""Files of one result that are told apart."""
_NOT_FROM_TOP = ('"offset', '"start', '"view_range', '"range', '"line', '"from', '"begin')
"""Arguments of a read that say where in the file it begins."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a write call."""

    file: str
    to: str
    op: Op
    guess: str
    new: str
    whole: bool
    """Both texts are kept whole."""
    mark: bytes | None
    """The same for the same change by the same tool; none when it cannot be compared."""
    content: bytes | None
    """The same for the same whole content of a file; none when the change gives only a part."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call, as far as it is told."""

    actor: str
    call: str
    message: str = ""
    tool: str = ""
    kind: Kind = "other"
    turn: int = 0
    issued: int = -1
    """The seq at which it was first told; -1 when its result came first."""
    corrects: bool = False
    edits: tuple[Edit, ...] = ()
    path: str = ""
    """The one file that a read call reads, or that a shell command shows."""
    from_top: bool = False
    """The read begins at the file's first line."""
    partial: bool = False
    cut: bool = False
    background: bool = False

    @property
    def id(self) -> tuple[str, str]:
        """What pairs it with its result."""
        return self.actor, self.call

    @property
    def weight(self) -> int:
        """About how many characters it holds."""
        return 500 + sum(300 + len(edit.guess) + len(edit.new) + len(edit.file) for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a call."""

    actor: str
    call: str
    seq: int
    spot: Spot
    at: float | None
    seen: float
    turn: int
    message: str
    outcome: Outcome
    failure: Failure
    files: tuple[FileOutcome, ...]
    what: str
    """The first line of what the agent was told."""
    told: str
    """The beginning of it."""
    folder: str
    """Where the actor worked when it came."""
    request: int = 0


def call_of(event: ToolCalled) -> Call:
    """A call reduced to what is kept; texts beyond 2,000 characters only as digests."""
    kept = event.changes[:_TEXTS] if event.kind == "write" else ()
    rest = event.changes[_TEXTS:] if event.kind == "write" else ()
    edits = [_edit(event, change) for change in kept]
    edits += [replace(_edit(event, change), guess="", new="", whole=False) for change in rest]
    reads = event.kind == "read" and len(event.paths) == 1
    shown = shown_by(event.command) if event.kind == "shell" and not event.arguments_cut else ""
    top = reads and not event.arguments_cut and not any(word in event.arguments for word in _NOT_FROM_TOP)
    return Call(
        event.actor, event.call, event.message, event.tool, event.kind, event.turn, event.seq, event.corrects_names,
        tuple(edits), event.paths[0] if reads else shown, top or bool(shown), event.partial, event.arguments_cut, event.background,
    )  # fmt: skip


def fuller(old: Call, new: Call) -> Call:
    """Of two tellings of one call the fuller, the later when they are alike; it was issued when first told."""
    chosen = new if _fullness(new) >= _fullness(old) else old
    return replace(
        chosen,
        issued=old.issued,
        turn=old.turn or new.turn,
        message=chosen.message or old.message or new.message,
        tool=chosen.tool or old.tool or new.tool,
    )


def result_of(event: ToolReturned, folder: str) -> Result:
    """A result reduced to what is kept."""
    what = shorten(first_line(event.output), 200)
    return Result(
        event.actor, event.call, event.seq, Spot(event.seq, event.place.input, event.place.line), event.at, event.seen,
        event.turn, event.message, event.outcome, event.failure, event.files[:_FILES], what, event.output[:TEXT], folder,
        event.request,
    )  # fmt: skip


def _fullness(call: Call) -> tuple[bool, bool, bool]:
    return not call.partial, bool(call.edits or call.path), not call.cut


def _edit(event: ToolCalled, change: Change) -> Edit:
    old, new = change.old or "", change.new or ""
    cut = change.cut or event.arguments_cut
    return Edit(
        file=change.file,
        to=change.to,
        op=change.op,
        guess=old[:TEXT],
        new=new[:TEXT],
        whole=not cut and len(old) <= TEXT and len(new) <= TEXT,
        mark=None if cut else _mark(event.tool, change),
        content=digest(new.rstrip()) if change.op in ("create", "write") and new.strip() and not cut else None,
    )


def _mark(tool: str, change: Change) -> bytes | None:
    known = change.new is not None and (change.op != "edit" or change.old is not None)
    return digest(tool, change.op, change.old or "", change.new or "", change.to) if known else None


def digest(*texts: str) -> bytes:
    """16 bytes that stand for the texts."""
    total = blake2b(digest_size=16)
    for text in texts:
        data = text.encode(errors="surrogatepass")
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.digest()
