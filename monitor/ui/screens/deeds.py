"""What the operator can do on the screen of a run: one method `go_<id>` for each key."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar
from uuid import uuid4

from textual.binding import BindingType

from monitor.actions import Action, Force, Verb
from monitor.errors import MonitorError
from monitor.findings import Finding
from monitor.ui.keys import bindings
from monitor.ui.pen import Pen
from monitor.ui.possible import Scene, hints, why_not
from monitor.ui.present.abort import abort_parts
from monitor.ui.present.facts import open_findings
from monitor.ui.present.parts import Part
from monitor.ui.present.receipts import last
from monitor.ui.present.selected import Selected
from monitor.ui.screens.box import Question, Words
from monitor.ui.screens.filtering import Filtering
from monitor.ui.screens.letter import Draft, Letter, Post
from monitor.ui.selection import following, row_of
from monitor.ui.source import Source
from monitor.ui.widgets.foot import Foot

_HARDER: tuple[tuple[Force, str, str], ...] = (
    ("interrupt", "Abort this run?", "abort now"),
    ("terminate", "It has not ended. Terminate it?", "terminate now"),
    ("kill", "It has not ended. Kill it?", "kill now"),
)
"""What an abort does, asked for the first time, the second, and from then on."""


class Deeds(Filtering):
    """The keys of a run's screen; what cannot be done says why."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings())
    ALLOW_SELECT = False

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self.foot = Foot(pen)
        self.wanted = ""
        """The key of the finding that `next` and `previous` went to."""
        self.chosen: Selected | None = None
        self.finding: Finding | None = None
        self.draft = ""
        """Feedback that was written and not sent."""
        self._exporting = False

    @property
    def scene(self) -> Scene:
        """What the keys can do depends on."""
        return Scene(self.source, self.snapshot, self.finding, held=self.held, pen=self.pen)

    def show_keys(self) -> None:
        """What each key would do now."""
        self.foot.put(hints(self.scene))

    def action_go(self, name: str) -> None:
        """Do what a key does, or say why it cannot be done."""
        key = next(key for key in self.pen.keys if key.id == name)
        if reason := why_not(key, self.scene):
            self.say(reason)
            return
        getattr(self, f"go_{name}")()

    def act(self, verb: Verb, text: str = "", subject: str = "", force: Force = "interrupt") -> None:
        """Hand an action to the source; its receipts come with the snapshots."""
        self.source.act(Action(id=uuid4().hex[:12], verb=verb, text=text, subject=subject, force=force))

    def go_abort(self) -> None:
        """Ask, then end the run: gently, and each time it was asked before and has not ended, harder."""
        asked = sum(one.action == "abort" and one.receipt != "done" for one in self.source.snapshot.actions)
        force, title, words = _HARDER[min(asked, len(_HARDER) - 1)]
        parts = abort_parts(self.pen, self.snapshot, self.source.plan())
        question = Question(self.pen, title, parts, self.pen.key("abort"), words)
        self.app.push_screen(question, lambda yes: self.act("abort", force=force) if yes else None)

    def go_warn(self) -> None:
        """Send the selected finding's advice."""
        if self.finding is not None:
            self.act("warn", self.finding.advice, self.finding.key)
            self.say("The advice is on its way")

    def go_feedback(self) -> None:
        """Ask for the operator's own words, and send them; what is not sent is kept as a draft."""
        self.app.push_screen(Letter(self.pen, self.draft, self._post), self._sealed)

    def _post(self) -> Post:
        shown = self.source.snapshot
        return Post(shown.run, self.source.can("feedback"), last(shown, "feedback"), self.moment)

    def _sealed(self, draft: Draft | None) -> None:
        if draft is None:
            return
        self.draft = "" if draft.send else draft.text
        if draft.send:
            self.act("feedback", draft.text)
            self.say("Your words are on their way")

    def go_export(self) -> None:
        """Write the summary, beside the screen: it may take its time."""
        if self._exporting:
            self.say("The summary is being written")
            return
        self._exporting = True
        self.app.run_worker(self._export, thread=True, group="export", exit_on_error=False)

    def _export(self) -> None:
        try:
            said = f"The summary is in {self.pen.place(self.source.export())}"
        except MonitorError as problem:
            said = f"No summary was written: {problem}"
        except Exception as problem:  # noqa: BLE001 - the screen outlives a fault of the report, and says it
            said = f"No summary was written: {type(problem).__name__}: {problem}"
        finally:
            self._exporting = False
        self.app.call_from_thread(self.say, said)

    def go_settle(self) -> None:
        """Ask for the reason, and settle the selected finding."""
        finding = self.finding
        if finding is None:
            return
        parts = [Part("level", finding.message, level=finding.level), Part("quiet", "Your reason stays on record.")]
        box = Words(self.pen, "Settle this finding", parts, "why it needs nothing more", "settle")
        self.app.push_screen(box, lambda words: self.act("settle", words, finding.key) if words else None)

    def go_pause(self) -> None:
        """Pause the process, or let it continue."""
        self.act("continue" if self.source.can("pause") else "pause")

    def go_allow(self) -> None:
        """Allow what waits."""
        self.act("allow", subject=self.snapshot.waiting_call)

    def go_deny(self) -> None:
        """Deny what waits."""
        self.act("deny", subject=self.snapshot.waiting_call)

    def go_measure(self) -> None:
        """Measure the folder."""
        self.act("measure")
        self.say("The folder is being measured")

    def go_next(self) -> None:
        """To the next open finding."""
        self._step(1)

    def go_previous(self) -> None:
        """To the open finding before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        if self.source.playback is not None:
            self.moment_of(step)
            return
        here = self.finding.key if self.finding is not None else self.wanted
        found = open_findings(self.snapshot)
        if self.filtered is not None:
            found = tuple(one for one in found if row_of(self.rows, one) is not None)
        finding = following(found, here, step)
        if finding is None:
            self.say(f"No open finding is among these rows: {self.pen.key('back')} shows all")
            return
        self.wanted = finding.key
        self._to(row_of(self.rows, finding))

    def prove(self, seq: int | None) -> None:
        """To the row that shows an event."""
        if seq is None:
            self.say("No single event proves this")
        else:
            self._to(self.rows.index_of(seq))

    def _to(self, index: int | None) -> None:
        if index is None or index >= self.timeline.total:
            hidden = self.filtered is not None
            self.say(
                f"The event that proves it is filtered out: {self.pen.key('back')} shows all rows"
                if hidden
                else "The event that proves it is not in the timeline"
            )
            return
        self.open(False)
        self.timeline.focus()
        self.timeline.go(index)
