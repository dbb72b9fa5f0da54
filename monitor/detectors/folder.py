"""Actors that work outside the project, as their results show, or write there."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from monitor.actions import Want
from monitor.detectors.docket import Docket
from monitor.detectors.folder_advice import advice, message
from monitor.detectors.folder_view import MOVES, FolderView, How, Move
from monitor.detectors.numbers import DEFAULTS, FolderNumbers
from monitor.detectors.paths import canonical, name
from monitor.detectors.pending import Pending
from monitor.detectors.places import Places, put_back, temporary
from monitor.detectors.written import shell_files, written
from monitor.events import Acted, Event, Prompted, RunStarted, ToolCalled, ToolReturned
from monitor.findings import Finding, Level, Spot, State
from monitor.shell.steps import steps_of
from monitor.text import plural

_ACTORS = 100
_FOLDERS = 20
"""Folders outside that are told apart, of one actor in one request."""
_WROTE = 500
"""The same, of all actors."""
_ELSEWHERE = "several folders"


class Folder:
    """A note when an actor leaves the project, a warning when it then writes there."""

    name = "folder"
    reads: tuple[type[Event], ...] = (RunStarted, Prompted, ToolCalled, ToolReturned, Acted)

    def __init__(self, numbers: FolderNumbers = DEFAULTS.folder) -> None:
        self._numbers = numbers
        self._request = 0
        self._places = Places()
        self._pending = Pending()
        self._outside: dict[str, tuple[str, Spot]] = {}
        """The actors that are outside, with the folder and the result that showed it."""
        self._wrote: dict[tuple[str, str], tuple[str, ...]] = {}
        """Files written outside in this request, by actor and folder."""
        self._moves: deque[Move] = deque(maxlen=MOVES)
        self._docket = Docket()
        self._view: FolderView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        if event.request > self._request:
            self._begin(event)
        match event:
            case RunStarted():
                self._places.started(event)
                self._view = None
            case ToolCalled():
                self._pending.called(event)
            case ToolReturned():
                self._returned(event)
            case Acted(action="settle", receipt="done") if self._docket.settle(event):
                self._view = None
            case _:
                pass
        return ()

    def view(self) -> FolderView:
        """Where actors worked, up to now."""
        if self._view is None:
            outside = tuple((actor, folder) for actor, (folder, _) in self._outside.items())
            self._view = FolderView(tuple(self._moves), outside, self._places.project, self._docket.findings())
        return self._view

    def copy(self) -> Folder:
        """Another that goes on from here."""
        other = Folder()
        other.__dict__.update(self.__dict__)
        other._places, other._pending, other._docket = self._places.copy(), self._pending.copy(), self._docket.copy()
        other._outside, other._wrote, other._moves = dict(self._outside), dict(self._wrote), self._moves.copy()
        return other

    def _begin(self, event: Event) -> None:
        """What was written is the last request's; whoever is outside is still there."""
        for actor, folder in self._wrote:
            if actor not in self._outside or self._outside[actor][0] != folder:
                self._end(actor, folder, event.seq, "a new request began", "closed")
        self._wrote, self._request = {}, event.request

    def _returned(self, event: ToolReturned) -> None:
        asked = self._pending.returned(event)
        if not self._places.project:
            if event.cwd:
                self._places.names.moved(event.actor, event.cwd)
            return
        call = asked.call if asked is not None else None
        if call is not None and call.kind == "write":
            self._written(event, [one.file for one in written(call, event)])
        before = self._places.names.folder(event.actor)
        if event.cwd:
            self._places.names.moved(event.actor, event.cwd)
            self._located(event)
        if call is not None and call.kind == "shell":
            if event.actor in self._outside and event.outcome == "ok" and call.command:
                self._written(event, list(shell_files(call.command, before)))
            if (to := put_back(event.output)) is not None:
                self._put_back(event, to or (steps_of(call.command).folder or ""), before)

    def _located(self, event: ToolReturned) -> None:
        """The result shows where the actor works now."""
        folder = self._places.names.folder(event.actor)
        old = self._outside.get(event.actor)
        if self._places.belongs(folder, event.actor):
            if old is not None:
                del self._outside[event.actor]
                self._end(event.actor, old[0], event.seq, "it works in the project again")
        elif old is None or old[0] != folder:
            if old is not None:
                self._end(event.actor, old[0], event.seq, "it went on to another folder")
            self._outside[event.actor] = folder, _spot(event)
            if len(self._outside) > _ACTORS:
                actor = next(iter(self._outside))
                self._end(actor, self._outside.pop(actor)[0], event.seq, "too many actors are at work", "closed")
            self._moves.append(Move(_spot(event), folder, "moved", event.actor))
            self._put(event, folder, "note", "moved", self._wrote.get((event.actor, folder), ()))

    def _put_back(self, event: ToolReturned, to: str, before: str) -> None:
        """The harness took it back: found, and over at once."""
        folder = canonical(to, before) if to else "a folder outside the project"
        if to and self._places.belongs(folder, event.actor):
            return
        self._moves.append(Move(_spot(event), folder, "put back", event.actor))
        self._put(event, folder, "note", "put back")
        self._end(event.actor, folder, event.seq, "it was put back into the project")

    def _written(self, event: ToolReturned, files: Sequence[str]) -> None:
        """Files were written: those outside that are not temporary count."""
        for file in files:
            key = self._places.names.key(file, self._places.names.folder(event.actor))
            if not key or key.startswith(("./", "~", "?")) or temporary(key) or self._places.belongs(key, event.actor):
                continue
            folder = key[: -len(name(key))].rstrip("/") or "/"
            at = self._outside.get(event.actor)
            there = at is not None and f"{folder}/".startswith(f"{at[0].rstrip('/')}/")
            folder = at[0] if at is not None and there else folder
            known = self._wrote.get((event.actor, folder))
            if known is None and sum(actor == event.actor for actor, _ in self._wrote) >= _FOLDERS:
                folder = _ELSEWHERE
                known = self._wrote.get((event.actor, folder))
            if known is None:
                self._moves.append(Move(_spot(event), folder, "wrote", event.actor))
            files_there = tuple(dict.fromkeys((*(known or ()), key)))[-100:]
            self._wrote[event.actor, folder] = files_there
            if len(self._wrote) > _WROTE:
                del self._wrote[next(iter(self._wrote))]
            self._put(event, folder, "warn" if there else "note", "moved" if there else "wrote", files_there)

    def _put(self, event: ToolReturned, folder: str, level: Level, how: How, files: tuple[str, ...] = ()) -> None:
        self._view = None
        if not (self._numbers.wrote if files else self._numbers.left):
            return
        at = self._outside.get(event.actor)
        first = (at[1],) if at is not None and at[0] == folder else ()
        finding = Finding(
            self.name,
            folder,
            level,
            message(folder, how, files),
            advice(folder, how, files, self._places.project),
            actor=event.actor,
            request=self._request,
            opened=event.seq,
            raised=event.seq,
            places=tuple(dict.fromkeys((*first, _spot(event)))),
            figure=plural(len(files), "file") if files else "",
        )
        self._docket.put(finding)

    def _end(self, actor: str, folder: str, seq: int, why: str, state: State = "cleared") -> None:
        if self._docket.end(f"{self.name}:{actor}:{folder}", state, seq, why):
            self._view = None


def _spot(event: Event) -> Spot:
    return Spot(event.seq, event.place.input, event.place.line)
