"""What each of OpenCode's sources says of the run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from monitor.agents.fields import Object, part, parts, raw, text
from monitor.agents.opencode.frame import Shape
from monitor.events import Coverage, RunStarted

_FOLDER = Coverage("partial", "each of OpenCode's commands begins in the session's folder, so that no move lasts")
_WHOLE = Coverage("partial", "OpenCode keeps thinking only once it is whole")
_SILENT = Coverage("partial", "OpenCode keeps nothing while its model streams")
COVERAGE: Mapping[Shape, Mapping[str, Coverage]] = {
    "event": {"folder": _FOLDER},
    "row": {"folder": _FOLDER, "thinking": _WHOLE, "stalls": _SILENT},
    "document": {"folder": _FOLDER, "thinking": _WHOLE, "stalls": Coverage("none", "an export is made afterwards")},
    "run": {
        "folder": Coverage("partial", "opencode run --format json does not name the folder of its session"),
        "thinking": Coverage("partial", "opencode run --format json prints thinking only with --thinking, once it is whole"),
        "stalls": Coverage("partial", "opencode run --format json prints a call when it is over, and nothing while it runs"),
        "outside_edits": Coverage("partial", "opencode run --format json prints a call when it is over"),
    },
}  # fmt: skip
_LAGS: Mapping[Shape, Literal["event", "message", "end"]] = {
    "event": "event", "row": "event", "run": "message", "document": "end",
}  # fmt: skip


_NEWER = Coverage(
    "partial", "a second loop was started in this session by OpenCode's newer protocol, which is not read"
)


def newer() -> RunStarted:
    """What a loop of the newer protocol does stands in events of its own."""
    names = ("failed_writes", "sites", "thinking", "repeats", "replies", "scripts", "tests")
    return RunStarted(coverage=dict.fromkeys(names, _NEWER))


def source(shape: Shape, session: str) -> RunStarted:
    """What kind of source this is."""
    return RunStarted(
        agent="opencode",
        session=session,
        lag=_LAGS[shape],
        deltas=shape == "event",
        coverage=dict(COVERAGE[shape]),
    )


def session(info: Object, *, child: bool) -> RunStarted:
    """What a session's own entry says."""
    return RunStarted(
        agent="" if child else "opencode",
        version=text(info, "version"),
        session=text(info, "id"),
        cwd=text(info, "directory"),
    )


def reply(info: Object) -> RunStarted:
    """The model and the folder, as each reply names them."""
    return RunStarted(model=text(info, "modelID"), cwd=text(part(info, "path"), "cwd"))


def attended(info: Object) -> bool:
    """Whether a person may be asked: `opencode run` denies itself the tool that asks, and rejects by itself."""
    denied = [raw(rule, "permission") for rule in parts(info, "permission") if raw(rule, "action") == "deny"]
    return "question" not in denied
