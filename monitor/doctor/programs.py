"""The version of an installed program, from what its installer left beside it: the program itself is never run."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from monitor.streams.files import read_head
from monitor.text import line, shorten

_LARGEST = 1 << 18
_LONGEST = 40
_ABOVE = 5
"""Folders above a program in which its package may be described."""


def program(*names: str) -> Path | None:
    """Where the first of these programs is found on the PATH, links followed."""
    for name in names:
        if (found := shutil.which(name)) is not None:
            return Path(os.path.realpath(found))
    return None


def version(path: Path, packages: Sequence[str]) -> str:
    """Its version, by the package that it came in; empty where nothing beside it tells."""
    told = next((found for folder in _folders(path) if (found := _npm(folder, packages))), "")
    told = told or next((found for folder in _folders(path) if (found := _python(folder, packages))), "")
    return shorten(line(told), _LONGEST)


def _folders(path: Path) -> Iterator[Path]:
    yield from list(path.parents)[:_ABOVE]


def _npm(folder: Path, packages: Sequence[str]) -> str:
    """The version in a `package.json` of one of these packages, or of one that a wrapper brings with it."""
    try:
        found = json.loads(read_head(folder / "package.json", _LARGEST))
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(found, dict) or not isinstance(found.get("version"), str):
        return ""
    name = str(found.get("name"))
    return found["version"] if any(name == one or name.startswith(f"{one}-") for one in packages) else ""


def _python(folder: Path, packages: Sequence[str]) -> str:
    """The version in the name of a `dist-info` folder of the environment that the program belongs to."""
    for site in sorted(folder.glob("lib/python3*/site-packages")):
        for package in packages:
            pattern = re.compile(rf"{re.escape(package.replace('-', '_'))}-([^-]+)\.dist-info", re.IGNORECASE)
            for one in sorted(site.glob("*.dist-info")):
                if (found := pattern.fullmatch(one.name.replace("-", "_", 0))) is not None:
                    return found[1]
    return ""
