"""The loop rules of other agents, written from their published descriptions alone, over our events.

Each takes in one event after the other and says whether it would have spoken. Where a description leaves something
open, the reading that is kindest to the rule is taken, and named.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

from monitor.events import Event, Noticed, Prompted, ReplyEnded, Said, Thought, ToolCalled, ToolReturned

_FAILED = ("failed", "timed_out", "not_executed")


class Rule(Protocol):
    """A rule of another agent's."""

    def feed(self, event: Event) -> bool:
        """Take in one event; whether the rule speaks now."""
        ...


class InARow:
    """The same tool with the same arguments so many times in a row.

    Cline warns its model at 3 and stops at 5 (cline/cline pull request 9933). Roo Code asks its user at its limit, 3
    unless set otherwise (RooCodeInc/Roo-Code pull request 5752). Goose takes a number from its user. A call written
    by the model in pieces counts once, when it is whole.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._latest: tuple[str, str] = ("", "")
        self._count = 0
        self._seen: set[str] = set()

    def feed(self, event: Event) -> bool:
        if isinstance(event, Prompted) and event.by == "user":
            self._count = 0
        if not isinstance(event, ToolCalled) or event.partial or event.call in self._seen:
            return False
        self._seen.add(event.call)
        same = asked(event) == self._latest
        self._latest, self._count = asked(event), self._count + 1 if same else 1
        return self._count >= self._most


class Chanting:
    """gemini-cli: 5 identical calls in a row, or one piece of 50 characters 10 times, close together.

    Close together: at most 5 times the piece's length apart on average, in the last 5,000 characters, once 1.5 times in
    1,000 (google-gemini/gemini-cli pull request 12505). The text between the pieces must repeat as well, which is read
    here as at most 5 different ones (18975). Code blocks are skipped, and what was counted is forgotten at their fences,
    at tables, lists, headings and quotes (5144), and at a call (23101); dividers are skipped (6893). It hears answers
    alone; here it may hear the thinking too.
    """

    _PIECE, _TIMES, _HISTORY, _APART, _DIFFERENT = 50, 10, 5_000, 5, 5
    _MARKS = re.compile(r"^\s*(?:```|\|.*\||[-*+]\s|\d+\.\s|#{1,6}\s|>)")
    _DIVIDER = re.compile(r"[\s|+=_*\-\u2500-\u257f]+\Z")

    def __init__(self) -> None:
        self._calls = InARow(5)
        self._history = ""
        self._passed = 0
        self._at: dict[str, list[int]] = defaultdict(list)
        self._in_code = False

    def feed(self, event: Event) -> bool:
        match event:
            case ToolCalled():
                self._forget()
            case Said() | Thought() if event.text:
                return self._chants(event.text)
            case Prompted(by="user"):
                self._forget()
            case _:
                pass
        return self._calls.feed(event)

    def _chants(self, text: str) -> bool:
        return any(self._line(line) for line in text.splitlines(keepends=True))

    def _line(self, line: str) -> bool:
        """A line, or the piece of one that a streamed text ends in; whether it chants."""
        fences = line.count("```")
        if fences or self._MARKS.match(line):
            self._forget()
        inside = self._in_code or fences > 0
        self._in_code ^= bool(fences % 2)
        return not inside and any(self._more(one) for one in line)

    def _more(self, character: str) -> bool:
        """One more character; whether the piece that it ends is chanted."""
        self._history = (self._history + character)[-self._HISTORY :]
        self._passed += 1
        piece = self._history[-self._PIECE :]
        if len(piece) < self._PIECE or self._DIVIDER.match(piece):
            return False
        at = self._at[piece]
        at.append(self._passed)
        last = [one for one in at if one > self._passed - len(self._history)][-self._TIMES :]
        self._at[piece] = last
        if len(last) < self._TIMES or (last[-1] - last[0]) / (self._TIMES - 1) > self._APART * self._PIECE:
            return False
        start = self._passed - len(self._history)
        between = {self._history[one - start : two - start] for one, two in pairwise(last)}
        return len(between) <= self._DIFFERENT

    def _forget(self) -> None:
        self._history = ""
        self._at.clear()


class Stuck:
    """OpenHands' stuck detector, over what came after the latest words of the user.

    The same action with the same observation 4 times; the same action with an error 3 times; 3 messages of the agent
    in a row; two pairs of action and observation in turn for 6 steps; errors of the context window over and over,
    which are read here as 2 in a row (docs.openhands.dev/sdk/guides/agent-stuck-detector; the numbers of steps are
    told in OpenHands/software-agent-sdk issue 762).
    """

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._pairs: deque[tuple[tuple[str, str], str, bool]] = deque(maxlen=6)
        self._called: dict[str, ToolCalled] = {}
        self._saying = ""
        """The message that has said something and called nothing so far."""
        self._messages = 0
        self._overflows = 0

    def feed(self, event: Event) -> bool:
        match event:
            case Prompted():
                self._messages = 0
                if event.by == "user":
                    self._forget()
            case ToolCalled():
                self._called[event.call] = event
                self._saying, self._messages, self._overflows = "", 0, 0
            case ToolReturned() if event.call in self._called:
                self._pairs.append((asked(self._called.pop(event.call)), event.output, event.outcome in _FAILED))
                return self._repeats()
            case Said() if event.text.strip() and not event.synthetic:
                self._saying = event.message
            case ReplyEnded() if self._saying:
                self._saying = ""
                self._messages += 1
                return self._messages >= 3
            case Noticed(kind="compaction"):
                self._overflows += 1
                return self._overflows >= 2
            case _:
                pass
        return False

    def _repeats(self) -> bool:
        pairs = list(self._pairs)
        four, three = pairs[-4:], pairs[-3:]
        if len(four) == 4 and len({pair[:2] for pair in four}) == 1:
            return True
        if len(three) == 3 and all(failed for *_, failed in three) and len({pair[0] for pair in three}) == 1:
            return True
        even, odd = {pair[:2] for pair in pairs[::2]}, {pair[:2] for pair in pairs[1::2]}
        return len(pairs) == 6 and len(even) == len(odd) == 1 and even != odd


def asked(call: ToolCalled) -> tuple[str, str]:
    """What makes a call the same as another."""
    return call.tool, call.arguments or repr((call.command, call.url, call.paths, call.changes))


RULES: dict[str, Callable[[], Rule]] = {
    "3 identical calls in a row (Cline warns, Roo Code asks)": lambda: InARow(3),
    "5 identical calls in a row (Cline stops)": lambda: InARow(5),
    "gemini-cli: 5 identical calls, or chanting": Chanting,
    "OpenHands: stuck detector": Stuck,
}
"""By the name that the table gives them."""


def speaks(rule: Rule, events: tuple[Event, ...]) -> bool:
    """Whether a rule speaks anywhere in what the root session did."""
    return any(rule.feed(event) for event in events if not event.actor and not event.copied)
