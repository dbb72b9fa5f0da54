"""Where the user's config lies, and where the monitor keeps what it must remember."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from platformdirs import user_config_path, user_state_path

from monitor.errors import MonitorError

_NAME = "monitor"
_PRIVATE = 0o700


def config_folder() -> Path:
    """The folder of the user's own config; it need not exist."""
    return user_config_path(_NAME, appauthor=False)


def state_folder(part: str = "") -> Path:
    """The folder of what the monitor must remember, or a part of it, made where it is missing; for this user alone.

    Raises `MonitorError` when there is none to be had.
    """
    folder = user_state_path(_NAME, appauthor=False)
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
