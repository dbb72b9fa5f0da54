"""The invented runs that the screens of the tests and of the README show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ui_differing import differing
from ui_ended import empty, ended
from ui_replay import replayed
from ui_runs import calm
from ui_samples import SampleSource, at
from ui_trouble import trouble

from monitor.snapshot import ActionFacts

WORDS = (
    "Line 59 of readings.py ends in two spaces, and line 61 calls as_row().",
    "Read the file again and copy those lines exactly.",
    "Take sqlite-extras from the mirror, not from wheels.example.org.",
)
"""What the operator writes."""
SENT = ActionFacts(
    "1",
    "feedback",
    "operator",
    "seen",
    "Keep the interface of the class.",
    steps=(("queued", at("15:02:02")), ("delivered", at("15:02:03")), ("seen", at("15:02:19"))),
)


def reached() -> SampleSource:
    """The run in trouble, with a channel that leads back to the agent."""
    source = trouble()
    source.cannot = {"continue": "it is not paused", "allow": "nothing waits", "deny": "nothing waits"}
    source.snapshot = replace(source.snapshot, actions=(SENT,))
    source.ends = (
        "lcode, process 48213, for 11m 36s",
        "  bash -c python -m pytest tests/storage, 48377, for 47s",
        "    python -m pytest tests/storage, 48402, for 47s",
    )
    return source


SCENES: dict[str, Callable[[], SampleSource]] = {
    "trouble": trouble,
    "calm": calm,
    "ended": ended,
    "empty": empty,
    "replay": replayed,
    "reached": reached,
}
NAMES = {" ": "space", ".": "full_stop", ",": "comma", "_": "underscore", "(": "left_parenthesis",
         ")": "right_parenthesis", "-": "minus", ":": "colon"}  # fmt: skip


def typed(words: str) -> tuple[str, ...]:
    """The keys that write a text."""
    return tuple(NAMES.get(sign, sign) for sign in words)


PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "trouble": ("trouble", ("n",)),
    "calm": ("calm", ()),
    "ended": ("ended", ("n",)),
    "empty": ("empty", ()),
    "replay": ("replay", ()),
    "differing": differing,
    "sites": ("reached", ("#sites",)),
    "thinking": ("reached", ("#thinking",)),
    "filter": ("reached", ("slash", *typed("failed kind:shell"))),
    "abort": ("reached", ("n", "A")),
    "feedback": ("reached", ("n", "f", *typed(WORDS[0]), "enter", *typed(WORDS[1]), "enter", *typed(WORDS[2]))),
}
"""Name to the run it shows and what is pressed; `#id` is the region that gets the focus."""
    "diff": ("differing", ("d", *["down"] * 4)),
