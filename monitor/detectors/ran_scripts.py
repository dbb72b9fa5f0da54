"""Which scripts a command runs: by itself, through build files, and through other scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from monitor.detectors.known_texts import SHELL_FILE, KnownTexts
from monitor.detectors.paths import canonical, name
from monitor.detectors.recipes import names, recipes
from monitor.shell.runs import Carrier, Ran, carrier_of, scripts_of
from monitor.shell.step import Step
from monitor.shell.steps import steps_of
from monitor.text import line, shorten

_DEEPEST = 4
"""Texts within texts that are followed."""
_TEXTS = 60
_SHOWN = 120
_OUTPUT = 64_000
_PREFIX = "+>$#|: \t"
"""What stands before a command that a build tool repeats."""


@dataclass(frozen=True, slots=True)
class Found:
    """A script that was run, or may have been."""

    key: str
    how: str
    sure: bool = True


class RanScripts:
    """Looks for scripts in one command, seen from a folder."""

    def __init__(self, texts: KnownTexts, wanted: Iterable[str]) -> None:
        self._texts = texts
        self._wanted = tuple(wanted)
        """The keys looked for."""
        self._read = 0

    def of(self, step: Step, folder: str, command: str, output: str) -> Iterator[Found]:
        """The scripts that a step of the command runs; the output may show what a build tool ran."""
        how = shorten(" ".join(line(command[: 4 * _SHOWN]).split()), _SHOWN)
        yield from self._step(step, folder, how, 0)
        carrier = carrier_of(step)
        if carrier is not None or any(self._unknown(ran, folder) for ran in scripts_of(step)):
            yield from self._shown(output, f"{how}, as its output shows")

    def _step(self, step: Step, folder: str, how: str, depth: int) -> Iterator[Found]:
        for ran in scripts_of(step):
            for key in self._wanted:
                if self._same(ran, key, folder):
                    yield Found(key, how)
            yield from self._through_script(ran, folder, how, depth)
        carrier = carrier_of(step)
        if carrier is not None:
            yield from self._through(carrier, folder, how, depth)

    def _through_script(self, ran: Ran, folder: str, how: str, depth: int) -> Iterator[Found]:
        """What a script that is run runs itself."""
        key = canonical(ran.path, _base(ran.folder, folder)) if not ran.vague else ""
        text = self._texts.text(key) if key and self._texts.is_script(key) else ""
        if text:
            yield from self._text(text, folder, f"{how}, through {name(key)}", depth)
        elif self._unknown(ran, folder) and depth == 0:
            yield from (Found(one, how, sure=False) for one in self._wanted if one != key)

    def _unknown(self, ran: Ran, folder: str) -> bool:
        """Whether it is a script of which nothing is known."""
        if ran.vague or not SHELL_FILE.fullmatch(name(ran.path)):
            return False
        return not self._texts.text(canonical(ran.path, _base(ran.folder, folder)))

    def _through(self, carrier: Carrier, folder: str, how: str, depth: int) -> Iterator[Found]:
        """What a build file runs."""
        known = list(self._texts.named(carrier.names))
        for key, text in known:
            below = f"{how}, through {name(key)}"
            if carrier.way == "mentions":
                yield from (Found(one, below) for one in self._wanted if one != key and names(text, name(one)))
            for recipe in recipes(carrier.way, text, carrier.wanted):
                below_folder = key[: -len(name(key))].rstrip("/") or folder
                yield from self._text(recipe, below_folder, below, depth, remote=carrier.way == "docker")
        if not known and carrier.way != "mentions" and depth == 0:
            yield from (Found(one, how, sure=False) for one in self._wanted)

    def _text(self, text: str, folder: str, how: str, depth: int, *, remote: bool = False) -> Iterator[Found]:
        self._read += 1
        if depth >= _DEEPEST or self._read > _TEXTS:
            return
        for step in steps_of(text).steps:
            yield from self._step(replace(step, remote=step.remote or remote), folder, how, depth + 1)

    def _shown(self, output: str, how: str) -> Iterator[Found]:
        """Build tools print the commands they run; a shell names the script whose line failed."""
        for key in self._wanted:
            script = name(key)
            lines = [one for one in output[:_OUTPUT].split("\n") if script in one][:20] if script in output else []
            for shown in lines:
                steps = steps_of(shown[:1000].lstrip(_PREFIX)).steps
                ran = [one for step in steps for one in scripts_of(step)]
                if f"{script}: line " in shown or any("/" in one.path and name(one.path) == script for one in ran):
                    yield Found(key, how)
                    break

    def _same(self, ran: Ran, key: str, folder: str) -> bool:
        """Whether a file that is run is the script; by its name where its folder cannot be told."""
        if not ran.vague:
            path = canonical(ran.path, _base(ran.folder, folder))
            return path == key or _ends(path, key) or _ends(key, path)
        last = name(ran.path)
        if not last or "$" in last or "`" in last or last.strip("*") == "":
            return False
        return fnmatchcase(name(key), last)


def _ends(path: str, tail: str) -> bool:
    """Whether a path from the root may be one of which it is not known where it begins."""
    return tail.startswith("./") and not path.startswith(".") and path.endswith(tail[1:])


def _base(step: str | None, folder: str) -> str:
    """The folder of a step."""
    return canonical(step, folder) if step else folder
