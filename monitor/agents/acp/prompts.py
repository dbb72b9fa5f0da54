"""What the client tells the agent."""

from __future__ import annotations

from monitor.agents.acp.replies import content_text
from monitor.agents.acp.talk import Talk
from monitor.agents.fields import Object, parts
from monitor.events import Prompted


def prompted(params: Object, talk: Talk, number: str) -> Prompted:
    """A `session/prompt`: a new request, or more words for an agent at work."""
    if talk.loading:
        talk.loaded()
    words = [content_text(block) for block in parts(params, "prompt")]
    told = Prompted(text="\n\n".join(word for word in words if word), into="running" if talk.busy else "new")
    talk.prompted(number)
    return told


def echoed(update: Object, talk: Talk) -> Prompted | None:
    """A piece of the user's words, as the agent tells it: of an older conversation, or where the log lacks the client's side."""
    if talk.prompts and not talk.loading:
        return None
    content = update.get("content")
    words = content_text(content) if isinstance(content, dict) else ""
    if not words:
        return None
    told = Prompted(text=words, into="running" if talk.echoed else "new")
    if not talk.echoed:
        talk.reply = talk.reply.closed().answerless()
    talk.echoed, talk.active = True, True
    return told
