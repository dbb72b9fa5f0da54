"""Real processes that the tests start, and end again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from waiting import until

from monitor.processes.family import Family
from monitor.processes.identity import Identity, identify
from monitor.processes.ladder import Ladder, Standing


@contextmanager
def tree(script: str, *, mark: str = "", own_session: bool = True) -> Iterator[subprocess.Popen[bytes]]:
    """A shell with its children; whatever of it is left in the end is killed, and nothing else."""
    own = f"MONITOR_TEST_TREE={uuid4().hex}"
    environment = {**os.environ, **dict(one.split("=") for one in (own, mark) if one)}
    process = subprocess.Popen(
        ["bash", "-c", script],
        env=environment,
        start_new_session=own_session,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    found = identify(process.pid)
    family = Family(found, own) if found else None
    try:
        yield process
    finally:
        if family is not None:
            until(lambda: not killed(family))
        process.kill()
        process.wait()


def killed(family: Family) -> int:
    """How many were there to be killed: one that was just starting another is asked again."""
    members = family.look()
    for member in members:
        with suppress(ProcessLookupError):
            os.kill(member.identity.pid, signal.SIGKILL)
    return len(members)


def begun(process: subprocess.Popen[bytes]) -> Identity:
    """Who a child is: it has become its program by the time it was started."""
    found = identify(process.pid)
    assert found is not None
    return found


def commands(family: Family) -> list[str]:
    """The commands of the run's processes, shells shortened."""
    return [one.identity.command.split(" -c ")[0] for one in family.look()]


def grown(process: subprocess.Popen[bytes], count: int, mark: str = "") -> Family:
    """The family of a tree, once it has so many processes."""
    family = Family(begun(process), mark)
    until(lambda: len(family.look()) == count)
    return family


def climbed(ladder: Ladder, done: Callable[[Standing], object]) -> Standing:
    """The first standing that fits."""
    standings: list[Standing] = []

    def fits() -> object:
        standings.append(ladder.step())
        return done(standings[-1])

    until(fits)
    return standings[-1]


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    return False
