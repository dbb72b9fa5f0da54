"""Results made comparable: what differs on every run of the same command is folded away."""

from __future__ import annotations

import re
from collections import deque
from weakref import ref

EDGE = 8_192
"""Characters compared at either end of a result."""
_HELD = 16_000_000
"""Characters of results held unfolded, in case their call is made again."""
_ROOM = _HELD // 4
"""Characters that can come, once there are too many, before all that is held is looked through again."""
_LOOSE = 2_000
"""Results listed before those that nobody keeps are let go."""

_APPENDED = re.compile(r"\n\n\[lcode\] .*\Z|<system-reminder>.*?</system-reminder>", re.DOTALL)
"""What a harness adds to a result: a note that counts the repeats would make each of them another."""
_SPACES = re.compile(r"[ \t]{2,}|\t")
_NUMBERS = re.compile(
    r"""\d(?<!\w.)(?:
      (?P<date>\d{3}-\d\d-\d\d(?:[T_\ ]\d\d[:_-]\d\d(?:[:_-]\d\d)?(?:[.,_]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d))
    | (?P<clock>\d?:\d\d:\d\d(?:[.,]\d+)?(?!\d) | (?<![:.].)\d?:\d\d(?![\w:]))
    | (?P<epoch>(?<=1)(?<![.-].)[5-9]\d{8}(?:\d{3}|\.\d+)?(?![\w.]))
    | (?P<time>\d*m\ ?\d+(?:\.\d+)?s\b
        | \d*(?:\.\d+)?\s?(?:[nµμum]s|[Ss](?:ecs?|econds?)?|[Mm](?:ins?|inutes?)?|[Hh](?:rs?|ours?)?)\b)
    | (?P<pid>\d{1,6}(?=\ (?:Killed|Terminated|Aborted|Hangup|Segmentation|Bus\ error|Illegal)))
    )""",
    re.VERBOSE,
)
"""ISO dates, also as file names write them; clock times; seconds since the epoch; `1m 04s`, `0m0.004s`, `12.5 ms`."""
_IDS = re.compile(
    r"[0-9a-fA-F](?<!\w.)(?:[0-9a-fA-F]{7}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?<=0)x[0-9a-fA-F]{7,128}|[0-9a-fA-F]{6,127})(?!\w)"
)
"""UUIDs, addresses in memory, hashes. A pattern that begins with its first sign is searched for far faster than one that
begins with what must not stand before it."""
_HINTED: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (("pid", "PID", "rocess"), re.compile(r"([Pp](?<!\w.)(?:[Pp]?ids?|rocess(?:es)?(?: id)?)|P(?<!\w.)P?ID)(\W{1,3})\d{1,7}\b"), r"\1\2<pid>"),
    (("[",), re.compile(r"^(\[\d+\]\W{0,4})\d{2,7}\b(?![\w.])", re.MULTILINE), r"\1<pid>"),
    (("]:", "==", "/proc/"), re.compile(r"\[(?<=[a-z].)\d{2,7}\](?=:)|==\d{2,7}==|\d(?<=/proc/.)\d*"), "<pid>"),
    (("port", "Port", "PORT"), re.compile(r"([Pp](?<!\w.)orts?|P(?<!\w.)ORT)(\W{1,3})\d{2,5}\b"), r"\1\2<port>"),
    (("localhost:",), re.compile(r"localhost:(?<!\w.{10})\d{2,5}\b"), "localhost:<port>"),
    (("]:",), re.compile(r"(\[[0-9a-fA-F:]{2,40}\]):\d{2,5}\b"), r"\1:<port>"),
    ((".",), re.compile(r"(\d(?<![\w.].)\d{0,2}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d{2,5}\b"), r"\1:<port>"),
    (
        ("tmp/", "shm/", "var/folders/"),
        re.compile(r"(/tmp/|/dev/shm/|/var/folders/\w\w/\w{1,40}/T/)(?:pytest-of-[\w.-]+/)?[\w.+-]*(?:\d|tmp)[\w.+-]*"),
        r"\1<name>",
    ),
    (("tmp",), re.compile(r"tmp(?<!\w...)(?:\.\w{10}|[a-z0-9_]{8}|[._]?(?=[a-z_]*\d)[a-z0-9_]{6,12})\b"), "<name>"),
)  # fmt: skip
"""What is looked for only where one of the hints stands in the text: process ids, ports, temporary names."""


def folded(text: str) -> str:
    """The edges of a result, with durations, times, hashes, process ids, ports and temporary names folded away."""
    if "[lcode] " in text or "<system-reminder>" in text:
        text = _APPENDED.sub("", text)
    text = _edges(text)
    for hints, pattern, sign in _HINTED:
        if any(hint in text for hint in hints):
            text = pattern.sub(sign, text)
    text = _IDS.sub(_id, text)
    text = _NUMBERS.sub(lambda found: f"<{found.lastgroup}>", text)
    return _SPACES.sub(" ", text)


def _id(found: re.Match[str]) -> str:
    """Letters and digits both: a word is no hash, and neither is a number."""
    text = found[0]
    return text if text.isdigit() or (text.isalpha() and "-" not in text) else "<id>"


def _edges(text: str) -> str:
    return text if len(text) <= 2 * EDGE else f"{text[:EDGE]}\n{text[-EDGE:]}"


class Told:
    """A result, folded only when it is compared with one of another text."""

    __slots__ = ("__weakref__", "_digest", "_plain", "_raw", "_status")

    def __init__(self, text: str, status: object) -> None:
        """`status`: what must be the same besides the text."""
        self._raw = _edges(text)
        self._status = status
        self._plain = hash((status, self._raw))
        self._digest: int | None = None

    def same(self, other: Told) -> bool:
        """Whether both say the same."""
        return self._plain == other._plain or (self._status == other._status and self._folded() == other._folded())

    def _folded(self) -> int:
        if self._digest is None:
            self._digest = hash(folded(self._raw))
            self._raw = ""
        return self._digest

    def settle(self) -> None:
        """Let the text go; the result can still be compared."""
        self._folded()

    @property
    def size(self) -> int:
        """Characters that are held."""
        return len(self._raw)


class Held:
    """Bounds the text held by results that nobody has compared yet; one that nobody keeps any more costs nothing."""

    def __init__(self) -> None:
        self._told: deque[tuple[ref[Told], int]] = deque()
        self._size = 0
        self._most = _LOOSE

    def hold(self, told: Told) -> None:
        """Take in one more; the oldest are folded when there is too much text."""
        self._told.append((ref(told), told.size))
        self._size += told.size
        if self._size > _HELD or len(self._told) > self._most:
            self._told = deque(one for one in self._told if one[0]() is not None)
            self._size = sum(size for _, size in self._told)
            self._most = max(_LOOSE, 2 * len(self._told))
            if self._size > _HELD:
                self._settle()

    def copy(self) -> Held:
        """Another, empty one: what is held already is shared, and stays in the bounds of this one."""
        return Held()

    def _settle(self) -> None:
        """Fold the oldest, until there is room again for a while."""
        while self._size > _HELD - _ROOM:
            oldest, size = self._told.popleft()
            self._size -= size
            kept = oldest()
            if kept is not None:
                kept.settle()
