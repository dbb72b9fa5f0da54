"""Real repositories that are set to run commands of their own, and a measurement that proves none ran."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from gathered import watching
from planting import HOOKS, plant

from monitor.worktree.contents import StatCache
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder
from monitor.worktree.measurement import Measurement

QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.file.allow=always")


@dataclass
class Project:
    """A folder under test, beside whatever else its story needs, and the mark that a planted command leaves."""

    path: Path
    room: Path
    """The folder that holds everything of this test."""
    command: Path
    marker: Path
    cache: StatCache
    unaided: bool = False
    """It is measured as on a machine without git."""

    def git(self, *words: str, at: str = ".") -> str:
        """Run git as a person would, but for the planted monitor of files and hooks."""
        done = subprocess.run(
            ["git", *QUIET, *words], cwd=self.path / at, check=True, capture_output=True, text=True, env=environment()
        )
        return done.stdout

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def repository(self, name: str, *, commit: bool = True) -> Path:
        """A repository within, with one file, set to run commands too."""
        self.write(f"{name}/inner.txt", "inner\n")
        self.git("init", "-q", "-b", "main", at=name)
        if commit:
            self.git("add", "-A", at=name)
            self.git("commit", "-q", "-m", "inner", at=name)
        plant(self.path / name / ".git" / "config", self.command)
        return self.path / name

    def submodule(self, name: str) -> Path:
        """A submodule, checked out, set to run commands too."""
        source = self.repository(f"../source of {name.replace('/', '_')}")
        self.git("submodule", "add", "-q", str(source), name)
        self.git("commit", "-q", "-m", "submodule")
        plant(self.path / ".git" / "modules" / name / "config", self.command)
        return self.path / name

    def measure(self, folder: Path | None = None, **more: object) -> Measurement:
        """Measure; nothing that lies here is touched, times included, and no planted command runs."""
        self.marker.unlink(missing_ok=True)
        before = states(self.room)
        with pytest.MonkeyPatch.context() as patch:
            if self.unaided:
                patch.setenv("PATH", str(self.command.parent))
            found = measure(folder or self.path, cache=self.cache, **more)  # type: ignore[arg-type]
        assert states(self.room) == before
        assert not self.marker.exists()
        return found


def environment() -> dict[str, str]:
    """The environment of a person with a name and no configuration."""
    who = {
        f"GIT_{role}_{part}": "someone@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }
    return {**os.environ, **who, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}


def states(room: Path) -> dict[str, tuple[int, ...]]:
    """What the system says of everything below a folder, but when it was last read."""
    found = {}
    waiting = [str(room)]
    while waiting:
        with os.scandir(os.fsencode(waiting.pop())) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                path = os.fsdecode(entry.path)
                found[path] = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
    return found


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A program that leaves a mark when it runs, also as every hook; and the mark."""
    place = tmp_path_factory.mktemp("planted")
    command, marker = place / "command", place / "ran"
    command.write_text(f"#!/bin/sh\necho ran >> {marker}\n")
    command.chmod(0o755)
    (place / "included").write_text(f"[core]\n\tfsmonitor = {command}\n")
    (place / "hooks").mkdir()
    for name in HOOKS:
        (place / "hooks" / name).symlink_to(command)
    return command, marker


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory, planted: tuple[Path, Path]) -> Path:
    """A repository of a few files of every kind, built once."""
    top = tmp_path_factory.mktemp("template")
    project = Project(top, top, *planted, StatCache())
    project.write("README.md", "# Readme\n")
    project.write("src/app.py", "print('app')\n")
    project.write("src/run.sh", "#!/bin/sh\n").chmod(0o755)
    (top / "src" / "link").symlink_to("app.py")
    project.write("docs/two words.txt", "two\n")
    project.write("kept.log", "tracked though ignored\n")
    project.write(".gitignore", "*.log\nbuild/\n")
    project.write("ignored.log", "ignored\n")
    project.git("init", "-q", "-b", "main")
    project.git("add", "-A")
    project.git("add", "-f", "kept.log")
    project.git("commit", "-q", "-m", "first")
    shutil.rmtree(top / ".git" / "hooks")
    plant(top / ".git" / "config", planted[0])
    return top


@pytest.fixture
def project(tmp_path: Path, template: Path, planted: tuple[Path, Path]) -> Project:
    """A fresh copy of the template, as a checkout leaves it."""
    path = tmp_path / "project"
    shutil.copytree(template, path, symlinks=True)
    made = Project(path, tmp_path, *planted, StatCache())
    made.git("update-index", "-q", "--refresh")
    return made


@pytest.fixture
def unaided(project: Project) -> Project:
    """The same on a machine without git: only what the test itself does is done with it."""
    project.unaided = True
    return project


@pytest.fixture
def folder(tmp_path: Path, planted: tuple[Path, Path]) -> Project:
    """A folder that is no repository."""
    path = tmp_path / "folder"
    path.mkdir()
    made = Project(path, tmp_path, *planted, StatCache())
    made.write("a.txt", "a\n")
    made.write("deep/b.txt", "b\n")
    return made


@pytest.fixture
def watcher(project):
    """A watcher over a repository that was measured."""
    yield from watching(project)


@pytest.fixture
def plain(folder):
    """A watcher over a folder that is no repository."""
    yield from watching(folder)


@pytest.fixture
def state(tmp_path):
    place = tmp_path / "state"
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def living(state):
    """Begins to watch folders, each measured once, and ends that."""
    made = []

    def begin(project):
        live = LiveFolder(project.path, run="a run", state=state)
        made.append(live)
        live.begin()
        live.settle()
        live.reconcile(measure(project.path))
        live.settle()
        assert live.changes() == []
        assert live.problem == ""
        return live

    yield begin
    for live in made:
        live.close()
