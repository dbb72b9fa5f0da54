"""The commands; what is heavy is imported by the command that needs it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from monitor import __version__
from monitor.errors import INTERRUPTED, USAGE, MonitorError

if TYPE_CHECKING:
    from monitor.commands.run import OnExit
    from monitor.report.build import Limit

_FOLDER = click.Path(path_type=Path)
_FAIL_ON = click.option(
    "--fail-on",
    type=click.Choice(["note", "warn", "stop", "never"]),
    default="stop",
    show_default=True,
    help="Exit with 1 when there is an open finding at this level or above it.",
)
_THEME = click.option("--theme", default=None, help="dark, light, contrast, sixteen, or one of Textual's.")
_ASCII = click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII signs only.")
_REDACT = click.option("--no-redact", "redact", flag_value=False, default=True, help="Leave secrets in.")
_PROJECT = click.option(
    "--project",
    type=_FOLDER,
    help="The folder the agent works in: measured, and read when a write fails. Never written.",
)


_HELP = """Watch an AI coding agent: what it says it did, beside what really happened.

\b
monitor TARGET       attach to a run: its log, its run folder, its session id,
                     or - for a pipe (agent | monitor -)
monitor demo         see it at work on a scripted agent; no model, no network

Attaching is read-only: nothing is written into the project or the agent's files.
"""


class Commands(click.Group):
    """A group whose first word may be a target: `monitor TARGET` attaches."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named, or `attach` for anything that is none."""
        if args and self.get_command(ctx, args[0]) is None and (args[0] == "-" or not args[0].startswith("-")):
            return "attach", self.commands["attach"], args
        return super().resolve_command(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The two ways to call it."""
        formatter.write_usage(ctx.command_path, "TARGET | COMMAND [OPTIONS] …")


@click.group(cls=Commands, no_args_is_help=True, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="monitor", message="%(prog)s %(version)s")
def cli() -> None:
    """Hold the commands."""


@cli.command(hidden=True)
@click.argument("target")
@_PROJECT
@_THEME
@_ASCII
def attach(target: str, project: Path | None, theme: str | None, ascii_only: bool) -> None:
    """Attach to a run and show it live."""
    from monitor.commands.attach import show

    sys.exit(show(target, project=project, theme=theme, ascii_only=ascii_only))


@cli.command(context_settings={"ignore_unknown_options": True})
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
@_PROJECT
@_THEME
@_ASCII
def run(
    command: tuple[str, ...],
    *,
    agent: str,
    task: str,
    on_exit: OnExit,
    project: Path | None,
    theme: str | None,
    ascii_only: bool,
) -> None:
    """Start an agent under supervision, so that it can be told and stopped from the screen.

    The flags its channel needs are added and named. The exit code is the agent's.
    """
    from monitor.commands.run import start

    sys.exit(
        start(command, agent=agent, on_exit=on_exit, project=project, theme=theme, ascii_only=ascii_only, task=task)
    )


@cli.command()
@click.argument("log")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.25),
    default=1.0,
    show_default=True,
    help="From 0.25 to 64; inf is as fast as it goes.",
)
@click.option("--from", "start", metavar="TIME", help="Begin there and wait: 12:05:41, or a date with it.")
@_PROJECT
@_THEME
@_ASCII
def replay(
    log: str, *, speed: float, start: str | None, project: Path | None, theme: str | None, ascii_only: bool
) -> None:
    """Replay a finished log on the screen, forwards and backwards."""
    from monitor.commands.replay import show

    sys.exit(show(log, speed=speed, start=start, project=project, theme=theme, ascii_only=ascii_only))


@cli.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@click.option("--format", "form", type=click.Choice(["text", "json", "md"]), default="text", show_default=True)
@click.option("-o", "--output", type=_FOLDER, help="Write to this file instead of standard output.")
@_FAIL_ON
@_PROJECT
@_REDACT
def report(
    logs: tuple[str, ...], *, form: str, output: Path | None, fail_on: Limit, project: Path | None, redact: bool
) -> None:
    """Judge finished logs: verdict, failed writes, findings, and the account of every byte.

    Secrets are taken out: tokens, passwords, keys, e-mail addresses, the user's name in paths.

    Exit codes: 0 nothing at or above --fail-on, 1 a finding at or above it, 2 wrong usage, 3 the input cannot be read.
    """
    from monitor.commands.report import write

    sys.exit(write(logs, form=form, output=output, fail_on=fail_on, project=project, redact=redact))


@cli.command()
@click.argument("target")
@_FAIL_ON
@_PROJECT
@_REDACT
def watch(target: str, *, fail_on: Limit, project: Path | None, redact: bool) -> None:
    """Follow a run without a screen: a JSON line for each finding, action and verdict.

    Ends when the run ends; exit codes as of report.
    """
    from monitor.commands.watch import follow

    sys.exit(follow(target, fail_on=fail_on, project=project, redact=redact))


@cli.command()
@click.argument("folder", type=_FOLDER, default=Path(), metavar="[DIR]")
@click.option("--since", type=_FOLDER, help="An earlier output: say what changed since.")
def measure(folder: Path, since: Path | None) -> None:
    """Print the exact fingerprint of a project folder as JSON; nothing in it is touched, nothing of it is run."""
    from monitor.commands.measure import measured

    sys.exit(measured(folder, since=since))


@cli.command()
@click.argument("file", required=False)
@click.option("--all", "everywhere", is_flag=True, help="Of every project, not only of the one we stand in.")
@click.option("--number", type=click.IntRange(min=1), default=1, show_default=True, help="Which one of the list.")
@click.option("--show", "what", flag_value="show", help="Print that version.")
@click.option("--diff", "what", flag_value="diff", help="Print how the file differs from it now.")
@click.option("--restore", "what", flag_value="restore", help="Bring it back; what stands there now is kept too.")
@click.option("--to", type=_FOLDER, help="Bring it back under another name.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_PROJECT
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


@cli.command()
@click.option("--fast", is_flag=True, help="Without the pauses.")
@_THEME
@_ASCII
def demo(fast: bool, theme: str | None, ascii_only: bool) -> None:
    """Watch a scripted agent work, fail, and claim to be done; without a terminal, print the report."""
    from monitor.commands.demo import play

    sys.exit(play(fast=fast, theme=theme, ascii_only=ascii_only))


def main() -> NoReturn:
    """Run the command; errors are one line on stderr, with a hint and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(_guarded(lambda: cli.main(standalone_mode=False)))


def _guarded(call: Callable[[], Any]) -> int:
    try:
        result = call()
    except MonitorError as error:
        return _fail(str(error), error.code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "monitor"
        return _fail(f"{error.format_message().rstrip('.')}. Try: {command} --help", USAGE)
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _fail(text: str, code: int) -> int:
    click.echo(f"monitor: {text}", err=True)
    return code
