"""What one actor has done over and over again in the current request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from monitor.detectors.call_book import CallBook, Known, Made
from monitor.detectors.repeat_rules import CallCycle, Count, FailingCommands, NotExecuted, Progress, SameChange
from monitor.detectors.repeats_view import Rule

_RUNNING = 50
"""Background commands remembered of an actor."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule's count, after one more call or turn."""

    rule: Rule
    key: int
    """What is counted, among others of the rule."""
    count: Count
    failed: bool = False
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Over:
    """What a rule found is over: of one key, or of all."""

    rule: Rule
    why: str
    key: int | None = None
    other_than: int | None = None


class Habits:
    """The rules of repetition for one actor."""

    def __init__(self) -> None:
        self.running: dict[str, None] = {}
        """Its background commands that have not ended, as far as the source tells."""
        self.progress = Progress()
        self._book = CallBook()
        self._failing = FailingCommands()
        self._change = SameChange()
        self._cycle = CallCycle()
        self._refused = NotExecuted()
        self._batch: tuple[object, tuple[int, ...]] = (None, ())
        self._allowed: Counter[int] = Counter()

    def made(self, made: Made, batch: object) -> Iterator[Hit | Over]:
        """A call has its result; `batch` is the same for the calls of one message."""
        key = made.key
        if key is not None:
            before = self._batch[1] if self._batch[0] == batch else ()
            self._batch = batch, (*before, key)[-100:]
            if self._allowed[key] > 0:
                self._allowed[key] -= 1
                self.progress.excused()
                return
        if made.refused:
            if (count := self._refused.refused(made)) is not None and key is not None:
                yield Hit("not executed", key, count)
            return
        if made.executed and self._refused.executed():
            yield Over("not executed", "a call was executed")
        known = self._book.enter(made)
        yield from self._news(made, known)
        if key is not None:
            yield Hit("same call", key, Count(known.count, known.first, made.name), made.failed, made.cut)
        yield from self._commands(made)
        if made.write and made.ok:
            yield Over("same change", "another change was made", other_than=made.key or 0)
            yield Hit("same change", made.key or 0, self._change.made(made))
        if (rounds := self._cycle.made(made)) is not None:
            yield Hit("cycle of calls", hash(rounds.name), rounds, unsure=made.cut)

    def stirred(self) -> None:
        """Another actor may have changed something: what is seen again is seen anew."""
        self._book.stir()

    def warned(self) -> None:
        """A warning was delivered: the last batch may be made once more without being counted."""
        self._allowed = Counter(self._batch[1])

    def checked(self) -> Over:
        """A check of the harness failed: a new round of mending begins."""
        self._failing = FailingCommands()
        return Over("same failing command", "a check began a new round")

    def starts(self, call: str) -> None:
        """A command goes on in the background."""
        self.running[call] = None
        if len(self.running) > _RUNNING:
            del self.running[next(iter(self.running))]

    def renewed(self) -> Habits:
        """The habits at the beginning of the next request."""
        other = Habits()
        other.running = dict(self.running)
        return other

    def copy(self) -> Habits:
        """Another that goes on from here."""
        other = Habits()
        other.__dict__.update(self.__dict__)
        other.running, other._allowed = dict(self.running), Counter(self._allowed)
        other.progress, other._book, other._failing = self.progress.copy(), self._book.copy(), self._failing.copy()
        other._change, other._cycle, other._refused = self._change.copy(), self._cycle.copy(), self._refused.copy()
        return other

    def _news(self, made: Made, known: Known) -> Iterator[Over]:
        """What a new call, or a new result of an old one, puts an end to."""
        if known.new_call and made.ok:
            yield Over("same call", "a new call succeeded")
            yield Over("cycle of calls", "a new call succeeded")
        elif known.new_result and made.ok:
            yield Over("same call", "it had another result", key=made.key)
        ran = made.ok or made.ran
        moved = made.ok and made.net if made.write else ran and (known.new_call or known.new_result)
        if moved:
            if self.progress.moved():
                yield Over("no progress", "something new came")
        elif made.cut:
            self.progress.unsure = True

    def _commands(self, made: Made) -> Iterator[Hit | Over]:
        if made.command is None:
            return
        if made.broken:
            yield Hit("same failing command", made.command, self._failing.failed(made.command, made), unsure=made.cut)
        elif made.ok and self._failing.passed(made.command):
            yield Over("same failing command", "it passed", key=made.command)
