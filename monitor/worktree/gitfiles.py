"""Finds a folder's repository and reads where its HEAD stands, from git's files alone: no program is started."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from monitor.streams.files import read_head
from monitor.text import line, shorten
from monitor.worktree.budget import MeasureError

NO_COMMIT = "0" * 40
"""Where HEAD stands before any commit: git's own null id."""
_SMALL = 1 << 16
_LARGE = 1 << 28
"""Bytes of a packed-refs file that is still read."""
_ID = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_OWN = (b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/")
"""References that each linked worktree has for itself."""
_HOPS = 5
"""Symbolic references followed, as git does."""


class NoRepositoryError(MeasureError):
    """What should be a repository is damaged, or leads to none."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A git directory and the folder whose files it keeps."""

    top: Path | None
    """None when it is bare: a repository without files of its own."""
    gitdir: Path
    """Where HEAD and the index lie."""
    common: Path
    """Where objects, references and configuration lie; another than `gitdir` for a linked worktree."""


def show(path: Path | bytes) -> str:
    """A path within a sentence: clean, on one line, at most 120 characters."""
    text = path.decode("utf-8", "replace") if isinstance(path, bytes) else str(path)
    return shorten(line(text), 120)


def repository_of(folder: Path) -> Repository | None:
    """The repository that `folder` lies in, as git would find it; none where there is none."""
    device = folder.stat().st_dev
    for place in (folder, *folder.parents):
        if place.stat().st_dev != device:
            return None
        if found := repository_at(place) or _bare_at(place):
            return found
    return None


def repository_at(folder: Path) -> Repository | None:
    """The repository whose files lie right in `folder`; a damaged one cannot be measured."""
    entry = folder / ".git"
    try:
        mode = entry.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    gitdir = _pointed_at(entry) if stat.S_ISREG(mode) else entry
    if _is_gitdir(gitdir):
        return Repository(folder, gitdir, _common(gitdir))
    if gitdir != entry or any((entry / name).exists() for name in ("HEAD", "config", "index", "objects")):
        raise NoRepositoryError(f"{show(entry)} is damaged, or leads to no repository")
    return None


def _bare_at(folder: Path) -> Repository | None:
    return Repository(None, folder, folder) if _is_gitdir(folder) else None


def _pointed_at(entry: Path) -> Path:
    data = small(entry) or b""
    if not data.startswith(b"gitdir: ") or b"\0" in data:
        raise NoRepositoryError(f"{show(entry)} is damaged, or leads to no repository")
    return entry.parent / _path(data.removeprefix(b"gitdir: "))


def _path(data: bytes) -> Path:
    return Path(data.rstrip(b"\r\n").decode("utf-8", "surrogateescape"))


def _common(gitdir: Path) -> Path:
    data = small(gitdir / "commondir")
    return gitdir if data is None or b"\0" in data else gitdir / _path(data)


def _is_gitdir(place: Path) -> bool:
    common = _common(place)
    return _has_head(place) and (common / "objects").is_dir() and (common / "refs").is_dir()


def _has_head(gitdir: Path) -> bool:
    try:
        _resolve(gitdir, b"HEAD", gitdir)
    except MeasureError:
        return False
    return True


def small(path: Path, most: int = _SMALL) -> bytes | None:
    """The bytes of a regular file; none where there is no such file, and no measurement where it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        data = read_head(path, most + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        raise MeasureError(f"{show(path)} cannot be read: {error.strerror}") from error
    if len(data) > most:
        raise MeasureError(f"{show(path)} is larger than {most:,} bytes")
    return data


def head(repository: Repository) -> str:
    """The commit that HEAD stands at, in hex; `NO_COMMIT` before any."""
    name = b"HEAD"
    for _ in range(_HOPS):
        found = _resolve(repository.gitdir, name, repository.common)
        if found is None or _ID.match(found):
            return NO_COMMIT if found is None else found.decode()
        name = found
    raise MeasureError("HEAD leads in a circle")


def _resolve(gitdir: Path, name: bytes, common: Path) -> bytes | None:
    """What a reference says: an id, another reference's name, or nothing when it does not exist yet."""
    own = name == b"HEAD" or name.startswith(_OWN)
    path = (gitdir if own else common) / name.decode("utf-8", "surrogateescape")
    if path.is_symlink() and (target := str(path.readlink())).startswith("refs/"):
        return target.encode("utf-8", "surrogateescape")
    data = small(path)
    if data is None:
        return _packed(common, name)
    said = data.strip()
    if said.startswith(b"ref:"):
        return _name(said.removeprefix(b"ref:").strip())
    if _ID.match(said):
        return said
    raise MeasureError(f"{show(name)} is damaged")


def _name(name: bytes) -> bytes:
    if not name.startswith(b"refs/") or b"/.." in name or b"\0" in name:
        raise MeasureError("HEAD leads to no reference")
    return name


def _packed(common: Path, name: bytes) -> bytes | None:
    if name == b"HEAD":
        raise MeasureError("HEAD is missing")
    data = small(common / "packed-refs", _LARGE) or b""
    found = re.search(rb"(?:\A|\n)([0-9a-f]{40}|[0-9a-f]{64}) " + re.escape(name) + rb"\n", data)
    return found.group(1) if found else None
