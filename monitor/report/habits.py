"""What was repeated, left unanswered, moved, scripted and tested, as the report gives it."""

from __future__ import annotations

from monitor.detectors.folder_view import FolderView
from monitor.detectors.numbers import Numbers, changed
from monitor.detectors.outside_view import OutsideView
from monitor.detectors.repeats_view import RepeatsView
from monitor.detectors.replies_view import RepliesView
from monitor.detectors.scripts_view import ScriptsView
from monitor.detectors.tests_view import TestsView
from monitor.report.numbers import finite, where
from monitor.report.parts import FolderRow, NumberRow, OutsideRow, RepeatRow, RepliesPart, ScriptRow, TestsPart
from monitor.text import line


def repeats(view: RepeatsView) -> list[RepeatRow]:
    """Calls made again and again, oldest first."""
    return [
        {
            "rule": one.rule,
            "call": line(one.call),
            "count": one.count,
            "level": one.level,
            "first": where(one.first),
            "last": where(one.last),
        }
        for one in view.entries
    ]


def replies(view: RepliesView, *, seen: bool) -> RepliesPart:
    """Replies without an answer; none for each count where the source cannot show them."""
    if not seen:
        return {"empty": None, "cut_off": None, "circled": None, "no_answer": None}
    return {"empty": view.empty, "cut_off": view.cut_off, "circled": view.circled, "no_answer": view.no_answer}


def folder(view: FolderView) -> list[FolderRow]:
    """Each time an actor left the project, or wrote outside it."""
    return [{"seq": one.spot.seq, "place": where(one.spot), "to": line(one.to), "how": one.how} for one in view.moves]


def scripts(view: ScriptsView) -> list[ScriptRow]:
    """The scripts of the run, with the place of their last edit."""
    return [
        {
            "file": line(one.file),
            "place": where(one.spot),
            "run": one.run,
            "how": line(one.how or one.perhaps) or None,
        }
        for one in view.scripts
    ]


def outside(view: OutsideView) -> list[OutsideRow]:
    """Files changed outside the agent's view, oldest first."""
    return [{"file": line(one.file), "at": finite(one.at), "overwritten": one.overwritten} for one in view.edits]


def tests(view: TestsView) -> TestsPart:
    """Whether the last test came after the last edit."""
    return {
        "last_edit": view.last_edit.seq if view.last_edit else None,
        "last_test": view.last_test.seq if view.last_test else None,
        "stale": view.stale,
        "edited": line(view.edited) or None,
        "command": line(view.command) or None,
        "edit_place": where(view.last_edit) if view.last_edit else None,
        "test_place": where(view.last_test) if view.last_test else None,
    }


def numbers(values: Numbers) -> list[NumberRow]:
    """The numbers that are others than the defaults, so that a report can be made again."""
    return [
        {"detector": one.detector, "name": one.name, "value": one.value, "default": one.default}
        for one in changed(values)
    ]
