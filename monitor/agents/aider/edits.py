"""The edits of a reply whose fate is still to be told, and what became of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import msgspec

from monitor.agents.aider.blocks import Block
from monitor.events import Change, Event, FileOutcome, Place, ToolCalled, ToolReturned
from monitor.text import clean

_MOST = 500
"""Edits of one reply that are told."""


class Edits:
    """The edits of the latest reply, in order."""

    def __init__(self) -> None:
        self._pending: list[tuple[ToolCalled, Block]] = []

    def __bool__(self) -> bool:
        return bool(self._pending)

    def add(self, block: Block, message: str, place: Place) -> Iterator[Event]:
        """A block was written: a call of which it is not told yet whether Aider took it."""
        call = _called(block, message, place)
        if len(self._pending) < _MOST:
            self._pending.append((call, block))
        yield msgspec.structs.replace(call, partial=True)

    def hold(self, block: Block, message: str, place: Place) -> None:
        """A block that was never closed: a change only if Aider says what became of it."""
        if len(self._pending) < _MOST:
            self._pending.append((_called(block, message, place), block))

    def drop(self) -> None:
        """Nothing more will be told of them: they were proposed only."""
        self._pending = []

    def applied(self, file: str, message: str, place: Place) -> Iterator[Event]:
        """A file was written; a whole file may be, without a block."""
        found = self._take(lambda block: _same(block.file, file))
        if not found:
            found = [(_unseen("whole file", Change(clean(file), "write"), message, place), None)]
        yield from _ended(found, FileOutcome(file), "", place)

    def unmatched(self, file: str, output: str, message: str, place: Place, *, twice: bool) -> Iterator[Event]:
        """A unified diff was not applied: its lines are not in the file, or are there `twice`."""
        call = _unseen("diff", Change(clean(file), "edit"), message, place)
        outcome = FileOutcome(file, "failed", "ambiguous" if twice else "not_found", cause=True)
        yield from _ended([(call, None)], outcome, output, place)

    def failed(self, block: Block, output: str, message: str, place: Place) -> Iterator[Event]:
        """A block's old text was not found."""
        found = self._take(lambda one: _same(one.file, block.file) and one.key == block.key, only=1)
        made = found or [(_called(block, message, place), block)]
        yield from _ended(made, FileOutcome(block.file, "failed", "not_found", cause=True), output, place)

    def rest(self, file: FileOutcome, output: str, place: Place) -> Iterator[Event]:
        """All that are left of a file, or where none is named of the reply, ended alike."""
        found = self._take(lambda block: not file.file or _same(block.file, file.file))
        yield from _ended(found, file, output, place)

    def copy(self) -> Edits:
        """Another that goes on from here."""
        other = Edits()
        other._pending = list(self._pending)
        return other

    def _take(self, wanted: Callable[[Block], bool], only: int = _MOST) -> list[tuple[ToolCalled, Block | None]]:
        taken = [one for one in self._pending if wanted(one[1])][:only]
        self._pending = [one for one in self._pending if one not in taken]
        return list(taken)


def _unseen(tool: str, change: Change, message: str, place: Place) -> ToolCalled:
    """A change of which only the file is told; it cannot be told from another one of that file."""
    return ToolCalled(
        call=f"{message}.{place.line}", message=message, tool=tool, kind="write", arguments=json.dumps({"file": change.file}),
        arguments_cut=True, changes=(change,), place=place,
    )  # fmt: skip


def _called(block: Block, message: str, place: Place) -> ToolCalled:
    file = clean(block.file)
    return ToolCalled(
        call=f"{message}.{block.line}",
        message=message,
        tool="SEARCH/REPLACE",
        kind="write",
        arguments=clean(
            json.dumps({"file": block.file, "search": block.old, "replace": block.new}, ensure_ascii=False)
        ),
        changes=(Change(file, "edit" if block.old.strip() else "create", old=clean(block.old), new=clean(block.new)),),
        place=place,
    )


def _ended(
    found: Sequence[tuple[ToolCalled, Block | None]], file: FileOutcome, output: str, place: Place
) -> Iterator[Event]:
    """The calls, whole now, and their results; `file` says what became of each."""
    for call, _ in found:
        yield call
        yield ToolReturned(
            call=call.call,
            message=call.message,
            outcome=file.outcome,
            failure=file.failure,
            files=(msgspec.structs.replace(file, file=call.changes[0].file or clean(file.file)),),
            output=clean(output),
            place=place,
        )


def _same(one: str, other: str) -> bool:
    return one.removeprefix("./").strip() == other.removeprefix("./").strip()
