"""The report as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from monitor.report.shape import Report


def render(reports: Sequence[Report], *, several: bool = False) -> str:
    """One report as an indented object; several as one object a line, in the order of their logs.

    `several` where more than these were asked for. Other than ASCII is escaped, so that the output is the same under every locale.
    """
    if len(reports) == 1 and not several:
        return json.dumps(reports[0], indent=2, allow_nan=False) + "\n"
    return "".join(json.dumps(report, allow_nan=False, separators=(",", ":")) + "\n" for report in reports)
