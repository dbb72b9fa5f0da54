"""Finds OpenHands' histories: conversations, lists of events, and the output of benchmarks, a run on each line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from monitor.agents.openhands.decode import EVENTS, INSTANCE, decoder, is_history, line_decoder
from monitor.agents.openhands.kept import conversation_in, conversations
from monitor.agents.protocol import Found
from monitor.agents.single import Single, as_document, head_of
from monitor.streams.files import open_quietly
from monitor.streams.record import Span

_AGENT = "openhands"
_LIST = re.compile(
    rb'\s*\[\s*\{\s*"id"\s*:\s*\d+\s*,\s*"timestamp"\s*:\s*"[^"]*"\s*,\s*"source"\s*:\s*"(?:agent|user|environment)"'
)
_LINE = re.compile(
    rb'\s*\{\s*"(?:instance_id|task_id)"\s*:.{0,65536}?"(?:history|test_result|git_patch|instruction|metadata)"\s*:'
    rb'|\s*\{\s*"issue"\s*:\s*\{.{0,65536}?"(?:issue_type|base_commit)"\s*:',
    re.DOTALL,
)
_OURS = (b'"agent_class"', b'"history"', b'"git_patch"', b'"instruction"', b'"base_commit"')
"""Fields of which at least one stands near the beginning of such a line."""
_MOST = 100_000
"""Runs of one file that are told apart."""


class OpenHandsFinder:
    """Recognises a conversation's folder, a list of events, and a benchmark's output."""

    def open(self, path: Path) -> Found | None:
        """The run in a file or a conversation's folder; of several on lines of their own the first."""
        if (kept := conversation_in(path)) is not None:
            return kept
        if not path.is_file():
            return None
        head = head_of(path)
        if _LIST.match(head) or (head.lstrip().startswith(b"[") and b'"source"' in head and _is_list(path, head)):
            return Single(_AGENT, path, decoder, role=EVENTS)
        return next(iter(runs_in(path)), None)

    def sniff(self, head: bytes) -> bool:
        """Never: a history is no stream."""
        del head
        return False

    def pipe(self, name: str) -> Found:
        """A history that is piped in as one line."""
        return Single(_AGENT, None, line_decoder, role=INSTANCE, shape="lines", name=name)

    def named(self, session: str) -> Iterable[Found]:
        """The conversation with this id, or those whose ids begin so; other histories lie wherever the user puts them."""
        return conversations(session)


FINDER = OpenHandsFinder()


def runs_in(path: Path) -> Sequence[Found]:
    """The runs of a benchmark's output, one for each line; none for any other file."""
    head = head_of(path)
    if not _LINE.match(head) or not any(word in head for word in _OURS):
        return ()
    try:
        there = path.stat()
        spans = _spans(path, there.st_size, there.st_mtime_ns)
    except OSError:
        return ()
    return [_run(path, span) for span in spans]


def _run(path: Path, span: Span) -> Found:
    name = f"{path.name}:{span.line}"
    return Single(_AGENT, path, line_decoder, role=INSTANCE, shape="lines", name=name, span=span)


@lru_cache(maxsize=4)
def _spans(path: Path, size: int, changed: int) -> tuple[Span, ...]:
    """The lines of a file that hold anything; `size` and `changed` tell the states of the file apart."""
    del size, changed
    found: list[Span] = []
    offset = 0
    with os.fdopen(open_quietly(path), "rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and len(found) < _MOST:
                found.append(Span(number, offset, len(line)))
            offset += len(line)
    return tuple(found)


def _is_list(path: Path, head: bytes) -> bool:
    return is_history(as_document(path, head))
