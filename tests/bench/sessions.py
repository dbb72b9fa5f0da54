"""What following twenty Claude Code sessions costs, each a process in a project of its own: `python tests/bench/sessions.py`.

Their lines are written, and their files edited, by this process; monitor runs in another, and what that and every git
it starts use of the processor is told, and not what is used here.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import IO

import trees

SESSIONS, FILES, SECONDS = 20, 100, 120.0
WARMUP = 15.0
"""Seconds that pass between the first look and the beginning of the measurement."""


@dataclass(frozen=True)
class Pace:
    """How fast every session writes."""

    name: str
    pause: float
    """Seconds between two lines of one session."""
    lines: int
    """Lines from a prompt to its answer: between them calls and their results, every other one an edit."""

    @property
    def told(self) -> str:
        """In words."""
        turn = self.pause * self.lines
        return f"each a line every {self.pause:g} s and an answer every {turn:g} s ({self.name})"


PACES = {
    "steady": Pace("a steady pace", 2.0, 60),
    "brisk": Pace("a brisk pace", 1.5, 10),
    "heavy": Pace("a heavy pace", 0.5, 4),
}
"""An operator who gives twenty agents work for two minutes each at a time is busy; for fifteen seconds, no longer human."""


@dataclass
class Session:
    """One session, and what writes for it."""

    number: int
    home: Path
    project: Path
    process: subprocess.Popen[bytes]
    calls: Iterator[int] = field(default_factory=count)
    lines: int = 0

    @property
    def id(self) -> str:
        return f"{self.number:08x}-1111-4222-8333-000000000001"

    @property
    def transcript(self) -> Path:
        return self.home / ".claude" / "projects" / f"-p{self.number}" / f"{self.id}.jsonl"

    def write(self, pace: Pace) -> None:
        """The next line, with all that comes with it."""
        at, self.lines = self.lines % pace.lines, self.lines + 1
        if at == 0:
            self.status("busy")
            self._append("user", {"role": "user", "content": f"Do part {self.lines} of the work"})
        elif at == pace.lines - 1:
            self._append("assistant", self._said([{"type": "text", "text": "Part of it is finished."}], "end_turn"))
            self.status("idle")
        elif at % 2:
            self._call()
        else:
            self._return()

    def status(self, status: str) -> None:
        """What the process says that it does."""
        pid = self.process.pid
        started = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
        path = self.home / ".claude" / "sessions" / f"{pid}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        told = {"pid": pid, "sessionId": self.id, "procStart": started, "status": status, "version": "2.1.332"}
        path.write_text(json.dumps({**told, "cwd": str(self.project), "statusUpdatedAt": int(time.time() * 1000)}))

    @property
    def _edited(self) -> Path:
        return trees.place(self.project, self.number % FILES)

    def _call(self) -> None:
        call = f"toolu_{self.number}_{next(self.calls)}"
        told = {"file_path": str(self._edited), "old_string": "a", "new_string": "b"}
        used = {"type": "tool_use", "id": call, "name": "Edit", "input": told}
        if self.lines % 4 > 1:
            words = {"command": f"python -m pytest -q -k part{self.lines}", "description": "Run the tests"}
            used = {"type": "tool_use", "id": call, "name": "Bash", "input": words}
        self._open = used
        self._append("assistant", self._said([used], "tool_use"))

    def _return(self) -> None:
        if self._open["name"] == "Edit":
            with self._edited.open("a") as file:
                file.write(f"line {self.lines}\n")
        block = {"type": "tool_result", "tool_use_id": self._open["id"], "content": "12 passed in 0.31s"}
        self._append("user", {"role": "user", "content": [block]})

    def _said(self, blocks: list[dict[str, object]], stop: str) -> dict[str, object]:
        usage = {"input_tokens": 5, "output_tokens": 70, "cache_read_input_tokens": 20_000 + self.lines}
        return {
            "id": f"msg_{self.number}_{self.lines}", "role": "assistant", "model": "claude-opus-5-5",
            "content": blocks, "stop_reason": stop, "usage": usage,
        }  # fmt: skip

    def _append(self, kind: str, message: dict[str, object]) -> None:
        now = time.time()
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
        row = {
            "parentUuid": None, "isSidechain": False, "type": kind, "message": message, "uuid": f"{self.lines:08x}-u",
            "timestamp": at, "cwd": str(self.project), "sessionId": self.id, "version": "2.1.332", "gitBranch": "main",
        }  # fmt: skip
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("a") as file:
            file.write(json.dumps(row) + "\n")


@contextmanager
def sessions(room: Path, number: int) -> Iterator[list[Session]]:
    """So many, each with a process that has started another one, in a repository with changes."""
    made: list[Session] = []
    try:
        for one in range(number):
            project = room / f"project{one}"
            for file in range(FILES):
                trees.write(trees.place(project, file), file)
            for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "first")):
                trees.git(project, "-c", "gc.auto=0", *words)
            process = subprocess.Popen(
                ("sh", "-c", "sleep 100000 & exec sleep 100000"), cwd=project, start_new_session=True
            )
            made.append(Session(one, room / "home", project, process))
        yield made
    finally:
        for session in made:
            os.killpg(session.process.pid, 9)
            session.process.wait()


def measured(room: Path, made: Sequence[Session], pace: Pace, seconds: float, *, screen: bool) -> tuple[float, float]:
    """The shares of a core that monitor and the gits it started used, while the sessions wrote at a pace."""
    words = [sys.executable, __file__, "follow", str(len(made)), "screen" if screen else "none"]
    variables = {**os.environ, "HOME": str(room / "home")}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables) as monitor:
        assert monitor.stdin is not None
        assert monitor.stdout is not None
        assert monitor.stdout.readline() == "attached\n"
        work(made, pace, min(WARMUP, seconds))
        begun = used(monitor.stdin, monitor.stdout)
        work(made, pace, seconds)
        ended = used(monitor.stdin, monitor.stdout)
        monitor.stdin.close()
    took = ended[0] - begun[0]
    return (ended[1] - begun[1]) / took, (ended[2] - begun[2]) / took


def work(made: Sequence[Session], pace: Pace, seconds: float) -> None:
    """Write at that pace for so long, one session after the other."""
    step = pace.pause / len(made)
    begun = time.monotonic()
    for tick in count():
        rest = begun + tick * step - time.monotonic()
        if tick * step >= seconds:
            return
        time.sleep(max(rest, 0.0))
        made[tick % len(made)].write(pace)


def used(ask: IO[str], answer: IO[str]) -> tuple[float, float, float]:
    """The time, and what monitor and its children have used of the processor so far, in seconds."""
    ask.write("?\n")
    ask.flush()
    now, own, children = json.loads(answer.readline())
    return now, own, children


def follow(number: int, *, screen: bool) -> None:
    """In a process of its own: follow all there is, and tell what that has cost when asked."""
    from monitor.finding.fleet import Fleet
    from monitor.finding.listers import listers
    from monitor.finding.survey import Survey
    from monitor.ui.app import MonitorApp

    fleet = Fleet(Survey(listers()))

    def tell() -> None:
        while sum(one.attached for one in fleet.view.live) < number:
            time.sleep(0.1)
        print("attached", flush=True)
        for _ in sys.stdin:
            own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
            told = (time.monotonic(), own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime)
            print(json.dumps(told), flush=True)

    async def shown() -> None:
        async with MonitorApp(None, fleet=lambda: fleet).run_test(size=(160, 48)):
            await asyncio.to_thread(tell)

    fleet.start()
    if screen:
        asyncio.run(shown())
    else:
        tell()
    fleet.close()


def main() -> None:
    """Each pace, without the overview and with it: `sessions.py [seconds [sessions [paces]]]`."""
    if sys.argv[1:2] == ["follow"]:
        follow(int(sys.argv[2]), screen=sys.argv[3] == "screen")
        return
    seconds, number, paces = (*sys.argv[1:], *(str(SECONDS), str(SESSIONS), ",".join(PACES))[len(sys.argv) - 1 :])
    for pace in (PACES[name] for name in paces.split(",")):
        for screen in (False, True):
            with tempfile.TemporaryDirectory() as room, sessions(Path(room), int(number)) as made:
                for session in made:
                    session.write(pace)
                own, children = measured(Path(room), made, pace, float(seconds), screen=screen)
            shown = "with" if screen else "without"
            print(f"{number} sessions, {pace.told}, {shown} the overview: ", end="")
            print(f"{100 * (own + children):.1f} % of a core, {100 * children:.1f} of it git", flush=True)


if __name__ == "__main__":
    main()
