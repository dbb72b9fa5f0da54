"""Passwords in URLs, and people's e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.report.redaction import values
from monitor.report.redaction.entropy import random
from monitor.report.redaction.spans import BESIDE, WALL, Span

_URL = re.compile(rf"://(?P<rest>[^\s\"'<>`\\{WALL}]{{3,}}+)")
_END = re.compile(r"[/?#]")
_PORT = re.compile(r"[0-9]*(?:[/?#]|\Z)")
_LONGEST = 2_000
"""Characters of a URL in which its password is looked for."""
_AT = r"(?:@|%40)"
_MAIL = re.compile(
    rf"(?:(?<![A-Za-z0-9._+\\{WALL}-])|(?<=\\[nrt])|(?<=\\)(?![nrt]))(?P<user>[A-Za-z0-9._+-]++){_AT}"
    r"(?=(?P<domain>[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,8}+)(?P<after>.?))",
    re.DOTALL,
)
_SERVICES = frozenset(("git", "hg", "svn", "aur", "gitea", "forgejo", "gitlab", "ssh"))
"""Users of a forge's ssh address: they are nobody."""
_NOT_DOMAINS = frozenset(
    ("png", "jpg", "jpeg", "gif", "webp", "svg", "ico", "service", "socket", "target", "timer", "mount", "slice", "scope",
     "device", "json", "txt", "html", "htm", "css", "js", "mjs", "cjs", "ts", "tsx", "jsx", "yml", "yaml", "toml", "lock",
     "xml", "whl", "gz", "tgz", "jar", "dll", "exe", "php", "go", "java", "kt", "cpp", "hpp", "csv", "sql", "log")
)  # fmt: skip
"""Ends of file names and units that are no top-level domain."""


def passwords(text: str) -> Iterator[Span]:
    """Passwords, and tokens in the place of a user, in URLs."""
    for found in _URL.finditer(text):
        start, end = found.span("rest")
        rest = text[start : min(end, start + _LONGEST)]
        at = _at(rest)
        if at > 0 and (at < len(rest) - 1 or text[end : end + 1] != WALL):
            yield from _userinfo(rest[:at], start)


def _at(rest: str) -> int:
    """Where the user's part of a URL ends; -1 when it has none."""
    border = _END.search(rest)
    authority = rest[: border.start()] if border else rest
    if "@" in authority:
        return authority.rindex("@")
    user, colon, password = rest.partition(":")
    bare = colon and not _END.search(user) and not _PORT.match(password)
    return rest.find("@") if bare else -1


def _userinfo(userinfo: str, start: int) -> Iterator[Span]:
    user, colon, password = userinfo.partition(":")
    if colon and password and values.secret(password.ljust(values.LEAST, "_"), "any"):
        yield Span(start + len(user) + 1, start + len(userinfo), "password", BESIDE)
    if not password and (random(user) or (len(user) >= 32 and user.isalnum())):
        yield Span(start, start + len(user), "token", BESIDE)


def mails(text: str) -> Iterator[Span]:
    """E-mail addresses; no forge's ssh address, package with its version, file or unit."""
    if "@" not in text and "%40" not in text:
        return
    for found in _MAIL.finditer(text):
        if found["user"].strip(".-+_") and found["user"] not in _SERVICES:
            domain = _domain(found["domain"], found["after"])
            if domain:
                yield Span(found.start(), found.start("domain") + len(domain), "e-mail")


def _domain(text: str, after: str) -> str:
    """The longest beginning of the text that is a domain; empty when none is."""
    labels = text.split(".")
    if labels[0] == "self" or (labels[0].isdigit() and len(labels) > 2) or re.fullmatch(r"[0-9]x", labels[0]):
        return ""
    for count in range(len(labels), 1, -1):
        last = labels[count - 1].lower()
        beside = after if count == len(labels) else "."
        if len(last) > 1 and last.isalpha() and last not in _NOT_DOMAINS and beside not in ("(", "[", "_", WALL):
            return ".".join(labels[:count])
    return ""
