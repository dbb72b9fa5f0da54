"""A client's end of a WebSocket over a socket of this machine: texts both ways, and nothing ever waits."""

from __future__ import annotations

import base64
import os
import secrets
import socket
from contextlib import suppress

from monitor.channels.wire import CHUNK, CLOSED, Outgoing

_MOST = 64 << 20
"""Bytes of one text; a longer one ends the connection."""
_END = b"\r\n\r\n"
_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA
_LAST, _MASKED = 0x80, 0x80


class WebSocket:
    """Says lines as texts, once the other end has agreed; it takes the socket over."""

    def __init__(self, opened: socket.socket, path: str) -> None:
        self.problem = ""
        opened.setblocking(False)
        self._socket = opened
        self._out = Outgoing(opened.fileno())
        self._in = bytearray()
        self._agreed = False
        self._held: list[tuple[int, bytes]] = []
        """What was said before the other end has agreed."""
        self._text = bytearray()
        """A text that comes in several frames."""
        self._heard: list[bytes] = []
        self._news: list[tuple[int, str]] = []
        self._open: set[int] = set()
        self._number = 0
        self._out.put(0, _asking(path))

    @property
    def waits(self) -> bool:
        """Whether texts are not sent yet."""
        return bool(self._open)

    def say(self, line: str) -> int:
        """Send a text."""
        self._number += 1
        self._open.add(self._number)
        self._held.append((self._number, framed(_TEXT, line.encode("utf-8", "replace"))))
        return self._number

    def poll(self) -> list[tuple[int, str]]:
        """Texts that were sent or refused; what came is in `heard` then."""
        try:
            if not self.problem:
                self._read()
                self._write()
        except OSError as error:
            self.problem = f"the server cannot be reached: {error.strerror}"
        if self.problem:
            self._news += [(number, self.problem) for number in sorted(self._open)]
            self._open.clear()
            self._held.clear()
        taken, self._news = self._news, []
        return taken

    def heard(self) -> list[bytes]:
        """Texts that came since asked last."""
        taken, self._heard = self._heard, []
        return taken

    def finish(self) -> None:
        """Hang up once all is sent; nothing is lost that was said."""
        self._held.append((0, framed(_CLOSE, b"")))

    def close(self) -> None:
        """Let go."""
        self.problem = self.problem or CLOSED
        self._socket.close()

    def _write(self) -> None:
        while self._agreed and self._held:
            number, data = self._held.pop(0)
            if not self._out.put(number, data):
                self.problem = "the server does not read what is said to it"
                return
        for number in self._out.flush():
            if number:
                self._open.discard(number)
                self._news.append((number, ""))

    def _read(self) -> None:
        with suppress(BlockingIOError):
            while data := self._socket.recv(CHUNK):
                self._in += data
                self._take()
            self.problem = self.problem or "the server has hung up"

    def _take(self) -> None:
        if not self._agreed:
            head, end, rest = bytes(self._in).partition(_END)
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.problem = "the server speaks another protocol"
                return
            self._agreed, self._in = True, bytearray(rest)
        while (found := _frame(self._in)) is not None and not self.problem:
            kind, last, payload, length = found
            del self._in[:length]
            self._frame(kind, payload, last=last)
        if len(self._in) + len(self._text) > _MOST:
            self.problem = "the server says too much at once"

    def _frame(self, kind: int, payload: bytes, *, last: bool) -> None:
        if kind == _CLOSE:
            self.problem = "the server has hung up"
        elif kind == _PING:
            self._held.append((0, framed(_PONG, payload)))
        elif kind != _PONG:
            self._text += payload
            if last:
                self._heard.append(bytes(self._text))
                self._text.clear()


def framed(kind: int, payload: bytes) -> bytes:
    """One frame of a client's, masked as the protocol wants it."""
    length, mask = len(payload), os.urandom(4)
    if length < 126:
        head = bytes((_LAST | kind, _MASKED | length))
    elif length < 1 << 16:
        head = bytes((_LAST | kind, _MASKED | 126)) + length.to_bytes(2)
    else:
        head = bytes((_LAST | kind, _MASKED | 127)) + length.to_bytes(8)
    key = int.from_bytes((mask * (length // 4 + 1))[:length])
    return head + mask + (int.from_bytes(payload) ^ key).to_bytes(length)


def _frame(data: bytearray) -> tuple[int, bool, bytes, int] | None:
    """The first frame: its kind, whether it is the last of its text, what it holds, and its length; none while it is cut."""
    if len(data) < 2:
        return None
    size, start = data[1] & 0x7F, 2
    if size > 125:
        start = 4 if size == 126 else 10
        if len(data) < start:
            return None
        size = int.from_bytes(data[2:start])
    masked = data[1] & _MASKED
    begin = start + (4 if masked else 0)
    if len(data) < begin + size:
        return None
    payload = bytes(data[begin : begin + size])
    if masked:
        mask = data[start:begin]
        payload = bytes(one ^ mask[place % 4] for place, one in enumerate(payload))
    return data[0] & 0x0F, bool(data[0] & _LAST), payload, begin + size


def _asking(path: str) -> bytes:
    key = base64.b64encode(secrets.token_bytes(16)).decode()
    lines = (
        f"GET {path} HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "",
    )  # fmt: skip
    return "\r\n".join(lines).encode()
