"""Decodes run.json, which is rewritten whole when the run ends, is resumed, or is reviewed."""

from __future__ import annotations

from monitor.agents.dirtywork import ending, started
from monitor.agents.dirtywork.started import About
from monitor.agents.fields import Object, moment, raw, stamped, text
from monitor.events import Event, Noticed, RunEnded
from monitor.streams.record import Record

_RUNNING = "running"


class RunFile:
    """Tells what each state of run.json adds to the last one, and to the transcript beside it.

    The end belongs behind the transcript's last record, whichever is read first, so it is held until then;
    where the transcript tells its end, only another status is news.
    """

    __slots__ = ("_about", "_begun", "_held", "_noted", "_said", "_transcript")

    def __init__(self, about: About) -> None:
        self._about = about
        self._begun = False
        self._noted: tuple[str, str] = ("", "")
        self._held: list[Event] = []
        self._said = ""
        """The status that this file's end was told with."""
        self._transcript: str | None = None
        """The status that the transcript's end was told with."""

    def feed(self, found: Object, record: Record, *, beside: bool) -> list[Event]:
        """The news in this state of the file; `beside` when a transcript is being read too."""
        events: list[Event] = []
        if self._about.alone and not self._begun:
            self._begun = True
            told = [started.started(found, self._about), *started.prompts(found)]
            events += stamped(list(enumerate(told)), record, moment(found.get("started")))
        events += stamped(self._notes(found), record, None)
        status = raw(found, "status")
        if status and status != _RUNNING:
            self._held = stamped(self._end(found), record, moment(found.get("ended")))
            if not beside or self._transcript is not None:
                events += self._tell()
        return events

    def ended(self, end: RunEnded) -> list[Event]:
        """The transcript has told its end: what this file adds."""
        self._transcript, self._said = end.status, ""
        return self._tell()

    def finish(self) -> list[Event]:
        """No more will come: the end that only this file tells."""
        return self._tell()

    def copy(self) -> RunFile:
        """Another that goes on from here."""
        other = RunFile(self._about)
        other._begun, other._noted, other._held = self._begun, self._noted, list(self._held)
        other._said, other._transcript = self._said, self._transcript
        return other

    def _tell(self) -> list[Event]:
        ends = [event for event in self._held if isinstance(event, RunEnded)]
        if not ends or ends[0].status in (self._said, self._transcript):
            return []
        self._said = ends[0].status
        return [*ends] if self._transcript is not None else list(self._held)

    def _notes(self, found: Object) -> list[tuple[int, Event]]:
        """Who went on with the run, and what its reviewer decided."""
        by, verdict = text(found, "resumed_by"), text(found, "verdict")
        was_by, was_verdict = self._noted
        self._noted = (by, verdict)
        events: list[tuple[int, Event]] = []
        if by and by != was_by:
            events.append((4, Noticed(kind="status", name="resumed_by", text=by)))
        if verdict and verdict != was_verdict:
            told = ": ".join(filter(None, (verdict, text(found, "note"))))
            events.append((5, Noticed(kind="status", name="verdict", text=told, at=moment(found.get("verdict_at")))))
        return events

    def _end(self, found: Object) -> list[tuple[int, Event]]:
        """How the run ended; a claim and a check stand in the transcript, where there is one."""
        alone = self._about.alone
        told = (
            ending.checked(found) if alone else None,
            ending.measured(found, resumed=started.resumed(found)),
            ending.request_ended(found, claimed=not alone),
            ending.run_ended(found),
        )
        return [(item, event) for item, event in enumerate(told, 6) if event is not None]
