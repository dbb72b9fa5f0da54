"""What the agent is doing now: working, waiting, idle after an answer, or gone."""

from __future__ import annotations

from itertools import islice

from monitor.claims import says
from monitor.detectors.remembered import Remembered
from monitor.events import (
    Acted,
    Event,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    ToolCalled,
    ToolReturned,
    Waiting,
)
from monitor.run.evidence import Idle
from monitor.snapshot import OpenCall
from monitor.text import shorten
from monitor.timeline.wording import word

_CALLS = 20_000
"""Call ids remembered, to count a call once."""
_ASKED = 1_000
"""Things that a person is asked at once."""
_SHOWN = 5
"""Running calls that are told of."""
_LONG = 200
"""Characters of what one is about."""
_PAIRED = frozenset((ToolCalled, ToolReturned, Waiting, RunEnded, RequestEnded))
"""What a call or a question begins or ends with."""
_SPOKEN = frozenset((Said, Thought, ToolCalled))
"""What belongs to a turn of the agent's."""
_HOW = {"done": "answered", "could not": "could not", "asks": "asked"}


class Activity:
    """Folds events into the present state of the root session."""

    def __init__(self) -> None:
        self.idle: Idle | None = None
        """How the latest request ended; none while the agent works."""
        self.gone: SourceChanged | None = None
        """Why nothing more will come."""
        self.begun = False
        """Anything of the run itself has been read."""
        self.spoke = -1
        """The seq of the latest event in which the agent said, thought or called something, or was asked."""
        self.new_call = False
        """The latest event was a call not seen before."""
        self._waiting: dict[str, Waiting] = {}
        self._known: Remembered[tuple[str, str], bool] = Remembered(_CALLS)
        self._running: dict[tuple[str, str], tuple[int, OpenCall]] = {}
        """Those of each actor's latest turn, which is told: what has no result by the next one will have none."""
        self._sources: dict[int, SourceChanged] = {}
        """By number what is wrong now."""

    def feed(self, event: Event) -> None:
        """Take in one numbered event."""
        self.new_call = False
        if type(event) is SourceChanged:
            self._source(event)
            return
        self.begun = True
        if event.copied:
            return
        if self._running and type(event) in _SPOKEN:
            self._leave_behind(event)
        if type(event) in _PAIRED:
            self._pair(event)
        if not event.actor:
            self._root(event)

    def _pair(self, event: Event) -> None:
        match event:
            case ToolCalled() | ToolReturned():
                self._call(event)
            case Waiting(over=True):
                self._waiting.pop(event.call, None)
            case Waiting():
                self._waiting[event.call] = event
                if len(self._waiting) > _ASKED:
                    del self._waiting[next(iter(self._waiting))]
            case RunEnded() | RequestEnded() if not event.actor:
                self._waiting.clear()
                self._running.clear()
            case _:
                pass

    def answered(self, event: Acted) -> None:
        """An answer that has reached the agent: it no longer waits for it, though the call may run on for long."""
        if event.action in ("allow", "deny") and event.subject and event.receipt in ("delivered", "seen", "done"):
            self._waiting.pop(event.subject, None)

    @property
    def waiting(self) -> Waiting | None:
        """What the agent waits for, the oldest first."""
        return next(iter(self._waiting.values()), None)

    @property
    def question(self) -> str:
        """That in words; empty where it waits for nobody."""
        event = self.waiting
        if event is None:
            return ""
        what = event.about or "something it does not name"
        return f"Asks to run: {what}" if event.on == "approval" else f"Asks you: {what}"

    @property
    def open_call(self) -> bool:
        """The latest of what was told is a call that has no result yet."""
        return bool(self._running)

    @property
    def calls(self) -> tuple[OpenCall, ...]:
        """The calls that run now, the oldest first; a few of them."""
        works = self.idle is None and self.gone is None
        return tuple(call for _, call in islice(self._running.values(), _SHOWN)) if works else ()

    @property
    def sources(self) -> tuple[str, ...]:
        """What is wrong with the inputs now."""
        return tuple(one.text for one in self._sources.values())

    @property
    def missed(self) -> tuple[str, ...]:
        """Those for which something that the agent said may not be known."""
        return tuple(one.text for one in self._sources.values() if one.what not in ("unwatched", "aside"))

    @property
    def unwatched(self) -> tuple[str, ...]:
        """Those for which a change of the folder may not be known."""
        return tuple(one.text for one in self._sources.values() if one.what == "unwatched")

    def copy(self) -> Activity:
        """Another that goes on from here."""
        other = Activity()
        other.idle, other.gone, other.begun, other.new_call = self.idle, self.gone, self.begun, self.new_call
        other.spoke = self.spoke
        other._waiting, other._known = dict(self._waiting), self._known.copy()
        other._running = dict(self._running)
        other._sources = dict(self._sources)
        return other

    def _root(self, event: Event) -> None:
        match event:
            case Thought() | Said():
                if event.text and not event.synthetic:
                    self.idle, self.gone, self.spoke = None, None, event.seq
            case RequestEnded():
                how = _HOW[says(event.text)] if event.how == "answered" else event.how
                self.idle = Idle(how, event.text, event.at)
            case Prompted(by="harness" | "hook"):
                self.idle = self.gone = None
            case Prompted() | ToolCalled():
                self.idle, self.gone, self.spoke = None, None, event.seq
            case RunStarted():
                self.gone = None
            case _:
                pass

    def _call(self, event: ToolCalled | ToolReturned) -> None:
        key = (event.actor, event.call)
        if isinstance(event, ToolReturned):
            self._running.pop(key, None)
            self._known.put(key, True)
            self._waiting.pop(event.call, None)
            return
        if self._known.get(key) is None or key in self._running:
            self._run(key, event)
        if self._known.get(key) is None:
            self.new_call = True
            self._known.put(key, True)

    def _run(self, key: tuple[str, str], event: ToolCalled) -> None:
        """It runs from its first telling on; a fuller one says better what it is about."""
        _, first = self._running.get(key, (0, None))
        seq, at = (first.seq, first.at) if first else (event.seq, event.at)
        what = shorten(word(event).text, _LONG)
        self._running[key] = event.turn, OpenCall(seq, event.tool, event.kind, what, at, event.actor)
        if len(self._running) > _ASKED:
            del self._running[next(iter(self._running))]

    def _leave_behind(self, event: Event) -> None:
        """The calls of its earlier turns will have no result any more: an agent goes on once it has them all."""
        left = [key for key, (turn, _) in self._running.items() if key[0] == event.actor and turn < event.turn]
        for key in left:
            del self._running[key]

    def _source(self, event: SourceChanged) -> None:
        if event.what in ("gone", "end"):
            if self.gone is None or event.what == "gone":
                self.gone = event
        elif event.what == "back":
            self._sources.pop(event.input, None)
        else:
            self._sources[event.input] = event
