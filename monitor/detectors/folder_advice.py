"""What is said of work outside the project: one line for the operator, and advice for the agent."""

from __future__ import annotations

from monitor.detectors.folder_view import How
from monitor.text import line, plural, shorten

_PATH = 160


def message(folder: str, how: How, files: tuple[str, ...]) -> str:
    """One line for the operator."""
    where = shorten(line(folder), _PATH)
    if how == "put back":
        return f"Left the project for {where}; the harness put it back"
    if how == "wrote":
        return f"Wrote {plural(len(files), 'file')} outside the project, in {where}"
    wrote = f", and wrote {plural(len(files), 'file')} there" if files else ""
    return f"Works outside the project, in {where}{wrote}"


def advice(folder: str, how: How, files: tuple[str, ...], project: str) -> str:
    """What the agent is told, under 1,200 characters."""
    where, home = shorten(line(folder), _PATH), shorten(line(project), _PATH)
    if how == "put back":
        return (
            f"You changed to {where}, outside the project, and were put back: the next command starts in {home} or below it."
            f" To run something elsewhere, change the folder within that one command. Check with pwd."
        )
    named = ", ".join(shorten(line(file), _PATH) for file in files[-3:])
    wrote = f" You wrote {plural(len(files), 'file')} there: {named}.{_WROTE}" if files else ""
    if how == "wrote":
        return f"You wrote {plural(len(files), 'file')} in {where}, outside the project {home}: {named}.{_WROTE}"
    return (
        f"You work in {where} now, outside the project. Go back before the next call: cd {home}. Check with pwd.{wrote}"
    )


_WROTE = (
    " If they belong to the task, write them in the project and remove them there; if they were meant to be outside, name them"
    " in your answer, so that the user knows. Check: git status in the project names what you meant to change, and nothing else."
)
