"""A memory of bounded size, of which copies share all but the latest."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

_PAGE = 64
"""Keys on the page being written: what each copy has for itself."""

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Remembered(Generic[_K, _V]):
    """Remembers at least what was put the latest `most` times, and a quarter more at the most, besides the latest.

    A full page is never written again, so that copies hold it together; it is bound with the one before it while that
    is no larger. So there are few pages to look through, and each key is moved a few times in all.
    """

    __slots__ = ("_most", "_page", "_pages")

    def __init__(self, most: int) -> None:
        self._most = most
        self._page: dict[_K, _V] = {}
        self._pages: tuple[dict[_K, _V], ...] = ()
        """The full ones, the latest first."""

    def get(self, key: _K) -> _V | None:
        """What is remembered of a key, or none."""
        found = self._page.get(key)
        if found is not None:
            return found
        for page in self._pages:
            found = page.get(key)
            if found is not None:
                return found
        return None

    def put(self, key: _K, value: _V) -> None:
        """Remember a value, in place of the last."""
        self._page[key] = value
        if len(self._page) >= _PAGE:
            self._turn()

    def copy(self) -> Remembered[_K, _V]:
        """Another that goes on from here."""
        other: Remembered[_K, _V] = Remembered(self._most)
        other._page, other._pages = dict(self._page), self._pages
        return other

    def _turn(self) -> None:
        """Bind the full page in, and begin a new one; what lies behind the latest `most` is forgotten."""
        page, rest = self._page, list(self._pages)
        while rest and len(rest[0]) <= len(page) <= self._most // 8:
            page = rest.pop(0) | page
        kept, held = [page], len(page)
        for one in rest:
            if held < self._most:
                kept.append(one)
                held += len(one)
        self._page, self._pages = {}, tuple(kept)
