"""The help: keys, what each panel counts, when it speaks, what clears it, and the verdict's states."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.ui.keys import GROUPS, Key
from monitor.ui.marks import STATES
from monitor.ui.present.parts import BLANK, Part

PANELS = (
    (
        "Failed writes",
        "Counts write calls of the agent's own file tools that failed and were not made since, file by file.",
        "Speaks at the first failure (note), at a claim of done (warn), at a second claim or the end (stop).",
        "Cleared by a later write to that file, by a person who denied it, or settled by you. Text never clears it.",
    ),
    (
        "Sites",
        "Counts the different calls of this request to a host that failed, while none got an answer.",
        "Speaks at 3 of them (warn), and says blocked at 5 (stop); a wanted login or a limit on requests stays a warning.",
        "Cleared by one answer: a host that answered in the request is not flagged in it.",
    ),
    (
        "Thinking",
        "Shows which share of the last 20 sentences of a reply was said 4 times or more in it, over the whole run.",
        "Speaks when 16 of 20 were, or a piece of text came 8 times in a row (warn); at a second reply it is a stop.",
        "Closed with the request.",
    ),
    (
        "Worktree",
        "Shows what in the project folder is another since the latest prompt or feedback, as measured.",
        "Speaks when done is claimed and nothing changed; says why where it could not be measured.",
        "Cleared by a change of content or history that is not all from outside.",
    ),
)
FILTER = (
    ("words", 'Stand in the row, its arguments or its output; "in quotes" as one.'),
    ("kind:write", "The kind of row, or its beginning; several mean any of them."),
    ("file:name", "A path or a command that holds the name."),
    ("site:host", "A call to the host, or one that failed for it."),
    ("failed", "A call that failed, was refused or not made, a check that failed, an exit code that is not 0."),
)
STATE_WORDS = {
    "failed": "The agent ended on an error.",
    "aborted": "Ended by you, or by the user.",
    "stopped": "A limit or gate of the agent's ended it.",
    "blocked": "A site no call could reach, or the agent says so.",
    "looping": "Circles, repeats or no progress at stop level, or the agent says so.",
    "not made": "Done is claimed, or the run has ended, with a failed write outstanding.",
    "unchanged": "Done is claimed, and nothing changed since the prompt.",
    "claimed": "Done is claimed, nothing is outstanding, but it could not be measured.",
    "changed": "Done is claimed and something changed: not proof that the task is done.",
    "running": "It works; nothing needs you.",
    "waiting": "It waits for you.",
    "unknown": "Nothing can be said, and the strip says why.",
}


def parts(keys: Sequence[Key]) -> list[Part]:
    """The whole help, to be laid into any width."""
    return [*key_parts(keys), *filter_parts(), *panel_parts(), *state_parts(), *mark_parts()]


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


def panel_parts() -> list[Part]:
    """What each panel says, and when."""
    found = [Part("what", "Panels")]
    for name, *sentences in PANELS:
        found += [Part("pair", f"{name:<16}", " ".join(filter(None, sentences)))]
    return [*found, BLANK]


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
