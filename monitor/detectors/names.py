"""Which file a path of the agent means: the folders it works in, and what its tools made of its paths."""

from __future__ import annotations

from monitor.detectors.paths import canonical, inside, shown
from monitor.events import FileChanged, RunStarted

_MOST = 4_000
"""Paths remembered that a tool resolved to others; actors whose folder is remembered."""


class Names:
    """Keys for paths, one for each file."""

    def __init__(self) -> None:
        self.project = ""
        """The folder that paths are shown against."""
        self._folders: dict[str, str] = {}
        self._links: dict[str, str] = {}
        self._corrected: dict[str, str] = {}

    def started(self, event: RunStarted) -> None:
        """Take in where a run, or a sub-agent of it, works."""
        folder = event.cwd or (event.project if event.actor not in self._folders else "")
        if folder:
            self.moved(event.actor, folder)
        if not event.actor:
            self.project = event.project or self.project or event.cwd

    def moved(self, actor: str, folder: str) -> None:
        """The actor works in this folder from now on."""
        _remember(self._folders, actor, canonical(folder, self.folder(actor)))

    def folder(self, actor: str) -> str:
        """Where the actor works; a sub-agent of which nothing is known works where the root does."""
        return self._folders.get(actor) or self._folders.get("") or self.project

    def key(self, path: str, folder: str, *, corrects: bool = False) -> str:
        """The canonical path, as far as a tool's own answers tell; `corrects` for a tool that mends names."""
        given = canonical(path, folder)
        return (self._corrected.get(given) if corrects else None) or self._links.get(given, given)

    def learn(self, given: str, resolved: str, *, corrects: bool = False) -> None:
        """Remember that a tool resolved one canonical path to another."""
        # What a tool resolves to is a name of its own.
        self._links.pop(resolved, None)
        self._corrected.pop(resolved, None)
        _remember(self._corrected if corrects else self._links, given, resolved)

    def changed(self, event: FileChanged) -> tuple[str, ...]:
        """The keys that a file seen to change may go by: the watched folder may be one the agent knows by another path."""
        folder = event.folder or self.project or self.folder("")
        others = [one for one in (self.project, self.folder("")) if one and not _related(one, folder)]
        return tuple(dict.fromkeys(filter(None, (self.key(event.file, one) for one in (folder, *others)))))

    def shown(self, key: str) -> str:
        """A key as people read it: relative to the project; empty for a call that named no file."""
        return "" if key.startswith("?") else shown(key, self.project)

    def copy(self) -> Names:
        """Another that goes on from here."""
        other = Names()
        other.project, other._folders = self.project, dict(self._folders)
        other._links, other._corrected = dict(self._links), dict(self._corrected)
        return other


def _related(one: str, other: str) -> bool:
    """Whether a folder lies in another, or is the same."""
    return inside(f"{one}/.", other) or inside(f"{other}/.", one)


def _remember(known: dict[str, str], key: str, value: str) -> None:
    known.pop(key, None)
    known[key] = value
    if len(known) > _MOST:
        del known[next(iter(known))]
