"""The program that holds an agent's streams; it needs nothing but Python.

It starts the command that `launch.json` in the folder names, in a session of its own, writes its standard output to
the file `output` and its standard error to `errors`, and listens on `control.sock`. One monitor at a time may
connect; what it says (a JSON object a line) is `{"say": TEXT, "n": NUMBER}`, a line for the agent's standard input,
answered by `{"n": NUMBER, "problem": TEXT}` once the agent's pipe has taken it; `{"close": true}`, the end of its
standard input; `{"on_exit": "stop"}`, to end the agent when this monitor dies. Who the agent is stands in
`agent.json`, how it ended in `ended.json`, and that its output finds no room in `lost.json`, which is empty where not
even that could be written. With `wire` in `launch.json` the output holds what goes both ways, each
line with its time and direction.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from monitor.keeping.connection import Connection, Pipe, accepted, listening
from monitor.keeping.store import Store, WireLog

_CHUNK = 1 << 16
_SILENCE = 300.0
"""Seconds an agent may be silent, with no monitor there, before its standard input is closed: it may wait for words
that nobody will say."""
_GRACE = 1.0
"""Seconds its output is still read after its end: what it started may hold the pipe open for ever."""
_AGAIN = 1.0
"""Seconds after which a number that grows is written down anew."""
_STEP = 5.0
"""Seconds between the signals that end it when its monitor died and had asked for that."""
_END = "end"
_ERRORS = 1 << 20
"""Bytes of standard error that are kept."""


class Keeper:
    """One agent, its streams, and the monitor that is connected now."""

    def __init__(self, folder: Path, launch: dict[str, Any]) -> None:
        self._folder = folder
        self._selector = selectors.DefaultSelector()
        self._output = Store(folder / "output", reserve=True)
        self._log = WireLog(self._output) if launch.get("wire") else None
        self._errors = Store(folder / "errors", most=_ERRORS)
        self._listener = listening(folder)
        self._process = _started(launch)
        self._input = Pipe(self._process.stdin)
        self._client: Connection | None = None
        self._stops = False
        self._signals = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
        self._next_signal: float | None = None
        self._ended: float | None = None
        self._heard = time.monotonic()
        self._told = (0, False)
        """What was said last of output that found no room: how many bytes, and whether it is so now."""
        self._telling = 0.0
        _write(folder / "agent.json", {"pid": self._process.pid, "keeper": os.getpid()})

    def run(self) -> None:
        """Until the agent has ended and its output is read."""
        for stream, store in ((self._process.stdout, self._output), (self._process.stderr, self._errors)):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self._selector.register(stream, selectors.EVENT_READ, store)
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        if hasattr(os, "pidfd_open"):
            self._selector.register(os.pidfd_open(self._process.pid), selectors.EVENT_READ, _END)
        while not self._over():
            for key, _ in self._selector.select(self._patience()):
                self._serve(key)
            self._tend()
        self._finish()

    def _serve(self, key: selectors.SelectorKey) -> None:
        if key.fileobj is self._listener:
            self._welcome()
        elif isinstance(key.data, Store):
            self._take(key.fileobj, key.data)
        elif isinstance(key.data, Connection):
            self._hear(key.data)
        elif key.data is _END:
            self._selector.unregister(key.fileobj)

    def _take(self, stream: Any, store: Store) -> None:
        self._heard = time.monotonic()
        try:
            data = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data and self._log is not None and store is self._output:
            self._log.came(data)
        elif data:
            store.add(data)
        else:
            self._selector.unregister(stream)
            stream.close()

    def _welcome(self) -> None:
        connection = accepted(self._listener, busy=self._client is not None)
        if connection is not None:
            self._client = connection
            self._selector.register(connection.socket, selectors.EVENT_READ, connection)

    def _hear(self, connection: Connection) -> None:
        for said in connection.read():
            if isinstance(said.get("say"), str):
                line = said["say"].encode("utf-8", "replace") + b"\n"
                if self._log is not None:
                    self._log.sent(line)
                self._input.say(line, said.get("n"))
            elif said.get("close"):
                self._input.finish()
            elif said.get("on_exit") in ("stop", "go-on"):
                self._stops = said["on_exit"] == "stop"
        if connection.closed:
            self._selector.unregister(connection.socket)
            connection.socket.close()
            self._client = None
            self._heard = time.monotonic()
            if self._stops:
                self._next_signal = time.monotonic()

    def _tend(self) -> None:
        """What is due whether or not anything came."""
        now = time.monotonic()
        if self._ended is None and self._process.poll() is not None:
            self._ended = now
            self._input.break_off("the agent has ended")
        self._tell_losses(now)
        self._input.flush()
        for number, problem in self._input.answers():
            if self._client is not None:
                self._client.send({"n": number, "problem": problem})
        if self._client is None and now - self._heard > _SILENCE:
            self._input.finish()
        if self._next_signal is not None and now >= self._next_signal and self._ended is None and self._signals:
            self._next_signal = now + _STEP
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, self._signals.pop(0))

    def _tell_losses(self, now: float) -> None:
        """Write down how much found no room: at once when that begins or is over, else once a second."""
        told = (self._output.lost, self._output.losing)
        if told == self._told or (told[1] == self._told[1] and now < self._telling):
            return
        self._told, self._telling = told, now + _AGAIN
        _write(self._folder / "lost.json", {"lost": told[0], "losing": told[1]}, bare=True)

    def _patience(self) -> float:
        """Seconds until something may be due though nothing came."""
        if self._input.waits or self._ended is not None:
            return 0.05
        return _STEP if hasattr(os, "pidfd_open") and self._next_signal is None else 0.25

    def _over(self) -> bool:
        streams = any(isinstance(key.data, Store) for key in self._selector.get_map().values())
        return self._ended is not None and (not streams or time.monotonic() - self._ended > _GRACE)

    def _finish(self) -> None:
        if self._log is not None:
            self._log.end()
        code = self._process.returncode
        _write(self._folder / "ended.json", {"code": code, "ended": time.time(), "lost": self._output.lost})
        if self._client is not None:
            self._client.send({"ended": code})
        self._listener.close()
        with suppress(OSError):
            (self._folder / "control.sock").unlink()


def _started(launch: dict[str, Any]) -> subprocess.Popen[bytes]:
    """The agent, leading a session of its own, with the mark by which what it starts is known."""
    name, _, value = launch["mark"].partition("=")
    reads: int | IO[bytes] = subprocess.PIPE if launch["input"] else subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 - the operator's own command
        launch["command"],
        cwd=launch["cwd"],
        env={**os.environ, **launch.get("env", {}), name: value},
        stdin=reads,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _write(path: Path, what: dict[str, Any], *, bare: bool = False) -> None:
    """Write a file that is there whole or not at all; `bare` leaves an empty one where there is no room, if none is."""
    partial = path.with_suffix(".partial")
    try:
        partial.write_text(json.dumps(what), encoding="utf-8")
        partial.replace(path)
    except OSError:
        if bare:
            with suppress(OSError):
                path.touch()


def main(folder: Path) -> int:
    """Keep the agent of this folder to its end."""
    os.umask(0o077)
    os.chdir(folder)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # A handler, not SIG_IGN: what is ignored stays ignored in the agent.
        signal.signal(number, lambda *_: None)
    launch = json.loads((folder / "launch.json").read_text(encoding="utf-8"))
    try:
        keeper = Keeper(folder, launch)
    except OSError as error:
        _write(folder / "ended.json", {"problem": error.strerror or str(error), "ended": time.time()})
        return 1
    keeper.run()
    return 0
