"""One line of the overview: columns by weight, the least needed gone first when room is short."""

from __future__ import annotations

from textual.content import Content

from monitor.finding.standing import Standing
from monitor.text import line, plural
from monitor.ui.arranged import ChildLine, FoundLine, Gap, Line, MoreLine, RunLine, Title, task_of
from monitor.ui.pen import Pen, whole
from monitor.ui.present.columns import GAP, Column, columns, passed
from monitor.ui.present.lines import fit, heading, put, role
from monitor.ui.present.short import short
from monitor.ui.present.strip import Fact, row


def header(pen: Pen, room: int, lead: int) -> Content:
    """The columns' names."""
    shown = columns(room)
    cells = [(one, put((one.name, role("muted")))) for one in shown]
    return put(" " * lead, *_row(pen, cells, put(("task", role("muted"))), room))


def fleet_line(pen: Pen, shown: Line, room: int, now: float, *, here: bool, lead: int = 2) -> Content:
    """A heading, a run, or a sub-agent."""
    return put(*fleet_cells(pen, shown, room, now, here=here, lead=lead))


def fleet_cells(pen: Pen, shown: Line, room: int, now: float, *, here: bool, lead: int = 2) -> list[Content]:
    """The same, a run cell by cell: most of them are as they were a second ago."""
    if not isinstance(shown, RunLine):
        return [_other(pen, shown, room, now, lead)]
    gutter = put((pen.mark("cursor" if here else ""), role("accent")), " " * (lead - 1))
    cells = [gutter, *run_cells(pen, shown.run, room, now)]
    return [cell.stylize("on $panel") for cell in cells] if here else cells


def _other(
    pen: Pen, shown: Title | ChildLine | FoundLine | Gap | MoreLine, room: int, now: float, lead: int
) -> Content:
    match shown:
        case Title():
            return put(" " * lead) + heading(
                pen, pen.place(line(shown.name)), f"{shown.count:,}", room, focus=shown.name == "Live"
            )
        case ChildLine():
            return put(" " * lead) + child_line(pen, shown, room, now)
        case FoundLine():
            return put(" " * lead) + found_line(pen, shown.run, room)
        case Gap():
            return Content("")
        case MoreLine():
            return put(" " * lead, "  ", (shown.words, role("muted")))


def passing(pen: Pen, shown: Line, now: float) -> tuple[str, ...]:
    """What of a line changes though nothing happens: the times."""
    match shown:
        case RunLine():
            return passed(pen, shown.run, now)
        case ChildLine():
            return (str(int(now)),)
        case _:
            return ()


def run_cells(pen: Pen, run: Standing, room: int, now: float) -> list[Content]:
    """State, agent, project, task, and the figures there is room for, with the gaps between them."""
    return _row(pen, [(one, one.draw(pen, run, now)) for one in columns(room)], _task(run), room)


def child_line(pen: Pen, shown: ChildLine, room: int, now: float) -> Content:
    """A sub-agent that works, set in below its run."""
    child = shown.child
    before = put(
        ("  " * (shown.depth + 1) + pen.mark("child") + " ", role("muted")), (pen.mark("live"), role("ok")), " "
    )
    told = [f"turn {child.turns:,}" if child.turns else "", plural(child.calls, "call") if child.calls else ""]
    told.append(whole(now - child.started) if child.started is not None else "")
    right = put(("  " + f" {pen.mark('dot')} ".join(filter(None, told)), role("muted")))
    words = put(
        (line(child.task or child.id), role("")), (f"  {line(child.model)}" if child.model else "", role("muted"))
    )
    return before + fit(pen, words, room - before.cell_length - right.cell_length) + right


def _row(pen: Pen, cells: list[tuple[Column, Content]], task: Content, room: int) -> list[Content]:
    space = max(room - sum(one.cells + GAP for one, _ in cells), 0)
    gap = put(" " * GAP)
    left = [part for one, cell in cells if not one.after for part in (*_cell(pen, one, cell), gap)]
    right = [part for one, cell in cells if one.after for part in (gap, *_cell(pen, one, cell))]
    parts = [*left, fit(pen, task, space), *right]
    return parts if space else [fit(pen, put(*parts), room)]


def _cell(pen: Pen, column: Column, cell: Content) -> tuple[Content, ...]:
    if column.right and cell.cell_length < column.cells:
        return put(" " * (column.cells - cell.cell_length)), cell
    return (fit(pen, cell, column.cells),)


def _task(run: Standing) -> Content:
    words = run.problem or task_of(run)
    loud = run.alive and run.snapshot is not None and bool(run.snapshot.waiting)
    tone = "warn" if run.problem else "" if run.alive else "muted"
    return put((line(words) or "no task known", role(tone if words else "muted", bold=loud)))


def found_line(pen: Pen, run: Standing, room: int) -> Content:
    """The worst open finding in a few words, how many there are beside it, and who else works in the folder."""
    facts: list[Fact] = []
    worst, told = run.worst, run.snapshot
    if told is not None and worst is not None and worst.level != "note":
        count = sum(one.state == "open" for one in told.findings) - 1
        facts.append((worst.level, line(short(worst, told)) + (f", {plural(count, 'finding')} more" if count else "")))
    if run.together:
        facts.append(("outside", f"also in this folder: {', '.join(map(line, run.together))}"))
    return put("  ", (pen.mark("child") + " ", role("muted"))) + row(pen, facts, room - 4)
