"""`monitor watch --dry-run`: what a policy would have done to runs that nobody works on any more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from monitor.errors import FINDING
from monitor.opening import deputed
from monitor.policy.rules import Decision
from monitor.report.build import Limit, build, fails
from monitor.several import each_run
from monitor.supervisor import Supervisor
from monitor.targets import find, project_folder


def over(target: str) -> bool:
    """Whether nothing tells that a run at this target still lives: it is read to its end, and not waited for."""
    return target != "-" and all(find(run).alive() is not True for run in each_run(target))


def rehearse(
    target: str, *, policy: str | None, project: Path | None, fail_on: Limit, tell: Callable[[Decision], None]
) -> int:
    """Tell what the policy would have done after each event of the target's runs; exit codes as of the report."""
    failed = False
    for run in each_run(target):
        deputy = deputed(policy, dry=True)
        assert deputy is not None
        supervisor = Supervisor(find(run), live=False, project=project_folder(project), tap=deputy.tap)
        try:
            supervisor.read_all()
            failed = fails(build(supervisor.snapshot, supervisor.accounts()), fail_on) or failed
        finally:
            supervisor.close()
        for decision in deputy.taken():
            tell(decision)
    return FINDING if failed else 0
