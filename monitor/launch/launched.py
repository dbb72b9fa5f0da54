"""A run that monitor started: its folder holds what it said, who it is, and how it ended."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from monitor.agents.acp.find import FINDER as ACP
from monitor.agents.claude.find import FINDER as CLAUDE
from monitor.agents.codex.served import Served
from monitor.agents.lcode.find import FINDER as LCODE
from monitor.agents.native.find import FINDER as NATIVE
from monitor.agents.native.find import JournalFile
from monitor.agents.opencode.live import Live
from monitor.agents.opencode.serving import Serving
from monitor.agents.opencode.stored import Stored
from monitor.agents.protocol import Decoder, Finder, Found
from monitor.agents.sniffing import SniffingDecoder
from monitor.config import state_folder
from monitor.events import Event
from monitor.launch.fate import abort, fate
from monitor.launch.recorded import fullest, recorded
from monitor.processes.identity import Identity, carries, identify
from monitor.streams.files import read_head
from monitor.streams.record import Input
from monitor.text import clean

LAUNCH, AGENT, ENDED, LOST, OUTPUT, ERRORS, SOCKET, SENT = (
    "launch.json", "agent.json", "ended.json", "lost.json", "output", "errors", "control.sock", "sent.jsonl",
)  # fmt: skip
_LARGEST = 1 << 20
_FINDERS: dict[str, Finder] = {"acp": ACP, "claude": CLAUDE, "lcode": LCODE, "native": NATIVE}


class Launched:
    """One run in its folder; it is the operator's own record, so what stands there can be relied on."""

    def __init__(self, folder: Path, told: dict[str, Any], finders: Sequence[Finder]) -> None:
        self.folder = folder
        self.title = folder.name
        self.agent: str = told["agent"]
        self.mark: str = told["mark"]
        self.cwd = Path(told["cwd"])
        words, began = told.get("command"), told.get("began")
        self.command = tuple(str(word) for word in words) if isinstance(words, list) else ()
        self.began = float(began) if isinstance(began, int | float) else None
        """When it was started, seconds since the epoch."""
        self.task = ""
        """What its channel asks of it first; only who has started it knows."""
        self.stops = False
        """Whether it is to be stopped when the monitor that reaches it is gone."""
        self._finders = finders
        self._recognised = _FINDERS[self.agent].pipe(OUTPUT) if self.agent in _FINDERS else None
        self._thread = Served(folder / OUTPUT, OUTPUT) if self.agent == "codex" else None
        self._recognised = self._recognised or self._thread
        role = self._recognised.inputs()[0].role if self._recognised else "stream"
        self._input = Input(0, OUTPUT, role, folder / OUTPUT)
        env, ask = told.get("env"), told.get("ask")
        self.ask: dict[str, Any] = ask if isinstance(ask, dict) else {}
        """What its channel says with the task."""
        self.serving: Serving | None = None
        """The server it is, where it serves its one session."""
        if self.agent == "opencode":
            self.serving = Serving(folder, self.cwd, env if isinstance(env, dict) else {})
        self._served: Live | Stored | None = None
        self._record: JournalFile | None = None
        """The journal it is read from."""
        self._elsewhere = ""
        """Where more of it is recorded, though not all."""

    def recount(self) -> None:
        """Read it, once it has ended, from the fullest of its journals, where one tells all that it said."""
        if self.ended() is None:
            return
        journals = list(recorded(self.title, self.agent))
        self._record = fullest(journals, self.inputs(), self.decoder())
        rest = max((one for one in journals if one.seen), key=lambda one: one.worth, default=None)
        if self._record is None and rest is not None:
            self._elsewhere = f"what a monitor measured of a part of this run: monitor report {rest.shown}"

    def forget(self) -> None:
        """Read what the agent itself said, whatever is recorded of it."""
        self._record, self._elsewhere = None, ""

    def fate(self) -> Sequence[Event]:
        """How it ended, and the abort that ended it, as far as that was written down; none while it runs."""
        ended = self.ended()
        return () if ended is None else (*abort(recorded(self.title, self.agent), ended), fate(ended))

    def served(self) -> Live | Stored | None:
        """Its session, where it serves one: over its server, or once that has ended as its agent keeps it."""
        if self._served is None and self.serving is not None:
            self._served = self.serving.found(lives=self.ended() is None)
        return self._served

    def inputs(self) -> Sequence[Input]:
        """What the agent wrote to its standard output, or its session; or the journal which tells more than that."""
        if self._record is not None:
            return tuple(replace(one, name=f"journals/{one.name}") for one in self._record.inputs())
        served = self.served()
        beside = served or self._thread
        return beside.inputs() if beside is not None else (self._input,)

    def decoder(self) -> Decoder:
        """The agent's, or one that recognises it first; or that of its journal."""
        if self._record is not None:
            return self._record.decoder()
        if (served := self.served()) is not None:
            return served.decoder()
        if self._recognised is not None:
            return self._recognised.decoder()
        return SniffingDecoder(self._finders, OUTPUT, self._recognise)

    def _recognise(self, found: Found) -> None:
        self._recognised = found

    def project(self) -> Path | None:
        """The folder it was started in, by the operator; none once its journal tells what was measured there."""
        return self.cwd if self._record is None and self.cwd.is_dir() else None

    def alive(self) -> bool | None:
        """Whether it runs."""
        return self.ended() is None and self.identity() is not None

    def identity(self) -> Identity | None:
        """Its process, known by the mark that only this run was given."""
        told = _read(self.folder / AGENT)
        pid = told.get("pid") if told else None
        found = identify(pid) if isinstance(pid, int) else None
        return found if found is not None and carries(found.pid, self.mark) else None

    def ended(self) -> dict[str, Any] | None:
        """How it ended: `code` as a shell has it, negative for a signal, or `problem` where it could not begin."""
        return _read(self.folder / ENDED)

    @property
    def problem(self) -> str:
        """That what it says found no room on the disk; empty where all is here."""
        path = self.folder / LOST
        if not path.exists():
            return ""
        told = _read(path) or {}
        lost = told.get("lost")
        amount = f"{lost:,} bytes of what the agent said" if isinstance(lost, int) and lost else "what the agent says"
        if told.get("losing") is False:
            return f"the disk was full for a while: {amount} are not kept, and not seen here"
        return f"the disk is full: {amount} {'are' if lost else 'is'} not kept, and not seen here"

    @property
    def elsewhere(self) -> str:
        """Where a part of it is recorded with what was measured; empty where all that is known is read."""
        return self._elsewhere

    def last_words(self) -> str:
        """The last line it wrote to its standard error."""
        try:
            lines = read_head(self.folder / ERRORS, _LARGEST).decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return next((clean(line.strip()) for line in reversed(lines) if line.strip()), "")


class LaunchedFinder:
    """Knows the runs that monitor started, by their folders and names."""

    def __init__(self, finders: Sequence[Finder]) -> None:
        self._finders = finders

    def open(self, path: Path) -> Found | None:
        """The run at its folder, or at a file in it."""
        folder = path if path.is_dir() else path.parent
        told = _read(folder / LAUNCH)
        known = told is not None and all(isinstance(told.get(key), str) for key in ("agent", "mark", "cwd"))
        return Launched(folder, told, self._finders) if told is not None and known else None

    def named(self, session: str) -> list[Found]:
        """The runs whose names begin like this."""
        if not session or not session.replace("-", "").isalnum():
            return []
        folder = state_folder("runs")
        names = sorted(one.name for one in folder.iterdir() if one.name.startswith(session))
        return [found for name in names if (found := self.open(folder / name)) is not None]


def new_name(now: float, chance: str) -> str:
    """A folder's name that sorts by time."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(now))}-{chance}"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(read_head(path, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
