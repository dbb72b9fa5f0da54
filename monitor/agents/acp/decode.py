"""Decodes a wire log of the Agent Client Protocol: both directions, of whatever agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from monitor.agents.acp import ending, started
from monitor.agents.acp.frame import KNOWN, Frame, read
from monitor.agents.acp.prompts import prompted
from monitor.agents.acp.started import About
from monitor.agents.acp.talk import Talk
from monitor.agents.acp.updates import Updates
from monitor.agents.acp.wire import Asked, Wire
from monitor.agents.fields import Object, count_type, part, raw, read_object, stamped, text, unreadable
from monitor.events import Event, Noticed, RequestEnded, Waiting
from monitor.streams.record import Input, Record

Item = tuple[int, Event]
_SESSIONS = 200
"""Sessions on one wire that are told apart."""
_REPLAYED = ("session/load", "session/resume", "session/fork")


class AcpDecoder:
    """Turns the messages of one wire into events; total, pure and copyable.

    Several sessions on a wire are one run, one after the other. What a fresh decoder cannot know of a record read
    alone, since it stands in records before it: the answer that a `session/prompt` ends, the output of a terminal
    that is passed on in pieces (then it says that it is cut), and what a question is about that names only a call.
    """

    def __init__(self, about: About | None = None) -> None:
        self.unknown_types: dict[str, int] = {}
        self._about = about or About()
        self._agent = self._about.agent
        self._wire = Wire()
        self._talks: dict[str, Talk] = {}
        self._terminals: dict[str, tuple[str, int | None]] = {}
        """What each terminal of the client has shown, and what it exited with."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one message."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        frame = read(found)
        if frame is None:
            return (unreadable(record, "not a message of the protocol"),)
        copied = False
        if frame.method:
            talk = self._talk(raw(frame.params, "sessionId"))
            copied = talk.loading and frame.method == "session/update"
            items = self._sent(frame, talk)
        else:
            items = self._answered(frame)
        events = stamped(list(items), record, frame.at)
        return [msgspec.structs.replace(one, copied=True) for one in events] if copied else events

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call or a prompt without its end shows by itself."""
        del inputs
        return ()

    def copy(self) -> AcpDecoder:
        """Another that goes on from here."""
        other = AcpDecoder(self._about)
        other.unknown_types = dict(self.unknown_types)
        other._agent, other._wire = self._agent, self._wire.copy()
        other._talks = {name: talk.copy() for name, talk in self._talks.items()}
        other._terminals = dict(self._terminals)
        return other

    def _talk(self, session: str) -> Talk:
        """The session a message belongs to; a log may leave its id out."""
        name = session or next(reversed(self._talks), "")
        talk = self._talks.get(name)
        if talk is None:
            if "" in self._talks and len(self._talks) == 1:
                self._talks[name] = talk = self._talks.pop("")
                return talk
            talk = self._talks[name] = Talk(f"{len(self._talks) + 1}." if self._talks else "")
            if len(self._talks) > _SESSIONS:
                del self._talks[next(iter(self._talks))]
        return talk

    def _sent(self, frame: Frame, talk: Talk) -> Iterable[Item]:
        """A request or a notification."""
        self._wire.ask(frame)
        params = frame.params
        match frame.method:
            case "session/update":
                return Updates(talk, self._agent, self._terminals, self.unknown_types).feed(part(params, "update"))
            case "session/prompt":
                return [(0, prompted(params, talk, frame.id))]
            case "session/request_permission":
                return Updates(talk, self._agent, self._terminals, self.unknown_types).asked(params)
            case "session/new" | "session/load" | "session/resume" | "session/fork":
                talk.loading = frame.method in _REPLAYED[:2] or talk.loading
                begun = started.opened(params)
                return [(0, begun)] if begun else ()
            case "session/cancel":
                talk.cancelling = True
                return [(0, Noticed(kind="status", name="cancel", text="the client asked the agent to stop"))]
            case "session/set_mode":
                mode = text(params, "modeId")
                return [(0, Noticed(kind="status", name="mode", text=mode))] if mode else ()
            case method if method not in KNOWN:
                count_type(self.unknown_types, method)
        return ()

    def _answered(self, frame: Frame) -> Iterable[Item]:
        """An answer, to whichever side."""
        asked = self._wire.answered(frame)
        if asked is None:
            return () if frame.error is None else [(0, _failed(frame.error))]
        talk = self._talk(asked.session)
        result = frame.result or {}
        if asked.method == "session/prompt":
            talk.prompts = tuple(number for number in talk.prompts if number != asked.id)
            if frame.error is not None:
                return list(ending.failed(frame.error, talk))
            return list(ending.answered(result, talk, self._agent, asked.id))
        if asked.method == "session/request_permission":
            return self._decided(asked, frame, talk)
        if frame.error is not None:
            talk.loading = talk.loading and asked.method not in _REPLAYED
            return self._refused(asked, frame.error)
        return self._opened(asked, result, talk)

    def _refused(self, asked: Asked, error: Object) -> Iterable[Item]:
        """An error; where no session can be had by it and none was had before, nothing can be asked."""
        yield 0, _failed(error)
        had = any(talk.prompts or talk.reply.number for talk in self._talks.values())
        if asked.method in ("initialize", "session/new") and not had:
            yield 1, RequestEnded(how="error", text=text(error, "message"))

    def _opened(self, asked: Asked, result: Object, talk: Talk) -> Iterable[Item]:
        """The answers that tell of the run, or of a terminal."""
        match asked.method:
            case "initialize":
                self._agent = started.agent_in(result)
                return [(0, started.initialized(result))]
            case "session/new" | "session/load" | "session/resume" | "session/fork":
                if talk.loading:
                    talk.loaded()
                self._talk(raw(result, "sessionId"))
                begun = started.session(result)
                return [(0, begun)] if begun else ()
            case "terminal/output" | "terminal/wait_for_exit":
                self._shown(asked.subject, result)
        return ()

    def _shown(self, terminal: str, result: Object) -> None:
        """What a terminal of the client shows."""
        if not terminal:
            return
        output, code = self._terminals.pop(terminal, ("", None))
        status = part(result, "exitStatus") or result
        told = status.get("exitCode")
        code = told if isinstance(told, int) and not isinstance(told, bool) else code
        self._terminals[terminal] = (text(result, "output") or output, code)
        if len(self._terminals) > _SESSIONS:
            del self._terminals[next(iter(self._terminals))]

    def _decided(self, asked: Asked, frame: Frame, talk: Talk) -> Iterable[Item]:
        """Somebody answered for the client, or it was cancelled, or the client could not ask anybody."""
        outcome = part(frame.result or {}, "outcome")
        kind = dict(asked.kinds).get(raw(outcome, "optionId"), "")
        call = talk.calls[asked.subject]
        if call is not None and not call.over:
            if frame.error is not None:
                talk.calls.put(asked.subject, replace(call, decision="refused"))
            elif raw(outcome, "outcome") == "cancelled":
                talk.calls.put(asked.subject, replace(call, decision="cancelled"))
            elif kind.startswith("reject"):
                talk.calls.put(asked.subject, replace(call, decision="denied"))
        name = call.told.call if call is not None else ""
        return [(0, Waiting(call=name, over=True))]


def _failed(error: Object) -> Noticed:
    return Noticed(kind="other", name="error", text=text(error, "message"))
