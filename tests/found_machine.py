"""Sessions and processes that the tests of finding make."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from monitor.agents.listed import Listed, Program
from monitor.finding.listers import listers
from monitor.finding.survey import Sighting, Survey

SESSION = "8f5b765e-1111-4222-8333-000000000001"
OTHER = "8f5b765e-1111-4222-8333-000000000002"


@dataclass(frozen=True)
class Pretended:
    """A machine that runs what a test says."""

    running: dict[str, list[Program]] = field(default_factory=dict)

    def programs(self, *names: str) -> Sequence[Program]:
        return [one for name in names for one in self.running.get(name, ())]


def look(machine: Pretended | None = None) -> Sighting:
    """What is found on a machine where nothing else runs."""
    return Survey(listers(), lambda: machine or Pretended()).look()


def one(sighting: Sighting) -> Listed:
    assert len(sighting.runs) == 1, sighting.runs
    return sighting.runs[0]


def row(session: str, text: str, **more: object) -> str:
    """A prompt as a transcript holds it."""
    told = {
        "parentUuid": None, "isSidechain": False, "type": "user", "message": {"role": "user", "content": text},
        "uuid": "u", "timestamp": "2026-11-28T15:00:00.000Z", "cwd": "/home/mara/src/notes", "sessionId": session,
        "version": "2.1.332", "gitBranch": "main",
    }  # fmt: skip
    return json.dumps(told | more) + "\n"


def transcript(home: Path, session: str = SESSION, *lines: str, project: str = "-home-mara-src-notes") -> Path:
    path = home / ".claude" / "projects" / project / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines or (row(session, "Add the German strings"),)), encoding="utf-8")
    return path


def register(home: Path, pid: int, session: str = SESSION, **more: object) -> Path:
    told = {"pid": pid, "sessionId": session, "procStart": ticks(pid), "status": "busy", "version": "2.1.332"} | more
    path = home / ".claude" / "sessions" / f"{pid}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told))
    return path


def ticks(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "1"


def dirtywork(home: Path, slug: str, **more: object) -> Path:
    told = {
        "slug": slug, "repo": "/home/mara/src/apk", "worktree": "/home/mara/src/apk-work", "branch": "b",
        "base_commit": "c", "status": "completed", "started": "2026-11-28T15:00:00+00:00",
        "ended": "2026-11-28T15:05:00+00:00", "task": "Build the release package\nand more", "host_pid": 1,
        "sandbox": "none",
    }  # fmt: skip
    folder = home / ".dirtywork" / "runs" / slug
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(told | more))
    return folder


def lcode(home: Path, session: str, folder: str = "/home/mara/lab", title: str = "Write a fuzz test") -> Path:
    told = {
        "cwd": folder, "model": "m", "mode": "code", "image_model": "i", "video_model": "v", "media": {}, "name": "",
        "title": title, "messages": [], "checkpoints": [], "todos": [], "notes": [], "changed": [],
    }  # fmt: skip
    path = home / ".local" / "state" / "lcode" / "sessions" / f"{session}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told))
    return path


def pi(home: Path, session: str, folder: str = "/home/mara/lab", prompt: str = "Sort the imports") -> Path:
    said = {"role": "user", "content": [{"type": "text", "text": f"{prompt}\nand the rest"}]}
    rows = (
        {"type": "session", "version": 3, "id": session, "timestamp": "2026-11-28T15:00:00.000Z", "cwd": folder},
        {"type": "model_change", "id": "a", "parentId": None, "timestamp": "2026-11-28T15:00:01.000Z", "modelId": "m"},
        {"type": "message", "id": "b", "parentId": "a", "timestamp": "2026-11-28T15:00:02.000Z", "message": said},
    )
    path = home / ".pi" / "agent" / "sessions" / "--home-mara-lab--" / f"2026-11-28T15-00-00-000Z_{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@contextmanager
def sleeper(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that works in a folder, with these words in its command line."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", "input()", *words]
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, env={**os.environ})
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()
