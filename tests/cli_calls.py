"""The commands, called as a person calls them."""

from __future__ import annotations

import subprocess
import sys


def monitor(*words, stdin=None, **more):
    """Run the command; standard input is closed unless given."""
    return subprocess.run(
        [sys.executable, "-m", "monitor", *map(str, words)],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        timeout=60,
        **more,
    )


def one_line(done):
    """The single line on stderr."""
    text = done.stderr.decode()
    assert text.count("\n") == 1
    assert text.startswith("monitor: ")
    assert "Traceback" not in text
    return text
