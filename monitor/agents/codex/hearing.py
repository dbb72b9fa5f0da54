"""What a frame of Codex's server means to the words that are under way and to the questions that stand."""

from __future__ import annotations

from monitor.agents.codex.asking import Asking
from monitor.agents.codex.delivery import Delivery
from monitor.agents.codex.frame import Frame
from monitor.agents.fields import part, raw


def heard(frame: Frame, delivery: Delivery, asking: Asking) -> str | None:
    """Tell both; the status of a turn that is over by this frame, none for any other frame."""
    match frame.method:
        case "turn/started":
            delivery.begun()
        case "item/started" | "item/completed":
            delivery.item(part(frame.params, "item"))
        case "turn/completed":
            return raw(part(frame.params, "turn"), "status")
        case "serverRequest/resolved":
            asking.settled(frame.params.get("requestId"))
        case "":
            delivery.answered(frame)
        case _ if frame.id is not None:
            asking.hear(frame)
    return None
