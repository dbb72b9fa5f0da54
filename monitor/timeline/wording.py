"""What a row of the timeline says: an event and its result in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monitor import text as words
from monitor.events import (
    Acted,
    Checked,
    Event,
    Failure,
    FileChanged,
    Noticed,
    Outcome,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
    Waiting,
)

FAILURES: dict[Failure, str] = {
    "not_found": "old text not found",
    "exists": "file exists already",
    "identical": "old and new are equal",
    "ambiguous": "found more than once",
    "unread": "not read before",
    "stale": "changed since read",
    "arguments": "wrong arguments",
    "io": "could not be written",
    "other": "failed",
}
OUTCOMES: dict[Outcome, str] = {
    "ok": "",
    "failed": "failed",
    "denied": "denied by a person",
    "refused": "refused by a rule",
    "corrected": "corrected by a person",
    "approval_timeout": "nobody approved it",
    "timed_out": "timed out",
    "cancelled": "cancelled",
    "not_executed": "not executed",
    "unknown": "not known",
}
_SOURCES = {
    "lagging": "the source lags behind",
    "lost": "the source is lost",
    "back": "the source is back",
    "gap": "a part of the source is missing",
    "rewritten": "the source was written anew",
    "gone": "the agent's process is gone",
    "end": "the log ends here",
    "unwatched": "the folder is not watched as it should be",
    "aside": "something beside the source is not as it should be",
}
"""What happened to a source that does not say it itself."""
_LONG = 400
"""Characters of a text kept for one row."""


@dataclass(frozen=True, slots=True)
class Words:
    """One row's words: clean, on one line."""

    text: str
    outcome: str = ""
    path: bool = False


def word(event: Event | None, result: ToolReturned | None = None, *, running: bool = False) -> Words:
    """The words for an event and, of a call, its result; `running` when the result may still come."""
    match event:
        case ToolCalled():
            return _call(event, result, running=running)
        case ToolReturned():
            return Words(_line(words.first_line(event.output)) or "a result without its call", _result(event, None))
        case Thought() | Said() | Prompted():
            return Words(_line(event.text) or "its words are not in this log")
        case RequestEnded():
            return Words(_line(event.text) or event.how, "" if event.how == "answered" else event.how)
        case ReplyEnded():
            return Words("an empty reply: neither text nor call", event.raw)
        case RunStarted():
            return Words(_line(" ".join(filter(None, (event.agent, event.version, event.model))) or event.task))
        case RunEnded():
            return Words(_line(event.reason or event.status or "ended"), _exit(event.exit))
        case Waiting():
            return Words(_line(event.about or event.on), "over" if event.over else "asked you")
        case Noticed():
            return Words(_line(event.text or (event.name or event.kind).replace("_", " ")))
        case Checked():
            passed = {True: "passed", False: "failed", None: "not known"}[event.passed]
            return Words(_line(event.command or "verify"), passed)
        case _:
            return _own(event)


def _own(event: Event | None) -> Words:
    """What the monitor itself saw or did."""
    match event:
        case TreeMeasured():
            return Words(measured(event), "by the agent" if event.by == "agent" else "")
        case FileChanged():
            return Words(_name(event.file), event.what, path=True)
        case SourceChanged():
            return Words(_line(event.text or _SOURCES[event.what]))
        case Acted():
            why = event.evidence if event.receipt == "failed" else ""
            return Words(_line(": ".join(filter(None, (event.action, event.text or why)))), event.receipt)
        case Unreadable():
            return Words(_line(event.why), "not readable")
        case _:
            return Words("the text can no longer be read")


def several(files: Sequence[str], count: int, what: str) -> Words:
    """Changes of so many files in one row, the first of which are named; `what` became of each, where it is the same."""
    named = words.shorten(", ".join(words.name(file[: 4 * _LONG]) for file in files), _LONG)
    if count == 1:
        return Words(named, what, path=True)
    return Words(f"{words.plural(count, 'file')}: {named}", what)


def measured(event: TreeMeasured) -> str:
    """A measurement in one sentence."""
    gone = ", its .git is gone" if "repository" in event.kinds else ""
    if event.changed is None and event.content is not None and event.late:
        return "measured when attached, after the prompt"
    if event.changed is None and event.content is not None:
        return (f"measured at the {event.when}" if event.when in ("start", "prompt", "end") else "measured") + gone
    if event.changed is None:
        return f"not measured: {event.reason or 'no reason given'}"
    if not event.changed:
        return "nothing changed"
    what = words.plural(len(event.files) + event.more, "file") if event.files else "the folder"
    return f"{what} changed{gone}"


def _call(event: ToolCalled, result: ToolReturned | None, *, running: bool) -> Words:
    what, path = _subject(event)
    if result is None:
        return Words(what, "running" if running else "no result", path)
    return Words(what, _result(result, event), path)


def _subject(event: ToolCalled) -> tuple[str, bool]:
    if event.kind == "write" and event.changes:
        files = list(dict.fromkeys(change.file for change in event.changes))
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        return (_name(files[0]) or _line(event.tool)) + more, not more
    if event.command:
        return _line(event.command), False
    if event.url:
        return _line(event.url), False
    if event.kind == "read" and event.paths:
        return _name(event.paths[0]), True
    return _line(f"{event.tool} {event.arguments}" if event.arguments not in ("", "{}") else event.tool), False


def _result(result: ToolReturned, call: ToolCalled | None) -> str:
    if result.background and result.outcome == "ok":
        return "in the background"
    if result.outcome != "ok":
        told = FAILURES.get(result.failure, "")
        if result.outcome == "failed":
            return _exit(result.exit) or told or "failed"
        return OUTCOMES[result.outcome]
    added = [one.added for one in result.files if one.added is not None]
    removed = [one.removed for one in result.files if one.removed is not None]
    if added or removed:
        plus, minus = sum(added), sum(removed)
        return " ".join(filter(None, (f"+{plus}" if plus or not minus else "", f"-{minus}" if minus else "")))
    if call is not None and call.kind == "read" and result.output:
        return words.plural(result.output.count("\n") + 1, "line")
    return _exit(result.exit)


def _exit(code: int | None) -> str:
    return "" if code is None else f"exit {code}"


def _name(file: str) -> str:
    return words.shorten(words.name(file[: 4 * _LONG]), _LONG)


def _line(text: str) -> str:
    """The beginning of a text on one line, runs of white space folded."""
    return words.shorten(" ".join(words.line(text[: 4 * _LONG]).replace("⏎", " ").split()), _LONG)
