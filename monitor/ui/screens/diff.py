"""What differs in the project folder, over the whole screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content

from monitor.text import line
from monitor.ui.pen import Pen
from monitor.ui.present.diff import Changed, Scope, cut, scopes, total
from monitor.ui.present.foot import Hint
from monitor.ui.present.lines import fit, heading, put, role
from monitor.ui.present.words import sentence
from monitor.ui.screens.sizes import Sized
from monitor.ui.source import Source
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.patch import FileList, PatchView
from monitor.ui.widgets.region import Lines
from monitor.worktree.diff import FolderDiff


@dataclass(frozen=True, slots=True)
class Asked:
    """What is shown: since when, and what the source said."""

    scope: Scope
    found: FolderDiff | None = None
    """None while it is being read."""
    problem: str = ""


class DiffScreen(Sized[None]):
    """The files above or beside the lines of the one chosen; read anew whenever it is asked for."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", show=False),
        Binding("tab", "scope(1)", show=False),
        Binding("shift+tab", "scope(-1)", show=False),
        Binding("r", "again", show=False),
        Binding("up,k", "file(-1)", show=False),
        Binding("down,j", "file(1)", show=False),
        Binding("g,home", "file(-100000)", show=False),
        Binding("G,end", "file(100000)", show=False),
        Binding("shift+up,K", "scroll(-1)", show=False),
        Binding("shift+down,J", "scroll(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("pagedown,ctrl+f,space", "page(1)", show=False),
        Binding("left,h", "aside(-1)", show=False),
        Binding("right,l", "aside(1)", show=False),
    ]

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float], file: str = "") -> None:
        super().__init__()
        self.source, self.pen, self.now = source, pen, now
        self.scopes: Sequence[Scope] = scopes(pen, source.snapshot, file, now())
        self.asked = Asked(self.scopes[0])
        self.changed: Sequence[Changed] = ()
        self.here = 0
        self._wanted = ""
        """The file to be shown once it has been read."""
        self.over, self.files, self.patch, self.foot = Lines("over"), FileList(pen), PatchView(pen), Foot(pen)

    def compose(self) -> ComposeResult:
        """What is compared, the files, the lines, the keys."""
        yield self.over
        with Container(id="diff"):
            yield self.files
            yield self.patch
        yield self.foot

    def on_mount(self) -> None:
        """Ask at once."""
        self.foot.put(
            (
                Hint("file", "up down", "file"),
                Hint("page", "space", "lines"),
                Hint("scope", "tab", "since when", off=len(self.scopes) == 1),
                Hint("again", "r", "read again"),
                Hint("close", "escape", "close", last=True),
            )
        )
        self.ask(self.asked.scope)

    def ask(self, scope: Scope) -> None:
        """Have the source compare; the screen goes on meanwhile."""
        if self.here < len(self.changed):
            self._wanted = self.changed[self.here].diff.file
        if scope is not self.asked.scope:
            self.changed, self.here = (), 0
        self.asked = Asked(scope)
        self.draw()
        self.run_worker(partial(self._read, scope), thread=True, group="diff", exit_on_error=False)

    def _read(self, scope: Scope) -> None:
        try:
            answer = Asked(scope, self.source.diff(scope.file, scope.since))
        except Exception as problem:  # noqa: BLE001 - the screen outlives a fault of the comparison, and says it
            answer = Asked(scope, FolderDiff(()), f"{type(problem).__name__}: {problem}")
        self.app.call_from_thread(self._take, answer)

    def _take(self, answer: Asked) -> None:
        """Show what came back, unless something else was asked for since."""
        if answer.scope is not self.asked.scope or answer.found is None or not self.is_mounted:
            return
        if self.here < len(self.changed):
            self._wanted = self.changed[self.here].diff.file
        outside = self.source.snapshot.outside
        self.asked = answer
        self.changed = tuple(Changed(one, outside.who(one.file)) for one in answer.found.files)
        self.here = next((at for at, one in enumerate(self.changed) if one.diff.file == self._wanted), 0)
        self.draw()

    def draw(self) -> None:
        """Hand each region its part."""
        asked, pen = self.asked, self.pen
        changed = self.changed[self.here] if self.here < len(self.changed) else None
        which = f"{self.here + 1} of " if len(self.changed) > 1 else ""
        summary = which + total(asked.found) if asked.found is not None else "being read"
        why = ""
        if asked.found is not None and self.changed:
            why = " ".join(filter(None, (cut(asked.found), sentence(line(asked.found.why)))))
        self.set_class(len(self.changed) < 2, "-one")
        self.over.styles.height = 2 if why else 1
        brief = which + total(asked.found, brief=True) if asked.found is not None else summary
        self.over.show(lambda w, _h: self._over(summary, brief, why, w), asked, summary)
        self.files.put(self.changed, self.here)
        self.patch.put(changed, pen.own(self._empty()), self.now())

    def _over(self, summary: str, brief: str, why: str, width: int) -> list[Content]:
        """What is compared and how much differs; below it what is not shown, and why that may not be all."""
        pen, name = self.pen, f"Differences {self.asked.scope.name}"
        told = heading(pen, name, pen.own(summary), width, focus=True, brief=pen.own(brief))
        return [told, fit(pen, put((why, role("warn"))), width)] if why else [told]

    def _empty(self) -> str:
        """Why there is nothing to show."""
        asked = self.asked
        if asked.found is None:
            return "The differences are being read."
        if asked.problem:
            return f"They could not be read: {line(asked.problem)}."
        other = "tab compares since another moment." if len(self.scopes) > 1 else ""
        empty = asked.scope.empty if asked.found.known else ""
        return " ".join(filter(None, (empty, sentence(line(asked.found.why)), other)))

    def action_scope(self, step: int) -> None:
        """Since another moment."""
        if len(self.scopes) > 1:
            at = self.scopes.index(self.asked.scope) + step
            self.ask(self.scopes[at % len(self.scopes)])

    def action_again(self) -> None:
        """Read again."""
        self.ask(self.asked.scope)

    def action_file(self, step: int) -> None:
        """Another file."""
        self._choose(self.here + step)

    def action_scroll(self, step: int) -> None:
        """The lines, one by one."""
        self.patch.move(step)

    def action_page(self, step: int) -> None:
        """The lines, by a page."""
        self.patch.page(step)

    def action_aside(self, step: int) -> None:
        """What lies to the right of the screen, and back."""
        self.patch.aside(step)

    def action_close(self) -> None:
        """Back to the run."""
        self.dismiss()

    def on_file_list_chosen(self, event: FileList.Chosen) -> None:
        """A file was clicked."""
        event.stop()
        self._choose(event.index)

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        event.stop()
        match event.key:
            case "close":
                self.action_close()
            case "again":
                self.action_again()
            case "scope":
                self.action_scope(1)
            case "page":
                self.action_page(1)
            case _:
                self.action_file(1)

    def _choose(self, index: int) -> None:
        index = max(0, min(index, len(self.changed) - 1))
        if index != self.here:
            self.here = index
            self.patch.top = self.patch.left = 0
            self.draw()
