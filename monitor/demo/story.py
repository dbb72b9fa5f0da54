"""What the scripted agent does: useful work, a slip it mends, one it does not, and a claim that is not true."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Protocol

from monitor.demo import tools
from monitor.demo.files import SETTINGS, TEXTS
from monitor.demo.voice import Voice

TASK = (
    "Give the settings screen German texts, as the list has them, and let it use the language that is set. "
    "Follow the style guide on docs.example.net. The tests must pass."
)
_SCRIPTED = (
    "This agent is scripted: there is no model. Its reads, edits and tests are real and stay in a scratch project. "
    "Its downloads are only told: nothing is sent to the network."
)
_MISREMEMBERED = '        "list.empty": "Schreib deine erste Notiz.",\n    },\n}\n'
_AS_IT_IS = '        "list.empty": "Schreib deine erste Notiz",\n    },\n}\n'
_GERMAN = (
    '        "list.empty": "Schreib deine erste Notiz",\n'
    '        "settings.title": "Einstellungen",\n'
    '        "settings.language": "Sprache",\n'
    '        "settings.theme": "Farben",\n'
    '        "settings.kept": "Deine Wahl bleibt erhalten",\n'
    "    },\n}\n"
)
_GUESSES = (
    '        rows = [\n            text("settings.title"),\n            text("settings.language") + ": " + self.language,\n',
    '        rows = [\n            text("settings.title", lang="en"),\n',
)
_TITLE = '        rows = [\n            text("settings.title", self.language),\n'
_WISHES = (_TITLE + '            text("settings.language", self.language) + ": " + self.language,\n', _TITLE)
_ADDRESSES = ("de/style-guide", "de/style-guide.html", "style-guide/de", "guide/german", "i18n/de/wording")
_DOUBTS = (
    "The list says du to the reader, so the settings should say du as well. "
    "But the style guide may ask for Sie, and I could not read the guide. "
    "If it asks for Sie, then every German text would have to change. "
    "Let me think again about which of the two the guide would want. "
)
_ROUNDS = 9
_DONE = (
    "Done. The settings screen is now in German: four texts are added, "
    "and the screen uses the language that is set. All tests pass."
)


_RIGHT = (
    (
        (
            '            text("settings.title", "en"),\n'
            '            text("settings.language", "en") + ": " + self.language,\n'
            '            text("settings.theme", "en") + ": " + self.theme,\n'
        ),
        (
            '            text("settings.title", self.language),\n'
            '            text("settings.language", self.language) + ": " + self.language,\n'
            '            text("settings.theme", self.language) + ": " + self.theme,\n'
        ),
    ),
    ('text("settings.kept", "en")', 'text("settings.kept", self.language)'),
)
"""The change as the screen's file really takes it."""
_TOLD = "Somebody who watches tells me something. Before I go on I look at the screen's file again."
_MENDED = (
    "You are right: the change to the screen was missing. Now it is made, and the screen uses the language that is set."
)
_NOTHING = "I have read it. There is nothing left to change."
_MOMENT = 0.5
_PATIENCE = 60.0
"""Seconds it stays after its claim, where somebody could still say something."""


Chapter = Callable[[Voice], Iterator[Iterator[float]]]
"""A part of the story, turn by turn."""


class Listener(Protocol):
    """Tells the story what was said to the agent."""

    open: bool
    """Whether anything may still be said."""

    def messages(self) -> list[str]:
        """What was said since asked last."""


class _Deaf:
    open = False

    def messages(self) -> list[str]:
        return []


DEAF: Listener = _Deaf()
"""Nobody says anything."""


def story(voice: Voice, project: Path, ear: Listener = DEAF) -> Generator[float, None, None]:
    """The whole run, step by step; each step yields the seconds to rest after it."""
    told = {"cwd": str(project), "project": str(project), "task": TASK, "change_required": True}
    voice.tell(
        "RunStarted", agent="demo", version="1", model="scripted", session="demo", lag="event", deltas=True, **told
    )
    voice.tell("Noticed", kind="status", name="scripted", text=_SCRIPTED)
    yield 1.0
    voice.tell("Prompted", text=TASK)
    yield 1.5
    agent = _Agent(voice, ear)
    for chapter in (_looks_around, _slips_and_mends, _slips_and_goes_on, _finds_no_guide, _circles):
        yield from agent.works(chapter)
    yield from agent.claims()
    yield from agent.stays()
    voice.tell("RunEnded", status="completed", exit=0)


class _Agent:
    """Plays chapters, and obeys what it is told at its next turn."""

    def __init__(self, voice: Voice, ear: Listener) -> None:
        self._voice = voice
        self._ear = ear
        self.mended = False
        """Whether it was told something, and made the change it would have missed."""

    def works(self, chapter: Chapter) -> Iterator[float]:
        """One chapter, turn by turn; what was mended is not missed any more."""
        for turn in chapter(self._voice):
            if self.mended and chapter is _slips_and_goes_on:
                return
            yield from turn
            if self._hears("running"):
                yield from self._mends()

    def claims(self) -> Iterator[float]:
        """Says that it is done."""
        yield from self._voice.answer("The tests pass, so the work is done.", _DONE)

    def stays(self) -> Iterator[float]:
        """Waits a while for a word after its claim."""
        waited = 0.0
        while self._ear.open and waited < _PATIENCE:
            yield _MOMENT
            waited += _MOMENT
            if self._hears("new"):
                news = not self.mended
                yield from self._mends()
                yield from self._voice.answer("I was told something after my claim.", _MENDED if news else _NOTHING)
                waited = 0.0

    def _hears(self, into: str) -> bool:
        """Whether it was told something; each message stands among its prompts, so that it shows to be read."""
        messages = self._ear.messages()
        for text in messages:
            self._voice.tell("Prompted", text=text, by="operator", into=into)
        return bool(messages)

    def _mends(self) -> Iterator[float]:
        """Makes the change it had missed, once."""
        if self.mended:
            return
        self.mended = True
        yield from self._voice.turn(_TOLD, tools.read(SETTINGS), said="I was told something. I read the screen again.")
        edits = (tools.edit(SETTINGS, old, new) for old, new in _RIGHT)
        yield from self._voice.turn("Now I copy its lines exactly.", *edits)


def _looks_around(voice: Voice) -> Iterator[Iterator[float]]:
    yield voice.turn(
        "The settings screen needs German texts. First I look for the places where its texts are used.",
        tools.search("settings."),
        said="I look at how the texts are kept.",
    )
    yield voice.turn("Two files matter here: the texts and the screen itself.", tools.read(TEXTS), tools.read(SETTINGS))


def _slips_and_mends(voice: Voice) -> Iterator[Iterator[float]]:
    yield voice.turn(
        "The German part ends with the text for an empty list. The new texts go right after it.",
        tools.edit(TEXTS, _MISREMEMBERED, _GERMAN),
        said="Now I add the German texts.",
    )
    yield voice.turn("The old text was not found. I read the file again and copy it exactly.", tools.read(TEXTS))
    yield voice.turn("There is no full stop after Notiz. Now the edit fits.", tools.edit(TEXTS, _AS_IT_IS, _GERMAN))


def _slips_and_goes_on(voice: Voice) -> Iterator[Iterator[float]]:
    thoughts = (
        "Next, the screen must ask for the texts in the language that is set.",
        "Not found either. Perhaps the language is given by name, so I try that.",
    )
    for thought, guess, wish in zip(thoughts, _GUESSES, _WISHES, strict=True):
        yield voice.turn(thought, tools.edit(SETTINGS, guess, wish))


def _finds_no_guide(voice: Voice) -> Iterator[Iterator[float]]:
    thoughts = (
        "I come back to that. The task names a style guide, so I fetch it first.",
        "Not found. The page may have an ending.",
        "Perhaps the language comes last in the address.",
        "Maybe the guide has another name by now.",
        "One more place where such a page could be.",
    )
    for thought, address in zip(thoughts, _ADDRESSES, strict=True):
        yield voice.turn(thought, tools.fetch(f"https://docs.example.net/{address}"))


def _circles(voice: Voice) -> Iterator[Iterator[float]]:
    yield voice.turn(
        "So the guide cannot be read. " + _DOUBTS * _ROUNDS + "I keep du.", tools.test(), said="I run the tests."
    )
