"""One entry of a history: an action or an observation, whichever version of OpenHands wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from monitor.agents.fields import Object, moment, part, parts, raw, text, whole
from monitor.events import Tokens
from monitor.text import clean


class Entry:
    """What an entry says; earlier versions write arguments and results beside the type, later ones below it."""

    def __init__(self, found: Object, number: int) -> None:
        self.found = found
        self.number = number
        """Its place in the history, from 0; an action and its observation written as a pair share it."""
        self.action = raw(found, "action")
        self.observation = raw(found, "observation")
        self.source = raw(found, "source")
        self._meta = part(found, "tool_call_metadata")
        self._response = part(self._meta, "model_response")

    @property
    def id(self) -> int | None:
        """Its own number, by which an observation names its action."""
        return whole(self.found, "id")

    @property
    def cause(self) -> int | None:
        """The action that an observation answers."""
        return whole(self.found, "cause")

    @property
    def at(self) -> float | None:
        """When it happened."""
        return moment(self.found.get("timestamp"))

    @property
    def arguments(self) -> Object:
        """What an action asks for."""
        if isinstance(self.found.get("args"), dict):
            return part(self.found, "args")
        return {key: value for key, value in self.found.items() if key not in _ABOUT}

    @property
    def extras(self) -> Object:
        """What an observation says beside its text."""
        extras = self.found.get("extras")
        return extras if isinstance(extras, dict) else self.found

    @property
    def tool(self) -> str:
        """The tool's name as the model called it; else what kind of action it is."""
        return text(self._meta, "function_name") or clean(self.action)

    @property
    def response(self) -> str:
        """The id of the model's reply; empty where it is not kept."""
        return text(self._response, "id")

    @property
    def words(self) -> str:
        """What the model said beside the call."""
        thought = self.arguments.get("thought")
        if self.action != "think" and isinstance(thought, str) and thought.strip():
            return clean(thought)
        return _content(self._said.get("content"))

    @property
    def thinking(self) -> str:
        """The model's thinking, where it is kept."""
        return text(self._said, "reasoning_content")

    @property
    def stop(self) -> str:
        """Why the model stopped, in its server's word."""
        return raw(next(iter(parts(self._response, "choices")), {}), "finish_reason")

    @property
    def tokens(self) -> Tokens:
        """What the reply used."""
        return tokens_of(part(self._response, "usage"))

    @property
    def metrics(self) -> Object:
        """What the run has used up to here."""
        return part(self.found, "llm_metrics")

    @property
    def _said(self) -> Object:
        return part(next(iter(parts(self._response, "choices")), {}), "message")


_ABOUT = ("id", "timestamp", "source", "message", "action", "tool_call_metadata", "llm_metrics", "timeout")


def entries_of(history: Sequence[Any]) -> tuple[Entry, ...]:
    """The entries of a history; its items may be pairs of an action and what came of it."""
    return tuple(_entries(history))


def tokens_of(usage: Object) -> Tokens:
    """Counts of tokens, as a model's server and as OpenHands itself name them."""
    details = part(usage, "prompt_tokens_details")
    cached = whole(details, "cached_tokens") or whole(usage, "cache_read_tokens") or 0
    return Tokens(
        input=max(whole(usage, "prompt_tokens") or 0, 0),
        output=max(whole(usage, "completion_tokens") or 0, 0),
        cache_read=max(cached, 0),
        cache_write=max(whole(usage, "cache_write_tokens") or 0, 0),
    )


def _entries(history: Sequence[Any]) -> Iterator[Entry]:
    for number, one in enumerate(history):
        for inner in one if isinstance(one, list) else (one,):
            if isinstance(inner, dict):
                yield Entry(inner, number)


def _content(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(text(one, "text") for one in content if isinstance(one, dict))
    return clean(content) if isinstance(content, str) else ""
