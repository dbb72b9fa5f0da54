"""Takes secrets out of what leaves this machine: tokens, passwords, keys, and who sat at it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import cast

from monitor.report.redaction import home_names
from monitor.report.redaction.addresses import addresses
from monitor.report.redaction.assignments import assigned
from monitor.report.redaction.entropy import mixed, public
from monitor.report.redaction.headers import commands, headers
from monitor.report.redaction.private_keys import private_keys
from monitor.report.redaction.random_strings import encoded_lines, near_names
from monitor.report.redaction.spans import BESIDE, Span, joined, replaced, walled
from monitor.report.redaction.token_shapes import tokens
from monitor.report.shape import Report

USER_NAME = "user name"
"""The kind that is replaced by a tilde, so that a path stays a path."""
_SEARCHES = (private_keys, tokens, headers, commands, addresses, assigned, near_names, encoded_lines)
_HEX = re.compile(r"[a-f]", re.IGNORECASE)
_LEAST, _MOST = 8, 500
"""A secret is looked for everywhere from so many characters on; at most so many are remembered."""


class Redactor:
    """Takes secrets out of texts, and counts them by kind.

    A secret that one text gives away by what stands beside it is taken out of the texts after it wherever it stands.
    """

    def __init__(self, home: str = "") -> None:
        self.counts: Counter[str] = Counter()
        self._names = home_names.name_of(home)
        self._secrets: dict[str, str] = {}

    def text(self, text: str) -> str:
        """The text with a mark in the place of each secret; doing it twice is doing it once."""
        bare, marks = self._nameless(text, self.counts)
        spans = list(joined(bare, [*self._learned(bare), *self._known(bare)]))
        if not spans and not marks:
            return bare
        self.counts.update(span.kind for span in spans)
        return replaced(bare, marks, spans)

    def learn(self, text: str) -> None:
        """Remember what a text gives away, for all that follow."""
        bare, _ = self._nameless(text, Counter())
        self._learned(bare)

    def meet(self, *paths: str) -> None:
        """Remember whose homes the paths lie in."""
        for path in paths:
            self._names |= home_names.names(walled(path)[0])

    def report(self, report: Report) -> Report:
        """The report without secrets in any of its texts, names of files and inputs included; `redacted` counts them."""
        before = Counter(self.counts)
        for run in report["runs"]:
            self.meet(*filter(None, (run["cwd"], run["project"])))
        for text in _texts(report):
            self.learn(text)
        made = cast("Report", self.value({**report, "redacted": None}))
        counts = self.counts - before + Counter(report["redacted"] or {})
        made["redacted"] = {kind: counts[kind] for kind in sorted(counts)}
        return made

    def value(self, value: object) -> object:
        """A value of JSON, each of its texts and keys redacted; keys that become one are counted together."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(one) for one in value]
            case dict():
                return self._mapping(value)
            case _:
                return value

    def _mapping(self, mapping: dict[object, object]) -> dict[object, object]:
        made: dict[object, object] = {}
        for key, value in mapping.items():
            name, one = self.value(key), self.value(value)
            before = made.get(name)
            made[name] = before + one if isinstance(before, int) and isinstance(one, int) else one
        return made

    def _nameless(self, text: str, counts: Counter[str]) -> tuple[str, list[str]]:
        bare, marks = walled(text)
        self._names |= home_names.settled(bare)
        bare, found = home_names.without_names(bare, self._names)
        if found:
            counts[USER_NAME] += found
        return bare, marks

    def _learned(self, text: str) -> list[Span]:
        """The secrets of a text, of which those are remembered that no shape gives away elsewhere."""
        spans = [span for search in _SEARCHES for span in search(text)]
        for span in spans:
            if span.rank == BESIDE and span.end - span.start >= _LEAST and len(self._secrets) < _MOST:
                secret = text[span.start : span.end]
                if mixed(secret) or (public(secret) and _HEX.search(secret)):
                    self._secrets.setdefault(secret, span.kind)
        return spans

    def _known(self, text: str) -> Iterator[Span]:
        for secret, kind in self._secrets.items():
            at = text.find(secret)
            while at >= 0:
                yield Span(at, at + len(secret), kind, BESIDE)
                at = text.find(secret, at + len(secret))


def finished(report: Report, *, redact: bool = True, home: str = "") -> Report:
    """The report as it may leave the monitor, in whatever form: without secrets, unless that is turned off.

    `home` is the folder of the person at the machine: its last part is taken out of every path.
    """
    return Redactor(home).report(report) if redact else report


def redact(report: Report, home: str = "") -> Report:
    """The report without secrets in any of its texts, names of files and inputs included; `redacted` counts them."""
    return Redactor(home).report(report)


def _texts(value: object) -> Iterator[str]:
    """Every text within a value of JSON, keys included."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from _texts(one)
        case dict():
            for key, one in value.items():
                yield from _texts(key)
                yield from _texts(one)
