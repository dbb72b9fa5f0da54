"""A run that writes a script and then some commands, for the tests of scripts."""

from __future__ import annotations

from calls_story import Calls

from monitor.detectors.scripts import Scripts

SCRIPT = "#!/usr/bin/env bash\necho built\n"


def story(*before, file="build.sh", text=SCRIPT):
    """A run that wrote some files, and then a script."""
    told = Calls(Scripts())
    for name, content in before:
        told.write(name, content)
    told.write(file, text)
    return told


def after(told, *commands, output=""):
    """The script's entry after some commands and the claim."""
    for command in commands:
        told.shell(command, output)
    told.answer()
    return told.detector.view().scripts[-1] if told.detector.view().scripts else None
