"""The command that lists, shows and brings back versions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from overwriting import overwrite, watches

from monitor.config import state_folder


@pytest.fixture
def root(private_home):
    """Where versions are kept."""
    return state_folder("rescue")


@pytest.fixture
def begun(project, root):
    """Begins to watch the project, and ends it."""
    with watches(project) as begin:
        yield begin


def on_a_terminal(answer, **about):
    """What is printed when the command asks, and is answered so."""
    ours, theirs = os.openpty()
    os.write(ours, answer.encode() + b"\n")
    try:
        return monitor("brought_back", stdin=theirs, to=None, yes=False, **about).stdout
    finally:
        os.close(ours)
        os.close(theirs)


def monitor(*words, cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **more):
    """The real command."""
    code = f"""
import sys
from pathlib import Path
from monitor.commands import rescue
from monitor.errors import MonitorError
choice = rescue.Choice(**{more.pop("choice", {})!r})
try:
    sys.exit(rescue.{words[0]}(choice, **{more!r}))
except MonitorError as error:
    print(error, file=sys.stderr)
    sys.exit(error.code)
"""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        stdin=stdin,
        check=False,
    )


def test_listing(begun, project, root):
    """Each version stands on a line, the latest first; from elsewhere only all of them, by their paths."""
    live = begun()
    overwrite(live, project)
    overwrite(live, project, "src/app.py")
    live.close()
    lines = monitor("listed", cwd=project.path / "src").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2"]
    assert "src/app.py" in lines[0]
    assert "README.md" in lines[1]
    assert "Write" in lines[1]
    elsewhere = project.room / "elsewhere"
    elsewhere.mkdir()
    assert monitor("listed", cwd=elsewhere).stdout == "No version of a file was overwritten here.\n"
    everything = monitor("listed", cwd=elsewhere, choice={"everywhere": True}).stdout
    assert str(project.path / "README.md") in everything
    named = monitor("listed", cwd=project.path / "src", choice={"file": "app.py"}).stdout
    assert len(named.splitlines()) == 1
    assert "No version of missing was overwritten" in monitor("listed", cwd="/", choice={"file": "missing"}).stdout


def test_showing(begun, project, root):
    """One version is printed byte by byte, or compared with what stands there now."""
    live = begun()
    overwrite(live, project, outside="by another hand\nwith \x1b[2J\n")
    live.close()
    choice = {"file": "README.md"}
    assert monitor("shown", cwd=project.path, choice=choice).stdout == "by another hand\nwith \x1b[2J\n"
    diff = monitor("compared", cwd=project.path, choice=choice).stdout
    assert "-by another hand\n" in diff
    assert "+by the agent\n" in diff
    assert "\x1b" not in diff
    wrong = monitor("shown", cwd=project.path, choice={**choice, "number": 2})
    assert (wrong.returncode, "There is no number 2" in wrong.stderr) == (2, True)


def test_showing_to_nobody_is_no_error(begun, project, root):
    """Whoever reads the version may go away before its end, as `head` does; where there is no room for it, it is said."""
    live = begun()
    overwrite(live, project, outside="by another hand\n" * 9_000)
    live.close()
    choice = {"file": "README.md"}
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed, Path("/dev/full").open("wb") as full:
        left = monitor("shown", cwd=project.path, choice=choice, stdout=closed)
        stuck = monitor("shown", cwd=project.path, choice=choice, stdout=full)
    assert (left.returncode, left.stderr) == (0, "")
    assert stuck.returncode != 0
    assert stuck.stderr.startswith("standard output cannot be written (No space left on device)")


def test_bringing_back_asks(begun, project, root):
    """Nothing is written over without a yes; to a new path none is needed."""
    live = begun()
    overwrite(live, project)
    live.close()
    choice = {"file": "README.md"}
    refused = monitor("brought_back", cwd=project.path, choice=choice, to=None, yes=False)
    assert (refused.returncode, "--yes" in refused.stderr) == (2, True)
    assert (project.path / "README.md").read_text() == "by the agent\n"
    done = monitor("brought_back", cwd=project.path, choice=choice, to=None, yes=True)
    assert (done.returncode, "holds it again" in done.stdout) == (0, True)
    assert (project.path / "README.md").read_text() == "by another hand\n"
    asked = on_a_terminal("n", cwd=project.path, choice={**choice, "number": 1})
    assert "What stands there is kept too" in asked
    assert (project.path / "README.md").read_text() == "by another hand\n"
    on_a_terminal("y", cwd=project.path, choice={**choice, "number": 1})
    assert (project.path / "README.md").read_text() == "by the agent\n"
    again = monitor("brought_back", cwd=project.path, choice={**choice, "number": 2}, to=None, yes=True)
    assert "holds it already" in again.stdout
