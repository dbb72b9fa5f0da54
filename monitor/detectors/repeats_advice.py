"""What is said of repetition: one line for the operator, and advice for the agent."""

from __future__ import annotations

from monitor.detectors.repeats_view import Rule
from monitor.text import line, shorten

_NAME = 300


def message(rule: Rule, name: str, count: int) -> str:
    """One line for the operator."""
    match rule:
        case "same call":
            return f"The same call was made {count:,} times with the same result: {name}"
        case "same failing command":
            return f"The same command failed {count:,} times: {name}"
        case "same change":
            return f"The same change was made {count:,} times: {name}"
        case "cycle of calls":
            return f"The same series of calls was made {count:,} times, with the same results: {name}"
        case "not executed":
            return f"The same call was made {count:,} times and never executed: {name}"
        case "no progress":
            return f"No progress for {count:,} turns: no new successful call, no change, no new output"


def figure(rule: Rule, count: int) -> str:
    """The count in short."""
    return f"{count:,} turns" if rule == "no progress" else f"×{count:,}"


def advice(rule: Rule, name: str, count: int, *, stop: bool) -> str:
    """What the agent is told, under 1,200 characters."""
    name = shorten(line(name), _NAME)
    return _TEXTS[rule].format(name=name, count=f"{count:,}") + (_STOP[rule == "no progress"] if stop else "")


_TEXTS: dict[Rule, str] = {
    "same call": (
        "You made this exact call {count} times in this request and got the same result each time: {name}. Making it again"
        " will not change that. Use what it returned; if that is not enough, make one call you have not made yet: another"
        " file, another search, another command. Check before the next call: it must not be one of those above in this"
        " conversation."
    ),
    "same failing command": (
        "This command has failed {count} times with the same output: {name}. Nothing done in between has touched the cause."
        " Read its first error line, open the file it names at that line, and say in one sentence what is wrong"
        " there before you change anything. Then run only the smallest part of the command that shows the error. If the"
        " cause is outside your reach (a missing tool, a permission, the network), say so and stop."
    ),
    "same change": (
        "You made the same change {count} times, and each time it succeeded: {name}. It is in the file already, perhaps"
        " {count} times. Read the file now, remove what stands there more than once, and then make the next different"
        " step. Check: the file holds the change once."
    ),
    "cycle of calls": (
        "You have made the same series of calls {count} times with the same results: {name}. Another round will bring the same."
        " Leave the cycle: name the one thing these calls have not told you, and make one call that is none of them; or"
        " tell the user in a few lines what you tried and what blocks you. Check: the next call is none of those."
    ),
    "not executed": (
        "You made this call {count} times and it was never executed: {name}. Read why the last result says it was not: the"
        " form of the call or your reply is not accepted as it is. Change that form exactly as the result asks, with a"
        " single short call, or use another tool. Check: the next result is output, not that refusal."
    ),
    "no progress": (
        "In the last {count} turns there was no new call that succeeded, no file changed, and no command printed anything"
        " new. If the task is complete, say so and what shows it. If not, make one call now that you have not made yet and"
        " that changes something or shows something new; or tell the user what you need. Check: the next result is one you have"
        " not seen before."
    ),
}
_STOP = (
    " Do not repeat it once more: change the approach now, or stop and report what blocks you.",
    " Change the approach now, or stop and report what blocks you.",
)
"""Where something is repeated, and where nothing comes of anything."""
