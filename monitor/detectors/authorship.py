"""Whose hand a change was, by the times of the calls around it: the table of authorship."""

from __future__ import annotations

from collections.abc import Collection

from monitor.detectors.outside_spans import Span, Spans
from monitor.text import line, shorten

Verdict = tuple[str, str]
"""By whom, and why that is thought."""

_NAME = 80


def judged(at: float, keys: Collection[str], after: str, spans: Spans, run: str = "") -> Verdict | None:
    """By whom a file was changed; none where no call accounts for it.

    `keys` are the canonical paths it may be known by, `after` the digest of what it holds, `run` another attached run
    that claims it.
    """
    near, own = list(spans.near(at)), spans.numbers.after
    writes = [span for span in near if span.kind == "write" and not span.keys.isdisjoint(keys)]
    if after and any(not span.keys.isdisjoint(keys) for span in spans.writing(after)):
        return "agent", "it holds what the agent wrote"
    for span in writes:
        if span.holds(at, own) and not span.waited(at, own):
            return "agent", ""
    if run:
        return run, "another attached run"
    for span in near:
        if span.kind == "shell" and span.holds(at, own) and not span.waited(at, own):
            return "shell", shorten(line(span.name), _NAME)
    return _doubt(at, own, keys, near, writes)


def _doubt(
    at: float, own: float, keys: Collection[str], near: Collection[Span], writes: Collection[Span]
) -> Verdict | None:
    """What keeps a change from being called an outside one; `own`: seconds after a call that are still the call's."""
    folded = {key.casefold() for key in keys}
    for span in near:
        name = shorten(line(span.name), _NAME)
        if span.kind in ("background", "other") and span.holds(at, own):
            what = "a background command may have" if span.kind == "background" else "a tool was running that may have"
            return "unknown", f"{what}: {name}" if name else what
        if span.kind == "shell" and span.waited(at, own):
            return "unknown", "while a command waited for approval"
        if span.kind == "write" and span.holds(at, own) and not folded.isdisjoint(map(str.casefold, span.keys)):
            waited = span in writes
            return "unknown", "while the write waited for approval" if waited else "the agent wrote a file of that name"
    for span in writes:
        if span.end is not None and span.end + own < at:
            return "unknown", "a formatter may have, right after the agent's own write"
    return None
