"""What is said of replies without an answer: one line for the operator, and advice for the agent."""

from __future__ import annotations

from collections import Counter

from monitor.detectors.replies_view import Lost
from monitor.text import plural


def message(counts: Counter[Lost]) -> str:
    """One line for the operator."""
    total = counts.total()
    kinds = [(lost, count) for lost, count in counts.items() if count]
    if len(kinds) == 1:
        said = "" if kinds[0][0] == "no answer" else f": {kinds[0][0]}"
    else:
        said = ": " + ", ".join(
            f"{count} {lost if lost != 'no answer' else 'of an unknown kind'}" for lost, count in kinds
        )
    return f"{plural(total, 'reply', 'replies')} without an answer or a call in this request{said}"


def advice(lost: Lost, count: int, *, stop: bool) -> str:
    """What the agent is told, under 1,200 characters."""
    times = "" if count == 1 else f" This has happened {count:,} times in this request."
    return f"{_TEXTS[lost]}{times}{_STOP if stop else _NEXT}"


_TEXTS: dict[Lost, str] = {
    "empty": "Your last reply held neither text nor a tool call, so nothing happened.",
    "cut off": (
        "Your last reply reached the token limit before it said anything or called a tool: all of it went into thinking or"
        " into one long call. Write a long file in several calls, a part in each."
    ),
    "circled": (
        "Your last reply went round in circles, the same thoughts over and over, and was thrown away. What you were weighing"
        " will not be settled by thinking: run the one command or read the one file that decides it."
    ),
    "no answer": "Your last reply brought neither an answer nor a tool call.",
}
_NEXT = (
    " Do not deliberate first. Give one of two things now: the next tool call alone, or an answer of at most five lines that"
    " says what is done, what fails and what you need. Check: the reply holds text or a call."
)
_STOP = (
    " Do not deliberate and do not plan. Answer now in at most five lines: what is done, what fails, and what the user could"
    " do. Then stop."
)
