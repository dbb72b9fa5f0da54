"""What a thread has used itself: one that was forked from another counts on from what that had used."""

from __future__ import annotations

import msgspec

from monitor.agents.codex import items
from monitor.agents.fields import Object, part, whole
from monitor.events import Tokens, Used


class Usage:
    """The totals that a thread tells, without what its origin had used before it began."""

    def __init__(self) -> None:
        self._before = Tokens()
        """What its origin had used, where it was forked."""
        self._certain = True
        """Whether that is known for good: the first reply of its own tells it."""
        self._begun = False

    def begun(self, *, forked: bool) -> None:
        """The thread has begun; said again, it goes on."""
        if not self._begun:
            self._begun, self._certain = True, not forked

    def told(self, info: Object, *, replied: bool) -> Used | None:
        """What it has used so far; none where that is not said. `replied` once its model has said anything to it."""
        total, last = part(info, "total_token_usage"), part(info, "last_token_usage")
        if not total:
            return None
        used = items.tokens(total)
        if not self._certain:
            self._before = _without(used, items.tokens(last)) if replied else used
            self._certain = replied
        return Used(
            scope="run",
            tokens=_without(used, self._before),
            context_used=whole(last, "total_tokens"),
            context_size=whole(info, "model_context_window"),
        )

    def copy(self) -> Usage:
        """Another that goes on from here."""
        other = Usage()
        other.__dict__.update(self.__dict__)
        return other


def _without(used: Tokens, before: Tokens) -> Tokens:
    counts = zip(msgspec.structs.astuple(used), msgspec.structs.astuple(before), strict=True)
    return Tokens(*(max(one - other, 0) for one, other in counts))
