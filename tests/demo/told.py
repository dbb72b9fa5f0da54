"""Reads back what the scripted agent told, as strictly as can be."""

from __future__ import annotations

import json
import subprocess

import msgspec

from monitor import events

DECODER = msgspec.json.Decoder(events.Event)


def decoded(output):
    """The events of whole lines, each of them valid."""
    assert output.endswith(b"\n")
    rows = output.splitlines()
    for row in rows:
        _check_names(json.loads(row))
    return [DECODER.decode(row) for row in rows]


def _check_names(row):
    """Every field is one of the event's, so that nothing is told into the void."""
    kind = getattr(events, row["event"])
    assert kind not in events.OURS
    inner = {"changes": events.Change, "files": events.FileOutcome, "tokens": events.Tokens}
    assert set(row) - {"event"} <= {field.name for field in msgspec.structs.fields(kind)}
    for name, part in inner.items():
        held = row.get(name, [])
        for one in held if isinstance(held, list) else [held]:
            assert set(one) <= {field.name for field in msgspec.structs.fields(part)}


def plain_files(project):
    """The project's own files, without its repository's."""
    return [path for path in project.rglob("*") if path.is_file() and ".git" not in path.relative_to(project).parts]


def git(project, *words):
    """What a git command prints in the project."""
    return subprocess.run(["git", "-C", project, *words], capture_output=True, text=True, check=True).stdout
