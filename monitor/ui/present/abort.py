"""What is said before a run is ended."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.actions import Force
from monitor.processes.plan import FORCES, SIGNALS, Plan, ProcessRow, Step
from monitor.snapshot import Snapshot
from monitor.text import plural
from monitor.ui.pen import Pen, took
from monitor.ui.present.parts import BLANK, TAIL, Part
from monitor.ui.present.worktree import seen_live

MOST = 10
"""Processes that are named."""
SUSPECTS = 3
"""Processes that may be its too, of those that are named."""
_HEADS = ("group", "session", "runs", "process")
_UNKNOWN = "the processes of this run are not known"


def abort_parts(pen: Pen, snapshot: Snapshot, plan: Plan | None, force: Force = "interrupt") -> list[Part]:
    """Which run it is, each process that would end, how, what stays, and what is left undone."""
    run, tree = snapshot.run, snapshot.worktree
    who = f" {pen.mark('dot')} ".join(filter(None, (run.agent, run.model))) or "this run"
    parts = [Part("what", who), Part("quiet", run.task or "no task known"), BLANK]
    parts += (
        [*_processes(pen, plan, force), TAIL, *_how(pen, plan, force)] if plan else [Part("pair", "will end", _UNKNOWN)]
    )
    changed = f"{plural(tree.count, 'file')} changed" if tree.changed and tree.files else seen_live(tree)
    parts += [
        Part("pair", "in", pen.place(run.project or run.cwd) or "folder not known"),
        Part("pair", "session", run.session or "not known"),
        Part("pair", "stays", ": ".join(filter(None, ("the folder as it is", changed)))),
    ]
    if outstanding := snapshot.writes.outstanding:
        are, them = ("is", "it") if outstanding == 1 else ("are", "them")
        words = f"{plural(outstanding, 'write')} {are} outstanding; the agent will not come back to {them}."
        parts += [BLANK, Part("level", words, level="warn")]
    return parts


def _processes(pen: Pen, plan: Plan, force: Force) -> Iterator[Part]:
    """A row for each, below the names of the columns; what the agent itself is asked for ends none of them."""
    name = "will end" if any(one.force in SIGNALS for one in _due(plan, force)) else "runs in"
    ending = [row for row in plan.processes if not row.stays]
    yield Part("cells", name, plural(len(ending), "process", "processes"), level="muted", cells=_HEADS)
    for row in plan.processes[:MOST]:
        yield Part("cells", "", _command(pen, row), level="muted" if row.stays else "", cells=_numbers(row))
        if row.stays:
            yield Part("pair", "", f"stays: {row.stays}")
    if len(plan.processes) > MOST:
        yield Part("pair", "", f"and {len(plan.processes) - MOST} more")
    for one in plan.suspects[:SUSPECTS]:
        yield Part("pair", "may be its", f"{one.pid} {one.command}: {one.why}; it is not touched")
    if len(plan.suspects) > SUSPECTS:
        yield Part("pair", "", f"and {len(plan.suspects) - SUSPECTS} more that may be")


def _command(pen: Pen, row: ProcessRow) -> str:
    return f"{'  ' * (row.depth - 1)}{pen.mark('child')} {row.command}" if row.depth else row.command


def _numbers(row: ProcessRow) -> tuple[str, ...]:
    return str(row.group), str(row.session), took(row.took), str(row.pid)


def _how(pen: Pen, plan: Plan, force: Force) -> Iterator[Part]:
    """The steps that are taken one after another, and those that are not taken unasked."""
    upto = FORCES.index(force)
    due = _due(plan, force)
    taken = [one.words for one in due if not one.skipped]
    wait = f"; after {plan.wait:.0f}s "
    yield Part("pair", "how", wait.join(taken) if taken else "nothing is sent by this alone")
    for one in due:
        if one.skipped:
            yield Part("pair", "left out", f"{SIGNALS.get(one.force, one.words)}: it {one.skipped}")
    later = [one for one in plan.steps if one.asked and one not in due and FORCES.index(one.force) >= upto]
    if harder := [SIGNALS[one.force] for one in later if one.force in SIGNALS]:
        yield Part("pair", "", f"{', then '.join(harder)}, only if you press {pen.key('abort')} again")
    if plan.remains and (later or any(one.force in SIGNALS for one in due)):
        yield Part("pair", "after", plan.remains)


def _due(plan: Plan, force: Force) -> list[Step]:
    """The steps that are taken when it is asked for with this force."""
    return [one for one in plan.steps if (not one.asked if force == "interrupt" else one.force == force)]
