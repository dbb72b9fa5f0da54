"""The hook program: hands over what a monitor has left for this session, and is silent otherwise.

An agent runs it for each of its events, as `python -I -S program.py FOLDER [PROCESS]`: the boxes of its sessions, and
the agent's process where its events name no session. It is one file on the standard library
alone, and imports next to nothing until something waits (json alone doubles its time, pathlib costs more than all the
rest). Whatever goes wrong, the agent goes on as if it were not there.

A letter lies in the session's folder as `ORDER.ID.KIND`. Who renames it to `ORDER.ID.KIND@EVENT` has it, so that no
letter is handed over twice, and a full disk keeps none back.
"""

from __future__ import annotations

import os
import sys
import time

WORDS, END, DENY = ".words", ".end", ".deny"
"""Kinds of letters: words for the model, the end of the run, the denial of one call."""
ARMED, LOCK, MET, ASK, ANSWER = "armed", "lock", "met", "ask-", "answer-"
LIFE = 3_600.0
"""Seconds after which a letter is no longer handed over."""
LONGEST = 8.0
"""Seconds a stop waits for the monitor's answer at most."""
REFUSED, TOLD = 42, 43
"""Exit codes for lcode, which the command that calls this turns into lcode's own."""
_MOST = 9_000
"""Characters of words at one boundary; Claude Code passes on no more than 10,000."""
_ENDED = END + "@P"
"""In the name of an end that was handed over before or after a call: at PreToolUse, PostToolUse or PostToolBatch."""
_STANDS = 10.0
"""Seconds an end that was handed over goes on to end what else the same batch begins."""
_PAUSE = 0.02
_SESSION, _NEAR = b'"session_id"', 128
"""Within so many bytes after this stands whose event it is."""


class Box:
    """The folder of one session, as it is when an event comes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.event = ""
        # Word that hooks look into this box, for a monitor that waits for them.
        os.close(os.open(f"{path}/{MET}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        self.names = sorted(os.listdir(path))
        self.taken: list[tuple[str, str]] = []

    def waits(self, *, stops: bool) -> bool:
        """Whether there is anything to hand over or, where the agent stops, to be asked."""
        waiting = any(name.endswith((WORDS, END, DENY)) or _ENDED in name for name in self.names)
        return waiting or (stops and ARMED in self.names)

    def texts(self, kind: str, call: str = "", most: int = _MOST) -> list[str]:
        """Take the letters of a kind, in order, as long as there is room; those for another call stay."""
        texts: list[str] = []
        for name in self.names:
            letter = self.read(name) if name.endswith(kind) else {}
            text = str(letter.get("text", ""))
            if not text or letter.get("call") not in (None, "", call):
                continue
            if texts and sum(map(len, texts)) + len(text) > most:
                break
            if self._take(name):
                texts.append(text)
        return texts

    def ending(self, *, root: bool) -> str:
        """Why the run is to end: a letter says so, or did a moment ago. A sub-agent leaves it for the root."""
        if root and (texts := self.texts(END)):
            return texts[0]
        for name in self.names:
            life = LIFE if name.endswith(END) and not root else _STANDS if _ENDED in name else 0
            if life and self._age(name) < life:
                return str(self.read(name).get("text", ""))
        return ""

    def forget_ends(self) -> None:
        """A new prompt begins: an end that was meant for what ran before ends nothing of it."""
        self.texts(END)
        for name in filter(lambda one: _ENDED in one, self.names):
            os.rename(self._at(name), self._at(name.replace(END, ".over")))

    def put_back(self) -> None:
        """What was taken could not be said."""
        for old, new in self.taken:
            os.rename(new, old)

    def read(self, name: str) -> dict[str, object]:
        """A JSON object in the folder; an empty one where there is none."""
        try:
            with open(self._at(name), "rb") as file:
                return _parsed(file.read())
        except (OSError, ValueError):
            return {}

    def write(self, name: str, value: object) -> None:
        """Put a JSON value into the folder, whole or not at all."""
        with open(self._at(f".{name}"), "x", encoding="utf-8") as file:
            file.write(_dumped(value))
        os.rename(self._at(f".{name}"), self._at(name))

    def _at(self, name: str) -> str:
        return f"{self.path}/{name}"

    def _age(self, name: str) -> float:
        """Seconds since it was written; of what was taken, since then."""
        found = os.stat(self._at(name))
        return time.time() - (found.st_ctime if "@" in name else found.st_mtime)

    def _take(self, name: str) -> bool:
        """Whether it was ours to take: neither too old, nor taken by another."""
        old, new = self._at(name), f"{self._at(name)}@{self.event}"
        try:
            fresh = self._age(name) < LIFE
            os.rename(old, new if fresh else f"{self._at(name)}@expired")
        except OSError:
            return False
        if fresh:
            self.taken.append((old, new))
        return fresh


def main() -> int:
    """Answer one event; every error is silence."""
    try:
        return _run(*sys.argv[1:])
    except BaseException:  # noqa: BLE001 - the agent must go on, whatever happens here, an interrupt included
        return 0


def _run(folder: str, process: str = "") -> int:
    data = b"".join(iter(lambda: os.read(0, 1 << 20), b""))
    # Another session may be spoken of anywhere else: what this one reads is in the data too.
    told = b"".join(part[:_NEAR] for part in data.split(_SESSION)[1:])
    names = [name for name in os.listdir(folder) if name == process or (not process and f'"{name}"'.encode() in told)]
    stops = b'"Stop"' in data
    boxes = [box for name in names if (box := Box(f"{folder}/{name}")).waits(stops=stops)]
    if not boxes:
        return 0
    event = _parsed(data)
    box = next(one for one in boxes if os.path.basename(one.path) == (process or event.get("session_id")))
    box.event = str(event.get("event" if process else "hook_event_name"))
    try:
        return _lcode(box) if process else _claude(event, box)
    except BaseException:
        box.put_back()
        raise


def _claude(event: dict[str, object], box: Box) -> int:
    """What Claude Code is told."""
    if answer := _answer(event, box):
        _print(_dumped(answer))
    return 0


def _answer(event: dict[str, object], box: Box) -> dict[str, object] | None:
    root = not event.get("agent_id")
    if box.event == "UserPromptSubmit":
        box.forget_ends()
    elif box.event == "Stop":
        box.texts(END)
    elif box.event in ("PreToolUse", "PostToolUse", "PostToolBatch") and (reason := box.ending(root=root)):
        # Before a call, `continue` alone lets the call be made.
        return {"continue": False, "stopReason": reason} | (_denied(reason) if box.event == "PreToolUse" else {})
    if box.event == "PreToolUse" and (denials := box.texts(DENY, str(event.get("tool_use_id", "")), most=0)):
        return _denied(denials[0])
    if box.event == "Stop":
        return _stopping(event, box)
    text = "\n\n".join(box.texts(WORDS)) if root else ""
    return {"hookSpecificOutput": {"hookEventName": box.event, "additionalContext": text}} if text else None


def _denied(reason: str) -> dict[str, object]:
    told = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": told}


def _stopping(event: dict[str, object], box: Box) -> dict[str, object] | None:
    """Words that came too late for a boundary, or the monitor's refusal."""
    again = bool(event.get("stop_hook_active"))
    reason = "" if again else "\n\n".join(box.texts(WORDS))
    if not reason and ARMED in box.names:
        reason = _judged(event, box, again=again)
    return {"decision": "block", "reason": reason} if reason else None


def _judged(event: dict[str, object], box: Box, *, again: bool) -> str:
    """Ask the monitor whether this stop is to be refused; empty when it is not, or when nobody answers."""
    order = box.read(ARMED)
    if again and not order.get("again"):
        return ""
    lock = os.open(f"{box.path}/{LOCK}", os.O_RDONLY)
    name = f"{os.getpid()}-{time.time_ns()}"
    end = time.monotonic() + min(float(str(order.get("wait", 0))), LONGEST)
    box.write(ASK + name, {"said": str(event.get("last_assistant_message", ""))})
    try:
        while time.monotonic() < end and not _is_free(lock):
            if answer := box.read(ANSWER + name):
                return str(answer.get("reason", ""))
            time.sleep(_PAUSE)
        return ""
    finally:
        os.unlink(f"{box.path}/{ASK}{name}")


def _is_free(lock: int) -> bool:
    """Whether the monitor is gone: the system takes its lock from it, however it ends."""
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lcode(box: Box) -> int:
    """What lcode is told: the reason why a call is not made, or words behind a call's result."""
    kind, code = {"before_tool": (DENY, REFUSED), "after_tool": (WORDS, TOLD)}.get(box.event, ("", 0))
    texts = box.texts(kind, most=0 if kind == DENY else _MOST) if kind else []
    _print("\n\n".join(texts))
    return code if texts else 0


def _parsed(data: bytes) -> dict[str, object]:
    import json

    found = json.loads(data)
    return found if isinstance(found, dict) else {}


def _dumped(value: object) -> str:
    import json

    return json.dumps(value)


def _print(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    sys.exit(main())
