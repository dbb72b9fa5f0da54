"""The commands that judge what is finished, and measure or bring back what stands in a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from monitor.cli.options import FAIL_ON, FOLDER, PROJECT, REDACT

if TYPE_CHECKING:
    from monitor.report.build import Limit


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@click.option("--format", "form", type=click.Choice(["text", "json", "md"]), default="text", show_default=True)
@click.option("-o", "--output", type=FOLDER, help="Write to this file instead of standard output.")
@FAIL_ON
@PROJECT
@REDACT
def report(
    logs: tuple[str, ...], *, form: str, output: Path | None, fail_on: Limit, project: Path | None, redact: bool
) -> None:
    """Judge finished logs: verdict, failed writes, findings, and the account of every byte.

    Secrets are taken out: tokens, passwords, keys, e-mail addresses, the user's name in paths.

    Exit codes: 0 nothing at or above --fail-on, 1 a finding at or above it, 2 wrong usage, 3 the input cannot be read.
    """
    from monitor.commands.report import write

    sys.exit(write(logs, form=form, output=output, fail_on=fail_on, project=project, redact=redact))


@click.command()
@click.argument("folder", type=FOLDER, default=Path(), metavar="[DIR]")
@click.option("--since", type=FOLDER, help="An earlier output: say what changed since.")
def measure(folder: Path, since: Path | None) -> None:
    """Print the exact fingerprint of a project folder as JSON; nothing in it is touched, nothing of it is run."""
    from monitor.commands.measure import measured

    sys.exit(measured(folder, since=since))


@click.command()
@click.argument("file", required=False)
@click.option("--all", "everywhere", is_flag=True, help="Of every project, not only of the one we stand in.")
@click.option("--number", type=click.IntRange(min=1), default=1, show_default=True, help="Which one of the list.")
@click.option("--show", "what", flag_value="show", help="Print that version.")
@click.option("--diff", "what", flag_value="diff", help="Print how the file differs from it now.")
@click.option("--restore", "what", flag_value="restore", help="Bring it back; what stands there now is kept too.")
@click.option("--to", type=FOLDER, help="Bring it back under another name.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@PROJECT
def rescue(
    file: str | None,
    *,
    everywhere: bool,
    number: int,
    what: str | None,
    to: Path | None,
    yes: bool,
    project: Path | None,
) -> None:
    """List, show and bring back versions of files that an agent wrote over after somebody else had changed them."""
    from monitor.commands import rescue as found

    choice = found.Choice(file, project, everywhere, number)
    match what:
        case "show":
            sys.exit(found.shown(choice))
        case "diff":
            sys.exit(found.compared(choice))
        case "restore":
            sys.exit(found.brought_back(choice, to=to, yes=yes))
        case _:
            sys.exit(found.listed(choice))
