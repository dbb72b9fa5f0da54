"""Words of a text, the parts of a word that may stand for it, and how many of them two texts share."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_LONGEST = 200
"""Characters of a word that is still taken apart; longer ones are data."""
_PHRASE = 64
"""Characters of a phrase in a script without spaces whose pairs are looked for."""
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters; particles cling to Korean words
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Scripts written without spaces between words."""
_BREAKS = frozenset(("lu", "du", "mu", "ld", "ud", "dl", "cl", "cu", "cd", "lc", "uc", "dc"))
"""Where a part of an identifier ends, by the kinds on both sides: fooBar, value2, 2nd, abc設定."""


class _Spaces(dict[int, int]):
    """Every character that belongs to no word becomes a space."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        kept = char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"
        self[code] = code if kept else 32
        return self[code]


class _Kinds(dict[int, int]):
    """The kind of a character: `u`pper, `l`etter, `d`igit, `m`ark, or `c`haracter of a script without spaces."""

    def __missing__(self, code: int) -> int:
        self[code] = ord(_kind(chr(code)))
        return self[code]


def _kind(char: str) -> str:
    if unicodedata.category(char)[0] == "M":
        return "m"
    if any(low <= ord(char) <= high for low, high in _UNSPACED):
        return "c"
    return "u" if char.isupper() else "d" if char.isdigit() else "l"


def fold(word: str) -> str:
    """The word without case, and with accents written one way."""
    return word.casefold() if word.isascii() else unicodedata.normalize("NFC", word.casefold())


class Vocabulary:
    """The words of a guess as bits; lines are marked with those they share."""

    def __init__(self, guesses: Iterable[str], most: int) -> None:
        """Of each line of the guess the first `most` different words count."""
        self._spaces, self._kinds = _Spaces(), _Kinds()
        self._whole: dict[str, int] = {}
        self._part: dict[str, int] = {}
        self._pair: dict[str, int] = {}
        self._phrases: dict[str, int] = {}
        self._known: dict[str, int] = {}
        words = [word for guess in guesses for word in self.words(guess)[:most]]
        for word in words:
            self._whole.setdefault(fold(word), 1 << len(self._whole))
        self.wholes = (1 << len(self._whole)) - 1
        """The bits of whole words; the bits above are parts of the guess's own words."""
        for word in words:
            self._learn(word)

    def words(self, line: str) -> list[str]:
        """The different words of a line: runs of letters, digits and underscores."""
        return list(dict.fromkeys(line.translate(self._spaces).split()))

    def marks(self, line: str, most: int | None = None) -> int:
        """The bits of the words of a line, or of its first `most`, all together."""
        found, known = 0, self._known
        for word in line.translate(self._spaces).split() if most is None else self.words(line)[:most]:
            mark = known.get(word)
            found |= self._mark(word) if mark is None else mark
        return found

    def pieces(self, word: str) -> list[str]:
        """What an identifier is put together of: split at `_`, camelCase, digits, and between scripts."""
        found = []
        for part in word.split("_"):
            kinds = part.translate(self._kinds)
            begin = 0
            for at in range(1, len(part)):
                pair = kinds[at - 1 : at + 1]
                if pair in _BREAKS or (pair == "uu" and kinds[at + 1 : at + 2] == "l"):
                    found.append(part[begin:at])
                    begin = at
            if part:
                found.append(part[begin:])
        return found

    def _learn(self, word: str) -> None:
        pieces = self.pieces(word) if len(word) <= _LONGEST else []
        for piece in map(fold, pieces if len(pieces) > 1 else ()):
            if piece not in self._whole:
                self._part.setdefault(piece, self._next())
        for phrase in self._runs(word):
            if phrase == fold(word):
                self._phrases[phrase] = self._whole[phrase]
            for at in range(min(len(phrase), _PHRASE) - 1):
                self._pair.setdefault(phrase[at : at + 2], self._next())

    def _next(self) -> int:
        return 1 << (len(self._whole) + len(self._part) + len(self._pair))

    def _mark(self, word: str) -> int:
        folded = fold(word)
        mark = self._whole.get(folded, 0) | self._part.get(folded, 0)
        if len(word) <= _LONGEST and not (folded == word and word.isascii() and word.isalpha()):
            for piece in map(fold, self.pieces(word)):
                mark |= self._whole.get(piece, 0) | self._part.get(piece, 0)
        if self._pair or self._phrases:
            for run in self._runs(word):
                mark |= self._shared(run)
        self._known[word] = mark
        return mark

    def _shared(self, run: str) -> int:
        """The bits of the phrases, and of the pairs of characters, that are a part of the run."""
        mark = 0
        for phrase, bit in self._phrases.items():
            if phrase in run:
                mark |= bit
        pairs = self._pair
        for at in range(len(run) - 1):
            mark |= pairs.get(run[at : at + 2], 0)
        return mark

    def _runs(self, word: str) -> list[str]:
        """The runs of a word that are of a script without spaces, folded."""
        if word.isascii():
            return []
        return [fold(run) for run in self.pieces(word) if chr(self._kinds[ord(run[0])]) == "c"]
