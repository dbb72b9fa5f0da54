"""What is said of circles that are settled, and where none are looked for."""

from __future__ import annotations

from dataclasses import replace

from ui_samples import NOWS, PEN, joined
from ui_trouble import trouble

from monitor.detectors.numbers import DEFAULTS
from monitor.snapshot import Snapshot
from monitor.ui.present.panel import drawn
from monitor.ui.present.parts import laid
from monitor.ui.present.thinking import thinking, thinking_parts

NOW = NOWS["trouble"]


def detail(snapshot: Snapshot) -> str:
    return joined(laid(PEN, thinking_parts(PEN, snapshot, NOW, "w"), 100))


def settled() -> Snapshot:
    """Circles in the request that runs, which the operator has settled."""
    found = trouble().snapshot
    ended = [replace(one, state="settled") if one.detector == "thinking" else one for one in found.findings]
    return replace(found, findings=tuple(ended))


def test_settled_circles_are_not_told_as_those_of_an_earlier_request() -> None:
    """They are of this request, until another begins."""
    found = settled()
    assert "Replies went in circles in this request; no finding of it is open." in detail(found)
    later = replace(found, run=replace(found.run, requests=found.run.requests + 1))
    assert "Replies went in circles in an earlier request." in detail(later)


def test_where_no_share_counts_as_circles_none_is_named_as_the_limit() -> None:
    """A number of 0 turns the rule off: the chart has no line for it then, and what is counted is counted as ever."""
    found = trouble().snapshot
    assert "16 of 20 count as circles" in detail(found)
    assert "limit" in joined(line.content for line in drawn(PEN, thinking(PEN, found, NOW), 40, 7))
    for off in (replace(DEFAULTS.thinking, circles=0), replace(DEFAULTS.thinking, said=0)):
        snapshot = replace(found, numbers=replace(DEFAULTS, thinking=off))
        text = detail(snapshot)
        assert "17 of its last 20 sentences were said 4 times or more in the same reply" in text
        assert "count as circles" not in text
        assert "limit" not in joined(line.content for line in drawn(PEN, thinking(PEN, snapshot, NOW), 40, 7))
