"""The commands about the hooks of agents that run already, and OpenCode's plug-in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from monitor.cli.options import FOLDER

if TYPE_CHECKING:
    from monitor.hooks.places import Agent
    from monitor.hooks.records import Refuse

_AGENTS = ("claude", "lcode", "opencode")
_AGENT = click.option("--agent", type=click.Choice(_AGENTS), default="claude", show_default=True, help="Whose hooks.")
_WHERE = click.option("--project", type=FOLDER, help="For this folder's sessions alone; else for all of yours.")
_YES = click.option("--yes", is_flag=True, help="Do not ask.")


@click.group()
def hooks() -> None:
    """Let sessions that run already be told and stopped, through hooks in the agent's settings, or a plug-in of OpenCode.

    Nothing is written before it was shown and agreed to, and remove leaves the file as it was.
    """


@hooks.command()
@_AGENT
@_WHERE
@click.option(
    "--refuse",
    type=click.Choice(["never", "not-made", "unchanged"]),
    default="never",
    show_default=True,
    help="Refuse once in a request that the agent stops with a failed write outstanding; unchanged: or with nothing "
    "changed at all. Only while a monitor watches.",
)
@_YES
def install(agent: Agent, project: Path | None, refuse: str, yes: bool) -> None:
    """Show what would be added to the settings, ask, and add it."""
    from monitor.commands.hooks import install as done

    words: Refuse = "not made" if refuse == "not-made" else "unchanged" if refuse == "unchanged" else "never"
    sys.exit(done(agent, project, refuse=words, yes=yes))


@hooks.command()
@click.option("--agent", type=click.Choice(_AGENTS), help="Whose hooks; else those of every agent.")
@_WHERE
def status(agent: Agent | None, project: Path | None) -> None:
    """Say where the hooks are installed."""
    from monitor.commands.hooks import status as done

    sys.exit(done(agent, project))


@hooks.command()
@_AGENT
@_WHERE
@_YES
def remove(agent: Agent, project: Path | None, yes: bool) -> None:
    """Show what would be taken out of the settings, ask, and take it out."""
    from monitor.commands.hooks import remove as done

    sys.exit(done(agent, project, yes=yes))
