"""Who is asked for runs: one line for each agent that keeps them in a folder of its own."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.claude.listing import LISTER as CLAUDE
from monitor.agents.codex.listing import LISTER as CODEX
from monitor.agents.dirtywork.listing import LISTER as DIRTYWORK
from monitor.agents.lcode.listing import LISTER as LCODE
from monitor.agents.listed import Lister
from monitor.agents.native.listing import LISTER as JOURNALS
from monitor.agents.opencode.listing import LISTER as OPENCODE
from monitor.agents.openhands.listing import LISTER as OPENHANDS
from monitor.agents.pi.listing import LISTER as PI
from monitor.agents.plugged import plugged
from monitor.finding.started import StartedLister
from monitor.targets import finders

LISTERS: Sequence[tuple[str, Lister]] = (
    ("claude", CLAUDE),
    ("codex", CODEX),
    ("dirtywork", DIRTYWORK),
    ("lcode", LCODE),
    ("opencode", OPENCODE),
    ("openhands", OPENHANDS),
    ("pi", PI),
)
"""The agents', by their names."""


def listers() -> Sequence[tuple[str, Lister]]:
    """All: the runs we started, the agents', those of other packages, our journals."""
    plugs = ((one.name, one.lister) for one in plugged() if one.lister is not None and not one.problem)
    return (("monitor run", StartedLister(finders())), *LISTERS, *plugs, ("journal", JOURNALS))
