"""What differs in the project folder, drawn: the files, and the lines of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from monitor.detectors.outside_view import NOBODY, Author
from monitor.events import Event, FileChanged, ToolCalled
from monitor.snapshot import RunFacts, Snapshot
from monitor.text import plural, width
from monitor.ui.pen import Pen
from monitor.ui.present.lines import fit, heading, middle, put, role, spread, wrap
from monitor.ui.present.panel import Entry
from monitor.ui.present.words import sentence
from monitor.worktree.diff import FolderDiff
from monitor.worktree.diff_text import DiffLine, DiffText

WHATS = {
    "created": "new", "deleted": "gone", "modified": "", "moved": "moved", "mode": "mode", "same": "", "unknown": "unknown",
}  # fmt: skip
SIGNS = {"+": "ok", "-": "stop", "\\": "muted", " ": ""}
_NUMBERED = 60
"""Cells from which on lines have their numbers."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One file that differs, and whose hand that was."""

    diff: DiffText
    author: Author = NOBODY

    @property
    def rows(self) -> int:
        """Lines of its hunks, their headers included."""
        return sum(1 + len(hunk.lines) for hunk in self.diff.hunks)


@dataclass(frozen=True, slots=True)
class Scope:
    """What is compared."""

    name: str
    empty: str
    """What it means when nothing differs."""
    file: str = ""
    """As the agent or a panel names it; empty for the whole folder."""
    since: float | None = None
    """None for the start."""


def scopes(pen: Pen, snapshot: Snapshot, file: str, now: float) -> tuple[Scope, ...]:
    """What can be compared, what is asked for first."""
    tree = snapshot.worktree
    start = "since the start" if tree.attached is None else f"since attaching at {pen.clock(tree.attached, now)}"
    found = (
        [
            Scope(
                f"of {file} {start}",
                f"{file} holds what it held at {'the start' if tree.attached is None else 'that moment'}.",
                file,
            )
        ]
        if file
        else []
    )
    found.append(Scope(start, f"Nothing differs {start}."))
    if tree.since is not None and (tree.attached is None or tree.attached < tree.since):
        prompt = f"since {'your feedback' if tree.since_feedback else 'the prompt'} at {pen.clock(tree.since, now)}"
        found.append(Scope(prompt, f"Nothing differs {prompt}.", since=tree.since))
    return tuple(found)


def subject(entry: Entry | None, event: Event | None, panel: str, run: RunFacts) -> str:
    """The file that is looked at: of a panel's entry, of a write, of a change from outside; empty for none.

    What an agent names relative to its folder is made relative to the project, which contains it.
    """
    if entry is not None and panel in ("writes", "worktree"):
        return entry.text if entry.path else ""
    match event:
        case FileChanged():
            return event.file
        case ToolCalled(kind="write") if event.changes:
            file, folder = event.changes[0].file, run.cwd
            below = folder.startswith(run.project.rstrip("/") + "/") if run.project else False
            return f"{folder}/{file}" if file and below and not file.startswith(("/", "~")) else file
        case _:
            return ""


def figure(diff: DiffText) -> str:
    """`+14 -2`; empty where lines cannot be counted, or none differ."""
    counted = (f"+{diff.added:,}" if diff.added else "", f"-{diff.removed:,}" if diff.removed else "")
    return " ".join(filter(None, counted))


def total(found: FolderDiff, *, brief: bool = False) -> str:
    """`3 files +14 -2`, and how many are not shown."""
    added, removed = (sum(getattr(one, side) or 0 for one in found.files) for side in ("added", "removed"))
    sums = () if brief else (f"+{added:,}" if added else "", f"-{removed:,}" if removed else "")
    more = f"· {found.left_out:,} more" if found.left_out else ""
    return " ".join(filter(None, (plural(len(found.files), "file"), *sums, more)))


def cut(found: FolderDiff) -> str:
    """Which files are not shown, by kind; empty where all are."""
    named = {"created": "new", "deleted": "gone"}
    kinds = [(named.get(what, what), count) for what, count in found.left]
    if len(kinds) == 1:
        return f"{plural(kinds[0][1], f'more {kinds[0][0]} file')} not shown."
    told = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
    return f"{plural(found.left_out, 'more file')} not shown: {told}." if told else ""


def file_line(pen: Pen, changed: Changed, room: int, *, here: bool) -> Content:
    """Mark, what became of it, its path; whose hand, and how many lines."""
    diff, by = changed.diff, changed.author.by or "not known yet"
    level = "outside" if by not in ("not known yet", "agent", "shell", "unknown") else ""
    who = "" if by == "agent" else by
    right = put((who, role(level or "muted")), (f" {figure(diff)}".rstrip() if who else figure(diff), role("muted")))
    if right.cell_length > room // 2:
        right = put((who or figure(diff), role(level or "muted")))
    word = WHATS[diff.what]
    left = put(
        (pen.mark("cursor") if here else pen.mark(level), role("accent" if here else level, bold=True)), " ",
        (f"{word} " if word else "", role("muted")),
    )  # fmt: skip
    space = room - left.cell_length - right.cell_length - 2
    line = spread(pen, left + put((middle(pen, diff.file, space), role(level))), right, room)
    return line.stylize("on $panel") if here else line


def files(pen: Pen, shown: Sequence[Changed], room: int, height: int, here: int) -> tuple[list[Content], int]:
    """As many files as fit, the one at `here` among them, and which is the first."""
    first = max(0, min(here - height // 2, len(shown) - height))
    lines = [
        file_line(pen, one, room, here=at == here) for at, one in enumerate(shown[first : first + height], start=first)
    ]
    return lines, first


def story(pen: Pen, changed: Changed, room: int, now: float) -> list[Content]:
    """What is to be said of a file before its lines: whose hand, what became of it, what lines cannot say."""
    diff, author = changed.diff, changed.author
    told = [(hand(pen, author, now), "outside" if author.by == "outside" else "muted")]
    became = {"created": "new", "deleted": "gone", "moved": f"moved here from {diff.was}", "mode": "its mode differs"}
    facts = (became.get(diff.what, ""), diff.where, diff.note)
    said = "; ".join(filter(None, facts))
    told.append((f"{said[:1].upper()}{said[1:]}." if said else "", "muted"))
    return [one for words, tone in told if words for one in wrap(put((words, role(tone))), room)]


def hand(pen: Pen, author: Author, now: float) -> str:
    """Whose hand a change was."""
    at = pen.clock(author.at, now)
    when = f" at {at}" if at else ""
    words = {
        "agent": f"By the agent{when}",
        "shell": f"By a command{when}",
        "outside": f"Outside the agent's view{when}",
        "unknown": f"By whom is not known{when}",
        "": f"By whom is not known yet{when}",
    }.get(author.by, f"By {author.by}{when}")
    return sentence(f"{words}: {author.why}" if author.why else words)


def patch(pen: Pen, changed: Changed, room: int, span: tuple[int, int], left: int = 0) -> list[Content]:
    """The lines of a file from one row to another, its hunks one after the other, cut `left` cells from the left."""
    begin, end = span
    most = max(
        (max(hunk.old_start + hunk.old_count, hunk.new_start + hunk.new_count) for hunk in changed.diff.hunks),
        default=0,
    )
    digits = len(str(most)) if room >= _NUMBERED else 0
    lines: list[Content] = []
    at = 0
    for hunk in changed.diff.hunks:
        size = 1 + len(hunk.lines)
        if at < end and at + size > begin:
            if at >= begin:
                lines.append(fit(pen, put((hunk.header, role("muted"))), room))
            inner = hunk.lines[max(begin - at - 1, 0) : max(end - at - 1, 0)]
            lines += [line(pen, one, digits, room, left) for one in inner]
        at += size
    if begin <= at < end and changed.diff.left_out:
        more = f"{plural(changed.diff.left_out, 'more line')} of the differences not shown"
        lines.append(fit(pen, put((more, role("note"))), room))
    return lines


def line(pen: Pen, one: DiffLine, digits: int, room: int, left: int) -> Content:
    """Its number before and now, its sign, its text."""
    numbers = (
        " ".join(f"{'' if number is None else number:>{digits}}" for number in (one.old, one.new)) if digits else ""
    )
    gutter = f"{numbers} " if digits else ""
    tone = SIGNS[one.sign]
    text = one.text.expandtabs(4)[left:]
    sign = " " if one.sign == "\\" else one.sign
    return fit(pen, put((gutter, role("muted")), (f"{sign} ", role(tone, bold=True)), (text, role(tone))), room)


def title(pen: Pen, changed: Changed, place: str, room: int, *, focus: bool) -> Content:
    """The heading over a file's lines."""
    space = room - width(place) - 4
    return heading(pen, middle(pen, changed.diff.file, max(space, room // 2)), pen.own(place), room, focus=focus)
