"""The real lcode, started in a home of its own, and its output decoded line by line while it comes."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from installed import invocation
from model import ScriptedModel

from monitor.agents.acp.find import FINDER as ACP
from monitor.agents.protocol import Decoder, Found
from monitor.events import Event
from monitor.streams.record import Input, Record

PATIENCE = 30.0
"""Seconds anything is waited for."""
FILE = "app/strings.xml"
LINES = '<resources>\n    <string name="app_name">Hello</string>\n    <string name="a">Hello</string>\n</resources>\n'
READ = ("read_file", {"path": FILE})


def edit(old: str, new: str, path: str = FILE) -> tuple[str, dict[str, str]]:
    return "edit_file", {"path": path, "old_string": old, "new_string": new}


WRONG = edit("app_name: Hello", "app_name: Block")


class Lines:
    """A program's output, decoded as it comes."""

    def __init__(self, found: Found) -> None:
        self.decoder: Decoder = found.decoder()
        self.source: Input = found.inputs()[0]
        self.events: list[Event] = []
        self._line = self._offset = 0

    def take(self, data: bytes) -> list[Event]:
        """The events of one more line."""
        self._line += 1
        record = Record(self.source, self._line, self._offset, len(data), data.rstrip(b"\n"))
        self._offset += len(data)
        new = list(self.decoder.feed(record))
        self.events += new
        return new

    def state(self, generation: int = 0) -> list[Event]:
        """What is new in a document as it is now."""
        assert self.source.path is not None
        data = self.source.path.read_bytes()
        new = list(self.decoder.feed(Record(self.source, 1, 0, len(data), data, generation=generation)))
        self.events += new
        return new

    def of(self, *kinds: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kinds)]


class Lcode:
    """Starts lcode against a scripted model, with nothing of this machine's configuration; ends what it started."""

    def __init__(self, folder: Path, model: ScriptedModel, mode: str = "yolo") -> None:
        self.home, self.repo = folder / "home", folder / "repo"
        settings = {
            "model": model.name, "ollama_host": model.url, "context": 32_768, "permission_mode": mode,
            "vision_model": "off", "web": "off", "lsp": "off", "embed_model": "off",
        }  # fmt: skip
        (self.home / ".config/lcode").mkdir(parents=True)
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
        (self.home / ".config/lcode/config.toml").write_text(text)
        self._environment = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        self._began = ExitStack()
        (self.repo / "app").mkdir(parents=True)
        (self.repo / FILE).write_text(LINES)
        git = ["git", "-C", str(self.repo), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
            subprocess.run([*git, *command], check=True, env=self._environment)

    def begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        """The program with these arguments."""
        process = subprocess.Popen(
            [*invocation("lcode"), *arguments],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._began.enter_context(process)
        self._began.callback(process.kill)
        return process

    def ask(self, prompt: str = "Rename the app") -> subprocess.Popen[bytes]:
        """One request, its events on stdout."""
        return self.begin("-p", prompt, "-r", str(self.repo), "--no-mcp", "--output", "stream-json")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._began.close()


class Editor:
    """A client of the protocol over a program's stdin and stdout; the wire is logged and decoded as it goes."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process = process
        self._log = log
        self._number = 0
        self._came: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.lines = Lines(ACP.pipe("the wire"))

    def open(self, repo: Path) -> str:
        """A session in the repository; its id."""
        self.answer(self.ask("initialize", {"protocolVersion": 1, "clientCapabilities": {}}))
        return self.answer(self.ask("session/new", {"cwd": str(repo), "mcpServers": []}))["result"]["sessionId"]

    def prompt(self, session: str, text: str) -> int:
        return self.ask("session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": text}]})

    def ask(self, method: str, params: dict[str, Any]) -> int:
        """Send a request; its number."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._note("client->agent", message)
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def until(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Take in messages up to the first for which the condition holds."""
        deadline = time.monotonic() + PATIENCE
        while True:
            message = json.loads(self._came.get(timeout=max(deadline - time.monotonic(), 0.01)))
            self._note("agent->client", message)
            if condition(message):
                return message

    def answer(self, number: int) -> dict[str, Any]:
        return self.until(lambda message: message.get("id") == number and "method" not in message)

    def close(self) -> None:
        """Hang up; the program ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)

    def _note(self, side: str, message: dict[str, Any]) -> None:
        data = json.dumps({"t": time.time(), "dir": side, "msg": message}).encode() + b"\n"
        with self._log.open("ab") as file:
            file.write(data)
        self.lines.take(data)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._came.put(line)
