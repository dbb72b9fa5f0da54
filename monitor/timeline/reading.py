"""Reads the timeline's texts back from where they stand, when they are looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

import msgspec

from monitor.agents.protocol import Decoder
from monitor.events import Event, FileChanged, Place, RequestEnded, Said, Thought, ToolCalled, ToolReturned
from monitor.replay.playback import Playback
from monitor.replay.rows import Moment, PastRows
from monitor.snapshot import Snapshot
from monitor.streams.record import Input
from monitor.timeline.between import Change
from monitor.timeline.marking import Marks, gravest, marks_of
from monitor.timeline.places import Extent
from monitor.timeline.recall import LARGEST, ReadSpan, Recall
from monitor.timeline.rows import NAMELESS, Brief, Edit, Names, Row, RowKind
from monitor.timeline.sieve import Sieve
from monitor.timeline.sifting import Sifting
from monitor.timeline.stored import Stored
from monitor.timeline.timeline import Timeline
from monitor.timeline.vocabulary import own_words, packages
from monitor.timeline.wording import Words, several, word

_LONG = 128 << 10
"""Bytes of a row that are read back in a moment: about five milliseconds."""
_HEAD = 64 << 10
"""Bytes of a text in pieces that its row is made from."""
_MANY = 200
"""Changes that are read back in a moment."""
_NAMED = 12
"""Files named in a row of several changes: more stand in no line."""
_SPOKEN = (Thought, Said)


class TimelineRows:
    """The timeline with its texts; any thread may read it."""

    def __init__(self, timeline: Timeline, read: ReadSpan, decoder: Callable[[], Decoder]) -> None:
        self._timeline = timeline
        self._read = read
        self._decoder = decoder
        self._recall = Recall(read, decoder)
        self._own: OrderedDict[int, Event] = OrderedDict()
        self._marks: Marks = {}
        self._marking = 0
        self._running = True
        """Whether a result may still come."""

    def __len__(self) -> int:
        return len(self._timeline)

    @property
    def version(self) -> int:
        """Another number whenever a row already given may now say something else."""
        return self._timeline.version + self._marking

    def revised(self, since: int) -> Iterable[int]:
        """The rows of which another text or outcome was told since that version, by number."""
        return self._timeline.revised(max(since - self._marking, 0))

    def returned(self, first: int, last: int) -> Iterable[int]:
        """The rows whose result is one of the events `first` to `last`, and perhaps some beside them."""
        return self._timeline.returned(first, last)

    def sift(self, words: Iterable[str], names: Names = NAMELESS) -> Callable[[int], bool]:
        """Tells of a row, by its number, whether its texts may hold all these words; only no is certain."""
        own = own_words(*sorted(packages(self._decoder())))
        named = "\n".join(f"{one.name}\n{one.path or ''}" for one in self._recall.inputs).casefold()
        sieve = Sieve(words, f"{own}\n{named}")
        return Sifting(sieve, self._timeline.spans, lambda: self._recall.inputs, self._read, self._own, names=names)

    def long(self, ref: int) -> bool:
        """Whether reading the row's texts back takes more than a moment."""
        spans = self._timeline.spans(ref)
        return max(spans.length, spans.result_length) > _LONG or len(self._several(ref, None)) > _MANY

    def know(self, inputs: Sequence[Input]) -> None:
        """The run's inputs, as they are found."""
        self._recall.inputs = inputs

    def keep(self, event: Event) -> None:
        """Hold an event that stands in no input; the latest 20,000 are kept."""
        self._own[event.seq] = event
        if len(self._own) > 20_000:
            self._own.popitem(last=False)

    def run_on(self, running: bool) -> None:
        """Whether a result may still come: where none will, a call is not running any more."""
        self._marking += running != self._running
        self._running = running

    def mark(self, snapshot: Snapshot) -> None:
        """Let rows carry the level of the findings they prove, and claims what became of them."""
        marks = self.marks(snapshot)
        if marks != self._marks:
            self._marks = marks
            self._marking += 1

    def marks(self, snapshot: Snapshot) -> Marks:
        """What the rows carry at a moment of the run."""
        return marks_of(snapshot, self._timeline.home)

    @property
    def extent(self) -> Extent:
        """Which numbers the rows have."""
        return self._timeline.extent()

    def extent_at(self, until: int) -> Extent:
        """Which rows there were before the event `until`."""
        return self._timeline.extent(until)

    def still(self, snapshot: Snapshot) -> PastRows:
        """The rows as they were at the moment of a snapshot, whatever comes."""
        return PastRows(self, Moment(Playback(count=snapshot.seq + 1), snapshot))

    def ref(self, index: int, extent: Extent | None = None) -> int:
        """The number of the row at an index; `extent` of the rows at a moment."""
        return self._timeline.ref(index, extent or self._timeline.extent())

    def index(self, ref: int, extent: Extent | None = None) -> int | None:
        """Where the row of that number stands, if it is there; `extent` of the rows at a moment."""
        return self._timeline.index(ref, extent or self._timeline.extent())

    def ref_of(self, seq: int, until: int | None = None) -> int | None:
        """The row that shows the event `seq`; `until` a seq, as it was before that event."""
        return self._timeline.ref_of(seq, until)

    def brief(self, ref: int, until: int | None = None) -> Brief:
        """What is known of a row without its texts; `until` a seq, as it was before that event."""
        return self._timeline.brief(ref, until)

    def row(self, ref: int, until: int | None = None, marks: Marks | None = None) -> Row:
        """The row of that number, its texts read back; `until` a seq, as it was before that event, with its `marks` then."""
        whole = self._timeline[ref]
        stored = whole if until is None else self._timeline.at(ref, until)
        changes = self._several(ref, until)
        if changes:
            words = self._summed(changes, until)
        else:
            event, result = self._events(stored, _HEAD)
            words = word(event, result, running=stored.result is None and (self._running or whole.result is not None))
        found = self._marks if marks is None else marks
        seqs = (stored.result_seq, stored.told, stored.seq, *(one.seq for one in changes))
        mark = gravest(*(found[seq] for seq in seqs if seq in found))
        return Row(
            ref=ref,
            seq=stored.seq,
            kind=stored.kind,
            text=words.text,
            outcome=words.outcome or mark.words,
            at=stored.at,
            took=stored.took,
            level=_level(stored, words, mark.level),
            actor=stored.actor,
            turn=stored.turn,
            copied=stored.copied,
            path=words.path,
        )

    def edits(self, ref: int, until: int | None = None) -> Sequence[Edit]:
        """The changes that a row of several stands for; `until` a seq, as it was before that event."""
        told = [(self._changed(one), one.outside(until)) for one in self._several(ref, until)]
        return [Edit(event, outside) for event, outside in told if event is not None]

    def _several(self, ref: int, until: int | None) -> Sequence[Change]:
        """The changes of a row that stands for more than one."""
        changes = self._timeline.between.changes(ref, until)
        return changes if len(changes) > 1 else ()

    def _changed(self, change: Change) -> FileChanged | None:
        """A change read back."""
        event, _ = self._events(self._timeline.between.change(change), _HEAD)
        return event if isinstance(event, FileChanged) else None

    def _summed(self, changes: Sequence[Change], until: int | None) -> Words:
        """The words of several changes: of those from outside, or of all where none is."""
        shown = [one for one in changes if one.outside(until)] or changes
        by_name = {one.name: one for one in reversed(shown)}
        first = [event.file for one in list(reversed(by_name.values()))[:_NAMED] if (event := self._changed(one))]
        whats = {one.what for one in shown}
        return several(first, len(by_name), whats.pop() if len(whats) == 1 else "changed")

    def events(self, ref: int, until: int | None = None) -> tuple[Event | None, ToolReturned | None]:
        """The event behind a row and, for a call, its result."""
        return self._events(self._timeline[ref] if until is None else self._timeline.at(ref, until), LARGEST)

    def _events(self, stored: Stored, most: int) -> tuple[Event | None, ToolReturned | None]:
        event = self._own.get(stored.told) or self._find(stored.place, stored.kind, most if stored.pieces else 0)
        if stored.result is None:
            return event, None
        found = self._own.get(stored.result_seq) or self._find(stored.result, "result")
        result = found if isinstance(found, ToolReturned) else None
        return (event if isinstance(event, ToolCalled) else result), result

    def _find(self, place: Place, kind: RowKind | str, pieces: int = 0) -> Event | None:
        """The event of a kind at a place, decoded anew; of a text in pieces, from that many bytes at most."""
        if pieces:
            place = msgspec.structs.replace(place, length=min(place.length, pieces))
        events = self._recall.decode(place)
        if pieces:
            return _joined(events, kind)
        wanted = _TYPES.get(kind)
        fitting = [event for event in events if wanted is None or isinstance(event, wanted)]
        if wanted is None:
            fitting = [
                event for event in events if not isinstance(event, (*_SPOKEN, ToolCalled, ToolReturned))
            ] or fitting
        exact = [event for event in fitting if (event.place.line, event.place.item) == (place.line, place.item)]
        return next(iter(exact or fitting), None)


_TYPES: dict[str, tuple[type, ...]] = {
    "thought": (Thought,),
    "said": (Said,),
    "claim": (Said, RequestEnded),
    "result": (ToolReturned,),
} | dict.fromkeys(
    ("read", "search", "write", "shell", "fetch", "delegate", "ask", "plan", "poll", "finish", "call"),
    (ToolCalled, ToolReturned),
)


def _level(stored: Stored, words: Words, found: str) -> str:
    """That of what was found there, unless the row itself is more than a note."""
    if stored.kind == "outside" and found in ("", "note"):
        return "outside"
    if found:
        return found
    failed = stored.outcome not in (None, "ok") or words.outcome in ("failed", "not readable")
    if stored.kind == "shell" and words.outcome.startswith("exit "):
        failed = failed or words.outcome != "exit 0"
    return "note" if failed else ""


def _joined(events: tuple[Event, ...], kind: str) -> Event | None:
    """The pieces of one text, put together: those of the message and part of the first."""
    wanted = _TYPES.get(kind, _SPOKEN)
    pieces = [event for event in events if isinstance(event, _SPOKEN) and isinstance(event, wanted)]
    if not pieces:
        return None
    first = pieces[0]
    same = [one for one in pieces if (one.actor, one.message, one.part) == (first.actor, first.message, first.part)]
    made = type(first)
    return made(text="".join(one.text for one in same), message=first.message, part=first.part, place=first.place)
