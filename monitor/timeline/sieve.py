"""Tells from a record's bytes alone that its texts cannot hold some words: a hundred times faster than reading them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

FOLDED: Final = (
    "\u00df\u0130\u0149\u017f\u01f0\u1e96\u1e97\u1e98\u1e99\u1e9a\u1e9e\u212a\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"
)
"""The characters beyond ASCII of which the lower case holds ASCII letters."""
_DOUBTS: Final = (
    *(rb"\u00" + digit for digit in (b"0", b"4", b"5", b"6", b"7")),
    *(sign.encode() for sign in FOLDED),
    *(rf"\u{ord(sign):04x}".encode() for sign in FOLDED),
)
"""What may stand in JSON for an ASCII letter, or for a control that is written with one, in lower case."""
_LETTERS: Final = re.compile(r"[a-z]{3,}")
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_HEX: Final = re.compile(r"u?[a-f]+")
"""Letters that an escape may be made of: where a text is escaped anew, they need not stand in the bytes."""
_PIECE: Final = 1 << 18
"""Bytes looked at without a pause: about three milliseconds."""

Keys = tuple[bytes, ...]


class Sieve:
    """The words that must all be held. `own` are all texts the program itself may add to what a record says."""

    def __init__(self, words: Iterable[str], own: str = "") -> None:
        keys = {key for word in words if (key := _key(word.casefold(), own))}
        self.keys: Keys = tuple(key.encode() for key in sorted(keys))
        """A part of each word that a row's texts must hold, if they hold the word."""
        doubts = _DOUBTS if all(key.isascii() for key in keys) else (*_DOUBTS, rb"\u")
        self._doubts = re.compile(b"|".join(re.escape(doubt) for doubt in doubts))

    @property
    def open(self) -> bool:
        """Nothing can be told by it: every word may have been added."""
        return not self.keys

    def left(self, keys: Keys, low: bytes, begin: int, end: int, *, doubtful: bool) -> Keys:
        """Those of the keys that the texts of these bytes certainly do not hold.

        `low` is in lower case (`bytes.lower`); `doubtful` as `doubts` said of it.
        """
        missing = tuple(key for key in keys if low.find(key, begin, end) < 0)
        return () if missing and doubtful and self._doubted(low, begin, end) else missing

    def unnamed(self, keys: Keys, name: str) -> Keys:
        """Those of the keys that a name does not hold."""
        low = name.casefold().encode("utf-8", "surrogatepass")
        return tuple(key for key in keys if key not in low)

    def doubts(self, low: bytes) -> bool:
        """Whether anything in these bytes may stand for a letter of the words that is not seen in them."""
        return not (low.isascii() and rb"\u" not in low) and self._doubted(low, 0, len(low))

    def _doubted(self, low: bytes, begin: int, end: int) -> bool:
        """Piece by piece: nobody else gets his turn while a pattern is looked for."""
        pieces = range(begin, end, _PIECE)
        return any(self._doubts.search(low, piece, min(piece + _PIECE + 8, end)) is not None for piece in pieces)


def _key(word: str, own: str) -> str:
    """The longest part of a word that must stand in a record's bytes as it is; empty where there is none."""
    parts = [part for part in _LETTERS.findall(word) if not _HEX.fullmatch(part)]
    parts += [part for part in _FOREIGN.findall(word) if part.isalpha() and part.upper() == part]
    return max((part for part in parts if part not in own), key=len, default="")
