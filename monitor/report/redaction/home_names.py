"""The name of the person at the machine, as paths give it away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from monitor.report.redaction.spans import WALL

_NAME = rf"[^/\\\s\"'`<>|:*?~,;()\[\]{{}}$%&=#@…{WALL}]{{1,64}}"
_HOME = re.compile(rf"/(?:home|Users)/(?P<name>{_NAME})")
_ROOT = re.compile(
    rf"(?:\A|[^\w.~/{WALL}-]|\\[nrt]|file://|/mnt/[a-z]|(?:\A|[\s\"'`=:(])/[a-z])"
    r"(?:/(?:var|usr|export|nfs|net|System/Volumes/Data|private/var|private|host|host_mnt))?\Z"
)
"""What may stand before a home's path: nothing that makes it a URL's, or a folder within another."""
_WINDOWS = re.compile(
    r"(?:[A-Za-z]:[\\/]{1,8}|\\{2,8})(?i:Users|Documents and Settings)[\\/]{1,8}"
    rf"(?P<name>[^/\\\n\r\t\"'`<>|:*?~…{WALL}]{{1,64}}(?=\\)|{_NAME})"
)
_NOBODY = frozenset(
    ("user", "users", "runner", "node", "app", "dev", "test", "tests", "git", "public", "shared", "default", "all users",
     "guest", "admin", "administrator", "root", "ubuntu", "debian", "ec2-user", "vscode", "codespace", "coder", "jovyan",
     "gitpod", "vagrant", "docker", "linuxbrew", "jenkins", "build", "work", "workspace", "project", "projects", "code",
     "src", "lib", "bin", "docs", "data", "home", "agent", "me", "you", "name", "username", "someone")
)  # fmt: skip
"""Names that are a role or a usual folder: they are taken out of a home's path, and left elsewhere."""

_HINTS = ("/home/", "/Users/", ":\\Users", ":/Users", "\\\\Users", ":\\users", ":/users", "\\Documents and Settings")


def names(text: str) -> set[str]:
    """The names that stand in homes' paths."""
    return {found["name"] for found in _found(text)}


def settled(text: str) -> set[str]:
    """Those of them whose home holds a hidden folder: somebody lives there, and it is no page of a website."""
    return {name for name in names(text) if re.search(rf"{re.escape(name)}[/\\]{{1,4}}\.[a-z]", text)}


def name_of(home: str) -> set[str]:
    """The name a home folder has, its last part; none for no folder."""
    last = re.split(r"[/\\]", home.rstrip("/\\"))[-1]
    return {last} if last else set()


def without_names(text: str, known: Iterable[str]) -> tuple[str, int]:
    """The text with a tilde for each name in a home's path, and for the known ones as a part of any path; how many."""
    homes = list(_found(text))
    pieces, at = [], 0
    for found in sorted(homes, key=lambda one: one.start()):
        if found.start("name") >= at:
            pieces.append(text[at : found.start("name")])
            at = found.end("name")
    count = len(pieces)
    text = "~".join([*pieces, text[at:]])
    for name in sorted({*known, *(found["name"] for found in homes)}, key=len, reverse=True):
        if len(name) > 1 and name.lower() not in _NOBODY:
            text, more = _without(text, name)
            count += more
    return text, count


def _found(text: str) -> Iterator[re.Match[str]]:
    if not any(hint in text for hint in _HINTS):
        return
    for found in _HOME.finditer(text):
        head = text[max(found.start() - 40, 0) : found.start()]
        if _ROOT.search(head if found.start() <= 40 else f"x{head}") is not None:
            yield found
    yield from _WINDOWS.finditer(text)


def _without(text: str, name: str) -> tuple[str, int]:
    """The text without the name as a part of a path, before a machine's name, and in a path written with dashes."""
    count = 0

    def tilde(found: re.Match[str]) -> str:
        nonlocal count
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        starts = not re.match(rf"[\w.~{WALL}-]", before) and after in ("/", "\\", "@")
        if before in ("/", "\\", "~") or starts:
            count += 1
            return "~"
        return found.group()

    if name in text:
        text = re.sub(rf"{re.escape(name)}(?![\w{WALL}-]|\.\w)", tilde, text)
    dashed = re.sub(r"[^A-Za-z0-9]", "-", name)
    if f"-home-{dashed}" in text or f"-Users-{dashed}" in text:
        text, more = re.subn(rf"-(home|Users)-{dashed}(?!\w)", r"-\1-~", text)
        count += more
    return text, count
