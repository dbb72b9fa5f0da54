"""The plug-in of OpenCode: a file of ours, whole, which tells by itself whether it was changed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from importlib.resources import files

from monitor.agents.opencode.bridge import folder
from monitor.errors import MonitorError
from monitor.hooks.json_text import NotPlainError

FOREIGN = "another file is there, which is not monitor's"
CHANGED = "it was changed by hand since monitor wrote it"
_HERE = '"{folder}"'
_FIRST = "// Put here by monitor"
_SEAL = re.compile(r"// monitor: ([0-9a-f]{64})\n\Z")
_LONGEST = 103 - len("/4194304.sock")
"""Bytes of a folder whose sockets have names that the system takes: macOS takes 103."""


def written() -> str:
    """The file as it is to be. Raises `MonitorError` where no socket can be made in the state folder."""
    where = folder()
    if len(os.fsencode(where)) > _LONGEST:
        raise MonitorError(
            f"{where}: the path is too long for a socket", "Nothing was changed; see XDG_STATE_HOME for a shorter one"
        )
    text = _text().replace(_HERE, json.dumps(str(where)))
    return f"{text}// monitor: {_digest(text)}\n"


def found(text: str) -> list[str]:
    """The file, where it is one of ours, of any version; none where it is empty. Raises `NotPlainError` for any other."""
    if not text:
        return []
    if not text.startswith(_FIRST):
        raise NotPlainError(FOREIGN)
    seal = _SEAL.search(text)
    if seal is None or _digest(text[: seal.start()]) != seal[1]:
        raise NotPlainError(CHANGED)
    return [text]


@cache
def _text() -> str:
    return files("monitor.agents.opencode").joinpath("plugin.js").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
