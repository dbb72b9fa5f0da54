"""Which request an answer belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.agents.acp.frame import AGENT, Frame, Side
from monitor.agents.fields import parts, raw

_OPEN = 1_000
"""Requests without an answer that are remembered."""
_SHAPES: Mapping[str, tuple[str, ...]] = {
    "stopReason": ("session/prompt",),
    "outcome": ("session/request_permission",),
    "protocolVersion": ("initialize",),
    "sessionId": ("session/new", "session/load", "session/resume", "session/fork"),
    "exitCode": ("terminal/wait_for_exit",),
    "output": ("terminal/output",),
}
"""The field by which an answer shows what it may answer, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is remembered of a request until its answer comes."""

    method: str
    id: str = ""
    session: str = ""
    subject: str = ""
    """The call that permission is asked for, or the terminal."""
    kinds: tuple[tuple[str, str], ...] = ()
    """Of permission, the kind of each option by its id."""


class Wire:
    """The requests of both sides that wait for an answer; each side numbers its own."""

    def __init__(self) -> None:
        self._open: dict[tuple[Side, str], Asked] = {}

    def ask(self, frame: Frame) -> None:
        """Remember a request."""
        if not frame.id or not frame.method:
            return
        side: Side = frame.sender or ("agent" if frame.method in AGENT else "client")
        self._open.pop((side, frame.id), None)
        self._open[side, frame.id] = _asked(frame)
        if len(self._open) > _OPEN:
            del self._open[next(iter(self._open))]

    def answered(self, frame: Frame) -> Asked | None:
        """The request that this answers; where none is remembered, what its shape tells of it."""
        result = frame.result or {}
        shapes = (
            (frame.answers,) if frame.answers else next((told for key, told in _SHAPES.items() if key in result), ())
        )
        sides: tuple[Side, ...] = ("client", "agent")
        if frame.sender:
            sides = ("agent",) if frame.sender == "client" else ("client",)
        number = frame.id or next((known for (_, known), one in self._open.items() if one.method in shapes), "")
        found = [(side, one) for side in sides if (one := self._open.get((side, number))) is not None]
        fitting = [(side, one) for side, one in found if one.method in shapes]
        if not fitting and (frame.sender or not shapes):
            fitting = found
        if not fitting:
            return Asked(shapes[0], frame.id) if shapes else None
        side, asked = fitting[0]
        del self._open[side, number]
        return asked

    def copy(self) -> Wire:
        """Another that goes on from here."""
        other = Wire()
        other._open = dict(self._open)
        return other


def _asked(frame: Frame) -> Asked:
    params = frame.params
    subject = raw(params, "terminalId")
    kinds: tuple[tuple[str, str], ...] = ()
    if frame.method == "session/request_permission":
        call = params.get("toolCall")
        subject = raw(call, "toolCallId") if isinstance(call, dict) else ""
        kinds = tuple((raw(one, "optionId"), raw(one, "kind")) for one in parts(params, "options")[:50])
    return Asked(frame.method, frame.id, raw(params, "sessionId"), subject, kinds)
