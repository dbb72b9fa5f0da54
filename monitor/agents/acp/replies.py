"""What the agent says, in pieces: the protocol has no message ids that all agents give, so replies are told apart here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from monitor.agents.fields import Object, part, raw, text
from monitor.events import Noticed, Said, Thought

_EDGE = 4_000
"""Characters kept from either end of an answer: what it says of itself stands at its edges."""
_FILLER = re.compile(
    r"pi v\d[\w.-]*\n---\n|Queued message \(position \d+\)\.|Starting queued message\. \(\d+ remaining\)"
)
"""What pi's adapter says by itself, as if the model had."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A text of which the middle may be left out."""

    head: str = ""
    tail: str = ""
    length: int = 0

    def more(self, piece: str) -> Answer:
        """With one more piece."""
        room = _EDGE - len(self.head)
        head = self.head + piece[: max(room, 0)]
        return Answer(head, (self.tail + piece[max(room, 0) :])[-_EDGE:], self.length + len(piece))

    @property
    def text(self) -> str:
        """Its two ends, or all of it."""
        return self.head + ("\n…\n" if self.length > len(self.head) + len(self.tail) else "") + self.tail


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's present reply: it is open until a result or a prompt comes."""

    number: int = 0
    open: bool = False
    part: int = -1
    latest: tuple[str, str] = ("", "")
    """Of the latest piece, what it is and the id that the agent gave it."""
    answer: Answer = Answer()
    """What was said in it since its last call."""

    def begun(self) -> Reply:
        """The same reply while it is open, else the next one."""
        return self if self.open else Reply(self.number + 1, open=True)

    def closed(self) -> Reply:
        """A result has come: what follows is another reply."""
        return replace(self, open=False)

    def answerless(self) -> Reply:
        """What was said before belongs to no answer."""
        return replace(self, answer=Answer())

    def piece(self, kind: str, given: str) -> Reply:
        """One more piece; another kind, or another id of the agent's, begins another part."""
        now = self.begun()
        same = (kind, given) == now.latest and now.part >= 0
        return now if same else replace(now, part=now.part + 1, latest=(kind, given))


def spoken(update: Object, prefix: str, reply: Reply, agent: str) -> tuple[Reply, Thought | Said | Noticed | None]:
    """A piece of thinking or of an answer, and the reply it belongs to; none for what holds no text."""
    thinking = raw(update, "sessionUpdate") == "agent_thought_chunk"
    words = content_text(part(update, "content"))
    if not words:
        return reply, None
    if not thinking and agent in ("", "pi-acp") and _FILLER.fullmatch(words):
        return reply, Noticed(kind="status", name="pi-acp", text=words.strip())
    reply = reply.piece("thought" if thinking else "said", raw(update, "messageId"))
    message = f"{prefix}r{reply.number}"
    if thinking:
        return reply, Thought(message=message, part=reply.part, text=words, delta=True)
    reply = replace(reply, answer=reply.answer.more(words))
    return reply, Said(message=message, part=reply.part, text=words, delta=True)


def content_text(block: Object) -> str:
    """The text of a content block; of others, what they point to."""
    match raw(block, "type"):
        case "text":
            return text(block, "text")
        case "resource_link":
            return f"[{text(block, 'name') or text(block, 'uri')}]"
        case "resource":
            resource = part(block, "resource")
            return text(resource, "text") or f"[{text(resource, 'uri')}]"
        case "image" | "audio" as kind:
            return f"[{kind}]"
        case _:
            return ""
