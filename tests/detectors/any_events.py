"""Any events in any order, for what must hold of every detector of calls."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from monitor.events import (
    Acted,
    Change,
    Checked,
    Coverage,
    Event,
    FileOutcome,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    Tick,
    ToolCalled,
    ToolReturned,
    Waiting,
)  # fmt: skip
from monitor.run.numbering import Numbering

FILES = ("a.sh", "/p/a.sh", "sub/../a.sh", "Makefile", "/q/b.py", "", "~/c", "/tmp/x")
COMMANDS = (
    "./a.sh", "bash a.sh", "make", "cat Makefile", "pytest -q", "ls", "sed -i s/a/b/ a.sh", "cd /srv && ls", "sleep 5", "rm a.sh",
    "cat > a.sh <<'E'\nls\nE", "cat > Makefile <<'E'\nall:\n\t./a.sh\nE", "cp a.sh b.sh && ./b.sh", "echo '", "", "docker run x",
    "find . -name '*.sh' -exec bash {} \\;",
)  # fmt: skip
OUTPUTS = (
    "", "one", "pid 17 took 0.3s", "1\t#!/bin/bash\n2\tls", "dev@h:~# cat > a.sh <<'E'\n> ls\n>", "> x\n>", "Shell cwd was reset to /p",
    "bash ./a.sh", "x" * 20_000,
)  # fmt: skip
OUTCOMES = (
    "ok",
    "ok",
    "ok",
    "failed",
    "failed",
    "denied",
    "refused",
    "not_executed",
    "timed_out",
    "cancelled",
    "unknown",
)

calls = st.sampled_from(("c1", "c2", "c3"))
actors = st.sampled_from(("", "", "kid"))
messages = st.sampled_from(("", "m1", "m2", "m3"))
times = st.sampled_from((None, 1.0, 50.0, 200.0, 5_000.0))
copied = st.integers(0, 9).map(lambda number: number == 0)
called = st.builds(
    ToolCalled,
    call=calls,
    actor=actors,
    message=messages,
    at=times,
    kind=st.sampled_from(("shell", "shell", "write", "read", "poll", "other", "delegate", "ask")),
    tool=st.sampled_from(("bash", "edit", "write_stdin")),
    arguments=st.sampled_from(("", "{}", '{"a": 1}', '{"a": 2}', "{broken", "[1]")),
    arguments_cut=copied,
    command=st.sampled_from(COMMANDS),
    changes=st.lists(st.builds(Change, st.sampled_from(FILES), st.sampled_from(("write", "edit", "delete", "move")), new=st.just("ls"),
                               to=st.sampled_from(("", "b.sh"))), max_size=2).map(tuple),
    paths=st.lists(st.sampled_from(FILES), max_size=1).map(tuple),
    timeout=st.sampled_from((None, 10.0)),
    partial=copied,
    copied=copied,
)  # fmt: skip
returned = st.builds(
    ToolReturned,
    call=calls,
    actor=actors,
    at=times,
    outcome=st.sampled_from(OUTCOMES),
    exit=st.sampled_from((None, 0, 1, 127)),
    output=st.sampled_from(OUTPUTS),
    files=st.lists(st.builds(FileOutcome, st.sampled_from(FILES), st.sampled_from(("ok", "failed"))), max_size=2).map(
        tuple
    ),
    cwd=st.sampled_from(("", "", "/p/sub", "/srv")),
    cut=copied,
    background=copied,
)
others = st.one_of(
    st.builds(RunStarted, actor=actors, cwd=st.sampled_from(("", "/p")), deltas=st.sampled_from((None, True)), at=times,
              coverage=st.sampled_from(({}, {"replies": Coverage("partial")}))),
    st.builds(Prompted, text=st.just("go"), by=st.sampled_from(("user", "operator", "harness")), actor=actors, at=times),
    st.builds(Said, message=messages, text=st.sampled_from(("", " ", "words")), actor=actors, at=times,
              synthetic=st.sampled_from(("", "", "api_error"))),
    st.builds(Thought, message=messages, text=st.just("Hm"), at=times),
    st.builds(ReplyEnded, message=messages, actor=actors, empty=st.booleans(), at=times,
              stop=st.sampled_from(("end", "tools", "length", "stopped", "other", "error"))),
    st.builds(RequestEnded, actor=actors, text=st.sampled_from(("Done.", "", "I could not.")), at=times,
              how=st.sampled_from(("answered", "interrupted"))),
    st.builds(RunEnded, actor=actors, status=st.sampled_from(("loop", "completed"))),
    st.builds(Waiting, call=calls, over=st.booleans(), at=times),
    st.builds(Noticed, kind=st.just("guard"), name=st.sampled_from(("circles", "empty")), actor=actors),
    st.builds(Checked, passed=st.sampled_from((None, True, False))),
    st.builds(SourceChanged, what=st.sampled_from(("lost", "back", "end"))),
    st.builds(Tick, now=st.sampled_from((100.0, 1_000.0, 9_000.0)), measuring=st.booleans(), untold=st.sampled_from((0, 7))),
    st.builds(Acted, id=st.sampled_from("12"), action=st.sampled_from(("settle", "warn")), receipt=st.just("done"), seen=st.just(70.0),
              subject=st.sampled_from(("replies::no answer", "scripts::a.sh", "repeats::same call: ./a.sh", "folder::/srv", "x"))),
)  # fmt: skip
runs = st.lists(st.one_of(called, called, returned, returned, others), max_size=45)


def numbered(events: list[Event]) -> list[Event]:
    """The events as a run numbers them."""
    numbering = Numbering()
    return [numbering.number(event) for event in events]


def renamed(event: Event) -> Event:
    """The event of a run in which a.sh is called z.sh."""

    def name(text: str) -> str:
        return text.replace("a.sh", "z.sh")

    match event:
        case ToolCalled():
            changes = tuple(replace(change, file=name(change.file)) for change in event.changes)
            return replace(event, changes=changes, paths=tuple(map(name, event.paths)), command=name(event.command))
        case ToolReturned():
            files = tuple(replace(one, file=name(one.file)) for one in event.files)
            return replace(event, files=files, output=name(event.output))
        case Acted():
            return replace(event, subject=name(event.subject))
        case _:
            return event


def flood(number: int):
    """One step of a run that never does the same thing twice, in ever new actors, folders, scripts and messages."""
    actor = f"kid{number}" if number % 3 else ""
    message = f"m{number}"
    at = float(number * 1_000)
    if not number % 50:
        yield Prompted(text="next", at=at)
    yield RunStarted(actor=actor, parent="" if actor else None, cwd=f"/p/{number}" if actor else "/p", at=at)
    file = f"/out/{number}/s{number}.sh"
    command = f"cat > h{number}.sh <<'E{number}'\nls\nE{number}"
    kinds = (("write", ""), ("shell", f"./run{number}.sh; cp a{number} b{number}"), ("shell", command), ("read", ""))
    for part, (kind, text) in enumerate(kinds):
        yield ToolCalled(
            call=f"{number}.{part}", message=message, actor=actor, kind=kind, tool="t", arguments=f'{{"n": {number}}}', at=at,
            command=text, changes=(Change(file, "write", None, f"bash other{number}.sh"),) if kind == "write" else (),
            paths=(f"Makefile{number}",) if kind == "read" else (),
        )  # fmt: skip
    yield ReplyEnded(message=message, actor=actor, empty=True, stop="length", at=at)
    for part in range(4 if number % 2 else 1):
        outcome = ("ok", "failed", "not_executed", "ok")[part]
        output = (
            f"dev@h:~# cat > h{number}.sh <<'E{number}'\n> x{number}\n>" if part == 2 else f"all: s{number}.sh {number}"
        )
        yield ToolReturned(
            call=f"{number}.{part}", actor=actor, outcome=outcome, output=output, files=(FileOutcome(file),), at=at + 700,
            cwd=f"/away/{number}",
        )  # fmt: skip
