"""The files that calls wrote since the latest prompt: beside a folder that did not change, they say where the work went."""

from __future__ import annotations

from monitor.detectors.names import Names
from monitor.detectors.paths import inside
from monitor.detectors.pending import Pending
from monitor.detectors.places import temporary
from monitor.detectors.written import shell_files, written
from monitor.events import RunStarted, ToolCalled, ToolReturned

_FILES = 100


class Elsewhere:
    """Takes in calls and results; what a command writes is known as far as its text tells."""

    def __init__(self) -> None:
        self._names = Names()
        self._pending = Pending()
        self._files: dict[str, None] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """As they are shown, the latest last."""
        return tuple(self._names.shown(key) for key in self._files)

    def prompted(self) -> None:
        """From here on the next prompt's are counted."""
        self._files = {}

    def started(self, event: RunStarted) -> None:
        """Where the run works."""
        self._names.started(event)

    def called(self, event: ToolCalled) -> None:
        """A call was issued."""
        self._pending.called(event)

    def returned(self, event: ToolReturned) -> None:
        """A call came back."""
        asked = self._pending.returned(event)
        folder = self._names.folder(event.actor)
        if event.cwd:
            self._names.moved(event.actor, event.cwd)
        if asked is None or event.outcome != "ok":
            return
        files = [one.file for one in written(asked.call, event)] if asked.call.kind == "write" else []
        if asked.call.kind == "shell":
            files = list(shell_files(asked.call.command, folder))
        for key in (self._names.key(file, folder) for file in files):
            ours = bool(self._names.project) and inside(key, self._names.project)
            if key and not key.startswith("?") and (ours or not temporary(key)):
                self._files.pop(key, None)
                self._files[key] = None
        while len(self._files) > _FILES:
            del self._files[next(iter(self._files))]

    def copy(self) -> Elsewhere:
        """Another that goes on from here."""
        other = Elsewhere()
        other._names, other._pending, other._files = self._names.copy(), self._pending.copy(), dict(self._files)
        return other
