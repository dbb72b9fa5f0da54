"""Judges what is assigned to a telling name: a secret, or a word that merely stands there."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error

from monitor.report.redaction.entropy import mixed, random
from monitor.report.redaction.spans import WALL
from monitor.report.redaction.telling_names import Trust, telling

LEAST = 3
"""Characters below which a value is not taken for a secret."""
_EMPTY = re.compile(
    r"\$\{?[A-Za-z_]\w*\}?|\$\{.*|\$\(.*|\$[0-9*@#?]|%[A-Za-z_]\w*%|%[-+#0-9.]*[a-zA-Z]|@[A-Za-z_]+@"  # a variable
    r"|\{+[^{}]*\}+|<[^<>]*>|\[[^\[\]]*\]|#\{[^}]*\}|\{\{.*"  # a place to fill in
    r"|[*xX.•●?_#-]{3,}…?|…|(?i:your)[-_ ].*"
    r"|(?i:redacted|hidden|masked|removed|none|null|nil|undefined|true|false|yes|no|on|off|inherit|default|empty|missing"
    r"|required|optional|invalid|expired|unset|unknown|string|str|int|integer|number|bool|boolean|bytes|text|any|object"
    r"|secretstr|varchar|nvarchar|char|uuid|function|await|async|lambda|new|not|if|else|elif|return|and|or|is|in|for"
    r"|from|must|may|can|should|will|was|the|with|when|option|flag|argument|print|self|this|try|typeof|yield|match|switch|case|const"
    r"|let|var|static|mut|class|def|raise|throw|pass|nonlocal|global)"
)
_PART = r"[/\\]+[\w.@ ~-]+"
_PATH = re.compile(rf"(?:(?:[A-Za-z]:|~|\.{{1,2}})(?:{_PART})+|(?:{_PART}){{2,}}|/[a-z]+)[/\\]?|[a-z][a-z0-9+.-]*://.*")
_CODE = re.compile(
    r"(?:self|this|cls|args?|kwargs|opts|options|os|sys|process|env|environ|config|settings|cfg|conf|request|req|res|response"
    r"|ctx|context|params|props|state|data|user|app|secrets|vars?|local|module|input|form|event|body|session|db|github|steps"
    r"|inputs|matrix|import|crypto|ENV|resource|random|uuid|base64|json)(?:\.[A-Za-z_]\w*)+"
)
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)*")


def secret(value: str, trust: Trust) -> bool:
    """Whether a value is one, by how far its name is trusted."""
    if len(value) < LEAST or (trust != "any" and _DIGIT.search(value) is None):
        return False
    if placeholder(value):
        return False
    if _PATH.fullmatch(value[:200]) and not random(value):
        return False
    match trust:
        case "any":
            return True
        case "mixed":
            return " " not in value and mixed(value)
        case "random":
            return random(value) or _pair(value)


def reference(value: str, after: str) -> bool:
    """Whether an unquoted value names something instead of being it: a call, an item, an attribute, a variable."""
    if after in ("(", "[", "{") or _CODE.fullmatch(value[:200]):
        return True
    return bool(_NAME.fullmatch(value[:200])) and telling(value[:200]) is not None


def placeholder(value: str) -> bool:
    """Whether a value stands for one that is elsewhere: a variable, a word such as `none`, a mark."""
    return value.startswith(WALL) or _EMPTY.fullmatch(value[:200]) is not None


def sentence(value: str) -> bool:
    """Whether it speaks about a secret: it has spaces and tells of one itself."""
    return " " in value and any(telling(word) is not None for word in value[:200].split())


def _pair(value: str) -> bool:
    """Whether it is a user and a password in base64, as configurations of registries hold them."""
    try:
        return b":" in b64decode(value[:200], validate=True)[1:] and len(value) >= 8
    except (Error, ValueError):
        return False
