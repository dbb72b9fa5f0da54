"""The result of a call: its text, what it means, and what became of each file of a write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from monitor.agents.lcode import notes
from monitor.agents.lcode.outcome import Meaning, judge, removed
from monitor.events import FileOutcome, ToolCalled, ToolReturned
from monitor.text import clean

KEPT = 4_000
"""Characters of a result that events keep; a sign for the rest follows them."""
_EDITED = re.compile(r"Edited (.+) \(\d+ replacement\(s\)")
_WRITTEN = re.compile(r"(Created|Overwrote) (.+) \((\d{1,10}) lines\)\.")
_ALREADY = re.compile(r" \(already patched: (.+)\)\Z", re.DOTALL)
_MEANWHILE = re.compile(r"Error: (.+) changed while the user was being asked")
_CAUSES = (
    re.compile(r"Error: (.+?): (?:hunk \d+ \(|deleting files isn't)"),
    re.compile(r"Error: (.+?) (?:already exists; the patch|does not exist \(use --- |changed on disk since)"),
    re.compile(r"Error: You must read_file (.+?) before modifying it\."),
)
"""How a refused patch names the file that made it fail."""


def returned(call: ToolCalled, output: str, *, error: bool = False, kept: int | None = None) -> ToolReturned:
    """The result of a call; `kept` when the source keeps so many characters of it and a sign for the rest."""
    cut = kept is not None and len(output) > kept
    meaning = judge(call.tool, output, error=error, cut=cut)
    text = clean(output)
    return ToolReturned(
        call=call.call,
        message=call.message,
        outcome=meaning.outcome,
        failure=meaning.failure,
        files=_files(call, text, meaning),
        exit=meaning.exit,
        output=text,
        cut=cut or removed(output),
        cwd=clean(meaning.cwd),
        background=meaning.background,
    )


def _files(call: ToolCalled, output: str, meaning: Meaning) -> tuple[FileOutcome, ...]:
    if call.kind != "write":
        return ()
    asked = tuple(dict.fromkeys(change.file for change in call.changes))
    if call.tool == "apply_patch":
        return tuple(_patched(asked, output, meaning))
    if meaning.outcome != "ok":
        return (FileOutcome(asked[0] if asked else "", meaning.outcome, meaning.failure, cause=True),)
    head = output.partition("\n")[0]
    if told := _EDITED.match(head):
        return (FileOutcome(told[1]),)
    if told := _WRITTEN.match(head):
        new = told[1] == "Created"
        return (FileOutcome(told[2], added=int(told[3]) if new else None, removed=0 if new else None),)
    return tuple(FileOutcome(file) for file in asked)


def _patched(asked: Sequence[str], output: str, meaning: Meaning) -> Iterator[FileOutcome]:
    """Each file of a patch: lcode checks all of them first, and writes them one after another."""
    if meaning.outcome == "ok":
        yield from (FileOutcome(file) for file in asked)
        return
    done, cause = _done(asked, output), _cause(asked, output)
    behind = False
    for file in asked:
        if file in done:
            yield FileOutcome(file)
        elif behind and done:
            yield FileOutcome(file, "not_executed")
        else:
            blamed = file == cause or (not cause and bool(done)) or len(asked) == 1
            behind = blamed
            yield FileOutcome(file, meaning.outcome, meaning.failure, cause=blamed)


def _done(asked: Sequence[str], output: str) -> set[str]:
    """The files of a patch that were written before it was stopped."""
    if told := _ALREADY.search(notes.own_words(output)[-20_000:]):
        named = [part.partition(" (")[0] for part in told[1].split(", ")]
        return {file for file in asked if any(_same(file, name) for name in named)}
    if told := _MEANWHILE.match(output):
        before = [_same(file, told[1]) for file in asked]
        return set(asked[: before.index(True)]) if True in before else set()
    return set()


def _cause(asked: Sequence[str], output: str) -> str:
    """The file of a patch that made all of it fail; empty where that is not said."""
    for pattern in (*_CAUSES, _MEANWHILE):
        if told := pattern.match(output[:4_000]):
            return next((file for file in asked if _same(file, told[1])), "")
    return ""


def _same(asked: str, told: str) -> bool:
    """Whether a path that the tool names, relative to where it works, is that of the call."""
    asked, told = asked.removeprefix("./"), told.removeprefix("./")
    return asked == told or asked.endswith("/" + told) or told.endswith("/" + asked)
