"""What one repository's files hold: git's own index, and a look at every file that may differ from it."""

from __future__ import annotations

import stat
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from monitor.text import first_line, shorten
from monitor.worktree.budget import Budget, MeasureError, UnsettledError
from monitor.worktree.contents import Contents, StatCache
from monitor.worktree.doubts import Doubts
from monitor.worktree.git import Answer, Command, run
from monitor.worktree.gitfiles import show
from monitor.worktree.settings import Settings
from monitor.worktree.shadow import Shadow

_PLAIN = (b"H 100644 ", b"H 100755 ", b"H 120000 ")
"""How the index speaks of a file or a link without anything special."""
_UNTRACKED = b"? "
_GITLINK = b"160000 "
_FEW = 500
"""Files that are put in their places one by one: more are sorted in with the rest."""
_GONE = "No such file or directory"


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder, without those of repositories within."""

    entries: list[bytes]
    """A line for each file and link, by path."""
    nested: list[bytes] = field(default_factory=list)
    """The folders within that are listed by themselves, each ending with a slash."""


def path_of(entry: bytes) -> bytes:
    """The path a line speaks of."""
    return entry.partition(b"\t")[2]


def files(shadow: Shadow) -> Command:
    """What asks git for all files that count: untracked ones, and those in the index."""
    return shadow.command("ls-files", "-z", "-v", "--stage", "--others", "--exclude-standard")


def differences(shadow: Shadow) -> Command:
    """What asks git for the tracked files that are not what the index says."""
    return shadow.command("diff-files", "-z", "--raw", "--relative", "--ignore-submodules=all")


def list_folder(shadow: Shadow, settings: Settings, budget: Budget, cache: StatCache) -> Listing:
    """List the shadow's folder; without an index every file counts as untracked."""
    contents = Contents(shadow.folder, settings.algorithm, budget, cache)
    if not shadow.index:
        (all_files,) = run([files(shadow)], budget)
        return _merged([], *_read_untracked(_checked(all_files).records, shadow, contents), budget)
    doubts = Doubts(shadow, settings, cache)
    differing, all_files, *more = run([differences(shadow), files(shadow), *doubts.commands()], budget, doubts.look)
    untracked, tracked, special = _told_apart(_checked(all_files))
    found, nested = _read_untracked(untracked, shadow, contents)
    submodules, doubtful = _sort_out(special, contents)
    doubtful.update(_checked(differing).records[1::2])
    doubtful.update(doubts.paths(more, tracked, doubtful, contents, budget))
    seen = contents.entries(sorted(doubtful))
    tracked, stored = _replace(tracked, doubtful, seen)
    doubts.settle(stored, seen)
    found |= {path: entry for path, entry in seen.items() if path not in stored}
    return _merged(tracked, found, nested + submodules, budget)


def _told_apart(answer: Answer) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """The lines of untracked files, which git lists first, those of plain tracked ones, and the unusual ones."""
    records = answer.records
    begin = next((at for at, record in enumerate(records) if not record.startswith(_UNTRACKED)), len(records))
    tracked = records[begin:]
    plain = sum(answer.out.count(b"\0" + one) for one in _PLAIN) + answer.out.startswith(_PLAIN)
    if plain == len(tracked):
        return records[:begin], tracked, []
    special = [entry for entry in tracked if not entry.startswith(_PLAIN)]
    return records[:begin], [entry for entry in tracked if entry.startswith(_PLAIN)], special


def _merged(tracked: list[bytes], added: Mapping[bytes, bytes], nested: list[bytes], budget: Budget) -> Listing:
    budget.take_files(len(tracked) + len(added))
    if len(added) > _FEW:
        tracked.extend(added.values())
        tracked.sort(key=path_of)
    else:
        for path, entry in added.items():
            tracked.insert(bisect_left(tracked, path, key=path_of), entry)
    return Listing(tracked, nested)


def _read_untracked(records: list[bytes], shadow: Shadow, contents: Contents) -> tuple[dict[bytes, bytes], list[bytes]]:
    """The lines of untracked files, and the repositories among them; what is our own does not count."""
    paths = [record.removeprefix(_UNTRACKED) for record in records]
    if shadow.ours:
        paths = [path for path in paths if not path.startswith(shadow.ours)]
    nested = [path for path in paths if path.endswith(b"/")]
    files = [path for path in paths if not path.endswith(b"/")]
    found = contents.entries(files)
    for path in files:
        if path not in found:
            raise UnsettledError(show(path))
    return found, nested


def _sort_out(special: Sequence[bytes], contents: Contents) -> tuple[list[bytes], set[bytes]]:
    """Of the index's unusual lines: the folders of submodules, and the paths to be looked at."""
    submodules: list[bytes] = []
    doubtful: set[bytes] = set()
    for entry in special:
        path = path_of(entry)
        status = contents.status(path) if entry.startswith(_GITLINK, 2) else None
        if status and stat.S_ISDIR(status.st_mode):
            submodules.append(path + b"/")
        else:
            doubtful.add(path)
    return submodules, doubtful


def _checked(answer: Answer) -> Answer:
    """The answer, if it is whole: git goes on past what it cannot look at, and only says so."""
    for said in answer.err.splitlines():
        if said.startswith(("warning: ", "hint: ")) and "could not open directory" not in said:
            continue
        told = shorten(first_line(said).removeprefix("warning: "), 200)
        raise UnsettledError(told) if said.endswith(_GONE) else MeasureError(f"git: {told}")
    return answer


def _replace(
    entries: list[bytes], doubtful: Collection[bytes], seen: Mapping[bytes, bytes]
) -> tuple[list[bytes], dict[bytes, bytes]]:
    """The index's plain lines with what was seen in place of those of doubtful paths, and these by path.

    Git lists by path, and what stands before the path is of one length within an index.
    """
    name = itemgetter(slice(entries[0].index(b"\t") + 1 if entries else 0, None))
    stored: dict[bytes, bytes] = {}
    gone = []
    for path in doubtful:
        at = bisect_left(entries, path, key=name)
        if at < len(entries) and name(entries[at]) == path:
            stored[path] = entries[at]
            entries[at] = seen.get(path, entries[at])
            if path not in seen:
                gone.append(at)
    kept: list[bytes] = []
    begin = 0
    for at in sorted(gone):
        kept += entries[begin:at]
        begin = at + 1
    return kept + entries[begin:] if gone else entries, stored
