"""`monitor report`: judge finished logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monitor.commands.output import emit
from monitor.errors import FINDING, MonitorError
from monitor.report import as_json, as_text
from monitor.report.build import Limit, build, fails
from monitor.report.shape import Report
from monitor.supervisor import Supervisor
from monitor.targets import find, project_folder


def write(logs: Sequence[str], *, form: str, output: Path | None, fail_on: Limit, project: Path | None) -> int:
    """Print one report per log; the exit code says whether a finding reaches `fail_on`."""
    reports = [judged(log, project) for log in logs]
    text = (as_json if form == "json" else as_text).render(reports)
    if output is None:
        emit(text)
    else:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise MonitorError(f"{output}: cannot be written ({error.strerror})", "Name another file with -o") from None
    return FINDING if any(fails(one, fail_on) for one in reports) else 0


def judged(log: str, project: Path | None) -> Report:
    """The report of one finished log."""
    supervisor = Supervisor(find(log), live=False, project=project_folder(project))
    try:
        supervisor.read_all()
        return build(supervisor.snapshot, supervisor.accounts())
    finally:
        supervisor.close()
