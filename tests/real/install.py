"""Installs the newest of the real agents into a cache folder, and prints what it did.

`python tests/real/install.py` is run by CI. What is newest the registries say; without one the newest in the cache is
used. No install script of an npm package is run, so that nothing else is downloaded: the program itself comes as a
package for this platform. Of the agents in Python each gets an environment of its own: that of the tests keeps its
exact versions. What is broken is installed again; older versions are removed, unless a process runs from them.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from installed import AGENTS, Agent, cache, command_in, folders, mark, newest, whole

_PATIENCE = 600
"""Seconds for one installation."""
_ASKING = 60
"""Seconds for a registry's answer, and for a program's start."""
_VERSION = re.compile(r"\d[\w.+-]*")


class InstallError(Exception):
    """Why something could not be had, in a few words."""


def install(folder: Path, agent: Agent) -> str:
    """Have the newest version of it in the folder, and no other; what was done, in one line."""
    try:
        version = newest_version(agent)
    except InstallError as why:
        return f"{agent.name}: the registry cannot be asked: {why}; {_instead(folder, agent)}"
    place = folder / f"{agent.folder}-{version}"
    done = "is installed already"
    if not works(agent, place, version):
        done = "was broken, and was installed again" if place.exists() else "was installed"
        try:
            _fetch(agent, place, version)
        except InstallError as why:
            return f"{agent.name} {version} is not installed: {why}; {_instead(folder, agent)}"
    mark(place)
    removed = [old for old, where in folders(agent, folder).items() if old != version and _remove(where)]
    return f"{agent.name} {version} {done}, in {folder}" + "".join(f"; {old} was removed" for old in sorted(removed))


def newest_version(agent: Agent) -> str:
    """The exact number of the newest version; raises `InstallError` where the registry does not tell it.

    By its exact number: without one, npm on an older node picks an older program.
    """
    if not agent.module:
        return _number(_said(_npm("view", agent.package, "version"), _ASKING).strip())
    asked = ("--dry-run", "--quiet", "--no-deps", "--ignore-installed", "--report", "-", agent.package)
    report = _said(_pip(sys.executable, *asked), _ASKING)
    try:
        return _number(json.loads(report)["install"][0]["metadata"]["version"])
    except (ValueError, LookupError, TypeError) as error:
        raise InstallError("pip told no version") from error


def works(agent: Agent, place: Path, version: str) -> bool:
    """Whether the program in a folder starts, with nothing of the user's around it, and is of this version."""
    command = command_in(agent, place)
    if command is None:
        return False
    with tempfile.TemporaryDirectory() as home:
        try:
            told = _said([*command, "--version"], _ASKING, {"PATH": os.environ["PATH"], "HOME": home})
        except InstallError:
            return False
    return version in _VERSION.findall(told)


def _fetch(agent: Agent, place: Path, version: str) -> None:
    if place.exists() and not _remove(place):
        raise InstallError(f"{place} is broken and in use")
    if agent.module:
        _said([sys.executable, "-m", "venv", str(place)], _PATIENCE)
        _said(_pip(str(place / "bin" / "python"), "--quiet", f"{agent.package}=={version}"), _PATIENCE)
    else:
        place.mkdir(parents=True)
        words = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-save", f"{agent.package}@{version}")
        _said(_npm("install", "--prefix", str(place), *words), _PATIENCE)
    if not works(agent, place, version):
        raise InstallError("what was installed does not start")


def _npm(*words: str) -> list[str]:
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError("there is no npm")
    return [npm, *words]


def _pip(python: str, *words: str) -> list[str]:
    return [python, "-m", "pip", "install", "--disable-pip-version-check", *words]


def _said(command: Sequence[str], seconds: int, environment: dict[str, str] | None = None) -> str:
    """What a program prints; raises `InstallError` with its last word where it fails."""
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise InstallError(f"{name} took longer than {seconds} s") from late
    except OSError as error:
        raise InstallError(f"{name}: {error.strerror}") from error
    if done.returncode:
        raise InstallError(f"{name} said: {(done.stderr.strip().splitlines() or ['no word of why'])[-1]}")
    return done.stdout


def _number(told: str) -> str:
    """A version, which becomes part of a folder's name."""
    if not _VERSION.fullmatch(told):
        raise InstallError(f"{told[:40]!r} is no version")
    return told


def _instead(folder: Path, agent: Agent) -> str:
    """What the tests use now; an installation that has broken since it was found whole is none any more."""
    for one in whole(agent, folder):
        if one.folder is not None and not works(agent, one.folder, one.version):
            mark(one.folder, whole=False)
    kept = newest(agent, folder)
    return f"{kept.told} is used" if kept else "its tests are skipped"


def _remove(place: Path) -> bool:
    """Remove a folder of a version, if it is one and nothing runs from it; whether it was removed."""
    if place.is_symlink() or any(_runs_from(place, one) for one in psutil.process_iter(("exe", "cmdline"))):
        return False
    shutil.rmtree(place)
    return True


def _runs_from(place: Path, process: psutil.Process) -> bool:
    words = (process.info["exe"], *(process.info["cmdline"] or ())[:1])
    return any(word and Path(word).is_relative_to(place) for word in words)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other installation is at work in the folder; the lock goes with the process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    with alone(cache()):
        for one in AGENTS:
            sys.stdout.write(install(cache(), one) + "\n")
            sys.stdout.flush()
