"""What the mouse's wheel does: it moves what lies under it."""

from __future__ import annotations

from typing import ClassVar

from textual.events import MouseScrollDown, MouseScrollUp


class Wheel:
    """A widget that moves by steps, and by so many a notch."""

    NOTCH: ClassVar[int] = 3

    def move(self, step: int) -> None:
        """Go so many steps on, or back."""
        raise NotImplementedError

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """A notch on."""
        event.stop()
        self.move(self.NOTCH)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """A notch back."""
        event.stop()
        self.move(-self.NOTCH)
