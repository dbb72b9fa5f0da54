"""The help: keys, what each detector counts, when it speaks, what clears it, its numbers, and the verdict's states."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.detectors.manual import RULES, counts, speaks
from monitor.detectors.numbers import DEFAULTS, Numbers, entries
from monitor.ui.keys import GROUPS, Key
from monitor.ui.marks import STATES
from monitor.ui.present.parts import BLANK, Part

CHANGE = (
    "Numbers stand in config.toml in your config folder, under the names below: [detectors.sites], then warn = 4. Counts are"
    " whole, times are seconds, 0 turns off what a number is for. A project's own files are never asked."
)
FILTER = (
    ("words", 'Stand in the row, its arguments or its output; "in quotes" as one.'),
    ("kind:write", "The kind of row, or its beginning; several mean any of them."),
    ("file:name", "A path or a command that holds the name."),
    ("site:host", "A call to the host, or one that failed for it."),
    ("failed", "A call that failed, was refused or not made, a check that failed, an exit code that is not 0."),
    ("-kind:said", "A minus before any of these leaves out what it would find: -word, -file:name, -failed."),
)
STATE_WORDS = {
    "failed": "The agent ended on an error.",
    "aborted": "Ended by you, by your policy, or by the user at the agent.",
    "stopped": "A limit or a hook of the agent's own ended it.",
    "blocked": "A site no call could reach, or the agent says so.",
    "looping": "Circles, repeats or no progress at stop level, or the agent says so.",
    "not made": "Done is claimed, or the run has ended, with a failed write outstanding.",
    "unchanged": "Done is claimed, and nothing changed since the prompt, or only others changed anything.",
    "claimed": "Done is claimed, nothing is outstanding, but it could not be measured.",
    "changed": "Done is claimed and something changed: not proof that the task is done.",
    "running": "It works; nothing needs you.",
    "waiting": "It waits for you.",
    "unknown": "Nothing can be said, and the strip says why.",
}


def parts(keys: Sequence[Key], numbers: Numbers = DEFAULTS) -> list[Part]:
    """The whole help, with the numbers in force, to be laid into any width."""
    return [*key_parts(keys), *filter_parts(), *detector_parts(numbers), *state_parts(), *mark_parts()]


def key_parts(keys: Sequence[Key]) -> list[Part]:
    """Every key by its group."""
    found: list[Part] = []
    for group in GROUPS:
        found += [Part("what", group)]
        found += [Part("pair", f"{key.shown:<16}", key.help) for key in keys if key.group == group]
        found += [BLANK]
    return found


def filter_parts() -> list[Part]:
    """What a filter is made of."""
    found = [Part("pair", f"{name:<16}", words) for name, words in FILTER]
    return [Part("what", "Filter: all of it must hold"), *found, BLANK]


def detector_parts(numbers: Numbers) -> list[Part]:
    """What each detector counts, when it speaks, what clears it, and how its numbers are changed."""
    found = [Part("what", "Detectors: what is found, and how to change it"), Part("text", CHANGE)]
    for detector, rule in RULES.items():
        found += [
            Part("pair", f"{rule.title:<16}", f"Counts {counts(detector, numbers)}."),
            Part("pair", f"{'':<16}", f"Speaks: {speaks(detector, numbers)}."),
            Part("pair", f"{'':<16}", f"Cleared by {rule.cleared}."),
            Part("pair", f"{'':<16}", f"[detectors.{detector}] {_numbers(detector, numbers)}"),
        ]
    return [*found, BLANK]


def _numbers(detector: str, numbers: Numbers) -> str:
    """The numbers in force; those that are not the defaults say so."""
    told = []
    for one in entries(numbers):
        if one.detector == detector:
            default = "" if one.value == one.default else f" (else {one.default:g})"
            told.append(f"{one.name} = {one.value:g}{default}")
    return ", ".join(told)


def state_parts() -> list[Part]:
    """The verdict's states; the first that holds is shown."""
    states = [Part("pair", f"{state.upper():<16}", STATE_WORDS[state]) for state in STATES]
    return [Part("what", "Verdict: the first that holds"), *states, BLANK]


def mark_parts() -> list[Part]:
    """The marks of the timeline and the panels."""
    meanings = (
        ("stop", "act now"), ("warn", "look soon"), ("outside", "not by the agent"),
        ("note", "worth knowing"), ("ok", "made, answered, holds"),
    )  # fmt: skip
    return [Part("what", "Marks"), *[Part("level", words, level=level) for level, words in meanings]]
