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
