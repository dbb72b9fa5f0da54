"""What can be done to a run, on whatever screen it is chosen; and what every screen can do."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from monitor.actions import Action, Force, Verb, When
from monitor.channels.pane import Pane
from monitor.channels.visiting import attaching, near, visit
from monitor.errors import MonitorError
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.text import clean, line
from monitor.ui.pen import Pen
from monitor.ui.present.abort import abort_parts
from monitor.ui.present.address import Post, ways
from monitor.ui.present.receipts import last
from monitor.ui.screens.box import Question
from monitor.ui.screens.help import Help
from monitor.ui.screens.letter import Draft, Letter
from monitor.ui.screens.sizes import Sized
from monitor.ui.source import Source, terminal

_HARDER: tuple[tuple[Force, str, str], ...] = (
    ("interrupt", "Abort this run?", "abort now"),
    ("terminate", "It has not ended. Terminate it?", "terminate now"),
    ("kill", "It has not ended. Kill it?", "kill now"),
)
"""What an abort does, asked for the first time, the second, and from then on."""

_SMALL = 60, 16
"""Columns and rows from which on there is room for a whole path in a toast."""


class Acting(Sized[None]):
    """The keys that act on `source`; what a box asks about one run is done to that run, whichever is chosen then."""

    ALLOW_SELECT = False

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__()
        self.source, self.pen, self.now = source, pen, now
        self.snapshot: Snapshot = source.snapshot
        self.finding: Finding | None = None
        """The finding whose advice `warn` sends."""
        self.draft = ""
        """Feedback that was written and not sent."""
        self._exporting = False

    @property
    def moment(self) -> float:
        """Now, or the time at which a finished log stands."""
        state = self.source.playback
        stands = self.snapshot.run.last if state is None else state.now
        return self.now() if self.source.live or stands is None else stands

    def say(self, words: str) -> None:
        """A toast, from its first letter a sentence; never markup, and not while the same one stands there."""
        words = line(words)
        words = words[:1].upper() + words[1:]
        if all(str(toast.render()) != words for toast in self.app.screen.query("Toast")):
            self.notify(words, markup=False, timeout=6)

    def act(
        self,
        verb: Verb,
        text: str = "",
        subject: str = "",
        *,
        force: Force = "interrupt",
        when: When = "next",
        to: Source | None = None,
    ) -> None:
        """Hand an action to a source; its receipts come with the snapshots."""
        action = Action(id=uuid4().hex[:12], verb=verb, text=text, subject=subject, force=force, when=when)
        (to or self.source).act(action)

    def go_abort(self) -> None:
        """Ask, then end the run: gently, and each time it was asked before and has not ended, harder."""
        source = self.source
        asked = sum(one.action == "abort" and one.receipt != "done" for one in source.snapshot.actions)
        force, title, words = _HARDER[min(asked, len(_HARDER) - 1)]
        parts = abort_parts(self.pen, self.snapshot, source.plan(), force)
        question = Question(self.pen, title, parts, self.pen.key("abort"), words)
        self.app.push_screen(question, lambda yes: self.act("abort", force=force, to=source) if yes else None)

    def go_warn(self) -> None:
        """Send the selected finding's advice, and say how it goes; where nothing can be sent, show it to be copied."""
        finding = self.finding
        if finding is None:
            return
        if self.source.can("warn"):
            self._write(finding.advice)
            return
        how = self.source.how("warn")
        self.act("warn", finding.advice, finding.key)
        self.say(f"The advice is on its way: {how}" if how else "The advice is on its way")

    def go_feedback(self) -> None:
        """Ask for the operator's own words, and send them; what is not sent is kept as a draft."""
        self._write(self.finding.advice if self.finding is not None and self.finding.state == "open" else "")

    def _write(self, advice: str) -> None:
        """Open the box with the draft, or with an advice as a proposal."""
        advice = clean(advice)
        source, proposed = self.source, not self.draft and bool(advice)

        def post() -> Post:
            shown = source.snapshot
            found = ways(lambda when: source.how("feedback", when))
            return Post(shown.run, source.can("feedback"), last(shown, "feedback"), self.moment, found, source.offer)

        def sealed(draft: Draft | None) -> None:
            kept = draft is not None and not draft.send and not (proposed and draft.text == advice)
            self.keep(draft.text if draft is not None and kept else "", source)
            if draft is not None and draft.send:
                self.act("feedback", draft.text, when=draft.when, to=source)
                self.say("Your words are on their way")

        quoted = "\n".join((advice, *(one.advice for one in source.snapshot.findings)))
        self.app.push_screen(Letter(self.pen, self.draft or advice, post, proposed=proposed, quoted=quoted), sealed)

    def keep(self, draft: str, source: Source) -> None:
        """Keep what was written to a run and not sent."""
        if source is self.source:
            self.draft = draft

    def go_export(self) -> None:
        """Write the summary, beside the screen: it may take its time."""
        if self._exporting:
            self.say("The summary is being written")
            return
        self._exporting = True
        source = self.source
        self.app.run_worker(lambda: self._export(source), thread=True, group="export", exit_on_error=False)

    def _export(self, source: Source) -> None:
        try:
            said = self._written(self.pen.place(source.export()))
        except MonitorError as problem:
            said = f"No summary was written: {problem}"
        except Exception as problem:  # noqa: BLE001 - the screen outlives a fault of the report, and says it
            said = f"No summary was written: {type(problem).__name__}: {problem}"
        finally:
            self._exporting = False
        self.app.call_from_thread(self.say, said)

    def _written(self, place: str) -> str:
        """Where the summary is; on a small screen by its name alone, which stands in monitor's folder of reports."""
        size = self.app.size
        if size.width < _SMALL[0] or size.height < _SMALL[1]:
            return f"Summary: reports/{place.rsplit('/', 1)[-1]}"
        return f"The summary is in {place}"

    def go_pause(self) -> None:
        """Pause the process, or let it continue."""
        self.act("continue" if self.source.can("pause") else "pause")

    def go_allow(self) -> None:
        """Allow what waits."""
        self.act("allow", subject=self.snapshot.waiting_call)

    def go_deny(self) -> None:
        """Deny what waits, or where the channel can, the next call."""
        self.act("deny", subject=self.snapshot.waiting_call)
        if not self.snapshot.waiting:
            self.say(self.source.how("deny"))

    def go_terminal(self) -> None:
        """Switch to the agent's pane, where monitor runs in the same tmux; else copy the command that shows it."""
        pane = terminal(self.source)
        if isinstance(pane, str):
            self.say(pane)
        elif near(pane):
            self.app.run_worker(lambda: self._visit(pane), thread=True, group="terminal", exit_on_error=False)
        else:
            command = attaching(pane)
            self.app.copy_to_clipboard(command)
            self.say(f"It runs in tmux {pane.name}. Copied, for another terminal: {command}")

    def _visit(self, pane: Pane) -> None:
        if problem := visit(pane):
            self.app.call_from_thread(self.say, f"The terminal cannot be shown: {problem}")

    def go_measure(self) -> None:
        """Measure the folder."""
        self.act("measure")
        self.say("A measurement of the folder was asked for")

    def go_overview(self) -> None:
        """All runs of this machine."""
        self.app.run_worker(self.app.run_action("overview"), group="overview")

    def go_theme(self) -> None:
        """The next theme."""
        self.app.run_worker(self.app.run_action("next_theme"), group="theme")

    def go_help(self) -> None:
        """What everything means."""
        self.app.push_screen(Help(self.pen, self.snapshot.numbers))

    def go_palette(self) -> None:
        """Every command by name."""
        self.app.action_command_palette()

    def go_quit(self) -> None:
        """Leave; the agent goes on."""
        self.app.exit()
