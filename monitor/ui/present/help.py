"""The help: keys, what each panel counts, when it speaks, what clears it, and the verdict's states."""

from __future__ import annotations

from monitor.ui.keys import GROUPS, KEYS
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
        "Will count different calls to a host that failed, while none got an answer.",
        "Does not speak yet: its detector is not built in.",
        "",
    ),
    (
        "Thinking",
        "Will show which share of the last sentences was thought before in the same reply.",
        "Does not speak yet: its detector is not built in.",
        "",
    ),
    (
        "Worktree",
        "Shows what in the project folder is another since the latest prompt or feedback, as measured.",
        "Speaks when done is claimed and nothing changed; says why where it could not be measured.",
        "Cleared by a change of content or history that is not all from outside.",
    ),
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


def parts() -> list[Part]:
    """The whole help, to be laid into any width."""
    return [*key_parts(), *panel_parts(), *state_parts(), *mark_parts()]


def key_parts() -> list[Part]:
    """Every key by its group."""
    found: list[Part] = []
    for group in GROUPS:
        found += [Part("what", group)]
        found += [Part("pair", f"{key.shown:<16}", key.help) for key in KEYS if key.group == group]
        found += [BLANK]
    return found


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
