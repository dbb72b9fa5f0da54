"""The commands; what is heavy is imported by the command that needs it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from monitor import __version__
from monitor.cli.following import attach, demo, replay, run, watch
from monitor.cli.hooking import hooks
from monitor.cli.machine import doctor
from monitor.cli.machine import runs as found_runs
from monitor.cli.options import ASCII, THEME
from monitor.cli.records import measure, report, rescue
from monitor.errors import INPUT, INTERRUPTED, USAGE, MonitorError

_HELP = """Watch an AI coding agent: what it says it did, beside what really happened.

\b
monitor              every run found on this machine; in a folder where one
                     agent works, that run
monitor TARGET       attach to a run: its log, its run folder, its session id,
                     or - for a pipe (agent | monitor -)
monitor demo         see it at work on a scripted agent; no model, no network

Attaching is read-only: nothing is written into the project or the agent's files.
"""
_LONG = 160
"""Characters of a path that are told."""


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


@click.group(
    cls=Commands, invoke_without_command=True, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="monitor", message="%(prog)s %(version)s")
@THEME
@ASCII
@click.pass_context
def cli(context: click.Context, theme: str | None, ascii_only: bool) -> None:
    """Hold the commands; without one show the runs of this machine, or where there is no terminal the help."""
    if context.invoked_subcommand is not None:
        _hand_on(context, {"theme": theme, "ascii_only": ascii_only})
    elif sys.stdout.isatty():
        from monitor.commands.overview import show

        sys.exit(show(theme=theme, ascii_only=ascii_only))
    else:
        click.echo(context.get_help())


def _hand_on(context: click.Context, looks: dict[str, object]) -> None:
    """Give the command what was said before it of the looks of a screen."""
    name = context.invoked_subcommand or ""
    given = {one: value for one, value in looks.items() if value}
    if not given.keys() <= {one.name for one in cli.commands[name].params}:
        raise click.UsageError(f"--theme and --ascii are for a screen, and {name} has none")
    context.default_map = {name: given}


for _command in (attach, run, watch, replay, report, measure, rescue, found_runs, doctor, demo, hooks):
    cli.add_command(_command)


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
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "monitor"
        return _fail(f"{error.format_message().rstrip('.')}. Try: {command} --help", USAGE)
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as error:  # whatever path was named: the system says what is wrong with it
        return _fail(_refused(error), INPUT)
    return result if isinstance(result, int) else 0


def _refused(error: OSError) -> str:
    """What the system says of a path, in one line."""
    from monitor.text import line, shorten

    named = f"{shorten(line(os.fsdecode(error.filename)), _LONG)}: " if error.filename else ""
    return f"{named}{error.strerror or type(error).__name__}. Check the path"


def _fail(text: str, code: int) -> int:
    """Say on one line what is wrong; a name in it may be anybody's."""
    from monitor.text import line

    click.echo(f"monitor: {line(text)}", err=True)
    return code
