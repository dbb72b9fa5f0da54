"""What a record of a transcript says that hooks have told the agent."""

from __future__ import annotations

from monitor.agents.fields import Object, part, raw, read_object

_TOLD = ("hook_additional_context", "hook_stopped_continuation", "hook_blocking_error")


def told_in(data: bytes) -> str:
    """The texts that reached the agent by a hook, as this record has them; empty when it tells of none."""
    found = read_object(data)
    if isinstance(found, str):
        return ""
    attachment = part(found, "attachment")
    if raw(found, "type") == "attachment" and raw(attachment, "type") in _TOLD:
        blocked = raw(part(attachment, "blockingError"), "blockingError")
        return "\n".join((*_texts(attachment.get("content")), raw(attachment, "message"), blocked))
    return "\n".join(_texts(part(found, "message").get("content"))) if raw(found, "type") == "user" else ""


def _texts(content: object) -> list[str]:
    """The texts of a message's content, results of calls among them."""
    if isinstance(content, str):
        return [content]
    texts: list[str] = []
    for one in content if isinstance(content, list) else ():
        if isinstance(one, str):
            texts.append(one)
        elif isinstance(one, dict):
            block: Object = one
            texts += [raw(block, "text"), *_texts(block.get("content"))]
    return texts
