"""Finds Claude Code's runs: at a path, in a pipe, or by the id of a session."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from monitor.agents.claude.process import config_folder
from monitor.agents.claude.session import SESSION, Session, head_of
from monitor.agents.claude.sniff import is_sidechain, kind_of, session_in

_PREFIX = re.compile(r"[0-9a-f-]{4,36}")
"""What may be the beginning of a session's id; shorter ones would match what nobody meant."""
_MOST = 100
"""Transcripts of a folder that are looked into."""


class ClaudeFinder:
    """Recognises Claude Code's logs from what they hold, whatever their name."""

    def open(self, path: Path) -> Session | None:
        """The run at a file, in a project's folder of transcripts (the newest), or of a session's own folder."""
        return _folder(path) if path.is_dir() else _file(path)

    def sniff(self, head: bytes) -> bool:
        """Whether a stream that begins like this is Claude Code's."""
        return kind_of(head) is not None

    def pipe(self, name: str) -> Session:
        """A run read from a pipe."""
        return Session(None, "stream", "", name)

    def named(self, session: str) -> Iterable[Session]:
        """The sessions whose id begins like this; only names of files are read."""
        wanted = session.lower()
        if not _PREFIX.fullmatch(wanted):
            return []
        return [found for path in _transcripts(wanted) if (found := _file(path)) is not None]


FINDER = ClaudeFinder()


def _file(path: Path) -> Session | None:
    head = head_of(path)
    kind = kind_of(head)
    if kind is None:
        return None
    named = SESSION.fullmatch(path.stem) is not None
    session = path.stem if named else session_in(head)
    if kind == "transcript" and is_sidechain(head):
        return Session(path, "alone", "", path.stem)
    return Session(path, kind, session, session if named else path.name)


def _folder(path: Path) -> Session | None:
    own = path.parent if path.name == "subagents" else path
    if SESSION.fullmatch(own.name) and (transcript := own.with_name(own.name + ".jsonl")).is_file():
        return _file(transcript)
    for candidate in _newest(path):
        if (found := _file(candidate)) is not None:
            return found
    return None


def _newest(folder: Path) -> list[Path]:
    """The transcripts of a folder, the one written to last first; they are named after their session."""
    try:
        dated = [
            (entry.stat(follow_symlinks=False).st_mtime, Path(entry.path))
            for entry in os.scandir(folder)
            if entry.is_file(follow_symlinks=False) and is_session(entry.name)
        ]
    except OSError:
        return []
    return [path for _, path in sorted(dated, reverse=True)[:_MOST]]


def _transcripts(wanted: str) -> Iterator[Path]:
    try:
        projects = [entry for entry in os.scandir(config_folder() / "projects") if entry.is_dir()]
    except OSError:
        return
    for project in projects:
        try:
            names = [entry.name for entry in os.scandir(project.path)]
        except OSError:
            continue
        for name in names:
            if name.startswith(wanted) and is_session(name):
                yield Path(project.path) / name


def is_session(name: str) -> bool:
    """Whether a file of this name is a session's transcript."""
    return name.endswith(".jsonl") and SESSION.fullmatch(name.removesuffix(".jsonl")) is not None
