"""What is said before a run is ended."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.snapshot import Snapshot
from monitor.text import plural
from monitor.ui.pen import Pen
from monitor.ui.present.parts import BLANK, Part

MOST = 10
"""Lines of what would end."""


def abort_parts(pen: Pen, snapshot: Snapshot, plan: Sequence[str]) -> list[Part]:
    """Which run it is, what would end, what stays, and what is left undone."""
    run, tree = snapshot.run, snapshot.worktree
    who = f" {pen.mark('dot')} ".join(filter(None, (run.agent, run.model))) or "this run"
    parts = [Part("what", who), Part("quiet", run.task or "no task known"), BLANK]
    parts += [Part("pair", "" if index else "will end", text) for index, text in enumerate(plan[:MOST])]
    if len(plan) > MOST:
        parts.append(Part("pair", "", f"and {len(plan) - MOST} more"))
    changed = f": {plural(len(tree.files), 'file')} changed" if tree.changed and tree.files else ""
    parts += [
        Part("pair", "in", pen.place(run.project or run.cwd) or "folder not known"),
        Part("pair", "session", run.session or "not known"),
        Part("pair", "stays", f"the folder as it is{changed}"),
    ]
    if outstanding := snapshot.writes.outstanding:
        are, them = ("is", "it") if outstanding == 1 else ("are", "them")
        words = f"{plural(outstanding, 'write')} {are} outstanding; the agent will not come back to {them}."
        parts += [BLANK, Part("level", words, level="warn")]
    return parts
