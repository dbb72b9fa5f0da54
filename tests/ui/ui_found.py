"""What a filter finds among rows in memory."""

from __future__ import annotations

from ui_samples import SampleRows
from ui_trouble import trouble

from monitor.ui.filtered import Filtered
from monitor.ui.query import Proofs, parse

ROWS = trouble().rows


def found(text: str, rows: SampleRows = ROWS, proofs: Proofs | None = None) -> list[int]:
    shown = Filtered(rows, parse(text))
    assert shown.search(proofs or {}, lambda: True)
    return [shown.ref(index) for index in range(len(shown))]
