"""Lets the program that writes into our pipe go on after we are gone."""

from __future__ import annotations

import os
import shutil
import subprocess


def leave_open(descriptor: int) -> None:
    """Hand a pipe to a process that reads it to its end and keeps nothing; the descriptor is closed here.

    Without a reader the writer would be ended by its next write: quitting a monitor must not end the agent.
    """
    cat = shutil.which("cat", path=os.defpath)
    if cat is not None:
        subprocess.Popen(  # noqa: S603 - the system's own cat
            [cat],
            stdin=descriptor,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
    os.close(descriptor)
