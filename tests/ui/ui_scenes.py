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

from monitor.processes.plan import Plan, ProcessRow, Step
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

ENDS = Plan(
    (
        ProcessRow(48213, "lcode acp", 696.0, 0, 48213, 48213),
        ProcessRow(48377, "bash -c cd ~/src/tidepool && python -m pytest tests/storage -q", 47.0, 1, 48377, 48377),
        ProcessRow(48402, "python -m pytest tests/storage -q", 46.4, 2, 48377, 48377),
    ),
    (
        Step("ask", "cancels the request, then closes its standard input"),
        Step("interrupt", "SIGINT to the agent, SIGTERM to what it leaves behind"),
        Step("terminate", "SIGTERM to the agent, SIGTERM to what it leaves behind", asked=True),
        Step("kill", "SIGKILL to all of them", asked=True),
    ),
)
"""What an abort would end."""


NOT_NOW = {"continue": "it is not paused", "allow": "nothing waits", "deny": "nothing waits"}
"""What cannot be done to a run that works, though a channel leads to its agent."""


def working() -> SampleSource:
    """The calm run, with such a channel."""
    source = calm()
    source.cannot = dict(NOT_NOW)
    return source


def reached() -> SampleSource:
    """The run in trouble, with a channel that leads back to the agent."""
    source = trouble()
    source.cannot = dict(NOT_NOW)
    source.snapshot = replace(source.snapshot, actions=(SENT,))
    source.ends = ENDS
    cuts = "cancels the running request, waits until it is cancelled, then asks with your words"
    source.ways = {"next": cuts, "now": cuts, "later": "as the next prompt, when the running request is over"}
    return source


def stopping() -> SampleSource:
    """The run while it is being aborted."""
    source = reached()
    told = ActionFacts(
        "2", "abort", "operator", "delivered",
        evidence="asked to cancel; 3 processes left: 48213 lcode acp, 48377 bash -c cd ~/src/tidepool, 48402 python",
        at=at("15:09:13"), steps=(("queued", at("15:09:13")), ("delivered", at("15:09:13"))),
        until=at("15:09:18"), then="SIGINT",
    )  # fmt: skip
    source.snapshot = replace(source.snapshot, actions=(*source.snapshot.actions, told))
    return source


SCENES: dict[str, Callable[[], SampleSource]] = {
    "trouble": trouble,
    "calm": calm,
    "ended": ended,
    "empty": empty,
    "replay": replayed,
    "working": working,
    "reached": reached,
    "stopping": stopping,
    "differing": differing,
}
NAMES = {" ": "space", ".": "full_stop", ",": "comma", "_": "underscore", "(": "left_parenthesis",
         ")": "right_parenthesis", "-": "minus", ":": "colon"}  # fmt: skip


def typed(words: str) -> tuple[str, ...]:
    """The keys that write a text."""
    return tuple(NAMES.get(sign, sign) for sign in words)


PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "trouble": ("reached", ("n",)),
    "calm": ("working", ()),
    "ended": ("ended", ("n",)),
    "empty": ("empty", ()),
    "overview": ("overview", ("down",)),
    "nobody": ("nobody", ()),
    "replay": ("replay", ()),
    "states": ("calm", ("@strips",)),
    "panels": ("calm", ("@panels",)),
    "sites": ("reached", ("#sites",)),
    "thinking": ("reached", ("#thinking",)),
    "filter": ("reached", ("slash", *typed("failed kind:shell"))),
    "abort": ("reached", ("n", "A")),
    "stopping": ("stopping", ()),
    "diff": ("differing", ("d", *["down"] * 4)),
    "feedback": ("reached", ("n", "f", *typed(WORDS[0]), "enter", *typed(WORDS[1]), "enter", *typed(WORDS[2]))),
}
"""Name to the run it shows and what is pressed; `#id` is the region that gets the focus, `@name` a page of its own."""
