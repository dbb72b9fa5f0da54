"""What the operator filters the timeline by: words, `kind:`, `file:`, `site:` and `failed`, all of which must hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, get_args

from monitor.events import Checked, Event, FileChanged, RequestEnded, RunEnded, ToolCalled, ToolReturned, Unreadable
from monitor.text import line
from monitor.timeline.rows import Brief, Row, RowKind

KINDS: Final[tuple[RowKind, ...]] = get_args(RowKind)
LONGEST: Final = 200
"""Characters of a query."""
PIECE: Final = 1 << 18
"""Characters of a text looked at without a pause."""
_TERM: Final = re.compile(r'(?:(kind|file|site):)?("[^"]*"?|\S+)', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Query:
    """What must hold of a row that is shown."""

    text: str = ""
    """As the operator wrote it."""
    words: tuple[str, ...] = ()
    """In its words, its arguments or its output, whatever their case."""
    kinds: frozenset[RowKind] = frozenset()
    """One of these; any when there is none."""
    files: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    failed: bool = False
    problem: str = ""
    """Why nothing can be found by it."""

    def decides(self, brief: Brief) -> bool | None:
        """Whether the row is shown, by what is stored of it; none where its texts must be read."""
        if self.problem or (self.kinds and brief.kind not in self.kinds):
            return False
        if self.failed and brief.failed is False:
            return False
        texts = self.words or self.files or self.sites or (self.failed and brief.failed is None)
        return None if texts else True

    @property
    def sought(self) -> tuple[str, ...]:
        """All that must stand somewhere in the texts of a row that proves no site's failure."""
        return (*self.words, *self.files, *self.sites)

    def holds(
        self, row: Callable[[], Row], event: Event | None, result: ToolReturned | None, *, proves: bool, brief: Brief
    ) -> bool:
        """Whether the row is shown, by its texts; `proves` that it failed for one of the sites."""
        if self.failed and not (brief.failed or failed(event, result)):
            return False
        named = [one.casefold() for one in paths(event, result)]
        if not all(any(file in path for path in named) for file in self.files):
            return False
        asked = addresses(event)
        if self.sites and not proves and not all(site in asked for site in self.sites):
            return False
        missing = [word for word in self.words if not within(word, (*texts(event), *texts(result)))]
        if not missing:
            return True
        shown = row()
        return all(within(word, (shown.kind, shown.text, shown.outcome, shown.actor)) for word in missing)


def parse(text: str) -> Query:
    """The query an operator wrote; never raises."""
    text = line(text)[:LONGEST]
    words, kinds, files, sites, flag = [], [], [], [], False
    for name, value in _TERM.findall(text):
        plain = value.strip('"').casefold()
        if not plain:
            continue
        match name.casefold():
            case "kind":
                kinds.append(plain)
            case "file":
                files.append(plain)
            case "site":
                sites.append(plain)
            case _ if value.casefold() == "failed":
                flag = True
            case _:
                words.append(plain)
    meant = {wish: [kind for kind in KINDS if kind.startswith(wish)] for wish in kinds}
    unknown = next((wish for wish, found in meant.items() if not found), "")
    return Query(
        text=text.strip(),
        words=tuple(words),
        kinds=frozenset(kind for found in meant.values() for kind in found),
        files=tuple(files),
        sites=tuple(sites),
        failed=flag,
        problem=f"There is no kind {unknown}: {', '.join(KINDS)}" if unknown else "",
    )


def failed(event: Event | None, result: ToolReturned | None) -> bool:
    """Whether something failed that has no outcome of its own, or an exit code beside it."""
    if result is not None:
        return result.exit not in (None, 0)
    match event:
        case Checked():
            return event.passed is False
        case RunEnded():
            return event.exit not in (None, 0)
        case RequestEnded():
            return event.how == "error"
        case _:
            return isinstance(event, Unreadable)


def within(word: str, said: Iterable[str]) -> bool:
    """Whether one of the texts holds a word, whatever its case; a long text is looked at piece by piece."""
    for text in said:
        for begin in range(0, max(len(text), 1), PIECE):
            if word in text[max(begin - len(word), 0) : begin + PIECE].casefold():
                return True
    return False


def paths(event: Event | None, result: ToolReturned | None) -> list[str]:
    """The files a row names, the words of its command among them."""
    if isinstance(event, FileChanged):
        return [event.file]
    found = [one.file for one in result.files] if result is not None else []
    if isinstance(event, ToolCalled):
        found += [name for change in event.changes for name in (change.file, change.to)]
        found += [*event.paths, event.command]
    return found


def addresses(event: Event | None) -> str:
    """Where a row's call asked something."""
    return f"{event.url}\n{event.command}".casefold() if isinstance(event, ToolCalled) else ""


def texts(event: Event | None) -> list[str]:
    """All texts of an event."""
    match event:
        case None:
            return []
        case ToolCalled():
            return [event.tool, event.arguments, event.command, event.url, *paths(event, None)]
        case ToolReturned():
            return [event.output]
        case _:
            values = (getattr(event, name, "") for name in ("text", "name", "about", "file", "why", "reason", "output"))
            return [value for value in values if isinstance(value, str)]
