"""Words the command that resumes a dirtywork run with feedback, the way the run itself was started."""

from __future__ import annotations

from collections.abc import Sequence

_KEPT = {
    "--base-url", "--provider", "--model", "--max-turns", "--timeout", "--temperature", "--context-window", "--image",
    "--memory", "--cpus", "--min-free-mb",
}  # fmt: skip
"""Options with a value that a resume has too and does not take over from the run by itself."""
_FLAGS = {"--allow-network"}


def resume(command: Sequence[str], slug: str, text: str) -> tuple[str, ...]:
    """`command` is the run's own, empty where it is not known."""
    begin = next((index for index, word in enumerate(command) if word in ("run", "resume") and index), 0)
    program = tuple(command[:begin]) or ("dirtywork",)
    return (*program, "resume", slug, *_options(command[begin + 1 :]), f"--feedback={text}")


def _options(words: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for index, word in enumerate(words):
        name, equals, _ = word.partition("=")
        if word in _FLAGS or (name in _KEPT and equals):
            kept.append(word)
        elif word in _KEPT and index + 1 < len(words):
            kept += [word, words[index + 1]]
    return kept
