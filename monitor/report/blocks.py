"""What repeats, replies, folder, scripts, tests, stalls and outside edits come to: a title and a row for each thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from monitor.detectors.docket import ENDED
from monitor.detectors.folder_view import MOVES
from monitor.detectors.repeats_view import ENTRIES
from monitor.detectors.scripts_view import SCRIPTS
from monitor.report.parts import Where
from monitor.report.phrases import beyond
from monitor.report.shape import Report, Seeing
from monitor.text import plural


@dataclass(frozen=True, slots=True)
class Row:
    """One thing, and the places that prove it."""

    text: str
    places: tuple[Where, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """What one detector found."""

    title: str
    rows: tuple[Row, ...] = ()


def blocks(report: Report) -> Iterator[tuple[Block, Seeing]]:
    """Each of them, with how much of what it needs could be seen; one that could see nothing says so."""
    for detector, made in _BLOCKS.items():
        seeing, block = report["coverage"][detector], made(report)
        if seeing["sees"] == "none" and not block.rows:
            block = Block(f"{block.title.partition(':')[0]}: not measured")
        yield block, seeing


def _repeats(report: Report) -> Block:
    rows = [
        Row(f"{(one['level'] or '').upper()} {one['rule']} x{one['count']:,}: {one['call']}".strip(" :"), (one["first"], one["last"]))
        for one in report["repeats"]
    ]  # fmt: skip
    return Block(f"Repeats: {len(rows) or 'none'}{beyond(len(rows), ENTRIES)}", tuple(rows))


def _replies(report: Report) -> Block:
    counts = report["replies"]
    told = [f"{counts[name]:,} {words}" for name, words in _LOST if counts[name]]
    known = "none" if counts["empty"] is not None else "not counted"
    return Block(f"Replies without an answer: {', '.join(told) or known}", tuple(_found("replies", report)))


def _folder(report: Report) -> Block:
    rows = [Row(f"{_HOW.get(one['how'], one['how'])} {one['to']}", (one["place"],)) for one in report["folder"]]
    times = f"{plural(len(rows), 'time')}{beyond(len(rows), MOVES)}" if rows else "never"
    return Block(f"Outside the project: {times}", tuple(rows))


def _scripts(report: Report) -> Block:
    rows = [
        Row(f"{one['file']}: {_ran(one['run'], one['how'])}; last edited", (one["place"],)) for one in report["scripts"]
    ]
    run = sum(one["run"] for one in report["scripts"])
    lost = [one for one in _found("scripts", report) if "heredoc" in one.text]
    more = beyond(len(rows), SCRIPTS)
    since = f"{more}, {run} {'of the last ' if more else ''}run since" if rows else ""
    return Block(f"Scripts written: {len(rows) or 'none'}{since}", (*rows, *lost))


def _ran(run: bool, how: str | None) -> str:
    if run:
        return f"run: {how}" if how else "run"
    return f"perhaps run: {how}" if how else "not run since"


def _tests(report: Report) -> Block:
    part = report["tests"]
    stale = {True: "before the last edit", False: "after the last edit", None: ""}[part["stale"]]
    if part["test_place"] is None:
        return Block("Last test: none was run")
    rows = [Row(f"test: {part['command']}" if part["command"] else "test", (part["test_place"],))]
    if part["edit_place"] is not None:
        rows.append(Row(f"edit: {part['edited']}" if part["edited"] else "edit", (part["edit_place"],)))
    else:
        stale = "nothing was edited"
    return Block(f"Last test: {stale}", tuple(rows))


def _stalls(report: Report) -> Block:
    rows = tuple(_found("stalls", report))
    return Block(f"Stalls: {len(rows) or 'none'}{beyond(len(rows), ENDED)}", rows)


def _outside(report: Report) -> Block:
    rows = [
        Row(f"{one['file']}{': the agent then wrote over it' if one['overwritten'] else ''}")
        for one in report["outside_edits"]
    ]
    return Block(f"Outside edits: {len(rows) or 'none'}", tuple(rows))


def _found(detector: str, report: Report) -> Iterator[Row]:
    for one in report["findings"]:
        if one["detector"] == detector:
            state = "" if one["state"] == "open" else f" ({one['state']})"
            yield Row(f"{one['level'].upper()} {one['message']}{state}", tuple(one["places"]))


_Lost = Literal["empty", "cut_off", "circled", "no_answer"]
_LOST: tuple[tuple[_Lost, str], ...] = (
    ("empty", "empty"),
    ("cut_off", "cut off"),
    ("circled", "in circles"),
    ("no_answer", "of an unknown kind"),
)
_HOW = {"moved": "worked in", "wrote": "wrote in", "put back": "left, and was put back from,"}
_BLOCKS: dict[str, Callable[[Report], Block]] = {
    "repeats": _repeats,
    "replies": _replies,
    "folder": _folder,
    "scripts": _scripts,
    "tests": _tests,
    "stalls": _stalls,
    "outside_edits": _outside,
}
"""By detector, in the order they are printed."""
