"""Shell scripts that were written and not run since, and writes that never happened."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.actions import Want
from monitor.claims import says
from monitor.detectors.docket import Docket
from monitor.detectors.made_calls import EXECUTED
from monitor.detectors.numbers import DEFAULTS, ScriptsNumbers
from monitor.detectors.open_heredocs import Heredoc, begun, left_open, still_open
from monitor.detectors.paths import canonical
from monitor.detectors.pending import Asked, Pending
from monitor.detectors.places import Places
from monitor.detectors.script_book import ScriptBook
from monitor.detectors.scripts_advice import never_run, never_written, unrun_message, unwritten_message
from monitor.detectors.scripts_view import ScriptEntry, ScriptsView, Unwritten
from monitor.detectors.written import changed
from monitor.events import Acted, Event, Outcome, Prompted, RequestEnded, RunStarted, ToolCalled, ToolReturned
from monitor.findings import Finding, Level, Spot, State
from monitor.shell.step import Step
from monitor.shell.steps import steps_of
from monitor.shell.writes import removes_of, writes_of

_ACTORS = 100
_UNWRITTEN = 20
_NOT_TAKEN: tuple[Outcome, ...] = ("unknown", "not_executed")
"""Outcomes of commands that a terminal may have taken for the text of a heredoc."""
_NOT_RUN = (126, 127)
"""Exit codes of a shell that could not run the program."""


class Scripts:
    """A note at the claim for each script never run; a warning for a heredoc that never ended."""

    name = "scripts"
    reads: tuple[type[Event], ...] = (RunStarted, Prompted, ToolCalled, ToolReturned, RequestEnded, Acted)

    def __init__(self, numbers: ScriptsNumbers = DEFAULTS.scripts) -> None:
        self._numbers = numbers
        self._places = Places()
        self._pending = Pending()
        self._book = ScriptBook()
        self._heredocs: dict[str, tuple[Heredoc, ...]] = {}
        """Of each actor: those of the latest message with one."""
        self._typing: dict[str, Unwritten] = {}
        """The actors whose terminal reads a heredoc now."""
        self._unwritten: dict[str, Unwritten] = {}
        self._docket = Docket()
        self._view: ScriptsView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        match event:
            case RunStarted():
                self._places.started(event)
            case ToolCalled():
                self._called(event)
            case ToolReturned():
                self._returned(event)
            case RequestEnded(how="answered") if not event.actor and says(event.text) != "asks":
                self._claimed(event)
            case Acted(action="settle", receipt="done") if self._docket.settle(event):
                self._view = None
            case _:
                pass
        return ()

    def view(self) -> ScriptsView:
        """The scripts, up to now."""
        if self._view is None:
            self._view = ScriptsView(
                self._book.entries(), tuple(self._unwritten.values()), self._docket.findings()
            )  # fmt: skip
        return self._view

    def copy(self) -> Scripts:
        """Another that goes on from here."""
        other = Scripts()
        other.__dict__.update(self.__dict__)
        other._places, other._pending, other._book = self._places.copy(), self._pending.copy(), self._book.copy()
        other._heredocs, other._typing = dict(self._heredocs), dict(self._typing)
        other._unwritten, other._docket = dict(self._unwritten), self._docket.copy()
        return other

    def _called(self, event: ToolCalled) -> None:
        self._pending.called(event)
        found = begun(event) if event.kind == "shell" and not event.partial else ()
        if found:
            self._heredocs.pop(event.actor, None)
            self._heredocs[event.actor] = found
            if len(self._heredocs) > _ACTORS:
                del self._heredocs[next(iter(self._heredocs))]

    def _returned(self, event: ToolReturned) -> None:
        asked = self._pending.returned(event)
        folder = self._places.names.folder(event.actor)
        if event.cwd:
            self._places.names.moved(event.actor, event.cwd)
        if asked is None or event.outcome not in (*EXECUTED, *_NOT_TAKEN):
            return
        call = asked.call
        if call.kind == "shell":
            if not self._swallowed(event, folder) and event.outcome in EXECUTED:
                self._ran(event, asked, folder)
        elif event.outcome not in EXECUTED:
            return
        elif call.kind == "write":
            self._wrote(event, asked, folder)
        elif call.kind == "read" and call.paths and event.outcome == "ok":
            self._book.read(self._places.names.key(call.paths[0], folder), event.output)

    def _wrote(self, event: ToolReturned, asked: Asked, folder: str) -> None:
        """A file tool wrote: each change whose file was written."""
        for change, key, to in changed(asked.call, event, lambda path: self._places.names.key(path, folder)):
            moved = to if change.op == "move" and to else ""
            self._written_after_all(moved or key, event.seq)
            entry = self._entry(moved or key, event)
            self._changed(self._book.change(key, change, moved, entry, asked.call.message), event.seq)

    def _entry(self, key: str, event: ToolReturned) -> ScriptEntry:
        return ScriptEntry(key, self._places.names.shown(key), _spot(event))

    def _ran(self, event: ToolReturned, asked: Asked, folder: str) -> None:
        """A command ran: what it wrote, took away and ran, in the order of its steps."""
        command, book = asked.call.command, self._book
        if event.outcome == "ok":
            book.printed(command, folder, event.output)
        if not command or not (book.waiting or "sh" in command or "#!" in command or "<<" in command or book.has_texts):
            return
        for step in steps_of(command).steps:
            base = canonical(step.folder, folder) if step.folder else folder
            if step.folder is not None and not step.remote:
                self._step_wrote(step, base, event, asked)
            if book.waiting and event.exit not in _NOT_RUN:
                for key, how in book.ran(step, folder, event.output, asked, _spot(event)):
                    self._docket.end(
                        f"{self.name}::{self._places.names.shown(key)}", "cleared", event.seq, f"it was run: {how}"
                    )
                self._view = None

    def _step_wrote(self, step: Step, base: str, event: ToolReturned, asked: Asked) -> None:
        for one in writes_of(step):
            if not one.path or "$" in one.path:
                continue
            key = self._places.names.key(one.path, base)
            if one.by == "copy":
                self._book.copy_file(self._places.names.key(one.source, base), key)
            elif one.by in ("text", "edit"):
                self._written_after_all(key, event.seq)
                self._changed(self._book.told(key, one.text, self._entry(key, event), asked.call.message))
        if step.program != "mv":
            for path in removes_of(step):
                self._changed(self._book.removed(self._places.names.key(path, base)), event.seq)

    def _changed(self, gone: str, seq: int = -1) -> None:
        """A script was written, or has gone: what was said of it no longer holds."""
        self._view = None
        if gone:
            self._docket.end(f"{self.name}::{self._places.names.shown(gone)}", "cleared", seq, "the file is gone")

    def _swallowed(self, event: ToolReturned, folder: str) -> bool:
        """Whether a terminal took the command for the text of a heredoc."""
        if event.actor in self._typing:
            if still_open(event.output):
                return True
            del self._typing[event.actor]
        heredoc = left_open(event.output, self._heredocs.get(event.actor, ())) if "<<" in event.output else None
        if heredoc is None:
            return False
        key = self._places.names.key(heredoc.file, folder) if heredoc.file else ""
        lost = Unwritten(self._places.names.shown(key), _spot(event), event.actor)
        self._typing[event.actor] = self._unwritten[key] = lost
        if len(self._typing) > _UNWRITTEN:
            del self._typing[next(iter(self._typing))]
        if len(self._unwritten) > _UNWRITTEN:
            self._end_lost(next(iter(self._unwritten)), "closed", event.seq, "too many writes never happened since")
        self._view = None
        if self._numbers.unwritten:
            about, advice = f"heredoc {lost.file}".rstrip(), never_written(lost.file, heredoc.end)
            self._put(about, "warn", unwritten_message(lost.file), advice, event=event, places=(lost.spot,))
        return True

    def _written_after_all(self, key: str, seq: int) -> None:
        if key in self._unwritten:
            self._end_lost(key, "cleared", seq, "it was written after all")

    def _end_lost(self, key: str, state: State, seq: int, why: str) -> None:
        lost = self._unwritten.pop(key)
        about = f"heredoc {lost.file}".rstrip()
        self._docket.end(f"{self.name}:{lost.actor}:{about}", state, seq, why)

    def _claimed(self, event: RequestEnded) -> None:
        for entry in self._book.entries() if self._numbers.never_run else ():
            if not entry.run:
                message, advice = unrun_message(entry.file, entry.perhaps), never_run(entry.file, entry.perhaps)
                self._put(entry.file, "note", message, advice, event=event, places=(entry.spot, _spot(event)))

    def _put(
        self, subject: str, level: Level, message: str, advice: str, *, event: Event, places: tuple[Spot, ...]
    ) -> None:
        self._docket.put(
            Finding(
                self.name,
                subject,
                level,
                message,
                advice,
                actor=event.actor,
                request=event.request,
                opened=event.seq,
                raised=event.seq,
                places=places,
            )
        )
        self._view = None


def _spot(event: Event) -> Spot:
    return Spot(event.seq, event.place.input, event.place.line)
