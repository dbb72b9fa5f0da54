"""What the operator filters the timeline by: words, `kind:`, `file:`, `site:` and `failed`, which must hold, or with `-` must not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, get_args

from monitor.events import Checked, Event, FileChanged, RequestEnded, RunEnded, ToolCalled, ToolReturned, Unreadable
from monitor.text import line
from monitor.timeline.rows import Brief, Edit, Row, RowKind

KINDS: Final[tuple[RowKind, ...]] = get_args(RowKind)
LONGEST: Final = 200
"""Characters of a query."""
PIECE: Final = 1 << 18
"""Characters of a text looked at without a pause."""
_TERM: Final = re.compile(r'(?:(?<!\S)(-)(?=[^\s-]))?(?:(kind|file|site):)?("[^"]*"?|\S+)', re.IGNORECASE)
_ALONE: Final = "-"
"""What is to be left out is still to be written."""
Proofs = Mapping[str, frozenset[int]]
"""By each site asked for the rows that prove a failure of it."""


class Told(NamedTuple):
    """What is known of a row."""

    ref: int
    brief: Brief
    event: Event | None
    result: ToolReturned | None
    row: Callable[[], Row]
    """As it is shown, under the name of its sub-agent."""
    edits: Sequence[Edit] = ()
    """The changes it stands for, where they are several."""


@dataclass(frozen=True, slots=True)
class Query:
    """What must hold of a row that is shown, and what must not."""

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
    without: tuple[Query, ...] = ()
    """None of these may hold."""

    def decides(self, brief: Brief) -> bool | None:
        """Whether the row is shown, by what is stored of it; none where its texts must be read."""
        if self.problem:
            return False
        hidden = [one.decides(brief) for one in self.without]
        wanted = self.wants(brief)
        if wanted is False or True in hidden:
            return False
        return None if wanted is None or None in hidden else True

    def wants(self, brief: Brief) -> bool | None:
        """The same of what must hold alone, whatever must not."""
        if (self.kinds and brief.kind not in self.kinds) or (self.failed and brief.failed is False):
            return False
        texts = self.words or self.files or self.sites or (self.failed and brief.failed is None)
        return None if texts else True

    @property
    def sought(self) -> tuple[str, ...]:
        """All that must stand somewhere in the texts of a row that proves no site's failure."""
        return (*self.words, *self.files, *self.sites)

    @property
    def every_site(self) -> frozenset[str]:
        """The sites asked for, those to be left out among them."""
        return frozenset(self.sites).union(*(one.sites for one in self.without))

    @property
    def every_word(self) -> tuple[str, ...]:
        """The words asked for, those to be left out among them."""
        return (*self.words, *(word for one in self.without for word in one.words))

    def proven(self, ref: int, proofs: Proofs) -> bool:
        """Whether the row proves that one of its sites failed."""
        return any(ref in proofs.get(site, ()) for site in self.sites)

    def holds(self, told: Told, proofs: Proofs) -> bool:
        """Whether the row is shown, by its texts."""
        return self._met(told, proofs) and not any(one.holds(told, proofs) for one in self.without)

    def _met(self, told: Told, proofs: Proofs) -> bool:
        """Whether all that must hold does."""
        event, result, brief = told.event, told.result, told.brief
        if self.kinds and brief.kind not in self.kinds:
            return False
        if self.failed and not (brief.failed or failed(event, result)):
            return False
        files = [one.event.file for one in told.edits]
        named = [one.casefold() for one in (*paths(event, result), *files)]
        if not all(any(file in path for path in named) for file in self.files):
            return False
        asked = addresses(event)
        if self.sites and not self.proven(told.ref, proofs) and not all(site in asked for site in self.sites):
            return False
        missing = [word for word in self.words if not within(word, (*texts(event), *texts(result), *files))]
        if not missing:
            return True
        shown = told.row()
        return all(within(word, (shown.kind, shown.text, shown.outcome, shown.actor, shown.name)) for word in missing)


def parse(text: str) -> Query:
    """The query an operator wrote; never raises."""
    text = line(text)[:LONGEST]
    terms = [(sign, _Term(name.casefold(), value)) for sign, name, value in _TERM.findall(text) if value != _ALONE]
    query = _asked([term for sign, term in terms if not sign])
    without = tuple(_asked([term]) for sign, term in terms if sign and term.plain)
    problem = next((one.problem for one in (query, *without) if one.problem), "")
    return replace(query, text=text.strip(), without=without, problem=problem)


class _Term(NamedTuple):
    """One of the things asked for."""

    name: str
    """What stands before its colon."""
    value: str

    @property
    def plain(self) -> str:
        """Its value without quotes, in lower case."""
        return self.value.strip('"').casefold()


def _asked(terms: Sequence[_Term]) -> Query:
    """What must hold."""
    flag = any(not term.name and term.value.casefold() == "failed" for term in terms)
    said = [term for term in terms if term.plain and (term.name or term.value.casefold() != "failed")]
    named = {name: tuple(one.plain for one in said if one.name == name) for name in ("", "kind", "file", "site")}
    meant = {wish: [kind for kind in KINDS if kind.startswith(wish)] for wish in named["kind"]}
    unknown = next((wish for wish, found in meant.items() if not found), "")
    return Query(
        words=named[""],
        kinds=frozenset(kind for found in meant.values() for kind in found),
        files=named["file"],
        sites=named["site"],
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
