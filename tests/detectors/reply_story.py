"""Replies told piece by piece, for the tests of thinking."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from monitor.detectors.numbers import ThinkingNumbers
from monitor.detectors.thinking import Thinking
from monitor.events import Acted, Event, Noticed, Place, Prompted, ReplyEnded, Said, Thought
from monitor.findings import Finding

LOOP = (
    "Let me try to find the page with the right address.\nMaybe there is another way to get the package here.\n"
    "No, a completely different approach with the path option.\n"
)


class Replies:
    """Feeds a detector; each method tells a piece of a reply, or that it ended."""

    def __init__(self, **numbers: int) -> None:
        self.detector = Thinking(ThinkingNumbers(**numbers))
        self.events: list[Event] = []
        self.request = self.turn = 1

    def tell(self, event: Event) -> None:
        seq = len(self.events)
        event = replace(event, seq=seq, request=self.request, turn=self.turn, at=float(seq), place=Place(0, seq + 1))
        self.events.append(event)
        self.detector.feed(event)

    def think(self, text: str, size: int = 20, **more: Any) -> None:
        """Thinking, in pieces of so many characters."""
        for at in range(0, len(text), size):
            self.tell(Thought(text=text[at : at + size], delta=True, message=f"m{self.turn}", **more))

    def say(self, text: str, size: int = 20, **more: Any) -> None:
        for at in range(0, len(text), size):
            self.tell(Said(text=text[at : at + size], delta=True, message=f"m{self.turn}", part=1, **more))

    def end(self, **more: Any) -> None:
        """The reply is complete; the next one begins."""
        self.tell(ReplyEnded(message=f"m{self.turn}", **more))
        self.turn += 1

    def prompt(self) -> None:
        self.request += 1
        self.tell(Prompted(text="next"))

    def note(self, text: str, name: str = "") -> None:
        self.tell(Noticed(kind="guard", name=name, text=text))

    def settle(self, key: str) -> None:
        self.tell(Acted(id="a", action="settle", receipt="done", subject=key, text="seen"))

    def open(self) -> list[Finding]:
        return [finding for finding in self.detector.view().findings if finding.state == "open"]

    def rules(self) -> list[str]:
        return [flag.rule for flag in self.detector.view().flags]


def varied(count: int, seed: int = 1) -> str:
    """Sentences that say different things."""
    words = (
        "alpha", "module", "writes", "the", "gradle", "file", "into", "path", "resolve", "import", "class", "value", "first",
    )  # fmt: skip
    chance = random.Random(seed)
    return "".join(" ".join(chance.choices(words, k=chance.randint(6, 14))) + ".\n" for _ in range(count))
