"""Where the user's config lies, and where the monitor keeps what it must remember."""

from __future__ import annotations

import os
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_state_path

from monitor.detectors.numbers import Numbers
from monitor.detectors.wishes import granted
from monitor.errors import MonitorError
from monitor.text import line

FILE = "config.toml"
"""The user's config, in the config folder; nothing of a project's is ever read as one."""
_NAME = "monitor"
_PRIVATE = 0o700
_LARGEST = 1 << 20
"""Bytes of a config file."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The numbers that the detectors are to go by."""

    numbers: Numbers
    problems: tuple[str, ...]
    """A line for each wish that could not be granted, with the file and the key: there the default stays."""


def config_folder() -> Path:
    """The folder of the user's own config; it need not exist."""
    return user_config_path(_NAME, appauthor=False)


def read_config(folder: Path | None = None) -> tuple[dict[str, Any], str]:
    """The user's config, empty where there is none, and what is wrong with the whole of it, on one line."""
    file = (config_folder() if folder is None else folder) / FILE
    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            return {}, f"{FILE}: too large to be a config file"
        return tomllib.loads(text.decode("utf-8")), ""
    except FileNotFoundError:
        return {}, ""
    except OSError as problem:
        return {}, f"{FILE}: {problem.strerror or problem}"
    except UnicodeDecodeError as problem:
        return {}, f"{FILE}: not written in UTF-8 (at byte {problem.start + 1:,})"
    except (ValueError, RecursionError) as problem:
        return {}, f"{FILE}: {line(' '.join(str(problem).split()))}"


def chosen_numbers(folder: Path | None = None) -> Chosen:
    """The user's numbers from `[detectors.…]`; a wrong one costs nothing but itself."""
    data, problem = read_config(folder)
    numbers, problems = granted(data.get("detectors", {}))
    return Chosen(numbers, (problem,) if problem else tuple(f"{FILE}: {one}" for one in problems))


def state_path(part: str = "") -> Path:
    """Where that folder is or would be: for reading, nothing is made."""
    folder = user_state_path(_NAME, appauthor=False)
    return folder / part if part else folder


def state_folder(part: str = "") -> Path:
    """The folder of what the monitor must remember, or a part of it, made where it is missing; for this user alone.

    Raises `MonitorError` when there is none to be had.
    """
    folder = state_path()
    try:
        make_private(folder)
        if part:
            folder /= part
            make_private(folder)
    except OSError as error:
        raise MonitorError(
            f"{folder}: {error.strerror or error}", "monitor keeps its own record there; see XDG_STATE_HOME"
        ) from None
    return folder


def make_private(folder: Path) -> None:
    """Make a folder that only this user may look into; one that is looser is tightened.

    Raises `OSError`, also where the folder is another user's.
    """
    folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    found = folder.stat()
    if found.st_uid != os.getuid():
        raise PermissionError(1, "the folder is another user's")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(_PRIVATE)
