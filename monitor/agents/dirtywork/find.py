"""Finds dirtywork's runs: a run folder, one of its files, the folder of all runs, or a run's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from monitor.agents.dirtywork import process
from monitor.agents.dirtywork.decode import LIVE, RUN, TRANSCRIPT, DirtyworkDecoder
from monitor.agents.dirtywork.started import About, resumed
from monitor.agents.fields import Object, raw, read_object
from monitor.agents.protocol import Found, Process
from monitor.streams.files import read_head, read_lines
from monitor.streams.record import Input, Shape

_TRANSCRIPT = "transcript.jsonl"
_FILES: tuple[tuple[str, str, Shape], ...] = (
    (TRANSCRIPT, _TRANSCRIPT, "lines"),
    (RUN, RUN, "document"),
    (LIVE, LIVE, "document"),
)
_HEAD = 1 << 16
_LARGEST = 4 << 20
"""Bytes of the largest run.json that is looked at; it holds the task and feedback of up to 64,000 characters."""
_RUN_KEYS = ("slug", "repo", "worktree", "branch", "base_commit", "status")
"""What every run.json holds as text."""
_LINE = re.compile(rb'\s*\{\s*"ts"\s*:\s*"[^"]{10,40}"\s*,\s*"event"\s*:\s*"(\w+)"\s*,\s*"(\w+)"')
"""How a line of a transcript begins, for one that is longer than the head."""
_FIELDS = {
    "run_start": "task",
    "assistant": "text",
    "tool_result": "tool",
    "nudge": "kind",
    "verify": "round",
    "firewall_denial": "reason_code",
    "guardrail_block": "tool",
    "sandbox_reset": "reason",
    "stray_kill": "strays",
    "run_end": "status",
}
"""A field of each event, so that another program's `event` is not taken for dirtywork's; `run_start` begins with it."""
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class RunFolder:
    """One run in its folder; files that appear later are added behind those known."""

    agent = "dirtywork"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.title = folder.resolve().name
        self._inputs: list[Input] = []

    def inputs(self) -> Sequence[Input]:
        """The transcript, run.json and the preview of changes, as far as they exist."""
        known = {source.role for source in self._inputs}
        for role, name, shape in _FILES:
            path = self._folder / name
            if role not in known and path.is_file():
                self._inputs.append(Input(len(self._inputs), name, role, path, shape))
        return tuple(self._inputs)

    def decoder(self) -> DirtyworkDecoder:
        """One that knows what run.json says now."""
        found = run_of(self._folder / RUN)
        if found is None:
            return DirtyworkDecoder()
        alone = not (self._folder / _TRANSCRIPT).exists() and not self.alive()
        return DirtyworkDecoder(About(raw(found, "slug"), raw(found, "verify_command"), resumed(found), alone))

    def process(self) -> Process | None:
        """The verified process of the run, while it runs."""
        found = run_of(self._folder / RUN)
        return process.of_run(found) if found else None

    def alive(self) -> bool | None:
        """Whether the process that wrote run.json still runs; run.json alone says so even when it was killed."""
        found = run_of(self._folder / RUN)
        return None if found is None else process.of_run(found) is not None

    def project(self) -> Path | None:
        """The worktree, while a process that holds this transcript open works in it; never a container's."""
        found = run_of(self._folder / RUN)
        verified = process.of_run(found) if found else None
        if found is None or verified is None or raw(found, "sandbox") != "none":
            return None
        worktree = Path(raw(found, "worktree"))
        holds = process.holds(verified, self._folder / _TRANSCRIPT)
        return worktree if holds and worktree.is_absolute() and worktree.is_dir() else None


class Transcript:
    """A transcript without its folder: a file of any name, or a pipe."""

    agent = "dirtywork"

    def __init__(self, name: str, path: Path | None) -> None:
        self.title = name
        self._input = Input(0, name, TRANSCRIPT, path)

    def inputs(self) -> Sequence[Input]:
        """The one."""
        return (self._input,)

    def decoder(self) -> DirtyworkDecoder:
        """A fresh one."""
        return DirtyworkDecoder()

    def project(self) -> Path | None:
        """Nothing tells."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None


class DirtyworkFinder:
    """Recognises what dirtywork writes, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run at a run folder, at one of its files, or at a transcript; of the folder of runs the newest."""
        try:
            return _at_folder(path) if path.is_dir() else _at_file(path)
        except OSError:
            return None

    def sniff(self, head: bytes) -> bool:
        """Whether this is the beginning of a transcript, or of a later part of one."""
        line = next((line for line in head.splitlines() if line.strip()), b"")
        found = read_object(line)
        if isinstance(found, dict):
            return bool(raw(found, "ts")) and _FIELDS.get(raw(found, "event"), "\0") in found
        begins = _LINE.match(line)
        return begins is not None and _FIELDS.get(begins[1].decode()) == begins[2].decode()

    def pipe(self, name: str) -> Found:
        """A transcript that is piped in."""
        return Transcript(name, None)

    def named(self, session: str) -> Iterable[Found]:
        """The run of that name, or those whose names begin so, in the usual folder."""
        if not _SLUG.fullmatch(session):
            return
        runs = home()
        try:
            names = sorted(one.name for one in runs.iterdir() if one.name.startswith(session))
        except OSError:
            return
        for name in [session] if session in names else names:
            if run_of(runs / name / RUN) is not None:
                yield RunFolder(runs / name)


FINDER = DirtyworkFinder()


def home() -> Path:
    """Where dirtywork of this user keeps its runs."""
    return Path.home() / ".dirtywork" / "runs"


def _at_folder(folder: Path) -> Found | None:
    if _is_run(folder):
        return RunFolder(folder)
    runs = folder / "runs" if (folder / "runs").is_dir() else folder
    ages = [(_changed(one), one.name) for one in runs.iterdir() if _changed(one) and _is_run(one)]
    return RunFolder(runs / max(ages)[1]) if ages else None


def _at_file(path: Path) -> Found | None:
    if path.name in (_TRANSCRIPT, RUN, LIVE) and _is_run(path.parent):
        return RunFolder(path.parent)
    if not path.is_file():
        return None
    return Transcript(path.name, path) if FINDER.sniff(read_lines(path, _HEAD)) else None


def _is_run(folder: Path) -> bool:
    """Whether this is one run's folder, by what its files hold."""
    if (folder / RUN).is_file():
        return run_of(folder / RUN) is not None
    transcript = folder / _TRANSCRIPT
    return transcript.is_file() and FINDER.sniff(read_lines(transcript, _HEAD))


def _changed(folder: Path) -> float:
    """When the run last wrote, 0 where there is none: a review rewrites run.json long after."""
    for name in (_TRANSCRIPT, RUN):
        try:
            return (folder / name).stat().st_mtime
        except OSError:
            continue
    return 0.0


def run_of(path: Path) -> Object | None:
    """The run.json at a path, or none."""
    try:
        found = read_object(read_head(path, _LARGEST))
    except OSError:
        return None
    known = isinstance(found, dict) and all(isinstance(found.get(key), str) for key in _RUN_KEYS)
    return found if known and isinstance(found, dict) else None
