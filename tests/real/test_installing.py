"""The newest agents are installed, known as whole, used, and tidied."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from itertools import pairwise

import install
import psutil
import pytest
from installed import Agent, folders, newest, order
from waiting import until

NPM = Agent("Tiny", "@tiny/agent", "tiny", "node_modules/@tiny/agent-*/tiny")
PYTHON = Agent("Small", "small-agent-of-the-tests", "small", "bin/python", "small_agent")
REGISTRY = """#!/bin/sh
[ -z "$TINY_PROBLEM" ] || { echo "$TINY_PROBLEM" >&2; exit 1; }
case "$1" in
view) echo "$TINY_NEWEST" ;;
install)
    for last; do :; done
    place="$3/node_modules/@tiny/agent-here"
    mkdir -p "$place"
    printf '#!/bin/sh\\necho "Tiny %s"\\n' "${TINY_MADE:-${last##*@}}" > "$place/tiny"
    chmod +x "$place/tiny"
    echo once >> "$TINY_LOG" ;;
esac
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache folder, and an npm whose registry knows one agent."""
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(REGISTRY)
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TINY_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("TINY_NEWEST", "1.9.0")
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


def program(folder, version):
    return folder / f"tiny-{version}" / "node_modules/@tiny/agent-here/tiny"


def downloads(folder):
    log = folder.parent / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_the_newest_is_installed_once(folder):
    """By the number that the registry tells; a second run finds it and downloads nothing."""
    assert install.install(folder, NPM) == f"Tiny 1.9.0 was installed, in {folder}"
    assert install.install(folder, NPM) == f"Tiny 1.9.0 is installed already, in {folder}"
    found = newest(NPM, folder)
    assert found is not None
    assert (found.told, found.command) == ("Tiny 1.9.0", (str(program(folder, "1.9.0")),))
    assert downloads(folder) == 1


def test_a_newer_one_takes_the_place_of_the_older(folder, monkeypatch):
    """1.10 is newer than 1.9; what was not made by an installation stays, whatever its name."""
    install.install(folder, NPM)
    (folder / "tiny-0.1").mkdir()
    (folder / "tiny-notes").mkdir()
    (folder / "other-1.0" / "node_modules").mkdir(parents=True)
    (folder / "tiny-0.2").symlink_to(folder / "other-1.0")
    monkeypatch.setenv("TINY_NEWEST", "1.10.0")
    assert install.install(folder, NPM) == f"Tiny 1.10.0 was installed, in {folder}; 1.9.0 was removed"
    assert {one.name for one in folder.iterdir()} == {"tiny-1.10.0", "tiny-0.1", "tiny-0.2", "tiny-notes", "other-1.0"}


def test_one_that_runs_is_not_removed(folder, monkeypatch):
    """The version a process was started from stays until it is over."""
    install.install(folder, NPM)
    program(folder, "1.9.0").unlink()
    program(folder, "1.9.0").symlink_to("/bin/sleep")
    monkeypatch.setenv("TINY_NEWEST", "2.0.0")
    with subprocess.Popen([program(folder, "1.9.0"), "300"]) as running:
        try:
            until(lambda: psutil.Process(running.pid).cmdline()[:1] == [str(program(folder, "1.9.0"))])
            assert "removed" not in install.install(folder, NPM)
        finally:
            running.kill()
    assert install.install(folder, NPM).endswith("; 1.9.0 was removed")


def damaged(place):
    place.unlink()


def cut(place):
    place.write_text("")
    place.chmod(0o755)


def locked(place):
    place.chmod(0o644)


def other(place):
    place.write_text("#!/bin/sh\necho Tiny 1.9.01\n")


@pytest.mark.parametrize("harm", [damaged, cut, locked, other])
def test_a_broken_one_is_installed_again(folder, harm):
    """Its program gone, empty, not to be started, or of another version."""
    install.install(folder, NPM)
    harm(program(folder, "1.9.0"))
    assert install.install(folder, NPM) == f"Tiny 1.9.0 was broken, and was installed again, in {folder}"
    assert downloads(folder) == 2


def test_one_that_was_cut_off_is_not_used(folder):
    """An installation that never came to its end is no agent of the tests; the next one begins anew."""
    place = program(folder, "1.9.0")
    place.parent.mkdir(parents=True)
    cut(place)
    assert newest(NPM, folder) is None
    assert "installed again" in install.install(folder, NPM)
    assert newest(NPM, folder) is not None


def test_without_a_registry_the_newest_that_is_here_is_used(folder, monkeypatch):
    """It is said why, and which; where nothing is here, that the tests are skipped; a broken one counts for nothing."""
    install.install(folder, NPM)
    monkeypatch.setenv("TINY_PROBLEM", "npm error code ENOTFOUND")
    away = "Tiny: the registry cannot be asked: npm said: npm error code ENOTFOUND; "
    assert install.install(folder, NPM) == f"{away}Tiny 1.9.0 is used"
    cut(program(folder, "1.9.0"))
    assert install.install(folder, NPM) == f"{away}its tests are skipped"
    assert newest(NPM, folder) is None


def test_without_npm(folder, monkeypatch):
    """Nothing is installed, and it is said why."""
    monkeypatch.setenv("PATH", str(folder))
    told = "Tiny: the registry cannot be asked: there is no npm; its tests are skipped"
    assert install.install(folder, NPM) == told


@pytest.mark.parametrize("told", ["", "latest", "../1.0", "1.0/../..", "1.0\n2.0"])
def test_what_is_no_version_is_not_taken_for_one(folder, monkeypatch, told):
    """What a registry answers becomes part of a folder's name only as a version."""
    monkeypatch.setenv("TINY_NEWEST", told)
    assert "is no version; its tests are skipped" in install.install(folder, NPM)
    assert list(folder.iterdir()) == []


def test_a_version_that_does_not_start(folder, monkeypatch):
    """The newest cannot be used: that is said, and the older one stays and is used."""
    install.install(folder, NPM)
    monkeypatch.setenv("TINY_NEWEST", "2.0.0")
    monkeypatch.setenv("TINY_MADE", "2.0.0-rc1")
    why = "what was installed does not start"
    assert install.install(folder, NPM) == f"Tiny 2.0.0 is not installed: {why}; Tiny 1.9.0 is used"
    assert set(folders(NPM, folder)) == {"1.9.0", "2.0.0"}


def wheel(place, version):
    """A package of the agent, as pip takes it."""
    name = f"small_agent_of_the_tests-{version}"
    about = f"{name}.dist-info"
    with zipfile.ZipFile(place / f"{name}-py3-none-any.whl", "w") as file:
        file.writestr("small_agent.py", f"print('small {version}')\n")
        file.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {PYTHON.package}\nVersion: {version}\n")
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", "")


def test_an_agent_in_python_gets_an_environment_of_its_own(folder, monkeypatch):
    """The newest that this Python can run, and none of it in the environment of the tests."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder.parent))
    assert "the registry cannot be asked: python" in install.install(folder, PYTHON)
    for version in ("0.9", "0.10"):
        wheel(folder.parent, version)
    assert install.install(folder, PYTHON) == f"Small 0.10 was installed, in {folder}"
    found = newest(PYTHON, folder)
    assert found is not None
    done = subprocess.run(found.command, capture_output=True, text=True, check=True)
    assert (found.told, done.stdout) == ("Small 0.10", "small 0.10\n")
    assert subprocess.run([sys.executable, "-c", "import small_agent"], capture_output=True, check=False).returncode


def test_versions_in_their_order():
    """By their numbers, each as a number; one with letters stands before its release."""
    told = ["0.9", "1.0.0-rc1", "1.0.0", "1.2", "1.10", "2"]
    assert all(order(one) < order(other) for one, other in pairwise(told))
