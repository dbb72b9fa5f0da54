"""Whether the last test ran before the last edit, of the run and its sub-agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.actions import Want
from monitor.claims import says
from monitor.detectors.call_identity import named
from monitor.detectors.docket import Docket
from monitor.detectors.made_calls import EXECUTED
from monitor.detectors.numbers import DEFAULTS, TestsNumbers
from monitor.detectors.paths import canonical
from monitor.detectors.pending import Asked, Pending
from monitor.detectors.places import Places, temporary
from monitor.detectors.test_runs import deeds
from monitor.detectors.tests_view import TestsView
from monitor.detectors.written import written
from monitor.events import Acted, Checked, Event, Prompted, RequestEnded, RunStarted, ToolCalled, ToolReturned
from monitor.findings import Finding, Spot
from monitor.text import line, shorten

_NOT_FOUND = 127
"""The exit code of a shell that does not find the program."""
_SUBJECT = "last edit"


@dataclass(frozen=True, slots=True)
class _Moment:
    """When something was done: in the order of results, and of the steps within one command."""

    seq: int
    step: int
    spot: Spot
    what: str
    message: str = ""


class TestsStale:
    """A note when done is claimed and the last test ran before the last edit."""

    __test__ = False  # pytest takes a class of this name for a test case
    name = "tests"
    reads: tuple[type[Event], ...] = (
        RunStarted, Prompted, ToolCalled, ToolReturned, Checked, RequestEnded, Acted,
    )  # fmt: skip

    def __init__(self, numbers: TestsNumbers = DEFAULTS.tests) -> None:
        self._numbers = numbers
        self._request = 0
        self._places = Places()
        self._pending = Pending()
        self._edit: _Moment | None = None
        self._test: _Moment | None = None
        self._docket = Docket()
        self._view: TestsView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        if event.request > self._request:
            self._docket.close(event.seq)
            self._request, self._view = event.request, None
        match event:
            case RunStarted():
                self._places.started(event)
            case ToolCalled():
                self._pending.called(event)
            case ToolReturned():
                self._returned(event)
            case Checked(passed=bool()):
                self._tested(_Moment(event.seq, 0, _spot(event), event.command or "a check of the harness"))
            case RequestEnded(how="answered") if not event.actor and says(event.text) == "done":
                self._claimed(event)
            case Acted(action="settle", receipt="done") if self._docket.settle(event):
                self._view = None
            case _:
                pass
        return ()

    def view(self) -> TestsView:
        """The last edit and the last test."""
        if self._view is None:
            edit, test = self._edit, self._test
            self._view = TestsView(
                edit.spot if edit else None,
                test.spot if test else None,
                self._stale,
                edit.what if edit else "",
                test.what if test else "",
                self._docket.findings(),
            )
        return self._view

    def copy(self) -> TestsStale:
        """Another that goes on from here."""
        other = TestsStale()
        other.__dict__.update(self.__dict__)
        other._places, other._pending, other._docket = self._places.copy(), self._pending.copy(), self._docket.copy()
        return other

    @property
    def _stale(self) -> bool | None:
        if self._test is None:
            return None
        return self._edit is not None and (self._edit.seq, self._edit.step) > (self._test.seq, self._test.step)

    def _returned(self, event: ToolReturned) -> None:
        asked = self._pending.returned(event)
        folder = self._places.names.folder(event.actor)
        if event.cwd:
            self._places.names.moved(event.actor, event.cwd)
        if asked is None or event.outcome not in EXECUTED:
            return
        if asked.call.kind == "write":
            for one in written(asked.call, event):
                if one.added != 0 or one.removed != 0:
                    self._edited(event, asked, 0, self._places.names.key(one.file, folder))
        elif asked.call.kind == "shell" and asked.call.command:
            self._ran(event, asked, folder)

    def _ran(self, event: ToolReturned, asked: Asked, folder: str) -> None:
        for step, deed in enumerate(deeds(asked.call.command)):
            if not deed.tests:
                base = canonical(deed.folder, folder) if deed.folder else folder
                self._edited(event, asked, step, canonical(deed.file, base) if deed.folder is not None else "")
            elif event.exit != _NOT_FOUND:
                # An edit made while the test ran may have come too late for it.
                late = self._edit is not None and asked.seq < self._edit.seq < event.seq
                late = (
                    late
                    and self._edit is not None
                    and (not self._edit.message or self._edit.message != asked.call.message)
                )
                self._tested(_Moment(asked.seq if late else event.seq, step, _spot(event), named(asked.call)))

    def _edited(self, event: ToolReturned, asked: Asked, step: int, key: str) -> None:
        if temporary(key) and not self._places.belongs(key, event.actor):
            return
        if key and self._places.project and not key.startswith("./") and not self._places.belongs(key, event.actor):
            return
        self._edit = _Moment(event.seq, step, _spot(event), self._places.names.shown(key), asked.call.message)
        self._view = None

    def _tested(self, moment: _Moment) -> None:
        self._test, self._view = moment, None
        if not self._stale:
            self._docket.end(f"{self.name}::{_SUBJECT}", "cleared", moment.seq, "a test ran after it")

    def _claimed(self, event: RequestEnded) -> None:
        edit, test = self._edit, self._test
        if not self._numbers.stale or not self._stale or edit is None or test is None:
            return
        what, command = shorten(line(edit.what), 120), shorten(line(test.what), 200)
        of = f" ({what})" if what else ""
        finding = Finding(
            self.name,
            _SUBJECT,
            "note",
            f"The last test ran before the last edit{of}: {command}",
            f"You say that it is done, but the last test ran before your last edit{of}: {command}. Run it again now and read"
            " its result before you answer; or say plainly that the last change is not tested, and why.",
            request=self._request,
            opened=event.seq,
            raised=event.seq,
            places=(test.spot, edit.spot, _spot(event)),
        )
        self._docket.put(finding)
        self._view = None


def _spot(event: Event) -> Spot:
    return Spot(event.seq, event.place.input, event.place.line)
