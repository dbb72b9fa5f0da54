"""Scratch repositories of any size, with the same 35 changes each."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WORDS = ("alpha", "beta", "module", "import", "class", "return", "value", "path", "folder", "when", "into", "check")
EDITED, DELETED, NEW = 20, 5, 10
A_FOLDER = 50
"""Files in one folder."""
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": os.devnull, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@example.org",
    "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@example.org",
}  # fmt: skip
"""Nobody's configuration, and no lock for a look."""


@contextmanager
def repository(room: Path, files: int, untracked: int = 0) -> Iterator[Path]:
    """A repository of so many files of 2 KB, 35 of them changed, and so many bytes untracked; gone afterwards."""
    top = Path(tempfile.mkdtemp(prefix=f"bench-{files}-", dir=room))
    try:
        for number in range(files):
            write(place(top, number), number)
        git(top, "init", "-q", "-b", "main")
        git(top, "add", "-A")
        git(top, "-c", "gc.auto=0", "commit", "-q", "-m", "first")  # else git tidies up while it is timed
        change(top)
        for number in range(untracked // (20 << 20)):
            (top / f"large-{number}.bin").write_bytes(random.Random(number).randbytes(20 << 20))
        git(top, "update-index", "-q", "--refresh")
        yield top
    finally:
        shutil.rmtree(top, ignore_errors=True)


def place(top: Path, number: int) -> Path:
    return top / f"part{number // (A_FOLDER * 40)}" / f"folder{number // A_FOLDER}" / f"file{number}.txt"


def write(path: Path, seed: int) -> None:
    """About 2 KB of words."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(" ".join(random.Random(seed).choices(WORDS, k=340)) + "\n")


def change(top: Path) -> None:
    """Edit, delete and add files."""
    for number in range(EDITED):
        write(place(top, number * 7), -number - 1)
    for number in range(DELETED):
        place(top, number * 7 + 3).unlink()
    for number in range(NEW):
        write(top / f"new{number}.txt", number)


def git(top: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=top, env=ENVIRONMENT, check=False, stdout=subprocess.DEVNULL)


def states(gitdir: Path) -> dict[str, tuple[int, ...]]:
    """What the system says of everything in a git directory, but when it was last read."""
    found = {}
    for path in (gitdir, *gitdir.rglob("*")):
        status = path.lstat()
        found[str(path)] = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return found
