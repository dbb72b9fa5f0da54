"""What the tests detector shows."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.findings import Finding, Spot


@dataclass(frozen=True, slots=True)
class TestsView:
    """Whether the last test came after the last edit."""

    last_edit: Spot | None = None
    last_test: Spot | None = None
    stale: bool | None = None
    """None where no test was run."""
    edited: str = ""
    """The file edited last, as people read it; empty where a command does not name it."""
    command: str = ""
    """The test run last, in a few words."""
    findings: tuple[Finding, ...] = ()
