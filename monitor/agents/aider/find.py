"""Finds Aider's chat history, and the sessions in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from monitor.agents.aider.decode import AiderDecoder
from monitor.agents.protocol import Found
from monitor.agents.single import Single, head_of
from monitor.streams.files import open_quietly
from monitor.streams.record import Span

_AGENT = "aider"
_NAME = ".aider.chat.history.md"
_HEADING = re.compile(rb"^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[ \t\r]*$", re.MULTILINE)
_BEGIN = b"# aider chat started at "
_ASKED = b"#### "
_DONE = (_ASKED, b"> Tokens: ", b"> Applied edit to ", b"> ## SearchReplaceNoExactMatch")
"""What shows that something was asked, or done, in a session."""
_MOST = 100_000
"""Sessions of one file that are told apart."""


class AiderFinder:
    """Recognises a chat history by its headings, or by its name."""

    def open(self, path: Path) -> Found | None:
        """The latest session of a history, which may go on; of a folder, that of the history in it."""
        if path.is_dir():
            return self.open(path / _NAME) if (path / _NAME).is_file() else None
        if not _is_history(path):
            return None
        spans = _spans_of(path)
        first = spans[-1].line if spans else 1
        return Single(
            _AGENT, path, partial(AiderDecoder, first), role="history", shape="lines", name=_title(path, first)
        )

    def sniff(self, head: bytes) -> bool:
        """Whether a stream begins with the heading of a session."""
        return head.lstrip().startswith(_BEGIN) and _HEADING.match(head.lstrip()) is not None

    def pipe(self, name: str) -> Found:
        """A session that is piped in."""
        return Single(_AGENT, None, AiderDecoder, role="history", shape="lines", name=name)

    def named(self, session: str) -> Iterable[Found]:
        """None: histories lie in the projects they are of."""
        del session
        return ()


FINDER = AiderFinder()


def runs_in(path: Path) -> Sequence[Found]:
    """The sessions of a history in which something was asked or done; none for any other file."""
    if not _is_history(path):
        return ()
    return [
        Single(_AGENT, path, AiderDecoder, role="history", shape="lines", name=_title(path, span.line), span=span)
        for span in _spans_of(path)
    ]


def _title(path: Path, line: int) -> str:
    return f"{path.name}:{line}"


def _is_history(path: Path) -> bool:
    head = head_of(path)
    return _HEADING.search(head) is not None or (path.name == _NAME and _ASKED in head)


def _spans_of(path: Path) -> tuple[Span, ...]:
    try:
        there = path.stat()
        return _spans(path, there.st_size, there.st_mtime_ns)
    except OSError:
        return ()


@lru_cache(maxsize=4)
def _spans(path: Path, size: int, changed: int) -> tuple[Span, ...]:
    """Where each session stands in which something was asked or done; `size` and `changed` tell the states of a file apart."""
    del size, changed
    found: list[Span] = []
    line, offset, asked, at, number = 1, 0, False, 0, 0
    with os.fdopen(open_quietly(path), "rb") as file:
        for number, text in enumerate(file, 1):
            if text.startswith(_BEGIN) and _HEADING.match(text.rstrip(b"\n")):
                if asked:
                    found.append(Span(line, offset, at - offset, number - line))
                line, offset, asked = number, at, False
            asked = asked or text.startswith(_DONE)
            at += len(text)
    if asked:
        found.append(Span(line, offset, at - offset, number - line + 1))
    return tuple(found[-_MOST:])
