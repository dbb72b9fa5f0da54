"""One session: its messages, its calls, and how far it is with what it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

import msgspec

from monitor.agents.fields import Object, part, raw, text
from monitor.agents.opencode import started
from monitor.agents.opencode.frame import Frame, seconds
from monitor.agents.opencode.outcome import ending, returned
from monitor.agents.opencode.parts import CALL, PROMPT, RESULT, Item, Parts, keep, noted, used
from monitor.agents.opencode.request import Request
from monitor.events import Event, Prompted, ReplyEnded, RunEnded, RunStarted, Said
from monitor.text import clean

Stop = Literal["end", "tools", "length", "refusal", "stopped", "filter", "error", "other"]
STARTED, REPLY, REQUEST, END = 8, 10, 11, 12
"""Items of what a record says of the session, its reply, and the end of its request."""
_STOPS: Mapping[str, Stop] = {
    "stop": "end", "tool-calls": "tools", "length": "length", "content-filter": "filter", "error": "error",
}  # fmt: skip
_UNTAKEN = "what it was asked was not taken up, and its server does not tell why"
_ENDED = {"answered": "completed", "interrupted": "aborted", "refused": "completed"}
"""The status that a sub-agent ends with, by how its request ended."""


class Session:
    """A session of the run, as it goes on; `actor` is empty for the root."""

    def __init__(self, name: str, actor: str, *, ends: bool = False) -> None:
        self.name = name
        self._ends = ends or bool(actor)
        """The run is over with the request; a later prompt reopens it."""
        self.actor = actor
        self.attended = True
        """A person is there who may be asked."""
        self._request = Request()
        self._parts = Parts()
        self._roles: dict[str, str] = {}
        self._spoke: dict[str, bool] = {}
        """The replies that hold words or calls."""
        self._complete: dict[str, bool] = {}
        self._asides: dict[str, bool] = {}
        """The replies that sum the conversation up."""
        self._about = RunStarted()
        self._idled = False
        """That it is idle was said, and will be again."""
        self._refused = False
        """What it was asked first was never taken up, and that was told."""

    def copy(self) -> Session:
        """Another that goes on from here."""
        other = Session(self.name, self.actor)
        other.__dict__.update(self.__dict__)
        other._parts = self._parts.copy()
        for name in ("_roles", "_spoke", "_complete", "_asides"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    @property
    def working(self) -> bool:
        """Whether it works on a request."""
        return self._request.working

    def about(self, told: RunStarted) -> Iterator[Item]:
        """What is new of what is said of the session."""
        names = ("agent", "version", "session", "model", "cwd")
        news = {name: value for name in names if (value := getattr(told, name)) and value != getattr(self._about, name)}
        if news:
            self._about = msgspec.structs.replace(self._about, **news)
            yield STARTED, msgspec.structs.replace(self._about, **news)

    def entry(self, info: Object) -> Iterator[Item]:
        """The session's own entry."""
        if isinstance(info.get("permission"), list):
            self.attended = started.attended(info)
        yield from self.about(started.session(info, child=bool(self.actor)))

    def message(self, frame: Frame) -> Iterator[Item]:
        """A message was begun, or is told again."""
        info = part(frame.data, "info")
        name, role = raw(info, "id"), raw(info, "role")
        keep(self._roles, name, role)
        if role != "assistant" or name in self._complete:
            return
        if info.get("summary") is True:
            keep(self._asides, name, True)
        self._request = self._request.replying(name)
        yield from self.about(started.reply(info))
        if error := part(info, "error"):
            self._request = self._request.failed(error)
        if error or seconds(part(info, "time").get("completed")) is not None:
            yield from self._completed(name, raw(info, "finish"), failed=bool(error))
            if self._request.held or (frame.shape in ("row", "document") and self._is_over(name, info)):
                yield from self.end()

    def part(self, frame: Frame) -> Iterator[Item]:
        """A part of a message."""
        told, delta = part(frame.data, "part"), frame.data.get("delta")
        message, kind = raw(told, "messageID"), raw(told, "type")
        if kind == "text" and self._by_user(told, frame):
            yield from self._prompted(told, message)
            return
        if kind in ("text", "reasoning", "tool", "step-start") and message not in self._complete:
            yield from self._begun(frame)
            self._request = self._request.replying(message)
        match kind:
            case "text" | "reasoning" if message not in self._complete:
                for item, event in self._parts.spoken(told, delta if isinstance(delta, str) else None):
                    yield from self._said(message, item, event)
            case "tool":
                yield from self._called(told, message)
            case "step-finish":
                yield from used(told)
                if frame.shape == "run":
                    yield from self._stepped(message, raw(told, "reason"))
            case _:
                yield from noted(told)

    def piece(self, data: Object, *, alone: bool) -> Iterator[Item]:
        """A piece of thinking or of an answer."""
        message = raw(data, "messageID")
        if message in self._complete:
            return
        for item, event in self._parts.piece(data, alone=alone):
            self._request = self._request.replying(message)
            keep(self._spoke, message, True)
            yield item, event

    def failed(self, frame: Frame) -> Iterator[Item]:
        """The session met an error; what it prints alone ends with that, and so does what was never begun."""
        untouched = self._untouched
        self._request = self._request.failed(part(frame.data, "error"))
        if untouched:
            yield from self._refuse()
        elif frame.shape == "run":
            yield from self.end()

    def retrying(self) -> None:
        """The model could not be reached, and is asked again."""
        self._request = replace(self._request, retrying=self._request.working)

    def idle(self, *, again: bool = False, alone: bool = False) -> Iterator[Item]:
        """It rests, once its reply is whole. It is said twice: `again` is the second; `alone` where nothing else was told."""
        paired, self._idled = again and self._idled, not again
        if paired:
            return
        if self._request.working and self._request.open and not self._request.held:
            self._request = replace(self._request, held=True)
        elif self._request.working:
            yield from self.end()
        elif self._untouched and self._ends and not (alone or self.actor):
            self._request = self._request.failed({"message": _UNTAKEN})
            yield from self._refuse()

    def settle(self) -> Iterator[Item]:
        """Nothing more is to be waited for."""
        if self._request.held or (self._request.working and self._request.rejected is not None):
            yield from self.end()

    def end(self) -> Iterator[Item]:
        """The request is over."""
        if not self._request.working:
            return
        ended = self._request.ended()
        alone = self._request.alone
        self._request = Request(newest=self._request.newest, reply=self._request.reply)
        yield REQUEST, ended
        if self._ends and not alone:
            reason = ended.text if ended.how == "error" else ""
            yield END, RunEnded(status=_ENDED.get(ended.how, "failed"), reason=reason)

    @property
    def _untouched(self) -> bool:
        """Nothing that it was asked was ever taken up, as far as was told."""
        return self._request == Request() and not self._refused

    def _refuse(self) -> Iterator[Item]:
        """The request is over before it was begun."""
        self._refused, self._request = True, replace(self._request, working=True)
        yield from self.end()

    def _begun(self, frame: Frame) -> Iterator[Item]:
        """The prompt that `opencode run` was given stands in no line that it prints."""
        if frame.shape == "run" and not self._request.working:
            self._request = self._request.prompted("")
            yield PROMPT, Prompted(text="")

    def _by_user(self, told: Object, frame: Frame) -> bool:
        """Whether words are a user's; where no message tells, a reply's are known by their times."""
        role = self._roles.get(raw(told, "messageID"), "")
        return role == "user" or (not role and frame.shape != "run" and "time" not in told)

    def _prompted(self, told: Object, message: str) -> Iterator[Item]:
        words, name = text(told, "text"), raw(told, "id")
        if not words.strip() or told.get("synthetic") is True or told.get("ignored") is True:
            return
        if self._parts.is_new(name, hash(words)):
            into: Literal["new", "running"] = "running" if self._request.working else "new"
            self._request = self._request.prompted(message)
            yield PROMPT, Prompted(text=words, into=into)

    def _said(self, message: str, item: int, event: Event) -> Iterator[Item]:
        keep(self._spoke, message, True)
        if isinstance(event, Said) and not event.delta and message not in self._asides:
            self._request = self._request.said(event.text)
        yield item, event

    def _called(self, told: Object, message: str) -> Iterator[Item]:
        call, news, over = self._parts.call(told)
        if over:
            return
        keep(self._spoke, message, True)
        times = part(part(told, "state"), "time")
        if news:
            yield CALL, msgspec.structs.replace(call, at=seconds(times.get("start")))
        result = returned(told, call, attended=self.attended)
        if result is not None:
            self._parts.end(call.call)
            lone = ending(result.outcome, told)
            self._request = replace(self._request, rejected=self._request.rejected or lone)
            yield RESULT, msgspec.structs.replace(result, at=seconds(times.get("end")))

    def _completed(self, name: str, finish: str, *, failed: bool) -> Iterator[Item]:
        if name in self._complete:
            return
        keep(self._complete, name, True)
        self._request = self._request.complete(finish)
        error = self._request.error if failed else None
        stop = _STOPS.get(finish, "other")
        if error is not None:
            stop = "stopped" if error[0] == "MessageAbortedError" else "error"
        empty = name not in self._spoke and stop in ("end", "length", "other")
        yield (
            REPLY,
            ReplyEnded(message=clean(name), stop=stop, raw=clean(error[0] if error else finish)[:60], empty=empty),
        )

    def _stepped(self, message: str, reason: str) -> Iterator[Item]:
        """The end of a step is all that `run --format json` tells of the end of a reply."""
        yield from self._completed(message, reason, failed=False)
        if self._request.over("") and self._request.rejected is None:
            yield from self.end()

    def _is_over(self, name: str, info: Object) -> bool:
        return name not in self._asides and self._request.over(raw(info, "parentID"))
