"""Reaching the chosen run before anything is done to it: until then it is only watched."""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message

from monitor.channels.hold import RESTS
from monitor.errors import MonitorError
from monitor.finding.standing import FleetView, Standing, standing
from monitor.ui.arranged import next_in_need
from monitor.ui.fleet import Fleet
from monitor.ui.keys import Key
from monitor.ui.pen import Pen
from monitor.ui.possible import Scene, why_not
from monitor.ui.screens.listing import Listing
from monitor.ui.source import Source
from monitor.ui.unattached import Unattached

NONE = "No run is chosen"
_OTHER = "Another run is chosen by now: nothing was done"
_LATE = "It is not known yet whether the run can be reached: press again"
_BUSY = "A run is being reached just now: press again"
_OURS = ("settle", "measure")
"""What needs no agent."""


class Taking(Listing):
    """What a key does to the run that is chosen, wherever it has to be attached to first."""

    class Entered(Message):
        """The operator wants to see a run."""

        def __init__(self, key: str, source: Source) -> None:
            super().__init__()
            self.run, self.source = key, source

    def __init__(self, fleet: Fleet, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(Unattached(), pen, now)
        self.fleet = fleet
        self.view: FleetView = fleet.view
        self._busy = False
        self._taken = ""
        """The run that was acted on last."""

    @property
    def chosen(self) -> Standing | None:
        """The run that is chosen."""
        return standing(self.view, self.runs.key) if self.runs.key else None

    @property
    def scene(self) -> Scene:
        """What the keys can do depends on."""
        return Scene(self.source, self.snapshot, self.finding, pen=self.pen)

    def choose(self) -> None:
        """The chosen run is what the keys act on."""

    def hold_on(self) -> None:
        """While a box is open, the run it asks about stays reached."""
        if self.app.screen is not self and self._taken:
            self.fleet.keep(self._taken)

    def why_not(self, name: str) -> str:
        """Empty when a key does something now, else one sentence; what the channel can do shows once it is taken."""
        key = next(key for key in self.pen.keys if key.id == name)
        if key.where == "overview" or name in ("enter", "needs"):
            return self._nowhere(name)
        if isinstance(self.source, Unattached) and (key.verb is not None or name == "export"):
            return "" if self._reaches(key) else self.source.can(key.verb or "settle")
        reason = why_not(key, self.scene)
        return "" if RESTS in reason else reason

    def _nowhere(self, name: str) -> str:
        run = self.chosen
        if name == "enter":
            if run is None:
                return NONE
            unread = run.listed.path is None and not run.attached
            return "This run has written nothing yet" if unread else ""
        if name in ("needs", "needs_back"):
            return "" if next_in_need(self.lines, self.runs.key, 1) else "No run needs you"
        return ""

    def _reaches(self, key: Key) -> bool:
        """Whether the key is for the agent of a live run that has to be taken first."""
        run = self.chosen
        if run is None or key.verb is None or key.verb in _OURS or not run.alive:
            return False
        return (run.attached or run.listed.path is not None) and self.fleet.rests(run.key)

    def action_go(self, name: str) -> None:
        """Do what a key does to the run chosen by now, though it is not drawn yet; or say why it cannot be done."""
        self.choose()
        if reason := self.why_not(name):
            self.say(reason)
        elif self._reaches(next(key for key in self.pen.keys if key.id == name)):
            key = self.runs.key
            self._beside(lambda: self.fleet.take(key), lambda _source: self._go_on(key, name))
        else:
            self._taken = self.runs.key
            getattr(self, f"go_{name}")()

    def _go_on(self, key: str, name: str) -> None:
        """The run is reached, or it is known why not."""
        if key != self.runs.key:
            self.say(_OTHER)
            return
        self._taken = key
        self.choose()
        if reason := why_not(next(one for one in self.pen.keys if one.id == name), self.scene):
            self.say(_LATE if RESTS in reason else reason)
        else:
            getattr(self, f"go_{name}")()

    def go_enter(self) -> None:
        """Attach to the chosen run, and show it."""
        self.enter(self.runs.key)

    def enter(self, key: str) -> None:
        """Attach to a run, and show it."""
        self._beside(lambda: self.fleet.enter(key), lambda source: self.post_message(self.Entered(key, source)))

    def _beside(self, do: Callable[[], Source], then: Callable[[Source], object]) -> None:
        """Reach a run beside the screen, since that takes time; one at a time."""
        if self._busy:
            self.say(_BUSY)
            return
        self._busy = True
        self.app.run_worker(lambda: self._reach(do, then), thread=True, group="enter", exit_on_error=False)

    def _reach(self, do: Callable[[], Source], then: Callable[[Source], object]) -> None:
        try:
            source = do()
        except MonitorError as problem:
            self.app.call_from_thread(self.say, str(problem))
        except Exception as problem:  # noqa: BLE001 - the screen outlives a fault of one run, and says it
            self.app.call_from_thread(self.say, f"It cannot be opened: {type(problem).__name__}: {problem}")
        else:
            self.app.call_from_thread(then, source)
        finally:
            self._busy = False
