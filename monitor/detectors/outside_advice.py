"""What is said of a file that changed outside the agent's view."""

from __future__ import annotations

from monitor.detectors.outside_walk import Assessment
from monitor.text import line, shorten

_FILE = 160


def message(file: str, found: Assessment) -> str:
    """One sentence for the operator."""
    name, by = _name(file), f", by the run {_name(found.run)}" if found.run else ""
    if found.level == "warn":
        since = "though it had read the change" if found.whole else "without having read it since"
        return f"The agent wrote over {name}, which had changed outside its view{by}, {since}"
    if found.told:
        return f"{name} changed after the agent had read it, as its tool says"
    return f"{name}, which the agent had read, changed outside its view{by}"


def advice(file: str, found: Assessment) -> str:
    """Addressed to the agent."""
    name = _name(file)
    if found.level == "warn":
        return (
            f"You wrote over {name}, which somebody else had changed since you read it. What they wrote may be gone from "
            "the file; the user may still have it (monitor rescue lists what was kept). Do not write the file again now. Read it, "
            "and compare it with what you last read (git diff shows what is not committed). Tell the user which lines of "
            "theirs your write may have removed, and put back only what they ask for."
        )
    return (
        f"{name} changed outside your view after you read it, so what you remember of it is out of date. Read it again "
        "before you change it, keep the lines that are not yours, and change only what your task asks for. Check: the "
        "lines around your change are those you have just read."
    )


def _name(file: str) -> str:
    return shorten(line(file), _FILE)
