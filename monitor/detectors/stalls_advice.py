"""What is said of a stall: one line for the operator, and advice for the agent."""

from __future__ import annotations

from monitor.detectors.stalls_view import Stall
from monitor.text import line


def message(stall: Stall) -> str:
    """One line for the operator."""
    long = span(stall.deadline - stall.since)
    if stall.what == "model":
        return f"The model should be answering and has said nothing for {long}"
    return f"A call has had no result for {long}: {stall.name}"


def advice(stall: Stall) -> str:
    """What the agent is told, under 1,200 characters."""
    long = span(stall.deadline - stall.since)
    if stall.what == "model":
        return (
            f"Nothing was heard from you for {long}. Do not deliberate at length: give the next call now, or say in a few lines"
            " what is done, what fails and what you need. Check: your next reply holds a call or an answer."
        )
    return (
        f"A call of yours has brought no result for {long}: {line(stall.name)}. It may wait for input, or never end by itself. When it"
        " comes back or is stopped, do not start it the same way again: run it in the background with its output in a file, or"
        " with a timeout, without a prompt (such as --yes), and look at the file. Check: the next call returns within a minute."
    )


def span(seconds: float) -> str:
    """A time in words: `45 s`, `2 min`, `1 h 30 min`."""
    minutes = round(seconds / 60)
    if seconds < 60 or (seconds < 600 and seconds % 60):
        return f"{seconds:.0f} s"
    hours, minutes = divmod(minutes, 60)
    return " ".join(filter(None, (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "")))
