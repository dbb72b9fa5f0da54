"""Passwords in URLs, and people's e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from monitor.report.redaction import values
from monitor.report.redaction.entropy import random
from monitor.report.redaction.spans import BESIDE, BREAKS, WALL, Span

_URL = re.compile(rf"://(?P<rest>[^\s\"'<>`\\{BREAKS}]{{3,}}+)")
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


def addresses(text: str) -> Iterator[Span]:
    """Passwords, and tokens in the place of a user, in URLs; e-mail addresses, but for a URL's with its password."""
    users = set()
    for found in _URL.finditer(text):
        start, end = found.span("rest")
        rest = text[start : min(end, start + _LONGEST)]
        at = _at(rest)
        if at > 0 and text[end : end + 1] != WALL:
            for span in _userinfo(rest[:at], start):
                users.add(span.end)
                yield span
    if "@" in text or "%40" in text:
        yield from _mails(text, users)


def _at(rest: str) -> int:
    """Where the user's part of a URL ends; -1 when it has none. A password may hold an @ and a slash."""
    border = _END.search(rest)
    authority = rest[: border.start()] if border else rest
    if "@" in authority:
        host = authority.rpartition("@")[2]
        return authority.rindex("@") if "." in host or ":" in host or host == "localhost" else rest.rindex("@")
    user, colon, password = rest.partition(":")
    bare = colon and not _END.search(user) and not _PORT.match(password)
    return rest.find("@") if bare else -1


def _userinfo(userinfo: str, start: int) -> Iterator[Span]:
    user, colon, password = userinfo.partition(":")
    if colon and password and not values.placeholder(password):
        yield Span(start + len(user) + 1, start + len(userinfo), "password", BESIDE)
    if not password and (random(user) or (len(user) >= 32 and user.isalnum())):
        yield Span(start, start + len(user), "token", BESIDE)


def _mails(text: str, users: Collection[int]) -> Iterator[Span]:
    """E-mail addresses: no forge's ssh address, package with its version, file or unit."""
    for found in _MAIL.finditer(text):
        if found["user"].strip(".-+_") and found["user"] not in _SERVICES and found.end("user") not in users:
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
