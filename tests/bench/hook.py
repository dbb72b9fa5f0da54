"""What the hook program costs an agent at each of its events, above a bare start of the same interpreter.

Run: python tests/bench/hook.py [ROUNDS]. Ends with 1 where nothing waits and it costs 40 ms or more.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 60
LIMIT = 40.0
SESSION = "c1a64d2c-51dd-4cca-b4f9-cc6fee235a1c"
LARGE = 2 << 20
"""Characters of a large result that is handed to the hook."""


def took(command: list[str], data: bytes) -> float:
    """Milliseconds from start to end."""
    begun = time.perf_counter()
    subprocess.run(command, input=data, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begun) * 1000


def event(size: int = 0) -> bytes:
    told = {"session_id": SESSION, "hook_event_name": "PostToolUse", "tool_response": "x" * size}
    return json.dumps(told).encode()


def main(rounds: int) -> int:
    """Measure in turns, so that a busy machine is equally busy for all."""
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        from monitor.actions import Action
        from monitor.hooks.mailbox import Mailbox
        from monitor.hooks.places import command, mail

        mail("claude")
        shell = ["/bin/sh", "-c", command("claude")]
        bare = ["/bin/sh", "-c", f"{sys.executable} -I -S -c pass || :"]
        other = Mailbox("claude", SESSION.replace("c", "d"))
        rows = {"bare interpreter": (bare, b"")}
        rows |= {"nothing waits": (shell, event()), "nothing waits, 2 MB result": (shell, event(LARGE))}
        times: dict[str, list[float]] = {name: [] for name in (*rows, "words are handed over")}
        for _ in range(rounds):
            for name, (words, data) in rows.items():
                times[name].append(took(words, data))
        box = Mailbox("claude", SESSION)
        for number in range(rounds):
            box.leave("words", Action(f"w{number}", "feedback", ""), "Read the file again.")
            times["words are handed over"].append(took(shell, event()))
        box.close()
        other.close()
        first = statistics.median(times["bare interpreter"])
        for name, taken in times.items():
            here = statistics.median(taken)
            print(f"{name:<28} {here:6.1f} ms   {here - first:+6.1f} ms   {here / first:4.2f} of a bare start")
        return int(statistics.median(times["nothing waits"]) - first >= LIMIT)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
