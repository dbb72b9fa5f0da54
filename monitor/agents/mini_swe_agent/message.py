"""One message of a trajectory, whichever version of mini-swe-agent wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.agents.fields import Object, moment, part, parts, raw, real, whole
from monitor.events import Tokens
from monitor.text import clean

MARKERS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
"""A command that prints one of these first submits the work."""
_FENCES = ("mswea_bash_command", "bash")
_BLOCK = {fence: re.compile(rf"```{fence}\s*\n(.*?)\n```", re.DOTALL) for fence in _FENCES}
_REASONING = "reasoning"
_MOST = 40
"""Commands of one reply that are told."""
_ECHO = re.compile(rf"\s*echo\s+['\"]?(?:{'|'.join(MARKERS)})['\"]?\s*(?:$|&&|;|\n)")


class Message:
    """What a message says."""

    def __init__(self, found: Object) -> None:
        self._found = found
        self.extra = part(found, "extra")
        self.role = _role(found)

    @property
    def text(self) -> str:
        """Its words as they stand, not fit to be shown."""
        content = self._found.get("content", self._found.get("output"))
        return content if isinstance(content, str) else "\n".join(_texts(content))

    @property
    def thinking(self) -> str:
        """The model's thinking, where the model gave it."""
        for one in (self._found, part(_choice(self.extra), "message")):
            if told := raw(one, "reasoning_content") or raw(one, "reasoning"):
                return clean(told)
        return clean("\n".join(_thoughts(self._found)))

    @property
    def at(self) -> float | None:
        """When it was made."""
        told = moment(self.extra.get("timestamp"))
        return told if told is not None else moment(part(self.extra, "response").get("created"))

    @property
    def listed(self) -> tuple[str, ...]:
        """The commands that stand beside its words."""
        return tuple(raw(one, "command") for one in parts(self.extra, "actions"))

    @property
    def commands(self) -> tuple[tuple[str, str], ...]:
        """The commands a reply asks for, each once, and the id of the tool call that holds it."""
        if isinstance(self.extra.get("actions"), list):
            told = [(raw(one, "tool_call_id"), raw(one, "command")) for one in parts(self.extra, "actions")]
            return tuple(told[:_MOST])
        return tuple(("", command) for command in commands_in(self.text))

    @property
    def answers(self) -> str:
        """The id of the tool call whose result it is."""
        return raw(self._found, "tool_call_id") or raw(self._found, "call_id")

    @property
    def finish(self) -> str:
        """Why the model stopped, in its server's word."""
        return raw(_choice(self.extra), "finish_reason")

    @property
    def tokens(self) -> Tokens:
        """What the reply used."""
        usage = part(part(self.extra, "response"), "usage")
        cached = whole(part(usage, "prompt_tokens_details"), "cached_tokens")
        return Tokens(
            input=max(whole(usage, "prompt_tokens") or whole(usage, "input_tokens") or 0, 0),
            output=max(whole(usage, "completion_tokens") or whole(usage, "output_tokens") or 0, 0),
            cache_read=max(cached or whole(usage, "cache_read_input_tokens") or 0, 0),
            cache_write=max(whole(usage, "cache_creation_input_tokens") or 0, 0),
        )

    @property
    def cost(self) -> float | None:
        """US dollars."""
        return real(self.extra.get("cost"))


def commands_in(text: str) -> tuple[str, ...]:
    """The commands in a reply's code blocks, each once."""
    for fence in _FENCES:
        if found := [one.strip() for one in _BLOCK[fence].findall(text)]:
            return tuple(dict.fromkeys(found))[:_MOST]
    return ()


def blocks_in(text: str) -> int:
    """How many commands a reply holds; mini-swe-agent runs one, and refuses a reply with more."""
    return next((count for fence in _FENCES if (count := len(_BLOCK[fence].findall(text)))), 0)


def words_in(text: str) -> str:
    """A reply without its commands."""
    for fence in _FENCES:
        text = _BLOCK[fence].sub("", text)
    return clean(text).strip()


def submits(command: str) -> bool:
    """Whether a command may submit the work."""
    return any(marker in command for marker in MARKERS)


def only_submits(command: str) -> bool:
    """Whether a command begins with submitting the work."""
    return _ECHO.match(command) is not None


def _role(found: Object) -> str:
    if role := raw(found, "role"):
        return role
    if raw(found, "object") == "response":
        return "assistant"
    return "tool" if raw(found, "type") == "function_call_output" else ""


def _choice(extra: Object) -> Object:
    return next(iter(parts(part(extra, "response"), "choices")), {})


def _thoughts(found: Object) -> Iterator[str]:
    """The model's thinking among the items of a response, its summary where no more is given."""
    for one in parts(found, "output"):
        if raw(one, "type") == _REASONING:
            yield from _texts(one.get("content") or one.get("summary"))


def _texts(content: object) -> Iterator[str]:
    """The texts of a content in parts."""
    for one in content if isinstance(content, list) else ():
        if isinstance(one, dict) and raw(one, "type") != _REASONING:
            if told := raw(one, "text"):
                yield told
            elif isinstance(one.get("content"), list):
                yield from _texts(one["content"])
