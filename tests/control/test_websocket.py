"""A client's end of a WebSocket: texts whole, however they are cut, and nothing that waits."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import until

from monitor.channels import websocket
from monitor.channels.websocket import WebSocket, framed

AGREED = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    theirs.settimeout(5)
    made = WebSocket(ours, "/rpc")
    yield made, theirs
    made.close()
    theirs.close()


def unmasked(data):
    """The frames of a client, as a server reads them."""
    frames = []
    while data:
        size, start = data[1] & 0x7F, 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        assert data[1] & 0x80, "a client masks what it says"
        mask, payload = data[start : start + 4], data[start + 4 : start + 4 + size]
        frames.append((data[0], bytes(one ^ mask[place % 4] for place, one in enumerate(payload))))
        data = data[start + 4 + size :]
    return frames


def plain(kind, payload, *, last=True):
    """A frame as a server sends it."""
    size = len(payload)
    head = bytes([(0x80 if last else 0) | kind])
    head += (
        bytes([size])
        if size < 126
        else bytes([126]) + size.to_bytes(2, "big")
        if size < 1 << 16
        else bytes([127]) + size.to_bytes(8, "big")
    )
    return head + payload


def agreed(client, server):
    client.poll()
    head = server.recv(4096)
    assert head.startswith(b"GET /rpc HTTP/1.1\r\n")
    assert head.endswith(b"\r\n\r\n")
    server.sendall(AGREED)


def test_nothing_is_said_before_both_agree(pair):
    """What is said early is held, and sent once the server has agreed; its number is told then."""
    client, server = pair
    number = client.say("hello")
    assert client.poll() == []
    agreed(client, server)
    told = []
    until(lambda: told.extend(client.poll()) or told)
    assert told == [(number, "")]
    assert unmasked(server.recv(4096)) == [(0x81, b"hello")]
    assert not client.waits


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536, 300_000])
def test_texts_of_any_length_go_both_ways(pair, length):
    """Short, long and very long ones arrive whole, whatever the pieces they come in."""
    client, server = pair
    agreed(client, server)
    text = "x" * length
    client.say(text)
    got = b""
    server.setblocking(False)

    def came():
        nonlocal got
        client.poll()
        try:
            got += server.recv(1 << 20)
        except BlockingIOError:
            return False
        return len(got) >= len(framed(1, text.encode()))

    until(came)
    assert unmasked(got) == [(0x81, text.encode())]
    server.setblocking(True)
    data = plain(1, text.encode())
    heard = []
    for place in range(0, len(data), 40_000):
        server.sendall(data[place : place + 40_000])
        client.poll()
        heard += client.heard()
    until(lambda: client.poll() or heard.extend(client.heard()) or heard)
    assert heard == [text.encode()]


def test_a_text_in_several_frames_is_one(pair):
    """With a ping between them, which is answered."""
    client, server = pair
    agreed(client, server)
    server.sendall(plain(1, b"one ", last=False) + plain(9, b"there?") + plain(0, b"two"))
    heard = []
    until(lambda: client.poll() or heard.extend(client.heard()) or heard)
    assert heard == [b"one two"]
    client.poll()
    assert unmasked(server.recv(4096)) == [(0x8A, b"there?")]


@given(st.binary(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_bytes_of_a_server_raise_nothing(data):
    """Whatever comes, before it agrees or after, is texts, or the end of the connection."""
    for before in (b"", AGREED):
        ours, theirs = socket.socketpair()
        client = WebSocket(ours, "/rpc")
        theirs.sendall(before + data)
        theirs.close()
        number = client.say("x")
        told = []
        until(lambda: told.extend(client.poll()) or client.problem)  # noqa: B023 - used within its own round
        assert [one for one, _ in told + client.poll()] == [number]
        client.close()


def test_who_speaks_otherwise_or_hangs_up_is_told(pair, monkeypatch):
    """A server of another kind, one that closes, one that says too much: each with its reason, and nothing is lost in silence."""
    client, server = pair
    client.poll()
    server.recv(4096)
    server.sendall(b"HTTP/1.1 404 Not Found\r\n\r\n")
    number = client.say("x")
    assert client.poll() == [(number, "the server speaks another protocol")]
    other, theirs = socket.socketpair()
    second = WebSocket(other, "/rpc")
    agreed(second, theirs)
    theirs.sendall(plain(8, b""))
    until(lambda: second.poll() or second.problem)
    assert second.problem == "the server has hung up"
    monkeypatch.setattr(websocket, "_MOST", 1_000)
    third, last = socket.socketpair()
    loud = WebSocket(third, "/rpc")
    agreed(loud, last)
    last.sendall(plain(1, b"y" * 2_000, last=False))
    until(lambda: loud.poll() or loud.problem)
    assert loud.problem == "the server says too much at once"
    for one in (second, loud, theirs, last):
        one.close()
