"""Names that tell that what is assigned to them is a secret."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Trust = Literal["any", "mixed", "random"]
"""What of a value makes it a secret beside the name: that it is there, letters with digits, or looks drawn at random."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What a name tells."""

    kind: str
    trust: Trust


_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORD = frozenset(("password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort"))
_SECRET = frozenset(("secret", "secrets", "credential", "credentials", "creds"))
_GLUED = (
    ("password", "password"), ("passwd", "password"), ("passphrase", "password"), ("secret", "secret"),
    ("apikey", "key"), ("accesskey", "key"), ("secretkey", "key"), ("privatekey", "private key"), ("authkey", "key"),
    ("accountkey", "key"), ("authtoken", "token"), ("accesstoken", "token"), ("refreshtoken", "token"),
    ("apitoken", "token"), ("sessiontoken", "token"), ("bearertoken", "token"),
)  # fmt: skip
"""Words written as one, by their end."""
_KEYS = frozenset(
    ("api", "access", "secret", "private", "auth", "signing", "encryption", "master", "deploy", "license",
     "subscription", "admin", "webhook", "jwt", "crypt", "cipher", "hmac", "aes", "rsa", "ssh", "gpg")
)  # fmt: skip
"""What makes a key a secret one."""
_LIKELY_KEYS = frozenset(
    ("account", "service", "shared", "storage", "app", "application", "client", "consumer", "session", "project", "user")
)  # fmt: skip
"""What makes a key a secret one where its value looks like one."""
_OPEN_KEYS = frozenset(
    ("public", "pub", "primary", "foreign", "cache", "sort", "partition", "group", "lookup", "unique", "row",
     "idempotency", "dict", "map", "index", "hot", "short", "arrow", "enter", "natural", "translation", "i18n")
)  # fmt: skip
_OPEN_TOKENS = frozenset(
    ("next", "prev", "previous", "page", "continuation", "sync", "cancel", "cancellation", "start", "end", "eos", "bos",
     "pad", "unk", "stop", "special", "max", "min", "total", "input", "output", "per", "num", "first", "last", "current",
     "mask", "sep", "cls", "word", "sub", "peek", "expected", "unexpected", "invalid", "reserved")
)  # fmt: skip
"""Tokens of a parser, a model or a list."""
_ASKS = frozenset(("has", "is", "needs", "should", "can", "show", "hide", "require", "requires", "uses", "num", "no"))
"""As a name's first word: it is a question about a secret."""
_BEFORE = _KEYS | frozenset(
    ("refresh", "bearer", "bot", "id", "security", "session", "personal", "oauth", "github", "gitlab", "npm", "pypi", "slack",
     "discord", "telegram", "openai", "anthropic", "mistral", "cohere", "azure", "aws", "google", "stripe", "twilio")
)  # fmt: skip
"""What makes a key or a token a secret one when it stands before it as a word of its own."""
_ABOUT = frozenset(
    ("count", "counts", "length", "len", "size", "limit", "type", "types", "name", "names", "file", "files", "path",
     "paths", "url", "uri", "endpoint", "id", "ids", "field", "fields", "policy", "prompt", "required", "expires",
     "expiry", "expiration", "ttl", "index", "min", "max", "pattern", "regex", "validator", "label", "placeholder",
     "hint", "reset", "strength", "manager", "provider", "store", "class", "error", "errors", "valid", "invalid",
     "enabled", "disabled", "input", "visible", "form", "format", "budget", "usage", "used", "stats", "cost", "price",
     "rate", "per", "window", "map", "list", "set", "schema", "column", "table", "page", "link", "service", "handler",
     "factory", "generator", "parser", "scanner", "reader", "writer", "version", "algorithm", "env", "var", "ref",
     "stdin", "arn", "rotation", "age", "date", "time", "at", "event", "word", "words", "pair", "ring", "space",
     "helper", "test", "tests", "view", "screen", "button", "title", "description", "message", "text")
)  # fmt: skip
"""As a name's last word: it speaks about a secret and does not hold it."""


def words(name: str) -> list[str]:
    """The words of an identifier, in small letters: `dbPassword_2` is db, password, 2."""
    return [word.lower() for word in _WORDS.findall(name)]


@lru_cache(maxsize=4096)
def telling(name: str, before: str = "") -> Telling | None:
    """What a name tells, with the word that stands before it; none when it tells nothing."""
    parts = words(name)
    if parts in (["key"], ["token"]) and before.lower() in _BEFORE | _OPEN_TOKENS:
        parts.insert(0, before.lower())
    while parts and (parts[-1].isdigit() or parts[-1] == "value"):
        parts.pop()
    if not parts:
        return None
    if parts[-2:] == ["secret", "id"]:
        return Telling("secret", "mixed")
    if parts[-1] in _ABOUT or (parts[0] in _ASKS and len(parts) > 1):
        return None
    if not _PASSWORD.isdisjoint(parts):
        return Telling("password", "any")
    return _by_end(parts)


def _by_end(parts: list[str]) -> Telling | None:
    before, last = parts[-2] if len(parts) > 1 else "", parts[-1]
    match last:
        case "key" | "keys":
            return _key(before, parts)
        case "token":
            return None if before in _OPEN_TOKENS else Telling("token", "any" if before else "mixed")
        case "pass":
            return Telling("password", "any" if before else "mixed")
        case "pat" | "jwt" | "bearer":
            return Telling("token", "any" if before else "mixed")
        case "string" if before == "connection":
            return Telling("secret", "any")
        case "auth" | "sig" | "signature":
            return Telling("secret", "random")
    for end, kind in _GLUED:
        if last.endswith(end):
            return Telling(kind, "any")
    return None if _SECRET.isdisjoint(parts) else Telling("secret", "any")


def _key(before: str, parts: list[str]) -> Telling | None:
    if before in _OPEN_KEYS:
        return None
    kind = "aws key" if "aws" in parts else "private key" if before == "private" else "key"
    if before in _KEYS or not _SECRET.isdisjoint(parts):
        return Telling(kind, "any")
    return Telling(kind, "mixed" if before in _LIKELY_KEYS else "random")
