"""Which rows may hold some words, told from the bytes of their records as they stand in the inputs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

from monitor.streams.record import Input
from monitor.timeline.sieve import Keys, Sieve
from monitor.timeline.stored import Spans

BLOCK = 1 << 18
"""Bytes read at a time: neighbouring rows stand in one block."""
_BLOCKS = 16
_LARGEST = 8 << 20


class _Block(NamedTuple):
    low: bytes
    """In lower case."""
    doubtful: bool


class Sifting:
    """A sieve over the rows of one run; what it lets through must still be read. Any thread may ask."""

    def __init__(
        self,
        sieve: Sieve,
        spans: Callable[[int], Spans],
        inputs: Callable[[], Sequence[Input]],
        read: Callable[[Input, int, int], bytes | None],
        own: Container[int],
        *,
        names: Mapping[str, str],
    ) -> None:
        self._sieve, self._spans, self._inputs, self._read, self._own = sieve, spans, inputs, read, own
        self._names = names
        """What sub-agents are called, by their ids."""
        self._blocks: OrderedDict[tuple[int, int], _Block | None] = OrderedDict()
        self._lock = Lock()

    def __call__(self, index: int) -> bool:
        """Whether the row's texts, those of its record and of its result together, may hold the words; only false is certain."""
        row = self._spans(index)
        if self._sieve.open or row.pieces or row.told in self._own or row.result_seq in self._own:
            return True
        left = self._left(self._sieve.keys, row.input, row.offset, row.length)
        if left and row.result_seq >= 0:
            left = self._left(left, row.result_input, row.result_offset, row.result_length)
        if left and row.actor:
            left = self._sieve.unnamed(left, f"{row.actor}\n{self._names.get(row.actor, '')}")
        return not left

    def _left(self, keys: Keys, number: int, offset: int, length: int) -> Keys:
        """Those of the keys that stand nowhere in a part of an input."""
        inputs = self._inputs()
        if not 0 <= number < len(inputs) or inputs[number].shape != "lines" or length > _LARGEST:
            return ()
        first = offset // BLOCK
        block = self._block(number, first) if (offset + length - 1) // BLOCK == first else None
        begin = offset - first * BLOCK
        if block is None:
            data = self._read(inputs[number], offset, length)
            if data is None:
                return ()
            block, begin = self._lowered(data), 0
        return self._sieve.left(keys, block.low, begin, begin + length, doubtful=block.doubtful)

    def _block(self, number: int, place: int) -> _Block | None:
        """A whole block of an input, or none where it is not there whole."""
        key = (number, place)
        with self._lock:
            if key not in self._blocks:
                data = self._read(self._inputs()[number], place * BLOCK, BLOCK)
                self._blocks[key] = None if data is None else self._lowered(data)
                if len(self._blocks) > _BLOCKS:
                    self._blocks.popitem(last=False)
            return self._blocks[key]

    def _lowered(self, data: bytes) -> _Block:
        low = data.lower()
        return _Block(low, self._sieve.doubts(low))
