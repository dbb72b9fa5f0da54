"""Replies whose thinking, or answer, goes in circles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from monitor.actions import Want
from monitor.detectors.density_history import DensityHistory
from monitor.detectors.docket import Docket
from monitor.detectors.numbers import DEFAULTS, ThinkingNumbers
from monitor.detectors.reply_text import ReplyText
from monitor.detectors.sentences import WINDOW
from monitor.detectors.thinking_advice import advice, message
from monitor.detectors.thinking_view import FLAGS, NOSPOT, ThinkingFlag, ThinkingView, Where
from monitor.detectors.voice import Voice
from monitor.events import Acted, Event, Noticed, Prompted, ReplyEnded, Said, Thought, ToolReturned
from monitor.findings import Finding, Level, Spot
from monitor.text import line, shorten

_VOICES = 32
"""Actors whose open reply is remembered."""
_CIRCLED = re.compile(
    r"\bin circles\b|\bcircl(?:es|ed|ing)\b|same thoughts|repeat(?:s|ed|ing) itself|chanting", re.IGNORECASE
)
_SPOKEN = (Thought, Said)
_EITHER = re.compile(r"circles or ")
"""A note on all replies of a request that leaves open which of them circled, if any."""


class Thinking:
    """Judges each actor's replies sentence by sentence as they stream; a reply is flagged once."""

    name = "thinking"
    reads: tuple[type[Event], ...] = (Prompted, Thought, Said, ReplyEnded, ToolReturned, Noticed, Acted)

    def __init__(self, numbers: ThinkingNumbers = DEFAULTS.thinking) -> None:
        self._numbers = numbers
        self._request = 0
        self._voices: dict[str, Voice] = {}
        self._speaking: ReplyText | None = None
        """The text that grew last."""
        self._characters = self._said = 0
        self._history = DensityHistory()
        self._flags: dict[int, ThinkingFlag] = {}
        self._flagged = 0
        """Flags ever raised: the number of the next."""
        self._noted = 0
        self._docket = Docket()
        self._view: ThinkingView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied:
            return ()
        if event.request > self._request:
            self._begin(event)
        if isinstance(event, _SPOKEN):
            if not event.synthetic:
                self._spoken(event)
        elif isinstance(event, Noticed):
            if (
                event.kind == "guard"
                and _CIRCLED.search(f"{event.name} {event.text}")
                and not _EITHER.search(event.text)
            ):
                self._noticed(event)
        elif isinstance(event, Acted):
            if event.action == "settle" and event.receipt == "done" and self._docket.settle(event):
                self._view = None
        elif (voice := self._voices.get(event.actor)) is not None:
            voice.over = True
        return ()

    def view(self) -> ThinkingView:
        """What is known now."""
        if self._view is None:
            self._weigh()
            self._view = ThinkingView(
                self._characters,
                self._said,
                self._speaking.density if self._speaking else None,
                self._history.last,
                self._history.peak,
                self._history.samples,
                (self._numbers.circles or WINDOW) / WINDOW,
                tuple(self._flags.values()),
                self._noted,
                self._docket.findings(),
            )
        return self._view

    def copy(self) -> Thinking:
        """Another that goes on from here."""
        other = Thinking()
        other.__dict__.update(self.__dict__)
        other._voices = {actor: voice.copy() for actor, voice in self._voices.items()}
        other._history, other._docket, other._flags = self._history.copy(), self._docket.copy(), dict(self._flags)
        other._speaking = self._speaking.copy() if self._speaking else None
        for actor, voice in self._voices.items():
            if self._speaking in (voice.thinking, voice.answer):
                twin = other._voices[actor]
                other._speaking = twin.thinking if self._speaking is voice.thinking else twin.answer
        return other

    def _begin(self, event: Event) -> None:
        """A new request: what was found in the last one is over."""
        self._request, self._view = event.request, None
        self._docket.close(event.seq)
        for voice in self._voices.values():
            voice.circled = 0

    def _spoken(self, event: Thought | Said) -> None:
        voice = self._voices.get(event.actor) or self._voice(event.actor)
        if (event.turn != voice.turn or event.message != voice.message or voice.over) and not voice.takes(event):
            return
        thinks = isinstance(event, Thought)
        text = voice.thinking if thinks else voice.answer
        if text is not self._speaking:
            self._weigh()
            self._speaking = text
        self._view = None
        grown = text.length
        judged = (
            text.piece(event.part, event.text) if event.delta else text.whole(event.part, event.text, cut=event.cut)
        )
        if thinks:
            self._characters += text.length - grown
        else:
            self._said += text.length - grown
        if judged or voice.flag is not None:
            self._judged(voice, text, event)

    def _judged(self, voice: Voice, text: ReplyText, event: Thought | Said) -> None:
        """Something was found in a text, if only its density; a flagged one goes on."""
        self._weigh()
        where: Where = "thinking" if text is voice.thinking else "answer"
        if text.found and voice.flag is None:
            self._flag(voice, event, ThinkingFlag(NOSPOT, text.found.rule, text.found.at, 0, text.found.text, where))
        number = voice.flag
        if number in self._flags and self._flags[number].where == where and self._flags[number].rule != "harness":
            self._flags[number] = replace(self._flags[number], of=text.length)

    def _weigh(self) -> None:
        """Take over the densities of the text that grew last."""
        if self._speaking is not None:
            self._speaking.judge()
            for density in self._speaking.told:
                self._history.add(density)
            self._speaking.told.clear()

    def _noticed(self, event: Noticed) -> None:
        """The agent's own guard dropped a reply: the one flagged just now, or one that left only this note."""
        voice = self._voices.get(event.actor) or self._voice(event.actor)
        self._noted, self._view = self._noted + 1, None
        if voice.flag is None or voice.noted:
            self._flag(voice, event, ThinkingFlag(NOSPOT, "harness", text=shorten(line(event.text), 300)))
        if voice.flag in self._flags:
            self._flags[voice.flag] = replace(self._flags[voice.flag], theirs=True)
        voice.noted = voice.over = True

    def _flag(self, voice: Voice, event: Thought | Said | Noticed, flag: ThinkingFlag) -> None:
        """One flag a reply: the first of a request is a warning, the next a stop."""
        spot = Spot(event.seq, event.place.input, event.place.line)
        flag = replace(flag, spot=spot, actor=event.actor, at=event.at, request=self._request)
        voice.flag, voice.circled = self._flagged, voice.circled + 1
        self._flags[self._flagged] = flag
        self._flagged += 1
        if len(self._flags) > FLAGS:
            del self._flags[next(iter(self._flags))]
        level: Level = "stop" if self._numbers.stop and voice.circled >= self._numbers.stop else "warn"
        places = [one.spot for one in self._flags.values() if (one.actor, one.request) == (event.actor, self._request)]
        self._docket.put(
            Finding(
                self.name,
                "circles",
                level,
                message(flag, level, voice.circled, self._numbers),
                advice(flag, voice.circled),
                actor=event.actor,
                request=self._request,
                opened=event.seq,
                raised=event.seq,
                places=tuple(places),
                figure=f"×{voice.circled}",
            )
        )

    def _voice(self, actor: str) -> Voice:
        if len(self._voices) >= _VOICES:
            del self._voices[next(key for key in self._voices if key)]
        voice = self._voices[actor] = Voice(self._numbers)
        return voice
