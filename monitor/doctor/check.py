"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Health = Literal["ok", "note", "lack"]
"""`note`: worth knowing, and nothing is missing; `lack`: something does not work because of it."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it stands, and what to do where something is missing."""

    about: str
    """The section it belongs to: an agent's name, `machine`, `config`, `plug-ins`."""
    name: str
    health: Health
    words: str
    advice: str = ""
    """One line on what to do; empty where nothing is missing."""
