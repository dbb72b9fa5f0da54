"""Finds the run that a person names: a file, a folder, a session id, or a pipe."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from monitor.agents.acp.find import FINDER as ACP
from monitor.agents.aider.find import FINDER as AIDER
from monitor.agents.atif.find import FINDER as ATIF
from monitor.agents.claude.find import FINDER as CLAUDE
from monitor.agents.codex.find import FINDER as CODEX
from monitor.agents.dirtywork.find import FINDER as DIRTYWORK
from monitor.agents.lcode.find import FINDER as LCODE
from monitor.agents.mini_swe_agent.find import FINDER as MINI
from monitor.agents.native.find import FINDER as NATIVE
from monitor.agents.opencode.find import FINDER as OPENCODE
from monitor.agents.openhands.find import FINDER as OPENHANDS
from monitor.agents.pi.find import FINDER as PI
from monitor.agents.plugged import plugged
from monitor.agents.protocol import Finder, Found, Opener
from monitor.agents.swe_agent.find import FINDER as SWE
from monitor.errors import USAGE, MonitorError
from monitor.launch.launched import Launched, LaunchedFinder
from monitor.several import refuse_several, run_on_line
from monitor.streams.files import read_head
from monitor.text import line, shorten

FINDERS: Sequence[Finder] = (
    NATIVE,
    DIRTYWORK,
    CLAUDE,
    CODEX,
    OPENCODE,
    LCODE,
    ACP,
    MINI,
    SWE,
    OPENHANDS,
    ATIF,
    PI,
    AIDER,
)
"""In the order they are asked."""
_KNOWN = (
    "a Claude Code transcript or stream-json, a Codex rollout or exec --json, OpenCode's database, events, run --format json or export, "
    "a dirtywork run folder, an lcode session or stream-json, an ACP wire log, "
    "a pi session or stream, a trajectory of SWE-agent, mini-swe-agent or Harbor (ATIF), an OpenHands history or output.jsonl, "
    "an Aider chat history, a monitor journal, or monitor's event format"
)
_HEAD = 1 << 16
_SHOWN = 5
"""Runs that are named where several are meant."""


def find(target: str) -> Found:
    """The run at a path, at the address of a server of OpenCode, or with that session id.

    Raises `MonitorError` with one line that says what is wrong and what to do.
    """
    if (run := OPENCODE.at(target)) is not None:
        return run
    path = Path(target).expanduser()
    if os.path.lexists(path):
        refuse_several(path, target)
        return _at(Path(os.path.normpath(path.absolute())), target)
    _reach(path, target)
    if (run := run_on_line(target) or OPENCODE.open(path)) is not None:
        return run
    if os.sep in target or target.startswith("."):
        raise MonitorError(f"{_shown(target)}: no such file or folder", "Check the path")
    return _named(target)


def finders() -> Sequence[Finder]:
    """All of them, those of other packages last."""
    return (*FINDERS, *(one.finder for one in plugged() if one.finder is not None and not one.problem))


def _openers() -> Sequence[Opener]:
    """The runs that monitor started come before those of the agents themselves."""
    return (LaunchedFinder(finders()), *finders())


def project_folder(project: Path | None) -> Path | None:
    """The folder given with `--project`, resolved; it must be one."""
    if project is None:
        return None
    folder = project.expanduser().resolve()
    if not folder.is_dir():
        raise MonitorError(f"{_shown(str(project))}: no such folder", "Give the folder the agent works in", USAGE)
    return folder


def _reach(path: Path, target: str) -> None:
    """Raise where it cannot even be seen whether something is there."""
    try:
        path.lstat()
    except PermissionError:
        raise MonitorError(f"{_shown(target)}: no permission to look there", "Run as the user it belongs to") from None
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise MonitorError(f"{_shown(target)}: {error.strerror or error}", "Check the path") from None


def _at(path: Path, target: str) -> Found:
    shown = _shown(target)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            with os.scandir(path) as entries:
                next(entries, None)
        elif stat.S_ISREG(mode):
            head = read_head(path, _HEAD)
        else:
            raise MonitorError(f"{shown}: neither a file nor a folder", "A pipe is read with: agent | monitor -")
    except PermissionError:
        raise MonitorError(
            f"{shown}: no permission to read it", "Ask its owner, or run as the user it belongs to"
        ) from None
    except OSError as error:
        raise MonitorError(f"{shown}: {error.strerror or error}", "Check the path") from None
    for finder in _openers():
        if (found := finder.open(path)) is not None:
            return _recounted(found) if stat.S_ISDIR(mode) else found
    if stat.S_ISDIR(mode):
        raise MonitorError(f"{shown}: no run in this folder", f"monitor reads {_KNOWN}")
    told, advice = _why_not(shown, head)
    raise MonitorError("; ".join((told, *(one.fault for one in plugged() if one.fault))), advice)


def _why_not(shown: str, head: bytes) -> tuple[str, str]:
    if not head.strip():
        return f"{shown}: the file is empty", "Start the agent first, or name another log"
    if b"\0" in head:
        return f"{shown}: a binary file, not a log", f"monitor reads {_KNOWN}"
    if re.match(rb"\s*(\{|\[\s*[\[{\"])", head):
        return f"{shown}: JSON, but not of an agent this version knows", f"monitor reads {_KNOWN}"
    return f"{shown}: text, but not an agent's log", f"monitor reads {_KNOWN}"


def _named(session: str) -> Found:
    matches = [found for finder in _openers() for found in finder.named(session)]
    if len(matches) == 1:
        return _recounted(matches[0])
    if not matches:
        raise MonitorError(
            f"{_shown(session)}: no such file, and no session of that id", "Name a log, a run folder, or a session id"
        )
    told = f"{_shown(session)}: {len(matches)} sessions begin like this"
    titles = [found.title for found in matches]
    if len(set(titles)) == len(titles):
        raise MonitorError(told, f"Give more of the id: {', '.join(shorten(line(one), 40) for one in titles[:_SHOWN])}")
    raise MonitorError(told, f"Name one by its file: {', '.join(_file(found) for found in matches[:_SHOWN])}")


def _file(found: Found) -> str:
    """What names a run among others of the same id: the path of its first input, below the user's folder in short."""
    path = next((one.path for one in found.inputs() if one.path is not None), None)
    if path is None:
        return shorten(line(found.title), 40)
    home = Path.home()
    return line(f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path))


def _recounted(found: Found) -> Found:
    """The run; one that monitor started and that has ended is read from the journal which tells more than its output."""
    if isinstance(found, Launched):
        found.recount()
    return found


def _shown(target: str) -> str:
    return shorten(line(target), 120)
