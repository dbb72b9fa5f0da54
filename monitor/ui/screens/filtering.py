"""The filter of the timeline: asked for in one line, searched for in slices of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Final

from textual.timer import Timer
from textual.widgets import Input

from monitor.replay.playback import Mark
from monitor.timeline.marking import names_of
from monitor.timeline.rows import Rows
from monitor.ui.filtered import Filtered, holds
from monitor.ui.pen import Pen
from monitor.ui.present.counted import Counted, counted
from monitor.ui.query import Proofs, Query, parse
from monitor.ui.screens.playing import Playing
from monitor.ui.selection import ticks
from monitor.ui.source import Source
from monitor.ui.widgets.field import Field

SLICE: Final = 0.03
"""Seconds of searching at a time: a key pressed meanwhile waits no longer."""
PAUSE: Final = 0.01
"""Seconds from one slice to the next."""


class Filtering(Playing):
    """Shows only the rows for which a query holds, until escape."""

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self.field = Field(pen)
        self.filtered: Filtered | None = None
        self._anchor: int | None = None
        """The number of the row that the cursor is to stand on, until the search has come past it."""
        self._asked_at: int | None = None
        """The number of the row at which the filter was asked for; none when the cursor followed the end."""
        self._put_at: int | None = None
        """The number of the row on which the filter itself put the cursor: elsewhere it was moved by hand."""
        self._searching: Timer | None = None

    @property
    def rows(self) -> Rows:
        """The rows the timeline shows: all, or those found."""
        return self.every if self.filtered is None else self.filtered

    def go_filter(self) -> None:
        """Ask what to look for."""
        self._asked_at, self._put_at = self._here(), self.timeline.here
        self.set_class(True, "-asking")
        self.field.input.focus()

    def go_back(self) -> None:
        """Close what is open, and after that the filter."""
        opened = self.detail.opened and not self.has_class("-asking")
        super().go_back()
        if not opened:
            self.filter("")
            self.set_class(False, "-asking")
            self.field.input.value = ""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Each letter narrows the rows at once."""
        event.stop()
        self.filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter, and go back to the rows."""
        event.stop()
        if self.filtered is not None and self.filtered.query.problem:
            self.say(self.filtered.query.problem)
            return
        self.set_class(False, "-asking")
        self.timeline.focus()

    def filter(self, text: str) -> None:
        """Show the rows for which this holds; with no words, all of them."""
        query = parse(text)
        old = self.filtered
        if query == (old.query if old is not None else Query()):
            return
        asking = self.has_class("-asking") and self.timeline.here == self._put_at
        self._show(query, self._asked_at if asking else self._here())

    def go_hold(self) -> None:
        """Hold the view still, or let it follow again: other rows are to be searched then."""
        here, before = self._here(), self.every
        super().go_hold()
        if self.every is not before:
            self.total, self.version = len(self.every), self.every.version
            self._show(self.filtered.query if self.filtered is not None else Query(), here)

    def _show(self, query: Query, ref: int | None) -> None:
        """Show the rows for which a query holds, the cursor near the row of that number; with none at their end."""
        self.filtered = Filtered(self.every, query, names_of(self.snapshot)) if query != Query() else None
        self.timeline.take(self.rows)
        self._anchor = ref
        self.search()
        self.show_rows()
        index = None if ref is None or self.filtered is not None else self.rows.index(ref)
        if index is not None:
            self.timeline.go(index)
        elif ref is None:
            self.timeline.go(self.timeline.total - 1, follow=True)
        self._put_at = self.timeline.here

    def _here(self) -> int | None:
        """The number of the row at the cursor, or none when it follows the end."""
        if self.timeline.follow:
            return None
        return self.timeline.here if self._anchor is None else self._anchor

    def search(self) -> None:
        """Search for one slice of time, and again a little later while rows are left."""
        found = self.filtered
        if found is None:
            self._anchor = None
            return
        end = perf_counter() + SLICE
        done = found.search(self._proofs(found.query), lambda: perf_counter() < end)
        if not done and self._searching is None:
            self._searching = self.set_timer(PAUSE, self._search_on)

    def _search_on(self) -> None:
        self._searching = None
        self.search()
        self.show_rows()

    def show_rows(self) -> None:
        """Draw the timeline anew, its cursor on the row it stood on before the filter."""
        found, names = self.filtered, names_of(self.snapshot)
        if found is not None and found.renamed(names):
            self._show(found.query, self._here())
            return
        total, version = (self.total, self.version) if found is None else (len(found), found.version)
        self.timeline.call(names)
        self.timeline.put(total, version, self.heading(), ticks(self.snapshot, self.rows))
        if found is not None and self._anchor is not None and found.looked(self._anchor) and len(found):
            self.timeline.go(min(found.near(self._anchor), len(found) - 1))
            self._anchor, self._put_at = None, self.timeline.here
        if found is not None:
            problem = found.query.problem
            self.field.say(problem or counted(replace(self.counts(), query="")), wrong=bool(problem))
        else:
            self.field.say("")

    def lets(self, mark: Mark) -> bool:
        """Whether the row that proves a finding holds what is looked for, as it is at the finding's moment."""
        if self.filtered is None or (played := self.player) is None:
            return True
        rows = played.rows_at(mark.count)
        ref = rows.ref_of(mark.seq if mark.seq >= 0 else mark.count - 1)
        return (
            ref is not None
            and rows.index(ref) is not None
            and holds(self.filtered.query, rows, ref, names_of(self.snapshot))
        )

    @property
    def settled(self) -> bool:
        """Whether all rows of the moment were searched."""
        return self.filtered is None or self.filtered.searched >= 1

    def _proofs(self, query: Query) -> Proofs:
        """By each site asked for the rows that prove a failure of it."""
        view = self.snapshot.sites
        entries = (*view.entries, *view.earlier)
        return {
            site: frozenset(
                ref
                for entry in entries
                if site in entry.name.casefold()
                for spot in entry.spots
                if (ref := self.every.ref_of(spot.seq)) is not None
            )
            for site in query.every_site
        }

    def heading(self) -> str:
        """What stands at the right of the timeline's heading."""
        return counted(self.counts())

    def counts(self) -> Counted:
        """How many rows there are, are shown, and are still to be searched."""
        found, rows = self.filtered, self.timeline
        return Counted(
            total=self.total,
            new=len(self.source.rows) - self.total if self.held else None,
            live=self.source.live,
            playback=self.source.playback,
            cursor=None if rows.follow else rows.cursor,
            found=None if found is None else len(found),
            searched=1.0 if found is None else found.searched,
            query="" if found is None else found.query.text,
        )
