"""`monitor report`: judge finished logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from monitor.agents.plugged import plugged
from monitor.commands.output import emit, warn_of_config
from monitor.errors import FINDING, USAGE, MonitorError
from monitor.report import as_json, as_markdown, as_text
from monitor.report.build import Limit, build, fails
from monitor.report.redact import finished
from monitor.report.shape import Report
from monitor.several import each_run
from monitor.supervisor import Supervisor
from monitor.targets import find, project_folder
from monitor.text import line

_FORMS = {"text": as_text.render, "json": as_json.render, "md": as_markdown.render}


def write(
    logs: Sequence[str], *, form: str, output: Path | None, fail_on: Limit, project: Path | None, redact: bool
) -> int:
    """Print one report per run; the exit code says whether a finding reaches `fail_on`."""
    if output is not None:
        _keep_apart(output, logs)
    warn_of_config()
    reports, errors = [], []
    runs = [run for log in logs for run in each_run(log)]
    for run in runs:
        try:
            reports.append(finished(judged(run, project), redact=redact, home=str(Path.home())))
        except MonitorError as error:
            errors.append(error)
    for told in (*errors[:-1], *(one.fault for one in plugged() if one.fault)):
        click.echo(f"monitor: {line(str(told))}", err=True)
    if reports:
        _give(_FORMS[form](reports, several=len(runs) > 1), output)
    if errors:
        raise errors[-1]
    return FINDING if any(fails(one, fail_on) for one in reports) else 0


def _give(text: str, output: Path | None) -> None:
    if output is None:
        emit(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MonitorError(f"{output}: cannot be written ({error.strerror})", "Name another file with -o") from None


def _keep_apart(output: Path, logs: Sequence[str]) -> None:
    """Raise where the report would be written over a log, or into its run's folder's files."""
    for log in logs:
        path = Path(log).expanduser()
        inputs = find(each_run(log)[0]).inputs() if path.exists() else ()
        for source in (path, *(one.path for one in inputs if one.path is not None)):
            if source.exists() and output.exists() and output.samefile(source):
                raise MonitorError(f"{output}: that is the log itself", "Name another file with -o", USAGE)


def judged(log: str, project: Path | None) -> Report:
    """The report of one finished log."""
    supervisor = Supervisor(find(log), live=False, project=project_folder(project))
    try:
        supervisor.read_all()
        return build(supervisor.snapshot, supervisor.accounts())
    finally:
        supervisor.close()
