"""Chat histories as Aider writes them."""

from __future__ import annotations

from monitor.agents.aider.decode import AiderDecoder
from monitor.streams.record import Input, Record

HEAD = """
# aider chat started at 2026-01-01 10:00:00

> Aider v0.50.0
> Models: some/model with diff edit format, weak model other
> Git repo: .git with 3 files
"""
BLOCK = """a.py
```python
<<<<<<< SEARCH
    x = 1
=======
    x = 2
>>>>>>> REPLACE
```
"""
TOKENS = "> Tokens: 2.5k sent, 1,000 cache hit, 12 received. Cost: $0.03 request, $0.05 session."
QUOTED = """> The LLM did not conform to the edit format.
> https://aider.chat/docs/troubleshooting/edit-errors.html
> # 1 SEARCH/REPLACE block failed to match!
>
> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py
> <<<<<<< SEARCH
> x = 1
> =======
> x = 2
> >>>>>>> REPLACE
>
> The SEARCH section must exactly match an existing block of lines
"""


def asked(text) -> str:
    return f"\n#### {text}\n"


def reply(*texts) -> str:
    return "\n" + "\n".join(texts) + "\n\n" + TOKENS + "\n"


def records(text, first=1):
    """The lines as Aider writes them: its own, and the user's, end in two spaces."""
    source, offset, out = Input(0, ".aider.chat.history.md", "history"), 0, []
    for number, line in enumerate(text.split("\n"), first):
        told = f"{line}  " if line.startswith(("> ", "#### ")) else line
        data = told.encode()
        out.append(Record(source, number, offset, len(data) + 1, data, 5.0))
        offset += len(data) + 1
    return out


def decoded(text, *, over=True) -> list:
    decoder = AiderDecoder()
    events = [event for record in records(text) for event in decoder.feed(record)]
    return [*events, *decoder.finish([Input(0, "a", "history")])] if over else events


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]
