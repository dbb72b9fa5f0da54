"""One run that was found: a session's transcript with its sub-agents' files, or a stream."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.agents.claude.process import can_verify, folder_of, registrations, verified
from monitor.agents.claude.sniff import session_in
from monitor.agents.folders import changed
from monitor.agents.protocol import Process
from monitor.streams.files import read_lines
from monitor.streams.record import Input
from monitor.text import clean

SESSION = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
HEAD = 1 << 18
"""Bytes of a log that are looked at to recognise it."""
_DEPTH = 3
"""Folders below `subagents` that may hold more of them: those of workflows."""


def head_of(path: Path, most: int = HEAD) -> bytes:
    """The beginning of a file, its last line whole; empty when it cannot be read."""
    try:
        return read_lines(path, most)
    except OSError:
        return b""


class Session:
    """A session at a file; `role` is `transcript`, `alone` for a sub-agent's own file, or `stream`."""

    agent = "claude"

    def __init__(self, path: Path | None, role: str, session: str, title: str) -> None:
        self.title = title
        self.session = session
        """The session's id, as its file's name or its records tell; empty when neither does."""
        self._path = path
        self._inputs = [Input(0, path.name if path else title, role, path)]
        self._known: set[Path] = set()
        self._lived = False
        self._sifted = 0
        """When the folder of transcripts had changed last, of which all files that lie beside are known."""

    def inputs(self) -> Sequence[Input]:
        """The log, its sub-agents' files as they appear, and the file in which a live process says what it does."""
        if self._path is not None and self._inputs[0].role == "transcript":
            for path in self._beside(self._path):
                if path not in self._known:
                    self._add(path)
        return tuple(self._inputs)

    def decoder(self) -> ClaudeDecoder:
        """A fresh decoder."""
        return ClaudeDecoder()

    def process(self) -> Process | None:
        """The verified live process of this session."""
        found = (verified(path) for path in registrations(self.session))
        return next((process for process in found if process is not None), None)

    def project(self) -> Path | None:
        """The folder that the verified live process works in."""
        folders = (folder_of(path) for path in registrations(self.session))
        return next((folder for folder in folders if folder is not None), None)

    def alive(self) -> bool | None:
        """Whether the session's process exists; none when it has left no word, or nothing can be verified."""
        if self.process() is not None:
            self._lived = True
            return True
        if not can_verify():
            return None
        return False if self._lived or registrations(self.session) else None

    def _add(self, path: Path) -> None:
        self._known.add(path)
        index, name = len(self._inputs), path.name
        if path.parent.name == "sessions":
            self._inputs.append(Input(index, f"sessions/{name}", "process", path, "document", passing=True))
            return
        if self._path is not None and path.is_relative_to(self._path.with_suffix("")):
            name = str(path.relative_to(self._path.with_suffix("")))
        actor = clean(path.name.removeprefix("agent-").removesuffix(".meta.json").removesuffix(".jsonl"))
        if path.name.endswith(".meta.json"):
            self._inputs.append(Input(index, name, "meta", path, "document", actor))
        else:
            self._inputs.append(Input(index, name, "subagent", path, actor=actor))

    def _beside(self, transcript: Path) -> Iterator[Path]:
        """Files that belong to this session: by its folder, in older versions by what they say."""
        yield from sorted(_agents(f"{transcript.with_suffix('')}/subagents", _DEPTH))
        if SESSION.fullmatch(transcript.stem):
            yield from self._siblings(transcript)
            yield from (path for path in registrations(self.session) if verified(path) is not None)

    def _siblings(self, transcript: Path) -> Iterator[Path]:
        stands = changed(transcript.parent)
        if stands and stands == self._sifted:
            return
        known = True
        for path in sorted(_agents(transcript.parent, 0)):
            if path in self._known or path.name.endswith(".meta.json"):
                continue
            session = session_in(head_of(path, 1 << 16))
            if session == self.session:
                yield path
            elif session:
                self._known.add(path)
            known = known and bool(session)
        self._sifted = stands if known else 0


def _agents(folder: Path | str, depth: int) -> Iterator[Path]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("agent-") and entry.name.endswith((".jsonl", ".meta.json")):
            if entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
        elif depth and entry.is_dir(follow_symlinks=False):
            yield from _agents(Path(entry.path), depth - 1)
