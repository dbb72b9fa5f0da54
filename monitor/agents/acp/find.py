"""Finds runs in wire logs of the Agent Client Protocol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from monitor.agents.acp.decode import AcpDecoder
from monitor.agents.acp.frame import KNOWN, Frame, read
from monitor.agents.acp.started import About, agent_in
from monitor.agents.fields import read_object
from monitor.agents.protocol import Found
from monitor.streams.files import read_lines
from monitor.streams.record import Input
from monitor.text import clean

_HEAD = 1 << 16
_MOST = 50
"""Lines of the head that are looked at."""
_LONG = re.compile(rb'"method"\s*:\s*"session/(?:update|prompt|new|load|request_permission)"|"sessionUpdate"\s*:\s*"')
"""What stands in a line of the protocol that is longer than the head."""


class WireLog:
    """What went over one wire, in a file or from a pipe."""

    agent = "acp"

    def __init__(self, name: str, path: Path | None, about: About) -> None:
        self.title = name
        self._about = about
        self._input = Input(0, name, "wire", path)

    def inputs(self) -> Sequence[Input]:
        """The one."""
        return (self._input,)

    def decoder(self) -> AcpDecoder:
        """One that knows what the head of the log says."""
        return AcpDecoder(self._about)

    def project(self) -> Path | None:
        """Nothing tells: the log's word is not enough."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None


class AcpFinder:
    """Recognises the protocol by its messages, whatever a log wraps them in."""

    def open(self, path: Path) -> Found | None:
        """The run in a file."""
        try:
            if not path.is_file():
                return None
            head = read_lines(path, _HEAD)
        except OSError:
            return None
        return WireLog(path.name, path, _about(head)) if self.sniff(head) else None

    def sniff(self, head: bytes) -> bool:
        """Whether the first line is a message of JSON-RPC, and one of the first lines this protocol's."""
        frames = list(_frames(head))
        if not frames:
            line = next((line for line in head.splitlines() if line.strip()), b"")
            return len(line) >= _HEAD and line.lstrip().startswith(b"{") and _LONG.search(line) is not None
        return frames[0] is not None and any(frame is not None and _is_ours(frame) for frame in frames)

    def pipe(self, name: str) -> Found:
        """A wire that is piped in."""
        return WireLog(name, None, About())

    def named(self, session: str) -> Iterable[Found]:
        """None: nothing of the protocol has a usual folder."""
        del session
        return ()


FINDER = AcpFinder()


def _frames(head: bytes) -> Iterator[Frame | None]:
    """The messages of the whole lines; none for a line that is no message."""
    lines = [line for line in head.splitlines(keepends=True) if line.strip()][:_MOST]
    for line in lines:
        found = read_object(line)
        if isinstance(found, dict):
            yield read(found)
        elif line.endswith(b"\n"):
            yield None


def _is_ours(frame: Frame) -> bool:
    """Whether a message is of this protocol: others on JSON-RPC have an `initialize` too, with another version."""
    number = frame.params.get("protocolVersion")
    if frame.method == "initialize":
        return isinstance(number, int) and not isinstance(number, bool)
    if frame.method:
        return frame.method in KNOWN and "/" in frame.method
    result = frame.result or {}
    if frame.answers:
        return frame.answers in KNOWN
    return isinstance(result.get("protocolVersion"), int) and "agentCapabilities" in result


def _about(head: bytes) -> About:
    for frame in _frames(head):
        result = frame.result if frame is not None else None
        if result and "agentCapabilities" in result:
            return About(clean(agent_in(result)))
    return About()
