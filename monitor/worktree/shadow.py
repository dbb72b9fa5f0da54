"""A private git directory over a folder's files: ours alone, so that nothing of the project is run or written."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from monitor.worktree.contents import Algorithm
from monitor.worktree.git import Command, environment
from monitor.worktree.gitfiles import Repository, small
from monitor.worktree.gitindex import recent
from monitor.worktree.index_copy import copy_index, indexes
from monitor.worktree.settings import MOST, Settings

_UNCONVERTED = b"* -text -ident !eol !crlf !filter !working-tree-encoding\n"
"""Above any other attributes: a file's bytes are its content. Unset, `working-tree-encoding` would be an error."""
_NAME = "shadow-"
_OLD = 24 * 60 * 60
"""Seconds after which no measurement can still be at work."""
_STORES = 64
"""Object stores that are followed."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """A git directory of our own over a folder's files and a copy of its index."""

    program: str
    place: Path
    folder: Path
    """The folder measured."""
    prefix: bytes
    """The folder below the top of its repository, ending with a slash; empty for the top itself."""
    ours: bytes
    """What lies in the folder and is our own, ending with a slash; empty where nothing does."""
    algorithm: Algorithm
    index: bytes
    """The state of the real index that was copied; empty where there is none."""
    attributes: bytes
    """What the repository's own file of attributes says."""
    variables: Mapping[str, str]
    """All that a child gets to see."""

    def command(
        self,
        *words: str,
        real_attributes: bool = False,
        stdin: bytes | None = None,
        accepts: Collection[int] = (0,),
    ) -> Command:
        """A git command in the folder; the attributes that the project sets hold only when asked for."""
        variables = {**self.variables, "GIT_COMMON_DIR": str(self._real() if real_attributes else self.place)}
        said = None
        if stdin is not None:
            said = self.place / "stdin"
            said.write_bytes(stdin)
        return Command((self.program, "--no-pager", *words), self.folder, variables, said, accepts)

    def _real(self) -> Path:
        """A second git directory that lends the first the project's attributes."""
        common = self.place / "attributes"
        if not common.exists():
            _fill(common, (self.place / "config").read_bytes(), self.attributes)
        return common

    @property
    def written(self) -> float:
        """The second in which the index was written, since the epoch."""
        return max((path.stat().st_mtime // 1 for path in indexes(self.place)), default=0.0)

    def recent(self, since: float) -> dict[bytes, int]:
        """The tracked paths that the index saw change at `since` or later; see `gitindex.recent`."""
        found: dict[bytes, int] = {}
        for path in indexes(self.place):
            if path.stat().st_mtime >= since:
                found |= recent(path.read_bytes(), self.algorithm, since)
        return {
            name.removeprefix(self.prefix): second
            for name, second in found.items()
            if not name or name.startswith(self.prefix)
        }


@contextmanager
def shadow_of(
    program: str, repository: Repository | None, folder: Path, settings: Settings, state: Path | None
) -> Iterator[Shadow]:
    """Build a shadow below `state`, or where temporary files go, for its owner alone, and take it away afterwards."""
    if state is not None:
        _tidy(state)
    place = Path(tempfile.mkdtemp(prefix=_NAME, dir=state))
    try:
        _fill(place, _config(place, settings), _UNCONVERTED)
        _copy_rules(settings.excludes, place / "excludes")
        _copy_rules(settings.attributes, place / "user-attributes")
        index, attributes, stores = b"", b"", b""
        if repository:
            _copy_rules(repository.common / "info" / "exclude", place / "info" / "exclude")
            attributes = small(repository.common / "info" / "attributes", MOST) or b""
            index = copy_index(repository.gitdir, place, settings.algorithm)
            stores = b":".join(_quoted(store) for store in _stores(repository.common / "objects"))
        top = (repository and repository.top) or folder
        variables = {
            **environment(place, top),
            "GIT_DIR": str(place),
            "GIT_WORK_TREE": str(top),
            "GIT_OBJECT_DIRECTORY": str(place),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fsdecode(stores),
        }
        ours = below(state or place, folder)
        yield Shadow(program, place, folder, below(folder, top), ours, settings.algorithm, index, attributes, variables)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def below(folder: Path, top: Path) -> bytes:
    """A folder's path below another, ending with a slash; empty for the same one, and for one that lies elsewhere."""
    folder, top = Path(os.path.realpath(folder)), Path(os.path.realpath(top))
    return os.fsencode(folder.relative_to(top)) + b"/" if folder != top and folder.is_relative_to(top) else b""


def _tidy(state: Path) -> None:
    """Take away what was left when a measurement was killed; others come and go meanwhile."""
    for left in state.glob(f"{_NAME}*"):
        with suppress(OSError):
            if left.lstat().st_mtime < time.time() - _OLD:
                shutil.rmtree(left, ignore_errors=True)


def _fill(directory: Path, config: bytes, attributes: bytes) -> None:
    """The least that git takes for a git directory; its own objects and references are none."""
    (directory / "info").mkdir(parents=True)
    (directory / "refs").symlink_to("info")
    (directory / "HEAD").write_bytes(b"ref: refs/heads/main\n")
    (directory / "config").write_bytes(config)
    (directory / "info/attributes").write_bytes(attributes)


def _copy_rules(source: Path, target: Path) -> None:
    if rules := small(source, MOST):
        target.write_bytes(rules)


def _config(place: Path, settings: Settings) -> bytes:
    """Every setting that could hide a change, convert bytes or run a program, at its plain value."""
    core = {
        "repositoryFormatVersion": b"1",
        "bare": b"false",
        "attributesFile": _quoted(place / "user-attributes"),
        "autocrlf": b"false",
        "checkStat": b"default",
        "excludesFile": _quoted(place / "excludes"),
        "fileMode": b"true",
        "fsmonitor": b"false",
        "hooksPath": os.devnull.encode(),
        "ignoreCase": str(settings.ignores_case).lower().encode(),
        "precomposeUnicode": str(settings.composes).lower().encode(),
        "symlinks": b"true",
        "trustctime": b"true",
        "untrackedCache": b"false",
    }
    lines = [b"[core]", *(b"%s = %s" % (name.encode(), value) for name, value in core.items())]
    if settings.algorithm != "sha1":
        lines += [b"[extensions]", b"objectFormat = " + settings.algorithm.encode()]
    return b"\n".join(lines) + b"\n"


def _quoted(path: Path) -> bytes:
    """A path between quotes, as git reads it in its configuration and in a list of object stores."""
    plain = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + plain + b'"'


def _stores(objects: Path) -> list[Path]:
    """The object stores a repository reads, its own first; git would not follow relative ones from a shadow."""
    found: list[Path] = []
    waiting = [objects]
    while waiting and len(found) < _STORES:
        store = Path(os.path.realpath(waiting.pop()))
        if store not in found:
            found.append(store)
            listed = (small(store / "info" / "alternates", MOST) or b"").split(b"\n")
            names = (name for name in listed if name and not name.startswith((b"#", b'"')) and b"\0" not in name)
            waiting += [store / os.fsdecode(name) for name in names]
    return found
