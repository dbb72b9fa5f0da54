"""Tells a run step by step; each agent's format has a pen of its own that writes it as that agent does."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

PROJECT = "/home/dev/app"
BEGAN = 1_796_025_600.0
"""When each run begins, seconds since the epoch."""
Level = Literal["note", "warn", "stop"]
Kind = Literal["shell", "read", "edit", "write", "create", "patch", "poll", "fetch"]
Became = Literal["ok", "failed", "denied", "refused", "not_executed", "background"]


class CannotTellError(Exception):
    """This format has no words for the step."""


@dataclass(frozen=True)
class Call:
    """One call and what became of it."""

    kind: Kind
    file: str = ""
    old: str = ""
    new: str = ""
    command: str = ""
    output: str = ""
    code: int = 0
    became: Became = "ok"
    failure: str = ""
    """How an edit failed: not_found or exists."""
    files: tuple[str, ...] = ()
    """Of a patch: in each of them the old text is to become the new."""
    url: str = ""
    cwd: str = ""
    """Where the shell works afterwards, where that has changed."""

    @property
    def path(self) -> str:
        """The file, from the root."""
        return self.file if self.file.startswith("/") else f"{PROJECT}/{self.file}"


@dataclass(frozen=True)
class Place:
    """A labelled place: what is to be said of the run when its log has come this far."""

    line: int | None
    """None: when all of the log is read, and nothing more can come."""
    detector: str
    level: Level | None
    """None: nothing is to be said."""
    about: str = ""
    """A word of the finding's subject."""
    since: int | None = None
    """At this line it was not yet to be said."""
    ever: bool = False
    """What was said before and is over counts as well."""


class Pen:
    """Writes a log; `now` and `quiet` label the place where the log stands."""

    name: ClassVar[str] = ""
    suffix: ClassVar[str] = ".jsonl"
    kinds: ClassVar[tuple[Kind, ...]] = get_args(Kind)
    """The calls that the format has words for, and below what may become of them."""
    outcomes: ClassVar[tuple[Became, ...]] = get_args(Became)
    moves: ClassVar[bool] = True
    """It tells where the shell works after a command."""
    batches: ClassVar[bool] = True
    """A message may hold several calls."""

    def __init__(self, prompt: str = "Mend the build.", **about: Any) -> None:
        self.rows: list[Any] = []
        self.places: list[Place] = []
        self.at = BEGAN
        self.calls = self.messages = 0
        self._before = 0
        self._thought = ""
        self.begin(**about)
        self.prompt(prompt)

    def now(self, detector: str, level: Level, about: str = "", since: int | None = None) -> None:
        """From the step just told, or from `since` on, and not before, the detector is to say this."""
        self.places.append(Place(self.line, detector, level, about, self._before if since is None else since))

    def still(self, detector: str, level: Level, about: str = "") -> None:
        """The detector is to say this and no more."""
        self.places.append(Place(self.line, detector, level, about))

    def said(self, detector: str, level: Level, about: str = "") -> None:
        """The detector is to have said this, even if it is over."""
        self.places.append(Place(self.line, detector, level, about, ever=True))

    def at_the_end(self, detector: str, level: Level, about: str = "") -> None:
        """When the log is read to its end, the detector is to say this."""
        self.places.append(Place(None, detector, level, about))

    def quiet(self, detector: str) -> None:
        """Up to here the detector is to say nothing."""
        self.places.append(Place(self.line, detector, None, ever=True))

    def clear(self, detector: str) -> None:
        """What the detector has said is to be over here."""
        self.places.append(Place(self.line, detector, None))

    @property
    def line(self) -> int:
        """How far the log has come, as places count it."""
        return len(self.rows)

    def step(self) -> str:
        """A new step begins; a name for its message."""
        self._before = self.line
        self.at += 1
        self.messages += 1
        return f"m{self.messages}"

    def think(self, thought: str) -> None:
        """What the model thinks before its next call or its answer."""
        self._thought = thought

    def thought(self) -> str:
        """What it has thought and not told yet."""
        thought, self._thought = self._thought, ""
        return thought

    def turn(self, calls: tuple[Call, ...]) -> str:
        """A step of calls begins, where the format has words for all of them."""
        known = all(
            call.kind in self.kinds and call.became in self.outcomes and (self.moves or not call.cwd) for call in calls
        )
        if not known or (len(calls) > 1 and not self.batches):
            self.cannot()
        return self.step()

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.at += seconds

    def shell(self, command: str, output: str = "", code: int = 0, **more: Any) -> None:
        """A command, run to an exit code."""
        more.setdefault("became", "ok" if code == 0 else "failed")
        self.batch(Call("shell", command=command, output=output, code=code, **more))

    def read(self, file: str, text: str = "x = 1", **more: Any) -> None:
        """A file read."""
        self.batch(Call("read", file=file, output=text, **more))

    def edit(self, file: str, old: str = "a", new: str = "b", failure: str = "", **more: Any) -> None:
        """A file edited; with `failure`, not."""
        self.batch(edit(file, old, new, failure, **more))

    def write(self, file: str, text: str = "x = 1\n", **more: Any) -> None:
        """A whole file written."""
        self.batch(Call("write", file=file, new=text, **more))

    def create(self, file: str, text: str, failure: str = "") -> None:
        """A file made anew by a tool that fails where it is there."""
        self.batch(Call("create", file=file, new=text, failure=failure, became="failed" if failure else "ok"))

    def patch(self, *files: str, failure: str = "") -> None:
        """One patch over several files; with `failure` none of them is changed, for the sake of the first."""
        became = "failed" if failure else "ok"
        self.batch(Call("patch", files=files, old="one", new="two", failure=failure, became=became))

    def fetch(self, url: str, output: str) -> None:
        """A page fetched by the agent's own tool, which marks no failure."""
        self.batch(Call("fetch", url=url, output=output))

    def poll(self, output: str = "") -> None:
        """A look at a command that runs in the background."""
        self.batch(Call("poll", output=output))

    def cannot(self, *_: Any, **__: Any) -> None:
        """A step that this format has no words for."""
        raise CannotTellError(self.name)

    def begin(self, **about: Any) -> None:
        """The log's beginning, where it has one before the first prompt."""

    def prompt(self, text: str) -> None:
        """What the user asks for."""
        raise NotImplementedError

    def batch(self, *calls: Call, said: str = "") -> None:
        """One model message with calls, and their results."""
        raise NotImplementedError

    def claim(self, text: str = "Done: it builds again.") -> None:
        """The answer that ends the request."""
        raise NotImplementedError

    def log(self) -> bytes:
        """All of it, a line for each row."""
        rows = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in self.rows)
        return b"".join(row + b"\n" for row in rows)

    lost = cut = nag = end = asks = allowed = begun = finished = measured = changed = feedback = warned = cannot


def arguments(call: Call) -> dict[str, Any]:
    """What tools are given that call their file `path`, and an edit's texts `old_string` and `new_string`."""
    match call.kind:
        case "edit":
            return {"path": call.file, "old_string": call.old, "new_string": call.new}
        case "write":
            return {"path": call.file, "content": call.new}
        case "read":
            return {"path": call.file}
    return {"command": call.command}


def edit(file: str, old: str = "a", new: str = "b", failure: str = "", **more: Any) -> Call:
    """An edit, as one of several calls of a message."""
    more.setdefault("became", "failed" if failure else "ok")
    return replace(Call("edit", file=file, old=old, new=new, failure=failure), **more)
