"""What the operator or a policy may do, as values; only the supervisor performs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verb = Literal["abort", "warn", "feedback", "settle", "allow", "deny", "pause", "continue", "measure", "refuse"]
"""`refuse`: not to let the agent stop, once, while a write is outstanding; with the subject `unchanged` also while
nothing has changed."""


Force = Literal["ask", "interrupt", "terminate", "kill"]
"""Asked by the agent's own protocol, SIGINT, SIGTERM, SIGKILL."""
When = Literal["now", "next", "later"]
"""Cutting off the turn that runs, at its next step, or when it is over."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do to a run."""

    id: str
    verb: Verb
    text: str = ""
    subject: str = ""
    """The finding's key, the call, or empty for the run as a whole."""
    by: Literal["operator", "policy"] = "operator"
    force: Force = "interrupt"
    """How hard an abort may become: what is gentler is tried before, each step after a wait."""
    when: When = "next"
    """When a message is to reach the model, as far as the channel can choose."""


Moment = Literal["start", "prompt", "turn", "claim", "end", "asked"]
"""When a measurement is taken."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A wish of the run: measure the project folder for the event `seq`."""

    when: Moment
    seq: int
    at: float | None = None
    """When that event happened, by its source."""


@dataclass(frozen=True, slots=True)
class Look:
    """A wish of the run: read `file` now, because the write `call` to it failed."""

    call: str
    file: str
    cwd: str
    guess: str
    new: str
    seq: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """A wish of the run: show the change of a file that was the event `seq` as one from outside, or as none after all."""

    seq: int
    outside: bool = True


Want = Measure | Look | Reveal
"""What `Run.feed` asks for: something to be found out and fed back as an event, or to be shown."""
