"""Decodes a dirtywork run: its transcript, its run.json, and the preview of its changes."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.dirtywork import ending, nudges, started
from monitor.agents.dirtywork.arguments import RESULT_LIMIT, read_arguments
from monitor.agents.dirtywork.batch import Batch
from monitor.agents.dirtywork.calls import FINISH, called
from monitor.agents.dirtywork.live import Preview
from monitor.agents.dirtywork.replies import Reply, summary
from monitor.agents.dirtywork.results import returned
from monitor.agents.dirtywork.runfile import RunFile
from monitor.agents.dirtywork.started import About
from monitor.agents.fields import Object, count_type, moment, raw, read_object, stamped, truth, unreadable, whole
from monitor.events import Checked, Event, Prompted, RequestEnded, ToolReturned
from monitor.streams.record import Input, Record
from monitor.text import clean

RUN, LIVE, TRANSCRIPT = "run.json", "live_changes.json", "transcript"
"""The roles of the inputs; an input of any other role is read as a transcript."""


class DirtyworkDecoder:
    """Turns records of one run into events; `about` is what run.json said when the run was found."""

    def __init__(self, about: About | None = None) -> None:
        self.unknown_types: dict[str, int] = {}
        self._about = about or About()
        self._resumed = self._about.resumed
        self._began: float | None = None
        self._beside = False
        """A transcript is being read."""
        self._batch = Batch()
        self._run_file = RunFile(self._about)
        self._preview = Preview()

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one record."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        if record.input.role == RUN:
            if self._resumed is None:
                self._resumed = started.resumed(found)
            return self._run_file.feed(found, record, beside=self._beside)
        if record.input.role == LIVE:
            return stamped([(0, one) for one in self._previewed(found)], record, moment(found.get("captured_at")))
        return self._told(found, record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """What is left when no more will come: calls without a result, and an end that only run.json tells."""
        del inputs
        left = [ToolReturned(call=call.call, message=call.message, outcome="unknown") for call in self._batch.close()]
        return [*self._batch.release(), *left, *self._run_file.finish()]

    def copy(self) -> DirtyworkDecoder:
        """Another that goes on from here."""
        other = DirtyworkDecoder(self._about)
        other.unknown_types = dict(self.unknown_types)
        other._resumed, other._began, other._beside = self._resumed, self._began, self._beside
        other._batch, other._preview = self._batch.copy(), self._preview.copy()
        other._run_file = self._run_file.copy()
        return other

    def _previewed(self, found: Object) -> list[Event]:
        return self._preview.feed(found, resumed=self._resumed, began=self._began)

    def _told(self, found: Object, record: Record) -> Sequence[Event]:
        """A line of the transcript."""
        self._beside = True
        name = found.get("event")
        if not isinstance(name, str):
            return (unreadable(record, "a record without its kind"),)
        at = moment(found.get("ts"))
        match name:
            case "run_start":
                return self._started(found, record, at)
            case "assistant":
                return self._replied(found, record, at)
            case "tool_result":
                return self._returned(found, record, at)
            case "nudge":
                return self._nudged(found, record, at)
            case "verify":
                return self._verified(found, record, at)
            case "run_end":
                return self._ended(found, record, at)
            case "firewall_denial" | "guardrail_block" | "sandbox_reset" | "stray_kill":
                return stamped([(0, nudges.noticed(name, found))], record, at)
            case _:
                count_type(self.unknown_types, name)
                return ()

    def _started(self, found: Object, record: Record, at: float | None) -> list[Event]:
        self._began = at
        self._resumed = started.resumed(found)
        events = [started.started(found, self._about), *started.prompts(found)]
        return stamped(list(enumerate(events)), record, at)

    def _replied(self, found: Object, record: Record, at: float | None) -> list[Event]:
        reply = Reply(found, record.line)
        before = self._batch.release()
        self._batch = Batch(reply.message, claimed=reply.answer is not None)
        for index, call in enumerate(reply.calls):
            self._batch.expect(call, *reply.arguments(index))
        return [*before, *stamped(reply.events(), record, at)]

    def _returned(self, found: Object, record: Record, at: float | None) -> list[Event]:
        tool, arguments = raw(found, "tool"), raw(found, "args")
        call = self._batch.take(tool, arguments)
        events: list[tuple[int, Event]] = []
        if call is None:
            call = called(tool, arguments, RESULT_LIMIT, f"r{record.line}", self._batch.message)
            events.append((1, call))
        result = returned(found, call)
        events.append((0, result))
        events += enumerate(nudges.appended(raw(found, "follow_up")), 5)
        if call.tool == FINISH:
            self._batch.held += stamped(self._completed(result, arguments), record, at)
        told = stamped(events, record, at)
        return told if self._batch.waiting else [*told, *self._batch.release()]

    def _completed(self, result: ToolReturned, arguments: str) -> list[tuple[int, Event]]:
        """A `finish` that got through is the claim of done, unless its reply was told as one; refused, it is sent back."""
        events: list[tuple[int, Event]] = []
        accepted = result.outcome == "ok" or not result.output.startswith(("ERROR", "BLOCKED"))
        if accepted and not self._batch.claimed:
            told = summary(read_arguments(arguments, RESULT_LIMIT), cut_off=False)
            events.append((2, RequestEnded(how="answered", text=told or "")))
            self._batch.claimed = True
        if accepted and result.outcome == "refused":
            events.append((3, Prompted(text=result.output, by="harness", into="running")))
        return events

    def _nudged(self, found: Object, record: Record, at: float | None) -> list[Event]:
        events = list(enumerate(nudges.nudged(found)))
        if raw(found, "kind") == nudges.REFUSED and not self._batch.claimed:
            self._batch.claimed = True
            events.insert(0, (2, RequestEnded(how="answered")))
        return [*self._batch.release(), *stamped(events, record, at)]

    def _verified(self, found: Object, record: Record, at: float | None) -> list[Event]:
        check = Checked(
            command=clean(self._about.verify), passed=truth(found, "passed"), exit=whole(found, "exit_code")
        )
        return [*self._batch.release(), *stamped([(0, check)], record, at)]

    def _ended(self, found: Object, record: Record, at: float | None) -> list[Event]:
        held = self._batch.release()
        left = ending.left_open(self._batch.close(), found)
        end = ending.run_ended(found)
        told: list[tuple[int, Event | None]] = [
            *enumerate(left, 4),
            (0, ending.measured(found, resumed=self._resumed)),
            (1, ending.used(found)),
            (2, ending.request_ended(found, claimed=self._batch.claimed)),
            (3, end),
        ]
        events = stamped([(item, event) for item, event in told if event is not None], record, at)
        return [*held, *events, *self._run_file.ended(end)]
