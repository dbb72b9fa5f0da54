"""Lists Claude Code's sessions: its transcripts, and the processes that say they carry one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.claude.about import About, about
from monitor.agents.claude.find import is_session
from monitor.agents.claude.process import Carrier, can_verify, carriers, config_folder
from monitor.agents.folders import Folders
from monitor.agents.listed import Ends, Listed, ListedState, Machine, Program

_GROWN = 10.0
"""Seconds after which a transcript that grows is looked into again: its end tells of a new name and another folder alone."""
_STATES: dict[str | None, ListedState] = {"busy": "live", "idle": "idle", "waiting": "waiting"}


class ClaudeLister:
    """Knows where Claude Code of this user keeps its sessions."""

    def __init__(self) -> None:
        self._folders = Folders(is_session)
        self._known: dict[Path, tuple[_Seen, Listed]] = {}
        """What was made of a transcript that is as it was."""

    def places(self) -> Sequence[Path]:
        """The folder of projects."""
        return (config_folder() / "projects",)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every session, and every live process that has not written one yet."""
        carried = {one.session: one for one in carriers()}
        known = {one.pid for one in carried.values()}
        strays = [one for one in machine.programs("claude", "claude-code") if one.pid not in known]
        before, self._known = self._known, {}
        for path, told, last in ends.of_all(self._folders.below(config_folder() / "projects"), about, grown=_GROWN):
            if told.known:
                seen, carrier = _Seen(path, told, last), carried.pop(path.stem, None)
                run = _again(before.get(path), seen, carrier, strays) or _session(seen, carrier, strays)
                self._known[path] = seen, run
                yield run
        yield from (_begun(one) for one in carried.values() if one.verified)


LISTER = ClaudeLister()


@dataclass(frozen=True, slots=True)
class _Seen:
    path: Path
    about: About
    last: float


def _again(
    before: tuple[_Seen, Listed] | None, seen: _Seen, carrier: Carrier | None, strays: Sequence[Program]
) -> Listed | None:
    """The same as before, where nothing has changed and no process may have to do with it."""
    if before is None or carrier is not None or strays or before[1].state != "ended":
        return None
    return before[1] if before[0].about is seen.about and before[0].last == seen.last else None


def _session(seen: _Seen, carrier: Carrier | None, strays: Sequence[Program]) -> Listed:
    state, how, pid = _standing(seen, carrier, strays)
    own = carrier.folder if carrier is not None and carrier.verified else ""
    return Listed(
        agent="claude",
        session=seen.path.stem,
        path=seen.path,
        state=state,
        how=how,
        folder=own or seen.about.folder,
        title=seen.about.title,
        began=seen.about.began,
        last=seen.last,
        pid=pid,
        version=(carrier.version if carrier is not None else "") or seen.about.version,
    )


def _standing(seen: _Seen, carrier: Carrier | None, strays: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """The state, how it is known, and the process."""
    if carrier is None:
        return _unclaimed(seen, strays)
    if carrier.verified:
        said = f"process {carrier.pid} says {carrier.status or 'nothing'} of itself"
        return _STATES.get(carrier.status, "live"), said, carrier.pid
    if not carrier.here:
        return "unknown", f"process {carrier.pid} carries it in another container", None
    if not can_verify():
        return "unknown", f"this system does not tell whether process {carrier.pid} is the one that carried it", None
    said = f", though its file still says {carrier.status}" if carrier.status else ""
    return "ended", f"its process {carrier.pid} is gone{said}", None


def _unclaimed(seen: _Seen, strays: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """No process says that it carries this session."""
    there = [one for one in strays if one.may_write(seen.about.folder, seen.last)]
    if there:
        pid = there[-1].pid
        return "unknown", f"process {pid} of Claude Code works in its folder, and does not say on which session", pid
    return "ended", "no running process names this session", None


def _begun(carrier: Carrier) -> Listed:
    state = _STATES.get(carrier.status, "live")
    how = f"process {carrier.pid} says {carrier.status or 'nothing'} of itself; it has written no transcript yet"
    return Listed(
        "claude", carrier.session, None, state, how, carrier.folder, pid=carrier.pid, version=carrier.version,
        began=carrier.began, last=carrier.began,
    )  # fmt: skip
