"""What is said of replies that go in circles: one line for the operator, and advice for the agent."""

from __future__ import annotations

from monitor.detectors.numbers import ThinkingNumbers
from monitor.detectors.thinking_view import ThinkingFlag
from monitor.findings import Level
from monitor.text import line, shorten

_QUOTED = 160


def message(flag: ThinkingFlag, level: Level, count: int, numbers: ThinkingNumbers) -> str:
    """One line for the operator."""
    if level == "stop":
        return f"{count} replies of this request went in circles"
    match flag.rule:
        case "circles":
            how = f"{numbers.circles} of its last 20 sentences were said {numbers.said} times or more"
        case "cycle":
            how = "the same piece of text came over and over without a break"
        case "harness":
            return "The agent's own guard dropped a reply that went in circles"
    return f"The {flag.where} went in circles: {how}"


def advice(flag: ThinkingFlag, count: int) -> str:
    """What the agent is told, under 1,200 characters."""
    times = "Your last reply" if count == 1 else f"{count} of your replies to this request, the last one among them,"
    text = shorten(line(flag.text), _QUOTED).replace("```", "'''")
    quoted = f" This came again and again:\n```\n{text}\n```\n" if text and flag.rule != "harness" else " "
    return (
        f"{times} went in circles.{quoted}Do not deliberate at length now. Give either your next tool call, or a short"
        " answer of a few lines: what you did, what fails, and what could help. If you were weighing whether something"
        " holds, run the one command that shows it and go by what it prints."
    )
