"""What the operator can do on the screen of a run: one method `go_<id>` for each key."""

from __future__ import annotations

from typing import ClassVar
from uuid import uuid4

from textual.binding import BindingType

from monitor.actions import Action, Verb
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.text import line
from monitor.ui.keys import BY_ID, bindings
from monitor.ui.pen import Pen
from monitor.ui.possible import Scene, why_not
from monitor.ui.present.facts import open_findings
from monitor.ui.present.parts import BLANK, Part
from monitor.ui.present.selected import Selected
from monitor.ui.screens.box import Question, Words
from monitor.ui.screens.moves import Moves
from monitor.ui.selection import following, row_of
from monitor.ui.source import Source


class Deeds(Moves):
    """The keys of a run's screen; what cannot be done says why."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings())
    ALLOW_SELECT = False

    def __init__(self, source: Source, pen: Pen) -> None:
        super().__init__(source, pen)
        self.snapshot: Snapshot = source.snapshot
        self.total, self.version = 0, -1
        self.wanted = ""
        """The key of the finding that `next` and `previous` went to."""
        self.chosen: Selected | None = None
        self.finding: Finding | None = None

    def action_go(self, name: str) -> None:
        """Do what a key does, or say why it cannot be done."""
        key = BY_ID[name]
        if reason := why_not(key, Scene(self.source, self.snapshot, self.finding, held=self.held)):
            self.say(reason)
            return
        getattr(self, f"go_{name}")()

    def say(self, words: str) -> None:
        """A toast, from its first letter a sentence; never markup."""
        words = line(words)
        self.notify(words[:1].upper() + words[1:], markup=False, timeout=6)

    def act(self, verb: Verb, text: str = "", subject: str = "") -> None:
        """Hand an action to the source; its receipts come with the snapshots."""
        self.source.act(Action(id=uuid4().hex[:12], verb=verb, text=text, subject=subject))

    def go_abort(self) -> None:
        """Ask, then end the run."""
        run = self.snapshot.run
        parts = [
            Part("what", " · ".join(filter(None, (run.agent, run.model))) or "this run"),
            Part("quiet", run.task or "no task known"),
            BLANK,
            Part("pair", "in", self.pen.place(run.project or run.cwd) or "folder not known"),
            Part("pair", "session", run.session or "not known"),
            Part("pair", "stays", "the folder as it is"),
        ]
        if outstanding := self.snapshot.writes.outstanding:
            words = f"{outstanding} failed {'write is' if outstanding == 1 else 'writes are'} outstanding"
            parts += [BLANK, Part("level", words, level="warn")]
        question = Question(self.pen, "Abort this run?", parts, "A", "abort now")
        self.app.push_screen(question, lambda yes: self.act("abort") if yes else None)

    def go_warn(self) -> None:
        """Send the selected finding's advice."""
        if self.finding is not None:
            self.act("warn", self.finding.advice, self.finding.key)
            self.say("The advice is on its way")

    def go_feedback(self) -> None:
        """Ask for the operator's own words, and send them."""
        run = self.snapshot.run
        parts = [Part("pair", "to", run.agent or "the agent"), Part("pair", "as", "your own words")]
        box = Words(self.pen, "Feedback", parts, "what the agent should know", "send")
        self.app.push_screen(box, lambda words: self.act("feedback", words) if words else None)

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
        self.act("allow", subject=self.snapshot.waiting)

    def go_deny(self) -> None:
        """Deny what waits."""
        self.act("deny", subject=self.snapshot.waiting)

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
        here = self.finding.key if self.finding is not None else self.wanted
        finding = following(open_findings(self.snapshot), here, step)
        if finding is None:
            return
        self.wanted = finding.key
        index = row_of(self.source.rows, finding)
        self._to(index)

    def prove(self, seq: int | None) -> None:
        """To the row that shows an event."""
        if seq is None:
            self.say("No single event proves this")
        else:
            self._to(self.source.rows.index_of(seq))

    def _to(self, index: int | None) -> None:
        if index is None or index >= self.total:
            self.say("The event that proves it is not in the timeline")
            return
        self.go_back()
        self.timeline.go(index)
