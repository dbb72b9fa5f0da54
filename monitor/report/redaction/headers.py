"""Credentials in HTTP headers and on command lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.report.redaction import values
from monitor.report.redaction.entropy import mixed
from monitor.report.redaction.quotes import OPENING, closing
from monitor.report.redaction.spans import BESIDE, BREAKS, WALL, Span

_CLOSE = r"[\\\"'`\])]{0,10}[ \t]{0,4}"
_AUTHORIZATION = re.compile(
    rf"(?i:authorization){_CLOSE}[:=,][ \t]{{0,4}}[bfru]?[\\\"'`]{{0,10}}"
    r"(?:(?P<scheme>(?i:bearer|basic|token|digest|api-?key|key|negotiate|ntlm|hawk|oauth|sso-key|ssws|splunk|geniekey"
    r"|bot|dpop|aws4-hmac-sha256|sharedkey))[ \t]{1,4})?"
    rf"(?P<secret>(?:[\w-]{{1,40}}=(?:\\?\"[^\"\n\\{BREAKS}]{{0,2000}}\\?\"|[^\s,\"'\\{BREAKS}]{{1,2000}}),?[ ]?){{1,20}}"
    rf"|[^\s\"'`,;<>\\{BREAKS}]{{1,8000}})"
)
_CALL = re.compile(r"[(\[]")
_BEARER = re.compile(rf"(?i:bearer)[ \t]{{1,4}}(?=(?P<secret>[A-Za-z0-9._~+/-]{{8,}}+=*+)(?!{WALL}))")
_COOKIE = re.compile(rf"(?i:cookie){_CLOSE}(?:[:=]|(?<=--cookie ))[ \t]{{0,4}}")
_COOKIES = re.compile(rf"[^\n\"'`\\{BREAKS}]{{1,4000}}")
_FIRST = re.compile(rf"[^\s=,;()\\\"'{BREAKS}]{{1,200}}=")
"""How cookies begin: with the name of the first."""
_USER = re.compile(
    rf"(?<![\w{WALL}-])(?:-u|-U|--user|--proxy-user)[ \t=]{{0,4}}[\"'\\]{{0,4}}"
    rf"[^\s:\"'\\{BREAKS}]{{0,100}}:(?P<secret>[^\s\"'\\{BREAKS}]{{3,200}})"
)
_CURL = re.compile(r"curl[ \t][^\n]*\Z")
_VALUE = rf"[\"']?(?P<secret>[^\s\"'\\{BREAKS}]{{3,200}})"
_COMMAND = re.compile(r"\b(?:sshpass|login|redis-cli|mysql(?:dump|admin)?|mariadb)\b")
_ARGUMENTS = {
    "s": re.compile(rf"[ \t]-p[ \t]{{0,4}}{_VALUE}"),
    "l": re.compile(rf"[ \t]-p[ \t]{{1,4}}{_VALUE}"),
    "r": re.compile(rf"[ \t]-a[ \t]{{1,4}}{_VALUE}"),
    "m": re.compile(rf"[ \t]-p{_VALUE}"),
}
"""How a command takes a password, by its first letter."""
_ARGUMENTS_REACH = 200
"""Characters of a command line in which its password is looked for."""
_NETRC = re.compile(rf"\blogin\s{{1,8}}\S{{1,100}}\s{{1,8}}password\s{{1,8}}(?=(?P<secret>[^\s{BREAKS}]{{3,200}}))")


def headers(text: str) -> Iterator[Span]:
    """What headers hold that stand for a person or a program."""
    lower = text.lower()
    if "authorization" in lower:
        yield from _authorization(text)
    if "bearer" in lower:
        for found in _BEARER.finditer(text):
            if mixed(found["secret"]) or len(found["secret"]) >= 32:
                yield Span(*found.span("secret"), "authorization", BESIDE)
    if "cookie" in lower:
        yield from _cookies(text)


def _authorization(text: str) -> Iterator[Span]:
    found = _AUTHORIZATION.search(text)
    while found is not None:
        value = found["secret"][:300]
        known = text[found.end() : found.end() + 1] != WALL and values.secret(value, "any")
        if known and (found["scheme"] or (mixed(value) and not _CALL.search(value))):
            yield Span(*found.span("secret"), "authorization", BESIDE)
            found = _AUTHORIZATION.search(text, found.end())
        else:
            found = _AUTHORIZATION.search(text, found.start("secret"))


def _cookies(text: str) -> Iterator[Span]:
    found = _COOKIE.search(text)
    while found is not None:
        opening = OPENING.match(text, found.end())
        start = end = opening.end() if opening else found.end()
        if _FIRST.match(text, start) is not None:
            rest = None if opening else _COOKIES.match(text, start)
            end = rest.end() if rest else closing(text, found.end())[1]
            if text[end : end + 1] != WALL:
                yield Span(start, end, "cookie", BESIDE)
        found = _COOKIE.search(text, end)


def commands(text: str) -> Iterator[Span]:
    """Passwords that are an argument of a command, or a line of a netrc file."""
    if "curl" in text:
        for found in _USER.finditer(text):
            start, end = found.span("secret")
            if (
                text[end : end + 1] != WALL
                and _CURL.search(text[max(found.start() - 500, 0) : found.start()]) is not None
            ):
                yield from _password(text, start, end)
    for found in _COMMAND.finditer(text):
        line = text.find("\n", found.end(), found.end() + _ARGUMENTS_REACH)
        stop = line if line >= 0 else found.end() + _ARGUMENTS_REACH
        argument = _ARGUMENTS[found.group()[0]].search(text, found.end(), stop)
        if argument is not None:
            yield from _password(text, *argument.span("secret"))
    for found in _NETRC.finditer(text):
        yield from _password(text, *found.span("secret"))


def _password(text: str, start: int, end: int) -> Iterator[Span]:
    if text[end : end + 1] != WALL and values.secret(text[start:end], "any"):
        yield Span(start, end, "password", BESIDE)
