"""How many events a second a run folds in, its words streamed in pieces.

Run: python tests/bench/folding.py [TURNS]
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator

from monitor.events import (
    Change,
    Event,
    FileOutcome,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Used,
)
from monitor.run.run import Run

WORDS = [
    "alpha",
    "beta",
    "the",
    "of",
    "module",
    "then",
    "gradle",
    "check",
    "writes",
    "file",
    "again",
    "into",
    "some",
    "with",
    "path",
    "folder",
    "maybe",
    "resolve",
    "import",
    "class",
]
COMMANDS = (
    "pytest -q tests/test_{}.py", "ls -la src/{}", "grep -rn foo{} src", "git diff HEAD~{}", "cd src && python run_{}.py",
)  # fmt: skip
PIECES = 8
ROUNDS = 5


def story(turns: int) -> Iterator[Event]:
    """A run that thinks, reads, edits and runs things, and hardly ever does the same twice."""
    chance = random.Random(1)
    yield RunStarted(agent="bench", cwd="/p", project="/p", deltas=True, at=0.0)
    yield Prompted(text="Do it", at=1.0)
    for number in range(turns):
        at, message = 2.0 + number, f"m{number}"
        for piece in range(PIECES):
            said = " ".join(chance.choices(WORDS, k=4)) + (". " if piece % 2 else " ")
            yield Thought(message=message, text=said, delta=True, at=at)
        call = _call(number, chance)
        yield call
        yield Used(key=message, tokens=Tokens(input=10, output=5), at=at)
        yield ReplyEnded(message=message, stop="tools", at=at)
        lines = chance.choice((3, 10, 40))
        output = "\n".join(" ".join(chance.choices(WORDS, k=8)) for _ in range(lines))
        files = tuple(FileOutcome(change.file, added=1, removed=1) for change in call.changes)
        failed = chance.random() < 0.1
        yield ToolReturned(
            call=call.call,
            message=message,
            outcome="failed" if failed else "ok",
            output=output,
            files=files,
            at=at + 0.5,
        )
    yield RequestEnded(text="Done.")


def _call(number: int, chance: random.Random) -> ToolCalled:
    call, message, file = f"c{number}", f"m{number}", f"src/f{chance.randrange(50)}.py"
    match chance.choice(("shell", "shell", "write", "read")):
        case "shell":
            command = chance.choice(COMMANDS).format(chance.randrange(400))
            arguments = json.dumps({"command": command})
            return ToolCalled(
                call=call, message=message, tool="Bash", kind="shell", command=command, arguments=arguments
            )
        case "write":
            change = Change(file, "edit", f"old {number}", f"new {number}")
            arguments = json.dumps({"file": file, "old": change.old, "new": change.new})
            return ToolCalled(
                call=call, message=message, tool="Edit", kind="write", changes=(change,), arguments=arguments
            )
        case _:
            arguments = json.dumps({"path": file})
            return ToolCalled(call=call, message=message, tool="Read", kind="read", paths=(file,), arguments=arguments)


def seconds(events: list[Event]) -> float:
    """How long it takes to fold all of them in."""
    run, begin = Run(), time.process_time()
    for event in events:
        run.feed(event)
    return time.process_time() - begin


def main() -> None:
    """Print the best of some rounds."""
    events = list(story(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000))
    best = min(seconds(events) for _ in range(ROUNDS))
    print(f"{len(events):,} events in {best:.2f} s: {len(events) / best:,.0f} a second, {PIECES} pieces a reply")


if __name__ == "__main__":
    main()
