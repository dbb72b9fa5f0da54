"""`monitor hooks`: install, show and remove the hooks through which a running agent is told and stopped."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from monitor.agents.opencode.bridge import release
from monitor.commands.output import emit
from monitor.errors import USAGE, MonitorError
from monitor.hooks.installing import Change, carry_out, plan_install, plan_remove
from monitor.hooks.places import Agent, Place, place_of
from monitor.hooks.records import Refuse, record_of
from monitor.hooks.standing import Standing, installed
from monitor.targets import project_folder
from monitor.text import line
from monitor.worktree.diff_text import NOTHING, Content, diff_of, unified

_WORDS = {
    "installed": "installed", "outdated": "installed, but no longer in order", "absent": "not installed",
    "unreadable": "cannot be read", "foreign": "left alone", "off": "installed, but switched off",
}  # fmt: skip
_LOADS = {
    "claude": "A running Claude Code takes it up by itself, within a few seconds.",
    "lcode": "lcode reads it when it starts: a session that runs already does not see it.",
    "opencode": "OpenCode reads it when it starts: a window that is open already does not see it.\n"
    "As for any plug-in, OpenCode installs a package of its own beside the folder `plugin`; without a network its start "
    "waits for that, about a minute.",
}
_NAMED: dict[Agent, str] = {"claude": "these hooks", "lcode": "these hooks", "opencode": "this plug-in"}


def install(agent: Agent, project: Path | None, *, refuse: Refuse, yes: bool) -> int:
    """Show what would be written, ask, and write it."""
    if refuse != "never" and agent != "claude":
        raise MonitorError(f"{agent} asks no hook before it stops", "Leave --refuse out", USAGE)
    place = place_of(agent, project_folder(project))
    change = plan_install(place, refuse)
    known = record_of(place)
    if change.nothing and known is not None and known.refuse == refuse:
        emit(f"Installed already in {place.shown}: nothing was changed\n")
        return 0
    if change.nothing:
        carry_out(change)
        emit(f"Installed already in {place.shown}; stops that are refused: {refuse}\n")
        return 0
    _agreed(change, f"Install {_NAMED[agent]}?", yes=yes)
    carry_out(change)
    emit(f"Installed in {place.shown}. {_LOADS[agent]}\nTo remove: {_command('remove', place)}\n")
    return 0


def remove(agent: Agent, project: Path | None, *, yes: bool) -> int:
    """Show what would be taken out, ask, and take it out."""
    place = place_of(agent, project_folder(project))
    change = plan_remove(place)
    if change.nothing:
        carry_out(change)
        emit(f"Not installed in {place.shown}: nothing was changed\n")
        return 0
    _agreed(change, f"Remove {_NAMED[agent]}?", yes=yes)
    carry_out(change)
    if agent == "opencode":
        release()
    emit(f"Removed from {place.shown}{'' if change.new is not None else ', which was made for them'}\n")
    return 0


def status(agent: Agent | None, project: Path | None) -> int:
    """Print how things stand, a line for each place."""
    for one in installed(project_folder(project), agent):
        emit(f"{one.place.agent:<8} {_WORDS[one.state]}{_why(one)}: {one.place.shown}\n")
    return 0


def _why(one: Standing) -> str:
    if one.why:
        return f" ({line(one.why)})"
    return f" (refuses a stop: {one.refuse})" if one.state == "installed" and one.refuse != "never" else ""


def _agreed(change: Change, question: str, *, yes: bool) -> None:
    """Show the difference, and go on only with a yes."""
    old, new = (NOTHING if data is None else Content(data) for data in (change.old, change.new))
    for row in unified(diff_of(str(change.place.path).lstrip("/"), old, new)):
        emit(row + "\n")
    if yes:
        return
    if not sys.stdin.isatty():
        raise MonitorError("nobody is there to be asked", "Say --yes to go ahead", USAGE)
    click.confirm(question, abort=True)


def _command(what: str, place: Place) -> str:
    where = f" --project {line(str(place.project))}" if place.project is not None else ""
    return f"monitor hooks {what} --agent {place.agent}{where}"
