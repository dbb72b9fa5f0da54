"""The monitor's side of a session's mailbox: letters are left, taken by the hook, and told of."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from monitor.actions import Action, Verb
from monitor.config import make_private
from monitor.hooks.places import Agent, mail
from monitor.hooks.program import ANSWER, ARMED, ASK, DENY, END, LOCK, MET, WORDS
from monitor.hooks.records import write
from monitor.streams.files import read_head

Kind = Literal["words", "end", "deny"]
_SUFFIX: dict[Kind, str] = {"words": WORDS, "end": END, "deny": DENY}
_LETTER = re.compile(r"\d{13}\.[0-9A-Za-z_-]{1,60}\.(words|end|deny)(?:@(\w+))?")
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,59}")
_LARGEST = 1 << 20
_WEEK = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class Letter:
    """One order, as it lies in the box."""

    name: str
    """Without the event."""
    kind: Kind
    event: str
    """At which the hook took it; empty while it waits, `expired` where it lay too long."""
    action: Action
    text: str

    @property
    def left(self) -> float:
        """When it was put in, seconds since the epoch."""
        return int(self.name[:13] or 0) / 1000


@dataclass(frozen=True, slots=True)
class Ask:
    """The hook asks whether a stop is to be refused."""

    token: str
    said: str
    """The agent's last words."""


class Mailbox:
    """The folder of one session, of lcode named by its process. Whoever holds its lock answers the hook; the system frees the lock of who dies."""

    def __init__(self, agent: Agent, session: str) -> None:
        folder = mail(agent)
        _sweep(folder)
        self._folder = folder / session
        make_private(self._folder)
        self._lock = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._armed: dict[str, Any] | None = None
        self._left: set[str] = set()
        self.alone = _locked(self._lock)
        """No other monitor answers for this session."""

    def leave(self, kind: Kind, action: Action, text: str, call: str = "") -> str:
        """Put a letter in; its name. Raises OSError."""
        name = action.id if _NAME.fullmatch(action.id) else hashlib.sha256(action.id.encode()).hexdigest()[:16]
        letter = f"{time.time_ns() // 1_000_000:013d}.{name}{_SUFFIX[kind]}"
        told = {"id": action.id, "verb": action.verb, "by": action.by, "subject": action.subject, "words": action.text}
        self._put(letter, {**told, "text": text, **({"call": call} if call else {})})
        self._left.add(letter)
        return letter

    def letters(self) -> Iterator[Letter]:
        """Every letter in the box, in order."""
        for name in self._names():
            found = _LETTER.fullmatch(name)
            told = self._read(name) if found else None
            if found and told and told.get("verb") in get_args(Verb) and told.get("by") in ("operator", "policy"):
                words = [str(told.get(key, "")) for key in ("id", "words", "subject")]
                action = Action(words[0], told["verb"], words[1], words[2], told["by"])
                kind: Kind = "end" if found[1] == "end" else "deny" if found[1] == "deny" else "words"
                yield Letter(name.partition("@")[0], kind, found[2] or "", action, str(told.get("text", "")))

    def withdraw(self, letter: str) -> bool:
        """Take a letter back; false where the hook was quicker."""
        try:
            (self._folder / letter).unlink()
        except OSError:
            return False
        return True

    def clear(self, letter: Letter) -> None:
        """Throw away a letter that was taken and told of."""
        (self._folder / f"{letter.name}@{letter.event}").unlink(missing_ok=True)

    def arm(self, order: dict[str, Any] | None) -> None:
        """Have the hook ask before the agent stops, or no longer."""
        if order == self._armed:
            return
        with suppress(OSError):
            if order is None:
                (self._folder / ARMED).unlink(missing_ok=True)
            else:
                self._put(ARMED, order)
            self._armed = order

    def asked(self) -> Sequence[Ask]:
        """What the hook asks and nobody has answered."""
        names = self._names()
        tokens = [name.removeprefix(ASK) for name in names if name.startswith(ASK)]
        for name in names:
            if name.startswith(ANSWER) and name.removeprefix(ANSWER) not in tokens:
                (self._folder / name).unlink(missing_ok=True)
        open_ones = [token for token in tokens if ANSWER + token not in names]
        return [Ask(token, str((self._read(ASK + token) or {}).get("said", ""))) for token in open_ones]

    def answer(self, token: str, reason: str) -> None:
        """Refuse the stop with a reason, or with none let it be."""
        with suppress(OSError):
            self._put(ANSWER + token, {"reason": reason})

    def met(self) -> float | None:
        """When a hook looked in last, seconds since the epoch; none before any did."""
        try:
            return (self._folder / MET).stat().st_mtime
        except OSError:
            return None

    def close(self) -> None:
        """Take back what must not happen unwatched; words stay until the hook takes them, or they are too old."""
        self.arm(None)
        for name in self._left:
            if not name.endswith(WORDS):
                self.withdraw(name)
        if self.alone and not any(name.endswith(tuple(_SUFFIX.values())) for name in self._names()):
            shutil.rmtree(self._folder, ignore_errors=True)
        os.close(self._lock)

    def _names(self) -> list[str]:
        try:
            return sorted(one.name for one in self._folder.iterdir())
        except OSError:
            return []

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            found = json.loads(read_head(self._folder / name, _LARGEST))
        except (OSError, ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def _put(self, name: str, value: dict[str, Any]) -> None:
        write(self._folder / name, json.dumps(value).encode(), 0o600)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sweep(folder: Path) -> None:
    """Remove the boxes in which nothing was left for a week, and that no monitor holds."""
    for box in folder.iterdir():
        with suppress(OSError):
            if time.time() - box.stat().st_mtime > _WEEK and not _held(box):
                shutil.rmtree(box, ignore_errors=True)


def _held(box: Path) -> bool:
    """Whether a monitor that lives answers for its session; raises OSError."""
    try:
        lock = os.open(box / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not _locked(lock)
    finally:
        os.close(lock)
