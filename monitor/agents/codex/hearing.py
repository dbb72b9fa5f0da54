"""What a frame of Codex's server means to the words that are under way and to the questions that stand."""

from __future__ import annotations

from monitor.agents.codex.asking import Asking
from monitor.agents.codex.delivery import Delivery
from monitor.agents.codex.frame import Frame
from monitor.agents.fields import part, raw


def heard(frame: Frame, thread: str, delivery: Delivery, asking: Asking) -> str | None:
    """Tell both; the status of the thread's turn if it is over by this frame, none for any other frame.

    Of its sub-agents only the questions are of weight to them.
    """
    whose = raw(frame.params, "threadId")
    own = whose in ("", thread)
    match frame.method:
        case "turn/started" if own:
            delivery.begun()
        case "item/started" | "item/completed" if own:
            delivery.item(part(frame.params, "item"))
        case "turn/completed":
            asking.over(whose or thread)
            return raw(part(frame.params, "turn"), "status") if own else None
        case "serverRequest/resolved":
            asking.settled(frame.params.get("requestId"))
        case "":
            delivery.answered(frame)
        case _ if frame.id is not None:
            asking.hear(frame, whose or thread)
    return None
