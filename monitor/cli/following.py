"""The commands that follow or show one run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from monitor.cli.options import ASCII, FAIL_ON, POLICY, PROJECT, REDACT, THEME

if TYPE_CHECKING:
    from monitor.commands.run import OnExit
    from monitor.report.build import Limit


@click.command(hidden=True)
@click.argument("target")
@PROJECT
@POLICY
@THEME
@ASCII
def attach(target: str, *, project: Path | None, policy: str | None, theme: str | None, ascii_only: bool) -> None:
    """Attach to a run and show it live."""
    from monitor.commands.attach import show

    sys.exit(show(target, project=project, theme=theme, ascii_only=ascii_only, policy=policy))


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
@click.option("--agent", default="", help="Which agent it is, where its command does not tell.")
@click.option("--task", default="", help="The first prompt, for an agent whose command takes none (… acp).")
@click.option(
    "--on-exit",
    type=click.Choice(["go-on", "stop"]),
    default="go-on",
    show_default=True,
    help="What becomes of the agent when the monitor ends before it.",
)
@PROJECT
@POLICY
@THEME
@ASCII
def run(
    command: tuple[str, ...],
    *,
    agent: str,
    task: str,
    on_exit: OnExit,
    project: Path | None,
    policy: str | None,
    theme: str | None,
    ascii_only: bool,
) -> None:
    """Start an agent under supervision, so that it can be told and stopped from the screen.

    The flags its channel needs are added and named. The exit code is the agent's.
    """
    from monitor.commands.run import start

    sys.exit(
        start(
            command,
            agent=agent,
            on_exit=on_exit,
            project=project,
            theme=theme,
            ascii_only=ascii_only,
            task=task,
            policy=policy,
        )
    )


@click.command()
@click.argument("target")
@FAIL_ON
@PROJECT
@REDACT
@POLICY
@click.option("--dry-run", "dry", is_flag=True, help="Only say what the policy would have done, and where.")
def watch(target: str, *, fail_on: Limit, project: Path | None, redact: bool, policy: str | None, dry: bool) -> None:
    """Follow a run without a screen: a JSON line for each finding, action and verdict.

    Ends when the run ends; exit codes as of report.
    """
    from monitor.commands.watch import follow

    sys.exit(follow(target, fail_on=fail_on, project=project, redact=redact, policy=policy, dry=dry))


@click.command()
@click.argument("log")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.25),
    default=1.0,
    show_default=True,
    help="From 0.25 to 64; inf is as fast as it goes.",
)
@click.option("--from", "start", metavar="TIME", help="Begin there and wait: 12:05:41, or a date with it.")
@PROJECT
@THEME
@ASCII
def replay(
    log: str, *, speed: float, start: str | None, project: Path | None, theme: str | None, ascii_only: bool
) -> None:
    """Replay a finished log on the screen, forwards and backwards."""
    from monitor.commands.replay import show

    sys.exit(show(log, speed=speed, start=start, project=project, theme=theme, ascii_only=ascii_only))


@click.command()
@click.option("--fast", is_flag=True, help="Without the pauses.")
@THEME
@ASCII
def demo(fast: bool, theme: str | None, ascii_only: bool) -> None:
    """Watch a scripted agent work, fail, and claim to be done; without a terminal, print the report."""
    from monitor.commands.demo import play

    sys.exit(play(fast=fast, theme=theme, ascii_only=ascii_only))
