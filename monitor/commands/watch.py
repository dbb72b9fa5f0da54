"""`monitor watch`: follow a run without a screen."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from monitor.commands.output import emit, warn_of_config
from monitor.commands.rehearse import over, rehearse
from monitor.errors import FINDING, MonitorError
from monitor.opening import deputed, opened
from monitor.policy.rules import Decision
from monitor.report.build import Limit, action_row, build, decision_row, fails, finding_row, verdict_part
from monitor.report.habits import numbers
from monitor.report.redact import Redactor
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor

_PACE = 0.1
"""Seconds between two looks at the snapshot."""


def follow(
    target: str, *, fail_on: Limit, project: Path | None, redact: bool, policy: str | None = None, dry: bool = False
) -> int:
    """Print what is new until the run ends; the exit code says whether a finding reached `fail_on`.

    A `policy` acts meanwhile, or when `dry` only says what it would have done: then nothing else is printed.
    """
    warn_of_config()
    deputy, teller = deputed(policy, dry=dry), _Teller(Redactor(str(Path.home())) if redact else None, dry=dry)
    if dry and over(target):
        return rehearse(target, policy=policy, project=project, fail_on=fail_on, tell=teller.decided)
    with opened(target, project, screen=False, deputy=deputy) as supervisor:

        def each() -> None:
            if not dry:
                teller.tell(supervisor.snapshot)
            for decision in deputy.taken() if deputy is not None else ():
                teller.decided(decision)

        until_ended(supervisor, each)
        return FINDING if fails(build(supervisor.snapshot, supervisor.accounts()), fail_on) else 0


def until_ended(
    supervisor: Supervisor, each: Callable[[], None] = lambda: None, enough: Callable[[], bool] = lambda: False
) -> None:
    """Wait for the end of what a started supervisor follows, or until it is `enough`.

    `each` is called at every look, and once at the end.

    Raises `MonitorError` where the supervisor failed before it: what it says then is no judgement of the run.
    """
    while not supervisor.ended and not supervisor.problem and not enough():
        each()
        time.sleep(_PACE)
    each()
    if supervisor.problem:
        raise MonitorError(supervisor.snapshot.sources[-1], "The agent goes on; attach again")


class _Teller:
    """Prints each finding, action and verdict once, and what cannot be read; again when it becomes another."""

    def __init__(self, redactor: Redactor | None, *, dry: bool = False) -> None:
        self._redactor = redactor
        self._dry = dry
        self._last: Snapshot | None = None
        self._told: dict[str, dict[str, object]] = {}
        """What was printed of each part that there still is."""
        self._before = self._told
        self._learned: tuple[str, ...] = ()

    def tell(self, snapshot: Snapshot) -> None:
        """One line for each part that is new; first which numbers of the user's own are gone by."""
        if snapshot is self._last:
            return
        self._last, self._before, self._told = snapshot, self._told, {}
        self._learn(snapshot)
        if set_numbers := numbers(snapshot.numbers):
            self._line("numbers", {"numbers": set_numbers})
        for finding in reversed(snapshot.findings):
            self._line(f"{finding.key} {finding.opened}", {"finding": finding_row(finding)})
        for action in snapshot.actions:
            self._line(f"action {action.id}", {"action": action_row(action)})
        if snapshot.sources or "sources" in self._before:
            self._line("sources", {"sources": list(snapshot.sources)})
        self._line("verdict", {"verdict": verdict_part(snapshot.verdict)})

    def decided(self, decision: Decision) -> None:
        """One line for what a policy did, or would have done."""
        emit(self._text({"policy": {**decision_row(decision), "dry_run": self._dry}}) + "\n")

    def _learn(self, snapshot: Snapshot) -> None:
        """What the run's own texts give away is taken out wherever else it stands, as in a report of the whole."""
        run = snapshot.run
        texts = (
            run.task,
            run.session,
            run.cwd,
            run.project,
            snapshot.verdict.reason,
            *(one.text for one in snapshot.claims),
        )
        if self._redactor is None or texts == self._learned:
            return
        self._learned = texts
        self._redactor.meet(*filter(None, (run.cwd, run.project)))
        for text in texts:
            self._redactor.learn(text)

    def _line(self, key: str, row: dict[str, object]) -> None:
        self._told[key] = row
        if self._before.get(key) != row:
            emit(self._text(row) + "\n")

    def _text(self, row: dict[str, object]) -> str:
        return json.dumps(self._redactor.value(row) if self._redactor else row, ensure_ascii=False)
