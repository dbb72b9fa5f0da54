"""What a `session/update` tells, and what permission is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from monitor.agents.acp.calls import Call, called, fuller
from monitor.agents.acp.changes import locations
from monitor.agents.acp.ending import Item, tokens_of
from monitor.agents.acp.prompts import echoed
from monitor.agents.acp.replies import spoken
from monitor.agents.acp.results import in_terminal, kept, returned
from monitor.agents.acp.started import model_of
from monitor.agents.acp.talk import Talk
from monitor.agents.fields import Object, count_type, part, parts, raw, real, text, whole
from monitor.agents.lcode import notes
from monitor.events import Noticed, Prompted, RunStarted, Tokens, Used, Waiting
from monitor.text import line, shorten

_CALL, _RESULT, _NOTES, _PROMPT = 0, 1, 2, 99
_QUIET = ("available_commands_update", "session_info_update")


class Updates:
    """Reads the updates of one session."""

    def __init__(
        self,
        talk: Talk,
        agent: str,
        terminals: Mapping[str, tuple[str, int | None]],
        unknown_types: dict[str, int],
    ) -> None:
        self._talk = talk
        self._agent = agent
        self._terminals = terminals
        self._unknown_types = unknown_types

    def feed(self, update: Object) -> list[Item]:
        """The events of an update."""
        name, talk = raw(update, "sessionUpdate"), self._talk
        talk.echoed = talk.echoed and name == "user_message_chunk"
        match name:
            case "agent_message_chunk" | "agent_thought_chunk":
                return list(self._spoken(update))
            case "tool_call":
                return list(self._call(update, new=True))
            case "tool_call_update":
                return list(self._call(update, new=False))
            case "user_message_chunk":
                told = echoed(update, talk)
                return [(0, told)] if told else []
            case "usage_update":
                return [(0, _used(update))]
            case "plan":
                return [(0, Noticed(kind="status", name="plan", text=_plan(update)))]
            case "current_mode_update":
                return [(0, Noticed(kind="status", name="mode", text=text(update, "currentModeId")))]
            case "config_option_update":
                model = model_of(update)
                return [(0, RunStarted(model=model))] if model else []
            case _:
                if name not in _QUIET:
                    count_type(self._unknown_types, f"update {name}" if name else "")
                return []

    def asked(self, params: Object) -> list[Item]:
        """Permission is asked for, which tells the call too."""
        update, talk = part(params, "toolCall"), self._talk
        name = raw(update, "toolCallId")
        events = list(self._told(update, name, new=False)) if name else []
        call = talk.calls[name]
        told = call.told if call is not None else None
        here = called(update, "", "", self._agent).command or text(update, "title")
        about = here or (told.command if told else "")
        waits = Waiting(on="approval", about=shorten(line(about), 400), call=told.call if told else "")
        return [*events, (_RESULT, waits)]

    def _spoken(self, update: Object) -> Iterator[Item]:
        talk = self._talk
        reply, piece = spoken(update, talk.prefix, talk.reply, self._agent)
        if piece is not None:
            if not isinstance(piece, Noticed):
                yield from self._unseen()
                talk.said(reply)
            yield 0, piece
        usage = part(part(update, "_meta"), "usage")
        if usage and (tokens := tokens_of(usage)) != Tokens():
            yield 1, Used(scope="message", key=talk.message, tokens=tokens)

    def _unseen(self) -> Iterator[Item]:
        """An agent at work was told something, if only before the log began."""
        if not self._talk.busy and not self._talk.loading:
            yield _PROMPT, Prompted(text="")

    def _call(self, update: Object, *, new: bool) -> Iterator[Item]:
        name = raw(update, "toolCallId")
        lone = self._talk.calls[name] is None
        yield from self._told(update, name, new=new)
        call = self._talk.calls[name]
        if call is None:
            return
        call = replace(call, printed=kept(call.printed, in_terminal(update)))
        if raw(update, "status") == "in_progress":
            self._talk.tells_begin, call = True, replace(call, began=True)
        self._talk.calls.put(name, call)
        if raw(update, "status") in ("completed", "failed") and not call.over:
            yield from self._returned(update, name, call, lone=lone)

    def _told(self, update: Object, name: str, *, new: bool) -> Iterator[Item]:
        """The call, where it is new or the record adds to it."""
        talk = self._talk
        known = talk.calls[name]
        if known is None or (new and known.over):
            yield from self._unseen()
            talk.called()
            told = called(update, talk.calls.name(name), talk.message, self._agent)
            talk.calls.put(name, Call(told, locations(update), terminal=_terminal(update)))
            yield _CALL, told
            return
        more = fuller(known.told, called(update, known.told.call, known.told.message, self._agent), update)
        files, terminal = locations(update) or known.files, _terminal(update) or known.terminal
        talk.calls.put(name, replace(known, told=more or known.told, files=files, terminal=terminal))
        if more is not None:
            yield _CALL, more

    def _returned(self, update: Object, name: str, call: Call, *, lone: bool) -> Iterator[Item]:
        talk = self._talk
        shown, code = self._terminals.get(call.terminal, ("", None))
        call = replace(call, printed=call.printed or shown)
        result = returned(update, call, self._agent, lone=lone, cancelling=talk.cancelling, code=code)
        lcode = self._agent in ("", "lcode")
        stopped = notes.stopped(result.output) if lcode else ""
        talk.returned(denied=result.outcome in ("denied", "corrected"), stopped=stopped)
        talk.calls.put(name, replace(call, over=True, printed=""))
        yield _RESULT, result
        if lcode:
            yield from enumerate(notes.on_result(result.output), _NOTES)


def _terminal(update: Object) -> str:
    return next((raw(one, "terminalId") for one in parts(update, "content") if raw(one, "type") == "terminal"), "")


def _used(update: Object) -> Used:
    cost = part(update, "cost")
    return Used(
        scope="request",
        key="session",
        cost=real(cost.get("amount")) if raw(cost, "currency") == "USD" else None,
        context_used=whole(update, "used"),
        context_size=whole(update, "size"),
    )


def _plan(update: Object) -> str:
    """How far the agent's plan is, and what it is at."""
    entries = parts(update, "entries")
    done = sum(raw(one, "status") == "completed" for one in entries)
    now = next((text(one, "content") for one in entries if raw(one, "status") == "in_progress"), "")
    return f"{done} of {len(entries)} done" + (f", at: {shorten(line(now), 200)}" if now else "")
