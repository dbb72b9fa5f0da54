"""One session of a chat history, line by line: who speaks shows in how a line begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from monitor.agents.aider import notices, started
from monitor.agents.aider.blocks import Block, Blocks
from monitor.agents.aider.edits import Edits
from monitor.agents.aider.spans import lines_of, span
from monitor.events import (
    Event,
    FileOutcome,
    Noticed,
    Place,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    Said,
    ToolCalled,
    ToolReturned,
    Used,
)
from monitor.text import clean

HEADING = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_USER, _OWN = "#### ", ">"
_BREAK = "  "
"""How Aider ends a line of its own, or of the user's; only the last of several that belong together has it."""
_TOKENS = "> Tokens: "
_ASKING = ("/ask", "/code", "/architect", "/help", "/chat-mode", "/context")
"""Commands that ask the model something."""
_KEPT = 8_000
"""Characters kept of a reply's words, of a notice, and of a prompt from either end."""


class Session:
    """What is known of a session while its lines come."""

    def __init__(self) -> None:
        self.begun = False
        self._blocks = Blocks()
        self._edits = Edits()
        self._quoted: Blocks | None = None
        """The block that a notice is quoting."""
        self._notice: tuple[str, str, Place | None] = ("", "", None)
        """The notice about a block that did not match: the file, its text so far, and where it began."""
        self._refused = False
        self._failed = False
        """An edit of the latest reply was not made: Aider asks for it again, so that the reply is no answer."""
        self._prompt: tuple[str, Place | None] = ("", None)
        self._message = ""
        self._answer: tuple[str, str, Place | None] = ("", "", None)
        """The latest reply: its message, its words without its blocks, and where it began."""
        self._open = False
        self._error = ""
        self._goes_on = False
        """What Aider says goes on in the next line."""
        self._used = Used()
        """What the latest reply used that was told; one that tells nothing, where others do, was cut off."""

    def copy(self) -> Session:
        """Another that goes on from here."""
        other = Session()
        other.__dict__.update(self.__dict__)
        other._blocks, other._edits = self._blocks.copy(), self._edits.copy()
        other._quoted = self._quoted.copy() if self._quoted is not None else None
        return other

    def feed(self, line: str, place: Place) -> Iterator[Event]:
        """What a line tells."""
        if not self.begun:
            if not line.strip():
                return
            self.begun = True
            told = HEADING.fullmatch(line)
            yield started.started(told[1] if told else "")
            if told:
                return
        own = line.startswith((_USER, _OWN)) and (line.endswith(_BREAK) or line.startswith(_TOKENS))
        if self._goes_on and line.strip() and not own:
            self._goes_on = not line.endswith(_BREAK)
            yield from self._told(line.strip(), place)
        elif (self._blocks.inside or (self._message and line.startswith(_OWN))) and not own:
            yield from self._said(line, place)
        elif line.startswith(_USER):
            self._goes_on = False
            yield from self._asked(line[len(_USER) :], place)
        elif line.startswith(_OWN):
            self._goes_on = not line.endswith(_BREAK)
            yield from self._prompted(place)
            yield from self._replied(place)
            yield from self._told(line[1:].strip(), place)
        elif line.strip() or self._message:
            yield from self._prompted(place)
            yield from self._said(line, place)
        else:
            yield from self._prompted(place)

    def end(self, *, over: bool) -> Iterator[Event]:
        """No more lines come; `over` when another session follows, or nothing follows any more."""
        yield from self._prompted(None)
        yield from self._replied(None)
        yield from self._finished()
        if over:
            yield RunEnded()

    def _asked(self, line: str, place: Place) -> Iterator[Event]:
        """A line of what the user typed; several follow one another."""
        yield from self._replied(place)
        text, begun = self._prompt
        self._prompt = (f"{text}\n{line.rstrip()}"[-_KEPT:] if begun else line.rstrip(), begun or place)

    def _prompted(self, place: Place | None) -> Iterator[Event]:
        """The user's text is whole: a request, or a command to Aider itself."""
        (text, begun), self._prompt = self._prompt, ("", None)
        if begun is None or text.strip() in ("", "<blank>"):
            return
        yield from self._finished()
        where = span(begun, place)
        command, _, rest = text.strip().partition(" ")
        if command.startswith(("/", "!")) and not (command in _ASKING and rest.strip()):
            yield Noticed(kind="status", name="command", text=clean(text.strip()), place=where)
            return
        self._open, self._error, self._answer = True, "", ("", "", None)
        yield Prompted(text=clean(rest if command in _ASKING else text).strip(), place=where)

    def _said(self, line: str, place: Place) -> Iterator[Event]:
        """A line of the model's reply; one of a block is a call's, and no word of its answer."""
        if not self._message:
            self._message, self._failed = f"a{place.line}", False
            self._answer = (self._message, "", place)
            self._blocks.reset()
            self._edits.drop()
        was = self._blocks.inside
        block = self._blocks.feed(line, place.line, place.offset)
        if not was and not self._blocks.inside:
            message, words, begun = self._answer
            self._answer = (message, f"{words}{line}\n"[-_KEPT:], begun)
            yield Said(message=self._message, text=clean(line) + "\n", delta=True, place=place)
        if block is not None:
            yield from self._edits.add(block, self._message, lines_of(block, place))

    def _replied(self, place: Place | None) -> Iterator[Event]:
        """The reply is over."""
        if self._message:
            message, self._message = self._message, ""
            if (broken := self._blocks.unclosed()) is not None and place is not None:
                self._edits.hold(broken, message, lines_of(broken, place))
            self._blocks.reset()
            yield ReplyEnded(message=message, stop="tools" if self._edits else "end", place=place or Place())

    def _told(self, line: str, place: Place) -> Iterator[Event]:
        """A line of Aider's own."""
        if self._quoted is not None:
            yield from self._quote(line, place)
        elif (used := notices.usage(line)) is not None:
            self._used = Used(key=self._answer[0] or f"t{place.line}", tokens=used[0], cost=used[1], place=place)
            yield self._used
        elif (cost := notices.cost(line)) is not None and self._used.key:
            yield msgspec.structs.replace(self._used, cost=cost, place=place)
        elif told := notices.MISMATCH.fullmatch(line):
            self._refused = False
            self._quoted, self._notice = Blocks(), (told[1], line, place)
        else:
            yield from self._fate(line, place)
            yield from self._happened(line, place)

    def _quote(self, line: str, place: Place) -> Iterator[Event]:
        """A line of a block that did not match."""
        assert self._quoted is not None
        file, text, begun = self._notice
        self._notice = (file, f"{text}\n{line}"[:_KEPT], begun)
        block = self._quoted.feed(line, place.line, place.offset)
        if block is not None:
            self._quoted = None
            failed = Block(file, block.old, block.new, block.line, block.offset)
            where, self._failed = span(begun or place, place), True
            yield from self._edits.failed(failed, self._notice[1], self._answer[0] or f"a{place.line}", where)

    def _fate(self, line: str, place: Place) -> Iterator[Event]:
        """What became of the reply's edits."""
        if told := notices.APPLIED.fullmatch(line):
            yield from self._edits.applied(told[1], self._answer[0] or f"a{place.line}", place)
        elif told := notices.UNMATCHED.fullmatch(line):
            self._failed = True
            yield from self._edits.unmatched(told[1], line, self._answer[0], place, twice=bool(told[2]))
        elif notices.OTHERS.match(line):
            yield from self._edits.rest(FileOutcome(""), "", place)
        elif told := notices.DRY.fullmatch(line):
            yield from self._edits.rest(FileOutcome(told[1], "not_executed", cause=True), line, place)
        elif told := notices.SKIPPED.fullmatch(line):
            yield from self._edits.rest(FileOutcome(told[1], "denied", cause=True), line, place)
        elif line.startswith(notices.BROKEN):
            self._failed = True
            yield from self._edits.rest(FileOutcome("", "failed", "other", cause=True), line, place)
        elif line == notices.REFUSED:
            self._refused = True
        elif self._refused and line and not line.startswith("https://"):
            self._refused = False
            if not notices.BLOCKS.match(line):
                self._failed = True
                output = f"{notices.REFUSED}\n{line}"
                yield from self._edits.rest(FileOutcome("", "failed", "arguments", cause=True), output, place)

    def _happened(self, line: str, place: Place) -> Iterator[Event]:
        """What else is said: of the run, of errors, and of what stopped it."""
        if (said := started.said(line)) is not None:
            yield msgspec.structs.replace(said, place=place)
        elif notices.STOPPED.fullmatch(line) and self._open:
            self._open = False
            yield RequestEnded(how="limit", text=clean(line), place=place)
        elif line.startswith(notices.INTERRUPTED):
            self._edits.drop()
            if self._open:
                self._open = False
                yield RequestEnded(how="interrupted", place=place)
        elif notices.ALREADY.fullmatch(line):
            yield Noticed(kind="other", name="already there", text=clean(line), place=place)
        elif notices.RETRY.match(line):
            self._error = ""
            yield Noticed(kind="retry", name="retry", text=clean(line), place=place)
        elif notices.ERROR.fullmatch(line):
            self._error = clean(line)
            yield Noticed(kind="other", name="error", text=self._error, place=place)
        elif notices.FIX.fullmatch(line):
            yield Prompted(text=clean(line.removeprefix("# ")), by="harness", into="running", place=place)
        elif told := notices.RUNNING.fullmatch(line):
            call = f"r{place.line}"
            yield ToolCalled(call=call, tool="shell command", kind="shell", command=clean(told[1]), place=place)
            yield ToolReturned(call=call, outcome="unknown", place=place)

    def _finished(self) -> Iterator[Event]:
        """The request is over: its last reply is the answer."""
        self._edits.drop()
        if not self._open:
            return
        self._open = False
        _, words, place = self._answer
        cut = self._failed or self._used.key not in ("", self._answer[0])
        if place is not None and words.strip():
            how: Literal["interrupted", "answered"] = "interrupted" if cut else "answered"
            yield RequestEnded(how=how, text=clean(words).strip(), place=place)
        elif self._error:
            yield RequestEnded(how="error", text=self._error)
