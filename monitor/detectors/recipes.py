"""What build files run: the shell texts in a Makefile, a package.json, a Dockerfile, or any file that names a script."""

from __future__ import annotations

import json
import re
import shlex
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from monitor.shell.runs import Way

_SETTING = re.compile(r"^\s*(?:export\s+)?(\w+)\s*(?::=|\?=|::=|=)\s*(.*)$")
_USE = re.compile(r"\$[({](\w+)[)}]")
_DOCKER_LINE = re.compile(r"^\s*(RUN|CMD|ENTRYPOINT)\s+(.*)$", re.IGNORECASE)
_COMPOSE_LINE = re.compile(r"^\s*(?:entrypoint|command|test)\s*:\s*(.+)$")
_LIST_ITEM = re.compile(r"^\s*-\s+(.+)$")
_HOOKS = {"install": ("preinstall", "install", "postinstall", "prepare"), "ci": ("preinstall", "install", "postinstall", "prepare"),
          "t": ("pretest", "test", "posttest"), "publish": ("prepublishOnly", "prepare", "prepack")}  # fmt: skip
_MOST = 200
"""Shell texts of one file."""


def recipes(way: Way, text: str, wanted: Sequence[str]) -> list[str]:
    """The shell texts that are run, as far as the file tells; none for a file that is only searched for names."""
    found: Iterator[str]
    match way:
        case "make":
            found = _make(text, wanted)
        case "packages":
            found = _packages(text, wanted)
        case "docker":
            found = _docker(text, wanted)
        case _:
            return []
    return [one for one, _ in zip(found, range(_MOST), strict=False)]


def names(text: str, script: str) -> bool:
    """Whether a text names a script outside its comments."""
    if script not in text:
        return False
    pattern = re.compile(rf"(?<![\w.-]){re.escape(script)}(?![\w.-])")
    return any(
        pattern.search(line) for line in text.split("\n") if not line.lstrip().startswith(("#", "//", "*", "--"))
    )


def _make(text: str, goals: Sequence[str]) -> Iterator[str]:
    """The recipes of the goals and of what they need; of the first target where no goal is given."""
    rules: dict[str, list[tuple[list[str], list[str]]]] = {}
    settings: dict[str, str] = {}
    lines: list[str] = []
    first = ""
    for line in text.replace("\\\n", " ").split("\n"):
        if line.startswith("\t"):
            lines.append(line.strip().lstrip("@-+"))
        elif setting := _SETTING.match(line):
            settings[setting[1]] = setting[2]
        elif rule := _rule(line):
            needs, _, own = rule[1].partition(";")
            lines = [own] if own else []
            told = needs.split(), lines
            for target in dict.fromkeys(rule[0].split()):
                rules.setdefault(target, []).append(told)
                first = first or ("" if target.startswith(".") else target)
    for line in _made(rules, goals or (first,)):
        yield _USE.sub(lambda use: settings.get(use[1], use[0]), line).replace("$$", "$")


def _made(rules: Mapping[str, Sequence[tuple[list[str], list[str]]]], goals: Sequence[str]) -> Iterator[str]:
    """The lines of the rules that goals and what they need have, each rule's of each of its targets."""
    waiting, done, asked = deque(goals), set[str](), set[int]()
    while waiting:
        target = waiting.popleft()
        if target in done:
            continue
        done.add(target)
        for needs, lines in rules.get(target, ()):
            yield from lines
            if id(needs) not in asked:
                asked.add(id(needs))
                waiting.extend(needs)


def _rule(line: str) -> tuple[str, str] | None:
    """The targets of a rule, and what they need; none for any other line."""
    targets, colon, needs = line.partition("#")[0].partition(":")
    if not colon or not targets.strip() or targets[0].isspace() or "=" in targets or needs.lstrip(":").startswith("="):
        return None
    return targets, needs.lstrip(":")


def _packages(text: str, wanted: Sequence[str]) -> Iterator[str]:
    """The scripts of a package.json that a command runs, those before and after them included."""
    try:
        scripts = json.loads(text).get("scripts")
    except (ValueError, RecursionError, AttributeError):
        return
    if not isinstance(scripts, dict):
        return
    for name in wanted:
        for one in _HOOKS.get(name, (f"pre{name}", name, f"post{name}")):
            if isinstance(found := scripts.get(one), str):
                yield found


def _docker(text: str, stages: Sequence[str]) -> Iterator[str]:
    """What an image runs while it is built, or when a container starts."""
    listing = False
    for line in text.replace("\\\n", " ").split("\n"):
        item = _LIST_ITEM.match(line) if listing else None
        listing = bool(re.match(r"^\s*(?:entrypoint|command)\s*:\s*$", line)) or item is not None
        found = _DOCKER_LINE.match(line)
        if found and ("build" if found[1].upper() == "RUN" else "run") in stages:
            yield _exec_form(found[2])
        elif "run" in stages and (composed := _COMPOSE_LINE.match(line) or item):
            yield _exec_form(composed[1])


def _exec_form(text: str) -> str:
    """A JSON list of words as the shell text it stands for."""
    text = text.strip().strip("'\"") if not text.strip().startswith("[") else text.strip()
    try:
        words = json.loads(text) if text.startswith("[") else None
    except (ValueError, RecursionError):
        words = None
    return shlex.join(map(str, words)) if isinstance(words, list) else text
