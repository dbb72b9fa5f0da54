"""Values assigned to telling names: in code, configuration, JSON within JSON, URLs, flags and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.report.redaction import values
from monitor.report.redaction.quotes import OPENING, closing
from monitor.report.redaction.spans import BESIDE, BREAKS, WALL, Span
from monitor.report.redaction.telling_names import Telling, telling

_REACH = 60
"""Characters a name may have before its telling word."""
_SEEN = 300
"""Characters of a value that are looked at to judge it."""
_QUOTE = r"\\{0,8}[\"'`]"
_ASSIGNED = re.compile(
    rf"""(?i:passw|passphrase|passcode|pwd|pass|kennwort|secret|credential|creds|token|key|auth|[_-]pat|sig|jwt|bearer
        |connection_?string)
    [\w.-]{{0,40}}+
    [\\"'`\])]{{0,10}}+
    (?:
        [ \t]{{0,8}}(?P<op>=>|:=|->|[=!]?==?|:)
        (?:[ \t]{{0,8}}[|>][+-]?(?:\n|[ ]⏎)[ \t]{{1,40}}|\s{{0,20}}(?=\w{{0,2}}{_QUOTE})|[ \t]{{0,20}})
      | (?P<tag>>)
      | (?P<list>[ \t]{{0,4}},\s{{0,20}})(?=\w{{0,2}}{_QUOTE})
      | (?P<attribute>[,\s⏎]{{0,40}}[\\"']{{0,6}}value[\\"']{{0,6}}\s{{0,4}}[:=]\s{{0,4}})
      | (?P<said>[ \t]{{1,4}}(?:(?:is|was|to)[ \t:]{{1,4}}|(?={_QUOTE})))
    )""",
    re.VERBOSE | re.ASCII,
)
_FLAG = re.compile(r"(?<![\w-])--?(?P<name>[A-Za-z][\w-]{1,60}+)[ \t]{1,4}(?![-\s])", re.ASCII)
_ESCAPE = r"\\(?![nrtu\"'`\\])"
_BARE = re.compile(rf"(?:[^\s\"'`,;&<>(){{}}\[\]|\\{BREAKS}]++|{_ESCAPE})*+")
_UNBROKEN = re.compile(rf"(?:[^\s\"'`&\\{BREAKS}]++|{_ESCAPE}|&(?![A-Za-z_][\w.-]{{0,40}}=))*+")
_REST = re.compile(rf"[^\n⏎\"'`\\{BREAKS}]{{0,{_SEEN}}}")
_LINE_HEAD = re.compile(
    r"(?:\A|\n|\\n|⏎)[ \t]*(?:[0-9]+ ?[|:] ?)?[-+]?[ \t]*(?:(?:export|set|setx|ENV|declare -x)[ \t]+)?[\"']?\Z"
)
"""What may stand on a line before a setting: a number and a sign of a listing, a command of the shell."""
_CODE = re.compile(r"=>|[({[]\Z")
_NAME_PART = re.compile(r"[A-Za-z0-9_.-]*")
_WORD_BEFORE = re.compile(r"([A-Za-z]{2,12}) \Z")


def assigned(text: str) -> Iterator[Span]:
    """The values in a text that a telling name stands before."""
    reader = _Reader(text)
    for found in _ASSIGNED.finditer(text):
        yield from reader.assigned(found)
    for found in _FLAG.finditer(text):
        yield from reader.flagged(found)


class _Reader:
    """Reads the values of one text; a long run of characters is measured once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._run = (0, 0)

    def assigned(self, found: re.Match[str]) -> Iterator[Span]:
        """The value after a name and a sign of assignment."""
        start = self._name_start(found.start())
        told = self._told(start, found.start())
        if told is None or (found["tag"] and self._text[start - 1 : start] != "<"):
            return
        if OPENING.match(self._text, found.end()) is not None:
            yield from self._quoted(found.end(), Telling(told.kind, "mixed") if found["list"] else told)
        elif found["list"] is None:
            yield from self._bare(start, found, told)

    def flagged(self, found: re.Match[str]) -> Iterator[Span]:
        """The value after a flag of a command and a space."""
        told = telling(found["name"])
        if told is None:
            return
        if OPENING.match(self._text, found.end()) is not None:
            yield from self._quoted(found.end(), told)
            return
        end = self._end(found.end())
        value = self._text[found.end() : min(end, found.end() + _SEEN)]
        if not (value.isalpha() and value.isupper()):
            yield from self._judged(found.end(), end, told)

    def _name_start(self, core: int) -> int:
        """Where the name begins whose telling word begins at `core`; the n of an escaped newline is no part of it."""
        found = _NAME_PART.match(self._text[max(core - _REACH, 0) : core][::-1])
        start = core - (found.end() if found else 0)
        escaped = start < core and self._text[start] in "nrt" and self._text[start - 1 : start] == "\\"
        return start + 1 if escaped else start

    def _told(self, start: int, core: int) -> Telling | None:
        """What the name tells; of a single word, with the word before it: `api key`. One at a mark was judged before."""
        if self._text[start - 1 : start] == WALL:
            return None
        part = _NAME_PART.match(self._text, core, core + _REACH)
        name = self._text[start : part.end() if part else core]
        before = _WORD_BEFORE.search(self._text[max(start - 14, 0) : start])
        return telling(name, before[1] if before else "")

    def _quoted(self, at: int, told: Telling) -> Iterator[Span]:
        start, end, closed = closing(self._text, at)
        if closed or told.trust == "any" or end == len(self._text):
            yield from self._judged(start, end, told)

    def _bare(self, start: int, found: re.Match[str], told: Telling) -> Iterator[Span]:
        """A value without quotes: how far it goes is a matter of what stands around it."""
        at = found.end()
        end = self._end(at)
        value, after = self._text[at : min(end, at + _SEEN)], self._text[end : end + 1]
        heads = told.trust == "any" and self._heads_line(start)
        shell = heads and found["op"] == "=" and self._text[at - 1] == "=" and found.group().isupper()
        if (len(value) < values.LEAST and not heads) or values.reference(value, "" if shell else after):
            return
        if heads:
            end = self._line_end(found, end)
        elif found["said"] or (found["op"] == ":" and value.isalpha() and after not in ("", "\n")):
            told = Telling(told.kind, "random" if told.trust == "random" else "mixed")
        yield from self._judged(at, end, told)

    def _line_end(self, found: re.Match[str], end: int) -> int:
        """The end of a value that is all of its line: a shell's up to a space, a setting's up to a comment."""
        at = found.end()
        if found["op"] == "=" and self._text[at - 1] == "=":
            longer = _UNBROKEN.match(self._text, at)
            return longer.end() if longer else end
        rest = _REST.match(self._text, at)
        if found["op"] != ":" or rest is None:
            return end
        if self._text[rest.end() : rest.end() + 1] == WALL:
            return rest.end()
        line = rest[0].partition(" #")[0].rstrip(" \t\r,")
        return end if _CODE.search(line) or values.sentence(line) else max(at + len(line), end)

    def _heads_line(self, start: int) -> bool:
        head = self._text[max(start - 40, 0) : start]
        return _LINE_HEAD.search(head if start <= 40 else f"x{head}") is not None

    def _end(self, at: int) -> int:
        """Where the characters end that a value without quotes is made of."""
        if not self._run[0] <= at < self._run[1]:
            found = _BARE.match(self._text, at)
            self._run = (at, found.end() if found else at)
        return self._run[1]

    def _judged(self, start: int, end: int, told: Telling) -> Iterator[Span]:
        """The value's span when it is a secret; one that touches a mark was judged before."""
        beside = self._text[end : end + 1] != WALL
        if beside and values.secret(self._text[start : min(end, start + _SEEN)], told.trust):
            yield Span(start, end, told.kind, BESIDE)
