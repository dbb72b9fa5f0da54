"""A run that lies in one file: how it is opened, and how its beginning is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from monitor.agents.fields import read_json
from monitor.agents.protocol import Decoder
from monitor.streams.files import read_head, read_lines
from monitor.streams.record import Input, Shape, Span

_HEAD = 1 << 16
_LARGEST = 8 << 20
"""Bytes of a document that is looked at whole; of a larger one only how it begins."""


class Single:
    """One run, in one file or from a pipe."""

    def __init__(
        self,
        agent: str,
        path: Path | None,
        decoder: Callable[[], Decoder],
        *,
        role: str,
        shape: Shape = "document",
        name: str = "",
        span: Span | None = None,
    ) -> None:
        self.agent = agent
        self.title = name or (path.name if path is not None else agent)
        self._decoder = decoder
        self._input = Input(0, self.title, role, path, shape, span=span)

    def inputs(self) -> Sequence[Input]:
        """The one."""
        return (self._input,)

    def decoder(self) -> Decoder:
        """A fresh one."""
        return self._decoder()

    def project(self) -> Path | None:
        """Nothing tells: the file names no process."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None


def head_of(path: Path) -> bytes:
    """How a file begins; nothing for what is no file or cannot be read."""
    try:
        return read_lines(path, _HEAD) if path.is_file() else b""
    except OSError:
        return b""


def as_document(path: Path, head: bytes) -> object:
    """The JSON value that a file is, where it is one and not too large; none otherwise."""
    if head.lstrip()[:1] not in (b"{", b"["):
        return None
    try:
        data = head if len(head) < _HEAD else read_head(path, _LARGEST + 1)
        return read_json(data) if len(data) <= _LARGEST else None
    except (OSError, ValueError):
        return None
