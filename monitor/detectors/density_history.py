"""Density over a run, in a bounded number of samples."""

from __future__ import annotations

_MOST = 512


class DensityHistory:
    """Keeps the highest density of each stretch of sentences; stretches are joined in twos when there are too many."""

    __slots__ = ("_highest", "_in_stretch", "_samples", "_stretch", "last", "peak")

    def __init__(self) -> None:
        self._samples: list[float] = []
        self._stretch = 1
        """Sentences that one sample stands for."""
        self._in_stretch = 0
        self._highest = 0.0
        self.last: float | None = None
        self.peak: float | None = None

    def add(self, density: float) -> None:
        """One more sentence was counted."""
        self.last = density
        self.peak = max(self.peak or 0.0, density)
        self._highest = max(self._highest, density)
        self._in_stretch += 1
        if self._in_stretch < self._stretch:
            return
        self._samples.append(self._highest)
        self._in_stretch, self._highest = 0, 0.0
        if len(self._samples) >= _MOST:
            self._samples = [max(pair) for pair in zip(self._samples[::2], self._samples[1::2], strict=True)]
            self._stretch *= 2

    @property
    def samples(self) -> tuple[float, ...]:
        """The samples, the newest last, that of an unfinished stretch included."""
        return (*self._samples, self._highest) if self._in_stretch else tuple(self._samples)

    def copy(self) -> DensityHistory:
        """Another that goes on from here."""
        other = DensityHistory()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other._samples = list(self._samples)
        return other
