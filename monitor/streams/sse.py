"""Reads a server's stream of events, and goes on after the link is lost.

Each event becomes a line that begins with `data:`. A link is lost when it is closed, refused, or silent for longer than
its server's heartbeat allows; it is made again by itself, and what was missed is asked for first.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from monitor.streams.lines import LIMIT
from monitor.streams.missed import Missed
from monitor.streams.pipe import PipeReader
from monitor.streams.reader import Data
from monitor.streams.record import Input, Record, Shift

SILENCE = 25.0
"""Seconds without a word after which a link is given up: OpenCode's heart beats every ten."""
_CONNECT = 5.0
_PAUSES = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds before the link is made again, by how often that failed."""
_PARTING = 5.0
_SOON = 1.0
"""Seconds before it is asked again what could not be told just now."""
Refused = Mapping[int, str]
"""What a status of the server means, in words."""


class SseReader:
    """The events of one stream, kept in a spool of `folder`.

    `through` gives the socket by which the server is reached where it listens on no port, none once it is gone. `missed`
    gives, each time a link is made, what happened before it; it raises OSError where it cannot. `wake` is called whenever
    there is more; it may be replaced.
    """

    def __init__(
        self,
        source: Input,
        folder: Path,
        url: str,
        *,
        headers: Mapping[str, str],
        through: Callable[[], Path | None] | None = None,
        missed: Callable[[], Missed] = Missed,
        refused: Refused | None = None,
        wake: Callable[[], None] = lambda: None,
        silence: float = SILENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._source = source
        self._url, self._headers = url, dict(headers)
        self._through = through
        self._missed, self._refused = missed, refused or {}
        self._silence = silence
        self._clock = clock
        self.wake = wake
        reading, self._writing = os.pipe()
        self._pipe = PipeReader(reading, source, folder, wake=self._rouse, clock=clock)
        self._shifts: list[Shift] = []
        self._lost = ""
        self.closed = False
        """Always false: a server may come back."""
        self.past = True
        """Whether what happened before is still to come, as of the last `read`; not waited for where the server is away."""
        self._owed: int | None = None
        """Bytes that tell it, once all of them are under way."""
        self._saying = threading.Lock()
        self._events = 0
        """Events that came over the links."""
        self._hears = threading.Event()
        self._stop = threading.Event()
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)
        self._thread.start()

    @property
    def bytes(self) -> int:
        """Bytes of the lines given."""
        return self._pipe.bytes

    @property
    def unfinished(self) -> int:
        """Always 0 once the link rests: lines are written whole."""
        return self._pipe.unfinished

    def hears(self, patience: float) -> bool:
        """Whether the server's first event has come, so that none is missed from then on; waits so many seconds for it."""
        return self._hears.wait(patience)

    @property
    def lost(self) -> str:
        """Why there is no link now, in words; empty while there is one, and before the first was tried."""
        return self._lost

    @property
    def at_end(self) -> bool:
        """Whether the last `read` took all there was."""
        return self._pipe.at_end

    def read_at(self, offset: int, length: int) -> Data | None:
        """Bytes given before, or none when they can no longer be had; any thread may ask."""
        return self._pipe.read_at(offset, length)

    def read(self, limit: int = LIMIT) -> list[Record | Shift]:
        """The events that came, and what became of the link."""
        shifts, self._shifts = self._shifts, []
        owed = self._owed
        records = self._pipe.read(limit)
        self.past = self.past and (owed is None or self._pipe.bytes + self._pipe.lost < owed)
        return [*records, *shifts]

    def finish(self) -> list[Record | Shift]:
        """All that has come so far."""
        return self._pipe.finish()

    def close(self) -> None:
        """Hang up."""
        self._stop.set()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(_PARTING)
        self._pipe.close()

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            why = self._listen()
            self._owe(0)
            failures = 0 if why == "" else failures + 1
            self._lose(why or "the server closed the link")
            self._stop.wait(_PAUSES[min(failures, len(_PAUSES) - 1)])
        with suppress(OSError):
            os.close(self._writing)

    def _listen(self) -> str:
        """Hold the link until it is lost; why, or nothing where it was held for a while and then closed."""
        import httpx  # noqa: PLC0415 - it takes a tenth of a second, and most runs need none

        path = self._through() if self._through is not None else None
        if self._through is not None and path is None:
            return "the server cannot be reached: nobody listens at its socket"
        timeout = httpx.Timeout(_CONNECT, read=self._silence)
        way = httpx.HTTPTransport(uds=str(path)) if path is not None else None
        try:
            with (
                httpx.Client(timeout=timeout, trust_env=False, headers=self._headers, transport=way) as client,
                client.stream("GET", self._url) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    return self._refused.get(response.status_code, f"the server answers {response.status_code}")
                self._socket = response.extensions["network_stream"].get_extra_info("socket")
                before = self._missed()
                self._say(before.lines)
                self._owe(sum(len(line) + 1 for line in before.lines))
                self._regain()
                with self._asking(before):
                    self._hear(events(response.iter_lines()))
        except httpx.ReadTimeout:
            return f"no word from the server for {self._silence:.0f} s"
        except (httpx.HTTPError, OSError) as error:
            return f"the server cannot be reached ({type(error).__name__})"
        finally:
            self._socket = None
        return ""

    def _hear(self, told: Iterable[Data]) -> None:
        for line in told:
            if self._stop.is_set():
                return
            with self._saying:
                self._events += 1
                self._say((line,))
            self._hears.set()

    @contextmanager
    def _asking(self, found: Missed) -> Iterator[None]:
        """While the link holds it is asked, beside it, for what could not be told yet."""
        over = threading.Event()
        if found.rest is not None:
            threading.Thread(target=self._ask, args=(found, over), name="rest", daemon=True).start()
        try:
            yield
        finally:
            with self._saying:
                over.set()

    def _ask(self, found: Missed, over: threading.Event) -> None:
        while found.rest is not None and not over.wait(found.after):
            before = self._events
            try:
                told = found.rest()
            except OSError:
                found = replace(found, after=_PAUSES[-1])
                continue
            with self._saying:
                if self._events != before:  # what was told may be older than what came meanwhile
                    found = replace(found, after=_SOON)
                elif not over.is_set():
                    self._say(told.lines)
                    found = told

    def _say(self, lines: Iterable[Data]) -> None:
        for line in lines:
            if self._stop.is_set():
                return
            left = memoryview(line + b"\n")
            while left:
                left = left[os.write(self._writing, left) :]

    def _rouse(self) -> None:
        self.wake()

    def _owe(self, amount: int) -> None:
        """So many bytes tell what happened before; known once, when it was told or could not be."""
        if self._owed is None:
            self._owed = amount
            self._rouse()

    def _lose(self, why: str) -> None:
        """Said once for each reason."""
        if why != self._lost and not self._stop.is_set():
            self._lost = why
            self._shifts.append(Shift(self._source, "lost", why, self._clock()))
            self._rouse()

    def _regain(self) -> None:
        was, self._lost = self._lost, ""
        if was:
            self._shifts.append(Shift(self._source, "back", "the server is there again", self._clock()))
            self._rouse()


def events(lines: Iterable[str]) -> Iterator[bytes]:
    """Each event as one line: its data, however many lines that took; all other fields are left out."""
    held: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            held.append(line[5:].removeprefix(" "))
        elif not line and held:
            yield b"data: " + " ".join(held).encode()
            held.clear()
