"""What the detail shows: the row at the cursor, or the entry chosen in a panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.events import DescendantFocus
from textual.widget import Widget

from monitor.findings import Finding
from monitor.ui.pen import Pen
from monitor.ui.present.detail import detail, numbered, title
from monitor.ui.present.facts import open_findings
from monitor.ui.present.panel import Entry
from monitor.ui.present.parts import Part
from monitor.ui.present.sites import failed_calls, site_parts
from monitor.ui.present.thinking import open_finding, thinking_parts
from monitor.ui.screens.deeds import Deeds
from monitor.ui.selection import select
from monitor.ui.source import Source
from monitor.ui.widgets.panel import PanelView
from monitor.ui.widgets.region import same
from monitor.ui.widgets.timeline import Timeline


class Looking(Deeds):
    """Reads the detail back once, until what it shows changes."""

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self._looked_at: tuple[object, ...] = ()
        self._subject: tuple[object, ...] = ()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """A panel shows its entry, the timeline its row; the detail goes on with what it showed."""
        self._look_at(event.widget)

    def action_go(self, name: str) -> None:
        """A key is for what is chosen by now: where it follows another at once, nothing of that is drawn yet."""
        self._look_at(self.focused)
        super().action_go(name)

    def _look_at(self, widget: Widget | None) -> None:
        if isinstance(widget, PanelView):
            self.panel = widget
        elif isinstance(widget, Timeline):
            self.panel = None
        self.show_detail()

    def on_panel_view_moved(self, event: PanelView.Moved) -> None:
        """Another entry of the panel."""
        event.stop()
        self.show_detail()

    def show_detail(self) -> None:
        """What is looked at, unless it is shown already."""
        here = self.timeline.here
        running = self.chosen is not None and self.chosen.row.outcome == "running"
        moving = int(self.now()) if running and self.source.live else 0
        entry = self._entry()
        parts = (here, self.panel, entry, self.rows, self.timeline.version, self.snapshot, self.wanted, moving)
        if same(parts, self._looked_at):
            return
        subject = (here, self.panel, entry.text if entry is not None else "")
        anew = subject != self._subject
        self._looked_at, self._subject = parts, subject
        if entry is None or not self._show_entry(entry, anew=anew):
            self._show_row(here, anew=anew)
        self.show_keys()

    def _entry(self) -> Entry | None:
        return self.panel.chosen if self.panel is not None else None

    def _show_row(self, ref: int | None, *, anew: bool) -> None:
        warns = not self.source.can("warn")
        chosen = None
        if ref is not None:
            chosen = select(self.snapshot, self.rows, ref, wanted=self.wanted, warns=warns)
        self.chosen, self.finding = chosen, chosen.finding if chosen is not None else None
        body = detail(self.pen, chosen, self.snapshot, self.moment)
        self.detail.put(title(self.pen, chosen, self.moment), tuple(body), anew=anew, opens=self.panel is None)

    def _show_entry(self, entry: Entry, *, anew: bool) -> bool:
        """The entry of a panel; false where it has no more to it than the row at the cursor."""
        name = self.panel.id if self.panel is not None else None
        if entry.why:
            self._show_parts(entry.text, (Part("quiet", entry.why),), None, anew=anew)
            return True
        if name == "thinking":
            parts: Sequence[Part] = thinking_parts(self.pen, self.snapshot, self.moment, self._sends())
            self._show_parts(name, parts, open_finding(self.snapshot), anew=anew)
            return True
        if name == "sites" and entry.subject:
            return self._show_site(entry, anew=anew)
        ref = self.rows.ref_of(entry.seq) if entry.seq is not None else None
        if ref is None or self.rows.index(ref) is None:
            return False
        self._show_row(ref, anew=anew)
        return True

    def _show_site(self, entry: Entry, *, anew: bool) -> bool:
        view = self.snapshot.sites
        site = next((one for one in (*view.entries, *reversed(view.earlier)) if one.name == entry.subject), None)
        if site is None:
            return False
        found = open_findings(self.snapshot)
        finding = next((one for one in found if (one.detector, one.subject) == ("sites", site.name)), None)
        calls = failed_calls(site, self.every)
        self._show_parts("site", site_parts(self.pen, site, finding, calls, self._sends()), finding, anew=anew)
        return True

    def _show_parts(self, kind: str, parts: Sequence[Part], finding: Finding | None, *, anew: bool) -> None:
        self.chosen, self.finding = None, finding
        words = " · ".join(filter(None, (numbered(finding, self.snapshot), kind)))
        self.detail.put(self.pen.own(words), tuple(parts), anew=anew, opens=False)

    def _sends(self) -> str:
        """The key that sends an advice, where one can be sent."""
        return "" if self.source.can("warn") else self.pen.key("warn")
