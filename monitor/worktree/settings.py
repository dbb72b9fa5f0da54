"""The few settings of git that decide which files count and how they are stored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from monitor.worktree.budget import MeasureError
from monitor.worktree.gitconfig import ConfigError, Setting, parse, truth
from monitor.worktree.gitfiles import Repository, show, small
from monitor.worktree.wildmatch import PatternError, compile_pattern

MOST = 1 << 20
"""Bytes of a configuration file, or of a file of rules, that are read."""
_DEPTH = 10
"""Files that include each other, as git allows."""
_SYSTEM = "/etc/gitconfig"


@dataclass(frozen=True, slots=True)
class Settings:
    """What git's configuration says: the user's, and the repository's own over it."""

    excludes: Path
    """The user's ignore rules; the file may be missing."""
    attributes: Path
    """The user's attributes; the file may be missing."""
    converts_lines: bool = False
    """Line ends may be converted where no attribute says so."""
    ignores_case: bool = False
    composes: bool = False
    """Names are composed (NFC) before they are compared."""
    algorithm: Literal["sha1", "sha256"] = "sha1"
    reftable: bool = False
    """References lie in a format that is not read here."""
    elsewhere: str = ""
    """The folder whose files the repository keeps, where its configuration names one."""
    bare: bool = False


def settings_of(repository: Repository | None, folder: Path) -> Settings:
    """The settings that hold in `folder`, which lies in the repository, or in none."""
    own = _repositorys(repository) if repository else {}
    both = {**dict(_pairs(_users(repository))), **own}
    top = repository.top if repository and repository.top else folder
    return Settings(
        _file(both, "core.excludesfile", "ignore", top),
        _file(both, "core.attributesfile", "attributes", top),
        converts_lines=truth(both.get("core.autocrlf", "false")),
        ignores_case=truth(both.get("core.ignorecase", "false")),
        composes=truth(both.get("core.precomposeunicode", "false")),
        algorithm="sha256" if (own.get("extensions.objectformat") or "").lower() == "sha256" else "sha1",
        reftable=(own.get("extensions.refstorage") or "").lower() == "reftable",
        elsewhere=own.get("core.worktree") or "",
        bare=truth(own.get("core.bare", "false")),
    )


def _repositorys(repository: Repository) -> dict[str, str | None]:
    """The repository's own words; what it includes is not followed: it may name any file."""
    found = dict(_pairs(_read(repository.common / "config")))
    if truth(found.get("extensions.worktreeconfig", "false")):
        found |= dict(_pairs(_read(repository.gitdir / "config.worktree")))
    if repository.gitdir != repository.common:
        found |= {"core.bare": "false", "core.worktree": None}
    return found


def _users(repository: Repository | None) -> Iterator[Setting]:
    """The machine's and the user's settings, in git's order, includes followed."""
    if not truth(os.environ.get("GIT_CONFIG_NOSYSTEM", "false")):
        yield from _with_includes(Path(os.environ.get("GIT_CONFIG_SYSTEM", _SYSTEM)), repository, _DEPTH)
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    for path in (Path(named),) if named else (_xdg("config"), _expanded("~/.gitconfig")):
        yield from _with_includes(path, repository, _DEPTH)


def _xdg(name: str) -> Path:
    return _expanded(os.environ.get("XDG_CONFIG_HOME") or "~/.config") / "git" / name


def _with_includes(path: Path, repository: Repository | None, depth: int) -> Iterator[Setting]:
    if not depth:
        raise MeasureError(f"{show(path)} and what it includes form a circle")
    for setting in _read(path):
        yield setting
        if setting.value and _includes(setting.name, path, repository):
            yield from _with_includes(path.parent / _expanded(setting.value), repository, depth - 1)


def _includes(name: str, path: Path, repository: Repository | None) -> bool:
    """Whether a setting includes another file now; of the conditions, those on the git directory are known."""
    if name == "include.path":
        return True
    kind, _, pattern = name.removeprefix("includeif.").removesuffix(".path").partition(":")
    if not name.startswith("includeif.") or not name.endswith(".path") or kind not in ("gitdir", "gitdir/i"):
        return False
    return repository is not None and _matches(pattern, path.parent, repository.gitdir, kind == "gitdir/i")


def _matches(pattern: str, beside: Path, gitdir: Path, ignore_case: bool) -> bool:
    if pattern.startswith("./"):
        pattern = str(beside) + pattern[1:]
    inside = "/**" if pattern.endswith("/") else ""
    pattern = str(_expanded(pattern))
    pattern = (pattern if pattern.startswith("/") else "**/" + pattern) + inside
    try:
        wanted = compile_pattern(os.fsencode(pattern), ignore_case=ignore_case)
    except PatternError:
        return False
    return any(wanted.fullmatch(os.fsencode(place)) for place in (gitdir, os.path.realpath(gitdir)))


def _expanded(value: str) -> Path:
    """A path with the home folder for its `~`; no file where that is unknown."""
    try:
        return Path(value).expanduser()
    except RuntimeError:
        return Path(os.devnull)


def _read(path: Path) -> list[Setting]:
    data = small(path, MOST) or b""
    try:
        return list(parse(data.decode("utf-8", "surrogateescape")))
    except ConfigError as error:
        raise MeasureError(f"{show(path)} is damaged: {error}") from error


def _pairs(settings: Iterable[Setting]) -> Iterator[tuple[str, str | None]]:
    return ((setting.name, setting.value) for setting in settings)


def _file(values: Mapping[str, str | None], name: str, usual: str, top: Path) -> Path:
    """The file a setting names; an empty value names none."""
    value = values.get(name)
    if value is None:
        return _xdg(usual)
    return top / _expanded(value) if value else Path(os.devnull)
