"""`monitor run -- COMMAND…`: an agent started under supervision, its streams kept off the screen."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import click

from monitor.agents.protocol import Found
from monitor.channels.kept import KeptWire
from monitor.commands.attach import screen
from monitor.commands.output import emit
from monitor.commands.watch import until_ended
from monitor.launch.command import Prepared, prepare
from monitor.launch.launched import Launched
from monitor.launch.start import launch, reached
from monitor.opening import Start, deputed, started, supervised
from monitor.policy.deputy import Deputy
from monitor.processes.family import Family
from monitor.processes.ladder import Ladder
from monitor.reaching import followed
from monitor.report import as_text
from monitor.report.build import build
from monitor.report.redact import finished
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor
from monitor.targets import finders, project_folder

OnExit = Literal["go-on", "stop"]
_SIGNALLED = 128
"""What a shell adds to a signal's number to make an exit code of it."""
_PATIENCE = 30.0
"""Seconds an agent has to end when it is stopped at the monitor's exit."""
_REST = 2.0
"""Seconds an agent that monitor alone talks to must have had nothing to do: then its work is over."""
_MOMENT = 1.0
"""Seconds it has to say where it works."""
_PAUSE = 0.05


def start(
    command: Sequence[str],
    *,
    agent: str,
    on_exit: OnExit,
    project: Path | None,
    theme: str | None,
    ascii_only: bool,
    task: str = "",
    policy: str | None = None,
) -> int:
    """Start it and show it until it ends or the operator quits; without a terminal the report is printed at its end.

    The exit code is the agent's once it has ended, of one that monitor talks to 0 where it has answered, else 1; 0 when
    it goes on, 128 and a signal's number when one ended the screen.
    """
    prepared, deputy, named = prepare(command, agent, task), deputed(policy), project_folder(project)
    _tell(prepared)
    elsewhere = prepared.agent == "dirtywork" and named is None
    begun = None if elsewhere else started(named or Path.cwd(), " ".join(command)[:80], assumed=named is None)
    with _undisturbed() as interrupted:
        launched = launch(prepared, Path.cwd(), finders())
    launched.stops = on_exit == "stop"
    done = None
    try:
        if interrupted:
            raise KeyboardInterrupt
        snapshot, left = _supervise(
            launched, named, begun, prepared.wire, theme=theme, ascii_only=ascii_only, deputy=deputy
        )
        if left:
            done = left
        elif not _has_screen():
            done = _dismiss(launched, snapshot, client=prepared.wire)
    finally:
        _stop(launched)
        if launched.alive():
            _note(f"the agent goes on; attach again with: monitor {launched.title}")
    return _code(launched) if done is None else done


@contextmanager
def _undisturbed() -> Iterator[list[int]]:
    """An interrupt is noted and not obeyed meanwhile: what is being started must be known before it can be left."""
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def _supervise(
    launched: Launched,
    named: Path | None,
    begun: Start | None,
    client: bool,
    *,
    theme: str | None,
    ascii_only: bool,
    deputy: Deputy | None,
) -> tuple[Snapshot, int]:
    """Show it to its end; how it stands then, and the screen's own exit code. `client`: monitor is the agent's only one."""
    found = followed(launched)
    supervisor = supervised(found, named or _works_in(found), begun, deputy)
    try:
        supervisor.start()
        left = _show(supervisor, client, theme=theme, ascii_only=ascii_only, deputy=deputy)
    finally:
        _stop(launched)  # while its channel is open: once that is closed the keeper ends the agent, and less gently
        supervisor.close()
    return supervisor.snapshot, left


def _works_in(found: Found) -> Path | None:
    """Where the agent works, which one that makes its own folder says once it holds its log open."""
    end = time.monotonic() + _MOMENT
    while (folder := found.project()) is None and found.alive() and time.monotonic() < end:
        time.sleep(_PAUSE)
    return folder


def _show(supervisor: Supervisor, client: bool, *, theme: str | None, ascii_only: bool, deputy: Deputy | None) -> int:
    if _has_screen():
        return screen(supervisor, theme=theme, ascii_only=ascii_only, deputy=deputy)
    until_ended(supervisor, enough=_resting(supervisor) if client else lambda: False)
    end = time.monotonic() + _PATIENCE
    while supervisor.snapshot.verdict.provisional and not supervisor.problem and time.monotonic() < end:
        time.sleep(_PAUSE)
    emit(as_text.render([finished(build(supervisor.snapshot, supervisor.accounts()), home=str(Path.home()))]))
    return 0


def _resting(supervisor: Supervisor) -> Callable[[], bool]:
    """Tells whether an agent that only monitor talks to has had nothing to do for a while: without a screen no more comes."""
    since: float | None = None

    def resting() -> bool:
        nonlocal since
        now = time.monotonic()
        since = (now if since is None else since) if _rests(supervisor.snapshot) else None
        return since is not None and now - since >= _REST

    return resting


def _rests(snapshot: Snapshot) -> bool:
    """Whether its last request is over, and nothing that was sent to it is under way."""
    verdict = snapshot.verdict
    asks = verdict.state == "waiting" and not snapshot.waiting
    over = verdict.claimed_done is not None or verdict.state in ("failed", "aborted", "stopped") or asks
    sent = any(one.receipt not in ("done", "failed") for one in snapshot.actions)
    return over and not (sent or snapshot.calls or verdict.provisional)


def _has_screen() -> bool:
    return all(one.isatty() for one in (sys.stdin, sys.stdout, sys.stderr))


def _dismiss(launched: Launched, snapshot: Snapshot, *, client: bool) -> int | None:
    """Close the input of an agent that has done its work and waits for words: without a screen none will come.

    A server has none, and is ended; then its own exit code tells nothing, and this gives another: 0 where it has answered.
    So it is with one that ends since its only client has gone.
    """
    if launched.serving is not None and launched.identity() is not None:
        _end(launched)
        return int(snapshot.run.status != "completed")
    opened = reached(launched.folder)
    if opened is None:
        return None
    wire = KeptWire(opened)
    wire.finish()
    end = time.monotonic() + _PATIENCE
    while launched.ended() is None and not wire.ended and time.monotonic() < end:
        wire.poll()
        time.sleep(_PAUSE)
    wire.close()
    return int(snapshot.verdict.claimed_done is None) if client else None


def _tell(prepared: Prepared) -> None:
    """Which words were added to the command."""
    if prepared.added:
        _note(f"added to the command, to reach the agent: {' '.join(prepared.added)}")
    if prepared.first:
        _note("its prompt is said on its standard input")


def _stop(launched: Launched) -> None:
    """Where that was asked, or it is a server that was told no task, end it and all it started, as hard as it takes."""
    untold = launched.serving is not None and not launched.serving.told
    if (launched.stops or untold) and launched.identity() is not None:
        _note("the agent is being stopped")
        _note(_end(launched))


def _end(launched: Launched) -> str:
    """End it and all it started; how that went."""
    root = launched.identity()
    if root is None:
        return ""
    ladder = Ladder(Family(root, launched.mark))
    ladder.climb("kill")
    end = time.monotonic() + _PATIENCE
    while not (standing := ladder.step()).over and time.monotonic() < end:
        time.sleep(_PAUSE)
    return standing.words


def _code(launched: Launched) -> int:
    """The agent's own exit code, as a shell has it."""
    end = time.monotonic() + _PATIENCE
    while launched.ended() is None and launched.identity() is None and time.monotonic() < end:
        time.sleep(_PAUSE)
    code = (launched.ended() or {}).get("code", 0)
    if not isinstance(code, int):
        return 0
    if code and (words := launched.last_words()):
        _note(f"the agent's last words: {words}")
    return _SIGNALLED - code if code < 0 else code


def _note(text: str) -> None:
    click.echo(f"monitor: {text}", err=True)
