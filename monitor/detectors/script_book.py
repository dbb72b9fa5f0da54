"""The scripts a run has written, whether they were run since, and what is known of the files that run them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from monitor.detectors.known_texts import KnownTexts
from monitor.detectors.paths import canonical
from monitor.detectors.pending import Asked
from monitor.detectors.ran_scripts import RanScripts
from monitor.detectors.read_lines import block_of
from monitor.detectors.scripts_view import SCRIPTS, ScriptEntry
from monitor.events import Change
from monitor.findings import Spot
from monitor.shell.step import Step
from monitor.shell.steps import steps_of

_EXIT_LINE = re.compile(r"\A\[?exit code: -?\d+\]?\n|\n\[?exit code: -?\d+\]?\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Script:
    """A script with the message of its last edit: calls of that message were made in their order."""

    entry: ScriptEntry
    message: str


class ScriptBook:
    """What is written, copied, removed and run, in order."""

    def __init__(self) -> None:
        self._scripts: dict[str, _Script] = {}
        self._twins: dict[str, str] = {}
        """Copies of scripts, with the script each was made of."""
        self._texts = KnownTexts()

    def entries(self) -> tuple[ScriptEntry, ...]:
        """The scripts, in the order of their first edit."""
        return tuple(script.entry for script in self._scripts.values())

    @property
    def waiting(self) -> bool:
        """Whether a script was not run since its last edit."""
        return any(not script.entry.run for script in self._scripts.values())

    @property
    def has_texts(self) -> bool:
        """Whether the text of any file is known."""
        return self._texts.any

    def read(self, key: str, output: str) -> None:
        """A file was read: what its lines say is known now."""
        block = block_of(output, from_top=True)
        if block is not None and block.first == 1:
            self._texts.put(key, block.text)

    def printed(self, command: str, folder: str, output: str) -> None:
        """A command ran; one that only prints a file is a read."""
        if not command.lstrip().startswith("cat "):
            return
        steps = steps_of(command).steps
        if len(steps) == 1 and steps[0].program == "cat" and len(steps[0].words) == 2 and not steps[0].into:
            base = canonical(steps[0].folder, folder) if steps[0].folder else folder
            self._texts.put(canonical(steps[0].words[1], base), _EXIT_LINE.sub("", output))

    def change(self, key: str, change: Change, to: str, entry: ScriptEntry, message: str) -> str:
        """A file tool changed a file, or moved it `to` another; the script that is gone by that comes back, or nothing.

        `entry` is of the file that is there afterwards.
        """
        if change.op == "delete":
            return self.removed(key)
        if to:
            self._texts.move(key, to)
            script = self._scripts.pop(key, None)
            if script is not None:
                self._keep(to, replace(script.entry, key=to, file=entry.file), script.message)
            return key if script is not None else ""
        if change.op in ("create", "write"):
            self._texts.put(key, change.new or "")
        else:
            self._texts.edit(key, change.old, change.new)
        self._keep(key, entry, message)
        return ""

    def told(self, key: str, text: str | None, entry: ScriptEntry, message: str) -> str:
        """A command wrote a file: this text, added where it begins no script, or a change of which nothing is known."""
        if text is not None and self._texts.text(key) and not text.startswith("#!"):
            self._texts.edit(key, None, text)
        elif text is not None:
            self._texts.put(key, text)
        self._keep(key, entry, message)
        return ""

    def copy_file(self, source: str, target: str) -> None:
        """A file was copied or moved: running the copy is running the script."""
        self._texts.move(source, target)
        source = self._twins.get(source, source)
        if source in self._scripts and target != source:
            self._twins[target] = source
            if len(self._twins) > SCRIPTS:
                del self._twins[next(iter(self._twins))]

    def removed(self, key: str) -> str:
        """A file is gone; its key where it was a script."""
        self._texts.drop(key)
        self._twins.pop(key, None)
        return key if self._scripts.pop(key, None) is not None else ""

    def ran(self, step: Step, folder: str, output: str, asked: Asked, spot: Spot) -> list[tuple[str, str]]:
        """The scripts that a step of a command ran for the first time since their last edit, and how."""
        wanted = {key for key, script in self._scripts.items() if self._after(script, asked, spot)}
        twins = {twin: key for twin, key in self._twins.items() if key in wanted}
        new: list[tuple[str, str]] = []
        for found in RanScripts(self._texts, (*wanted, *twins)).of(step, folder, asked.call.command, output):
            key = twins.get(found.key, found.key)
            script = self._scripts[key]
            if script.entry.run:
                continue
            if found.sure:
                self._scripts[key] = replace(
                    script, entry=replace(script.entry, run=True, how=found.how, ran=spot, perhaps="")
                )
                new.append((key, found.how))
            elif not script.entry.perhaps:
                self._scripts[key] = replace(script, entry=replace(script.entry, perhaps=found.how))
        return new

    def copy(self) -> ScriptBook:
        """Another that goes on from here."""
        other = ScriptBook()
        other._scripts, other._twins, other._texts = dict(self._scripts), dict(self._twins), self._texts.copy()
        return other

    def _after(self, script: _Script, asked: Asked, spot: Spot) -> bool:
        """Whether a command ran after the script's last edit: a call of the same message does, where it came back later."""
        written = script.entry.spot.seq
        same = bool(script.message) and script.message == asked.call.message
        return not script.entry.run and (asked.seq > written or same or written == spot.seq)

    def _keep(self, key: str, entry: ScriptEntry, message: str) -> None:
        """Enter a script that was written, or edited anew; what is none any more is let go."""
        if not self._texts.is_script(key):
            self._scripts.pop(key, None)
            return
        self._twins.pop(key, None)
        self._scripts[key] = _Script(entry, message)
        if len(self._scripts) > SCRIPTS:
            del self._scripts[next(iter(self._scripts))]
