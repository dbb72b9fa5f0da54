"""The commands that look over the whole machine."""

from __future__ import annotations

import sys

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--all", "everything", is_flag=True, help="Every run that has ended, not only the newest.")
def runs(*, as_json: bool, everything: bool) -> None:
    """List the runs found on this machine, live and finished, and how the state of each is known."""
    from monitor.commands.runs import listed

    sys.exit(listed(as_json=as_json, everything=everything))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(*, as_json: bool) -> None:
    """Look over agents, machine and config, and say for each lack what to do; changes nothing and runs no agent.

    The exit code is 1 where something is missing.
    """
    from monitor.commands.doctor import examine

    sys.exit(examine(as_json=as_json))
