"""What a message of the role `user` in a saved session tells: the user's words, or lcode's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal

from monitor.agents.lcode import notes
from monitor.events import Checked, Event, Noticed, Prompted, ReplyEnded
from monitor.text import clean

_REQUESTS = "[The user's requests in this conversation, word for word, oldest first]"
_SHOWN = 1_000
"""Characters of a request that its copy in a summary certainly keeps."""
_STOPS: Mapping[str, Literal["stopped", "length", "end"]] = {"circles": "stopped", "cut_off": "length", "empty": "end"}
_DECODER = json.JSONDecoder()
PROMPT = 0
"""The item of what was said; what else it tells follows."""


def told(content: str, message: str, asked: str) -> Iterator[tuple[int, Event]]:
    """The events of such a message; `message` names the reply that lcode dropped, if this is its note of one."""
    found = notes.told(content)
    words = clean(found.text)
    if found.by == "user":
        yield PROMPT, Prompted(text=words, into="running" if found.steered else "new")
        return
    if found.kind == "summary":
        yield 1, Noticed(kind="compaction", name="summary", text=words)
        request = clean(latest_request(content))
        if request and request[:_SHOWN] != asked[:_SHOWN]:
            yield PROMPT, Prompted(text=request)
        return
    if found.kind in ("memory", "undone"):
        yield PROMPT, Noticed(kind="status", name=found.kind, text=words)
        return
    if stop := _STOPS.get(found.kind):
        yield 1, ReplyEnded(message=message, stop=stop, raw=found.kind, empty=True)
        if found.kind == "circles":
            yield 2, Noticed(kind="guard", name="circles", text=words.partition(".")[0])
    elif checked := notes.checked(found.text):
        yield 1, Checked(command=checked[0], passed=False, exit=checked[1])
    yield PROMPT, Prompted(text=words, by="harness", into="running")


def latest_request(summary: str) -> str:
    """The latest of the requests that a summary keeps word for word; empty where it keeps none."""
    _, _, rest = summary.partition(_REQUESTS)
    start = rest.find("[")
    if start < 0:
        return ""
    try:
        kept, _ = _DECODER.raw_decode(rest, start)
    except (ValueError, RecursionError):
        return ""
    return kept[-1] if isinstance(kept, list) and kept and isinstance(kept[-1], str) else ""
