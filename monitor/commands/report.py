"""`monitor report`: judge finished logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monitor.commands.output import emit
from monitor.errors import FINDING, MonitorError
from monitor.report import as_json, as_markdown, as_text
from monitor.report.build import Limit, build, fails
from monitor.report.redact import finished
from monitor.report.shape import Report
from monitor.supervisor import Supervisor
from monitor.targets import find, project_folder

_FORMS = {"text": as_text.render, "json": as_json.render, "md": as_markdown.render}


def write(
    logs: Sequence[str], *, form: str, output: Path | None, fail_on: Limit, project: Path | None, redact: bool
) -> int:
    """Print one report per log; the exit code says whether a finding reaches `fail_on`."""
    reports = [finished(judged(log, project), redact=redact, home=str(Path.home())) for log in logs]
    text = _FORMS[form](reports)
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
