"""Which files a shell command writes, as far as its text tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from monitor.shell.step import Step

_CODE = re.compile(r"python[\d.]*|node|ruby|perl|php|deno|bun")
_OPEN = re.compile(
    r"""(?:open|writeFileSync|writeFile|File\.write)\(\s*(?:(['"`])(?P<path>[^'"`\n]+)\1|(?P<name>\w+))\s*,\s*
    (?P<mode>(?:mode\s*=\s*)?['"][^'"]*[wax+][^'"]*['"])?""",
    re.VERBOSE,
)
_PATH_WRITE = re.compile(r"""(?:Path\(\s*(['"])(?P<path>[^'"\n]+)\1\s*\)|(?P<name>\w+))\.write_(?:text|bytes)\(""")
_NAMED = re.compile(
    r"""^\s*(?:(?:const|let|var)\s+)?(\w+)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?(['"])([^'"\n]+)\2""", re.MULTILINE
)
_PATCHES = ("apply", "am", "checkout", "restore", "stash pop", "stash apply", "reset --hard", "revert", "cherry-pick", "merge",
            "pull", "rebase")  # fmt: skip
"""What git does to files that its words do not all name."""
_COPIES = ("cp", "mv", "install", "ln", "rsync", "scp")
_EDITORS = {
    "awk": ("-i", "-v", "-F", "-f"), "gawk": ("-i", "-v", "-F", "-f"), "ed": ("-p",), "ex": ("-c",),
    "truncate": ("-s", "-r", "--size", "--reference"),
}  # fmt: skip
"""Programs that change files where they are, with the options of theirs that take a value."""
_LONGEST = 200_000
"""Characters of a program's text that are looked through."""

By = Literal["text", "edit", "copy", "output", "unknown"]


@dataclass(frozen=True, slots=True)
class Written:
    """A file that a step writes."""

    path: str
    """As the command gives it; empty when it does not say which."""
    by: By
    """`text` that the command itself holds, an `edit` in place, a `copy` of another file, a program's `output`."""
    text: str | None = None
    """What is put there, where the command says it."""
    source: str = ""
    """Of a copy: the file it is made of."""


def writes_of(step: Step) -> tuple[Written, ...]:
    """The files a step writes, those its output is led into among them."""
    told = _given(step)
    led = tuple(Written(path, "output" if told is None else "text", told) for path in step.into)
    return (*led, *_by_program(step, told))


def removes_of(step: Step) -> tuple[str, ...]:
    """The files a step takes away: removed, or moved elsewhere."""
    words = step.words[2:] if step.words[:2] == ("git", "rm") else step.words[1:]
    if step.program in ("rm", "unlink", "shred") or step.words[:2] == ("git", "rm"):
        return tuple(word for word in words if not word.startswith("-"))
    if step.program == "mv" or step.words[:2] == ("git", "mv"):
        return tuple(written.source for written in _copied(step.words) if written.source)
    return ()


def _given(step: Step) -> str | None:
    """What the step prints, where its own words say it."""
    if step.program == "tee" or (step.program == "cat" and step.words[1:] in ((), ("-",))):
        return step.here
    if step.program == "echo":
        return " ".join(word for word in step.words[1:] if word not in ("-e", "-n", "-E"))
    if step.program == "printf":
        return _printed(step.words[1:])
    return None


def _printed(words: Sequence[str]) -> str | None:
    """What printf makes of its words, as long as they are put in as they are; else none."""
    form, *given = words or ("%",)
    form = form.replace("\\n", "\n")
    places = form.count("%s")
    if "%" in form.replace("%s", "") or (not places and given):
        return None
    rounds = max(-(-len(given) // places), 1) if places else 1
    values = iter((*given, *[""] * (rounds * places - len(given))))
    return re.sub("%s", lambda _: next(values), form * rounds)


def _by_program(step: Step, told: str | None) -> Iterator[Written]:
    words, program = step.words, step.program
    if program == "tee":
        if told is None and step.before:
            told = _given(Step(words=step.before[-1]))
        yield from (Written(word, "output" if told is None else "text", told) for word in _plain(words))
    elif program in ("sed", "perl"):
        yield from (Written(path, "edit") for path in _in_place(words))
    elif program in _EDITORS:
        yield from (Written(path, "edit") for path in _edited(words))
    elif program in _COPIES or words[:2] == ("git", "mv"):
        yield from _copied(words)
    elif program == "patch" or (program == "git" and step.simple.sub_command.startswith(_PATCHES)):
        yield Written("", "unknown")
    elif program in ("curl", "wget"):
        yield from (Written(path, "output") for path in _after(words, ("-o", "-O", "--output", "--output-document")))
    elif program == "dd":
        yield from (Written(word[3:], "output") for word in words if word.startswith("of="))
    elif _CODE.fullmatch(program):
        yield from _coded(step)


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in words[1:] if not word.startswith("-")]


def _after(words: Sequence[str], options: tuple[str, ...]) -> list[str]:
    return [after for word, after in pairwise(words) if word in options and not after.startswith("-")]


def _in_place(words: Sequence[str]) -> list[str]:
    """The files of `sed -i` and `perl -pi`; none where they only print."""
    options = [word for word in words[1:] if word.startswith("-")]
    if not any(re.match(r"-[a-zA-Z]*i|--in-place", option) for option in options):
        return []
    scripted = False
    files: list[str] = []
    skip = False
    for word in words[1:]:
        if skip or not word:
            skip = False
        elif word in ("-e", "-f", "--expression", "--file") or re.fullmatch(r"-[a-zA-Z0-9]*e", word):
            scripted = skip = True
        elif not word.startswith("-"):
            files.append(word)
    return files if scripted else files[1:]


def _edited(words: Sequence[str]) -> list[str]:
    """The files of `gawk -i inplace`, `truncate`, and of line editors, which take one."""
    name = words[0].rpartition("/")[2]
    values = _after(words, _EDITORS[name])
    names = [word for word in _plain(words) if word not in values and not word.startswith("+")]
    if name in ("awk", "gawk"):
        return (names if "-f" in words else names[1:]) if "inplace" in values else []
    return names if name == "truncate" else names[-1:]


def _copied(words: Sequence[str]) -> Iterator[Written]:
    """What copying and moving write; a last word that may be a folder is taken both ways."""
    words = words[1:] if words[0] == "git" else words
    into = _after(words, ("-t", "--target-directory"))
    values = (*into, *(_after(words, ("-m", "-o", "-g", "--mode")) if words[0].endswith("install") else ()))
    names = [word for word in _plain(words) if word not in values]
    if not into and len(names) < 2:
        return
    *sources, target = (*names, f"{into[0]}/") if into else names
    for source in sources:
        name = source.rstrip("/").rpartition("/")[2]
        if len(sources) == 1 and not target.endswith("/"):
            yield Written(target, "copy", source=source)
        yield Written(f"{target.rstrip('/')}/{name}", "copy", source=source)


def _coded(step: Step) -> Iterator[Written]:
    """The files that a piece of code given with the command writes."""
    code = step.here or next(iter(_after(step.words, ("-c", "-e", "--eval"))), "")
    if not code or len(code) > _LONGEST:
        return
    named = {found[1]: found[3] for found in _NAMED.finditer(code)}
    for found in (*_OPEN.finditer(code), *_PATH_WRITE.finditer(code)):
        if found.re is _OPEN and found[0].startswith("open") and not found["mode"]:
            continue
        yield Written(found["path"] or named.get(found["name"], ""), "text")
