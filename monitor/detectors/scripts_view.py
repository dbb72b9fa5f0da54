"""What the scripts detector shows."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.findings import Finding, Spot

SCRIPTS = 200
"""Scripts kept, the last."""


@dataclass(frozen=True, slots=True)
class ScriptEntry:
    """A shell script that this run wrote or edited."""

    key: str
    """The canonical path."""
    file: str
    """The path to show: relative to the project where it lies inside."""
    spot: Spot
    """Its last edit."""
    run: bool = False
    """It was run after its last edit."""
    how: str = ""
    """The command that ran it, and through what; empty while it was not run."""
    ran: Spot | None = None
    perhaps: str = ""
    """A command after the last edit that may have run it: the log does not show what that runs."""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A heredoc that never ended: the terminal waits for the rest, and the file is not written."""

    file: str
    """Empty where the command names none."""
    spot: Spot
    actor: str = ""


@dataclass(frozen=True, slots=True)
class ScriptsView:
    """The scripts of the run, and the writes that never happened."""

    scripts: tuple[ScriptEntry, ...] = ()
    """In the order of their first edit; the last 200."""
    unwritten: tuple[Unwritten, ...] = ()
    """Those that were not made up for."""
    findings: tuple[Finding, ...] = ()
