"""Changes of files as the detail shows them: one with what it held, or all that stand in one row."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.events import FileChanged
from monitor.text import plural
from monitor.timeline.rows import Edit, RowKind
from monitor.ui.present.parts import Part

OUTSIDE = "outside the agent's view"
OWN = "by the agent or its command, as a call told later shows"
_NAMED = 1_000
"""Changes that are named; the filter finds all."""


def changed(event: FileChanged, kind: RowKind) -> list[Part]:
    """A file that is now another, and by whose hand."""
    whose = OUTSIDE if kind == "outside" else OWN
    parts = [Part("path", event.file), Part("pair", "what", f"{event.what} {f'by {event.by}' if event.by else whose}")]
    held = (("before", event.before), ("after", event.after))
    return [*parts, *[Part("pair", name, digest[:16], spare=True) for name, digest in held if digest]]


def several(edits: Sequence[Edit], found: Sequence[Part]) -> list[Part]:
    """The files that changed within one moment, those from outside first; before them what was `found` of one."""
    count = len({one.event.file for one in edits})
    parts = [Part("what", f"{plural(count, 'file')}, changed at once"), *found]
    for outside, whose in ((True, OUTSIDE), (False, OWN)):
        by = {one.event.by for one in edits if one.outside == outside and one.event.by}
        told = dict.fromkeys((one.event.what, one.event.file) for one in edits if one.outside == outside)
        if told:
            parts.append(Part("label", f"by {', '.join(by)}" if outside and by else whose, f"{len(told):,}"))
            parts += [Part("pair", what, file) for what, file in list(told)[:_NAMED]]
        if len(told) > _NAMED:
            parts.append(Part("quiet", f"{len(told) - _NAMED:,} more, not named; the filter finds them: file:name"))
    return parts
