"""How long the list of all runs takes, and what following twenty live ones costs: `python tests/bench/fleet.py`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

SESSIONS, LIVE, SECONDS = 10_000, 20, 20.0


def fill(home: Path, count: int) -> None:
    """Transcripts of about 20 KB in fifty projects."""
    rest = "".join(json.dumps({"type": "attachment", "n": n, "text": "x" * 400}) + "\n" for n in range(40))
    for number in range(count):
        session = f"{number:08x}-1111-4222-8333-000000000001"
        folder = home / ".claude" / "projects" / f"-p{number % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        row = {
            "parentUuid": None, "isSidechain": False, "type": "user", "cwd": f"/p{number % 50}", "sessionId": session,
            "message": {"role": "user", "content": f"prompt {number}"}, "version": "2.1.332",
            "timestamp": "2026-11-28T15:00:00.000Z",
        }  # fmt: skip
        (folder / f"{session}.jsonl").write_text(json.dumps(row) + "\n" + rest)


def chill(home: Path) -> None:
    """Have the system forget what it keeps of the files in memory, where it can."""
    os.sync()
    for path in home.rglob("*.jsonl") if hasattr(os, "posix_fadvise") else ():
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def listing(name: str) -> None:
    """All of them, for the first time and again."""
    from monitor.finding.ends import FileEnds
    from monitor.finding.listers import listers
    from monitor.finding.survey import Survey

    ends = FileEnds()
    survey = Survey(listers(), ends=ends)
    for turn in (name, "again", "and again"):
        begun, cpu, before = time.perf_counter(), time.process_time(), ends.read
        found = survey.look()
        took, used = time.perf_counter() - begun, time.process_time() - cpu
        read = (ends.read - before) / 1e6
        print(f"{len(found.runs):,} sessions, {turn}: {used:.2f} s processor, {took:.2f} s, {read:.0f} MB read")


def following(folder: Path, live: int, seconds: float, *, screen: bool) -> None:
    """What so many followed runs cost, with an event every two seconds each, and the overview drawn or not."""
    import asyncio

    from monitor.agents.listed import Listed
    from monitor.finding.fleet import Fleet
    from monitor.finding.survey import Sighting
    from monitor.ui.app import MonitorApp

    paths = [folder / f"{number}.jsonl" for number in range(live)]
    for path in paths:
        path.write_text('{"event":"RunStarted","agent":"tiny"}\n{"event":"Prompted","text":"go"}\n')
    runs = tuple(Listed("native", path.stem, path, "live", "", pid=1, last=1.0) for path in paths)

    class Machine:
        """Nothing but these runs."""

        def look(self) -> Sighting:
            return Sighting(runs)

    fleet = Fleet(Machine())

    async def shown() -> float:
        app = MonitorApp(None, fleet=lambda: fleet)
        async with app.run_test(size=(160, 48)):
            return await busy()

    async def busy() -> float:
        fleet.start()
        while len([one for one in fleet.view.live if one.attached]) < live:  # noqa: ASYNC110 - it is asked, it never tells
            await asyncio.sleep(0.1)
        await asyncio.sleep(3)
        begun, cpu = time.monotonic(), time.process_time()
        while time.monotonic() - begun < seconds:
            for path in paths:
                with path.open("a") as file:
                    file.write('{"event":"Said","text":"one more word"}\n')
                await asyncio.sleep(2.0 / live)
        return (time.process_time() - cpu) / (time.monotonic() - begun)

    share = asyncio.run(shown() if screen else busy())
    fleet.close()
    print(f"{live} live runs, {'with' if screen else 'without'} the screen: {100 * share:.1f} % of a core")


def main() -> None:
    """Everything, in a home of its own."""
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        os.environ["HOME"] = made
        fill(home, SESSIONS)
        listing("first")
        chill(home)
        listing("from the disk")
        (home / "live").mkdir()
        for screen in (False, True):
            following(home / "live", LIVE, SECONDS, screen=screen)


if __name__ == "__main__":
    sys.exit(main())
