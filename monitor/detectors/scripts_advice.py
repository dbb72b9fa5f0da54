"""What is said of scripts never run and of writes that never happened."""

from __future__ import annotations

from monitor.text import line, shorten

_FILE = 160


def unrun_message(file: str, perhaps: str) -> str:
    """One line for the operator."""
    doubt = f"; perhaps {shorten(line(perhaps), 100)} ran it: the log does not show what that runs" if perhaps else ""
    return f"{shorten(line(file), _FILE)} was written and not run in this session{doubt}"


def never_run(file: str, perhaps: str) -> str:
    """What the agent is told, under 1,200 characters."""
    name = shorten(line(file), _FILE)
    doubt = f" If {shorten(line(perhaps), 100)} ran it, say so." if perhaps else ""
    return (
        f"You wrote {name} in this session, and no command ran it since its last edit.{doubt} Run it now and read its output to"
        " the end; if it fails, mend it and run it again. If running it would change things outside the project (deploy, install,"
        " delete) or needs what is not here, do not run it: say plainly in your answer that it was not run, and why."
    )


def unwritten_message(file: str) -> str:
    """One line for the operator."""
    what = f"The write of {shorten(line(file), _FILE)}" if file else "A write through a heredoc"
    return f"{what} never happened: the terminal went on reading the heredoc at its > prompt"


def never_written(file: str, end: str) -> str:
    """What the agent is told, under 1,200 characters."""
    name, word = shorten(line(file), _FILE) or "the file", shorten(line(end), 40)
    return (
        f"Your heredoc for {name} did not end where you meant it to: the terminal went on reading at its > prompt, and took the"
        f" commands after it for its text, so that {name} was not written as you meant. If the > prompt still"
        " stands there, press Ctrl-C first. Then write it again with"
        f" {word} alone on the last line, without a space before or after it, and a newline after it; for a long text use a file"
        f" tool or several short writes. Check: the prompt is back, and cat {name if file else 'the file'} shows the text."
    )
