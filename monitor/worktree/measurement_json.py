"""Measurements as JSON: what `monitor measure` prints, and what it can be given again."""

from __future__ import annotations

import json
import re
from types import MappingProxyType

from monitor.worktree.compare import Comparison
from monitor.worktree.measurement import Measurement, digest_of

SCHEMA = 1
"""Another number whenever the same folder would give another fingerprint."""
_HEX = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ABOUT = re.compile(r"(?:000000|100644|100755|120000) (?:[0-9a-f]{40}|[0-9a-f]{64})")


class MeasurementError(ValueError):
    """The text is no measurement; says why in a sentence."""


def to_json(measurement: Measurement, comparison: Comparison | None = None, *, paths: bool = True) -> dict[str, object]:
    """What to print; with `paths` a later measurement can say which files changed, not only whether any did.

    Serialise it with ASCII escapes, as `json.dumps` does by itself: names that are no UTF-8 hold lone surrogates.
    """
    found: dict[str, object] = {
        "content": measurement.content,
        "history": measurement.history,
        "reason": measurement.reason,
    }
    if comparison is not None:
        found |= {
            "changed": comparison.changed,
            "kinds": list(comparison.kinds),
            "files": None if comparison.files is None else list(comparison.files),
            "reason": comparison.reason or measurement.reason,
        }
    found |= {"schema": SCHEMA, "heads": dict(measurement.heads)}
    if measurement.without_git:
        found["without_git"] = measurement.without_git
    if paths and measurement.entries is not None:
        found["paths"] = dict(_named(entry) for entry in measurement.entries.split(b"\0") if entry)
    return found


def _named(entry: bytes) -> tuple[str, str]:
    about, _, path = entry.partition(b"\t")
    _, mode, found, _ = about.decode().split(" ")
    return path.decode("utf-8", "surrogateescape"), f"{mode} {found}"


def from_json(text: str | bytes) -> Measurement:
    """The measurement in what was printed earlier; raises `MeasurementError` for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MeasurementError("it is not JSON") from error
    if not isinstance(data, dict) or not {"content", "history", "reason"} <= data.keys():
        raise MeasurementError("it is no output of `monitor measure`")
    if data.get("schema") != SCHEMA:
        raise MeasurementError("it was written by a version whose fingerprints are other ones")
    content, history = _hex(data["content"]), _hex(data["history"])
    heads = _words(data.get("heads", {}), _HEX)
    entries = None if data.get("paths") is None or content is None else _entries(_words(data["paths"], _ABOUT))
    if entries is not None and digest_of(entries) != content:
        raise MeasurementError("its paths do not fit its fingerprint: it was cut or edited")
    without = str(data.get("without_git", ""))
    return Measurement(content, history, str(data["reason"]), entries, MappingProxyType(heads), without)


def _hex(value: object) -> str | None:
    if value is not None and not (isinstance(value, str) and _HEX.fullmatch(value)):
        raise MeasurementError("a fingerprint in it is damaged")
    return value


def _words(value: object, wanted: re.Pattern[str]) -> dict[str, str]:
    if not isinstance(value, dict):
        raise MeasurementError("a part of it is damaged")
    for word in value.values():
        if not (isinstance(word, str) and wanted.fullmatch(word)):
            raise MeasurementError("a part of it is damaged")
    return value


def _entries(paths: dict[str, str]) -> bytes:
    try:
        named = sorted((path.encode("utf-8", "surrogateescape"), about) for path, about in paths.items())
    except UnicodeEncodeError as error:
        raise MeasurementError("a path in it is damaged") from error
    lines = []
    for path, about in named:
        mode, found = about.encode().split(b" ")
        lines.append(b"H %s %s 0\t%s" % (mode, found, path))
    return b"\0".join(lines)
