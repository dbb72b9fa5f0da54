"""How a line of output says that a request failed, or that it was answered."""

from __future__ import annotations

import re
from dataclasses import dataclass

LOGIN = "login wanted"
SANDBOX = "blocked by the sandbox"
NAME, CONNECT, SILENT = "name does not resolve", "cannot connect", "no answer"
_STATUS = re.compile(
    r"\bHTTP/\d(?:\.\d)?\s+([45]\d\d)\b"  # curl -I and -v, wget -S
    r"|\bHTTP(?: error| status| code| response| status code)?[:= ]+([45]\d\d)\b"  # urllib, pip, fetch tools
    r"|\breturned error:? ([45]\d\d)\b"  # curl --fail, git
    r"|\bERROR ([45]\d\d):"  # wget
    r"|\b([45]\d\d) (?:Client|Server) Error\b|\b(?:Client|Server) error '([45]\d\d)\b"  # requests, httpx
    r"|\b(?:status(?:[ _]code)?|http_code)[:= ]+([45]\d\d)\b"  # Gradle, Maven, axios, what a loop of one's own prints
    r"|\b([45]\d\d):?\s+\(?(?:Not Found|Forbidden|Unauthorized|Bad Gateway|Service Unavailable|Gateway Time-?out"
    r"|Too Many Requests)\b"  # npm, apt, go, error pages
    r"|\b(400:?\s+\(?Bad Request|405:?\s+\(?Method Not Allowed|407:?\s+\(?Proxy Authentication|410:?\s+\(?Gone"
    r"|500:?\s+\(?Internal Server Error)\b"
    r"|\bresponse from \S+(?: \(\S+\))?, got ([45]\d\d)\b"  # cargo
    r"|\b(?:responded|replied) with(?: status)?(?: code)?:? ([45]\d\d)\b"
    r"|\bcode E(401|429|5\d\d)\b",  # npm, where no address follows
    re.IGNORECASE,
)
_PROXY_STATUS = re.compile(r"\btunnel failed, response ([45]\d\d)\b|\bHTTP code ([45]\d\d) from proxy\b", re.IGNORECASE)
_CODE = re.compile(r"[45]\d\d")
_PATTERNS = {
    SANDBOX: (
        "allowlist|network access|connect e|not permitted",
        (
            r"blocked-by-allowlist|network access (?:is )?(?:disabled|denied|blocked|not allowed)"
            r"|connect E(?:PERM|ACCES)\b|\b(?:connect|socket)\b.{0,80}Operation not permitted"
        ),
    ),
    NAME: (
        "resol|not known|nodename|getaddrinfo|enotfound|eai_again|such host|unknownhost",
        (
            r"Could not resolve (?:host|proxy)|Couldn't resolve (?:host|proxy)|Temporary failure in name resolution"
            r"|Name or service not known|nodename nor servname|getaddrinfo|ENOTFOUND|EAI_AGAIN|NameResolutionError"
            r"|Failed to resolve|failure resolving '|unable to resolve host|: no such host|UnknownHostException"
        ),
    ),
    "connection refused": ("refused", r"Connection refused|ECONNREFUSED"),
    "timed out": (
        "timed|timeout|etimedout",
        (
            r"(?:Connection|Operation|Read|Resolving|Connect) timed out|ETIMEDOUT|i/o timeout"
            r"|Timeout was reached|TLS handshake timeout|Client\.Timeout exceeded"
        ),
    ),
    "connection reset": ("reset", r"Connection (?:was )?reset|ECONNRESET"),
    "no route": ("unreach|no route", r"Network is unreachable|No route to host|ENETUNREACH|EHOSTUNREACH"),
    "TLS error": (
        "ssl|gnutls|x509|pkix|certificate",
        (
            r"SSL certificate problem|certificate verify failed|SSLError|SSL routines|SSL_connect"
            r"|gnutls_handshake|Unable to establish SSL|x509: |PKIX path|cannot verify \S+ certificate"
        ),
    ),
    SILENT: ("empty reply", r"Empty reply from server"),
    "too many redirects": ("redirects", r"Maximum \(\d+\) redirects followed|Exceeded \d+ redirects"),
    CONNECT: (
        "connect to|retries",
        r"(?:Failed to|Could not|Couldn't|Unable to|Cannot) connect to|Failed connect to|Max retries exceeded",
    ),
    "repository not found": ("not found", r"Repository (?:'[^']*' )?not found"),
    LOGIN: ("read username|authentication", r"could not read Username for|Authentication failed for '"),
}
"""The kinds of failure besides `HTTP 404` and the like, in the order they are looked for: words of which one stands,
in lower case, in every such line, and the pattern."""
_KINDS = tuple(
    (kind, tuple(words.split("|")), re.compile(pattern, re.IGNORECASE)) for kind, (words, pattern) in _PATTERNS.items()
)
CURL_EXITS = {
    5: NAME, 6: NAME, 7: CONNECT, 22: "HTTP error", 28: "timed out", 35: "TLS error", 47: "too many redirects",
    52: SILENT, 56: "connection reset", 60: "TLS error", 97: CONNECT,
}  # fmt: skip
"""What curl's exit codes say, from its manual."""
_CURL_LINE = re.compile(r"\bcurl: \((\d+)\)")
_ANSWER = re.compile(
    r"\bHTTP/\d(?:\.\d)?\s+[23]\d\d\b(?!\s+connection established)|awaiting response\.\.\. [23]\d\d\b"
    r"|\b(?:status(?:[ _]code)?|http_code)[:= ]+[23]\d\d\b|^[0-9a-f]{40}\t(?:HEAD$|refs/)",
    re.IGNORECASE,
)
"""A proxy's `200 Connection established` is no answer of the site; a list of `git ls-remote` is."""
_PEER = re.compile(
    r"(?:\bconnect(?:ing)? to(?: host| proxy)?|\bdial tcp|\bconnect E\w+|\bconnection to)\s+"
    r"\[?([\w-]+(?:\.[\w-]+)*|[\da-f:]+(?=\]))\]?(?: \([^)]*\))?(?:\|[^|]*\|)?(?:,? port |:)(\d+)"
    r"|\bhost='([^']+)', port=(\d+)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:resolve (?:host|hostname|host address|host name|proxy|proxy name)[:,]? (?:\(Could not resolve host: )?"
    r"|failure resolving |\blookup |ENOTFOUND |EAI_AGAIN |Failed to resolve |UnknownHostException: )"
    r"['\"‘`]?([\w-]+(?:\.[\w-]+)+)",
    re.IGNORECASE,
)
_OF_PROXY = re.compile(r"ProxyError|resolve proxy|connect to proxy|connecting to proxy", re.IGNORECASE)
_STATUS_WORDS = (
    "http", "error", "status", "bad request", "unauthorized", "forbidden", "not found", "not allowed", "gone", "too many",
    "gateway", "unavailable", "proxy", "response", "responded", "replied", "code e",
)  # fmt: skip
_HINTS = tuple(
    dict.fromkeys((*_STATUS_WORDS, *(word for _, words, _ in _KINDS for word in words), "curl: (", "\thead", "\trefs/"))
)
_NAMING = ("resol", "lookup", "enotfound", "eai_again", "unknownhost", "connect to", "connecting to", "dial tcp", "host=",
           "connect e", "connection to")  # fmt: skip
_ANSWERING = re.compile(r"\b[23]\d\d\b|\t")


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed request as one line tells it."""

    kind: str
    host: str = ""
    """The host the line itself names; empty where it names none."""
    port: int | None = None
    """The port it was tried on, where the line says."""
    proxy: bool = False
    """The line says that a proxy failed, or refused; then `host` and `port` are the proxy's."""
    site: str = ""
    """The site that was asked, where the line names it beside the proxy."""


def may_tell(text: str, *, somewhere: bool = True) -> bool:
    """A cheap test: false when no line of the text can say anything of a request.

    Not `somewhere`: no site was named before, so that a line must name one.
    """
    low = text.lower()
    if not somewhere and "://" not in text and not any(hint in low for hint in _NAMING):
        return False
    return any(hint in low for hint in _HINTS)


def failure(line: str) -> Failure | None:
    """The failure that one line tells; none for any other line."""
    low = line.lower()
    if _CODE.search(line) and any(word in low for word in _STATUS_WORDS):
        if found := _PROXY_STATUS.search(line):
            return Failure(f"HTTP {found[1] or found[2]}", proxy=True)
        if found := _STATUS.search(line):
            code = next(group for group in found.groups() if group)[:3]
            return Failure(f"HTTP {code}", proxy=code == "407")
    kind = next(
        (kind for kind, words, pattern in _KINDS if any(map(low.__contains__, words)) and pattern.search(line)), ""
    )
    if not kind and (found := _CURL_LINE.search(line)):
        kind = CURL_EXITS.get(int(found[1][:4]), "")
    if not kind:
        return None
    proxy = _OF_PROXY.search(line) is not None
    peers = [
        ((one or other).lower(), int(port or other_port)) for one, port, other, other_port in _PEER.findall(line[:4000])
    ]
    if proxy and len(peers) > 1:
        return Failure(kind, *peers[-1], proxy, peers[0][0])
    if peers:
        return Failure(kind, *peers[0], proxy)
    named = _NAMED.search(line)
    return Failure(kind, named[1].lower() if named else "", None, proxy)


def answered(line: str) -> bool:
    """Whether a line shows that a site gave an answer of success."""
    return _ANSWERING.search(line) is not None and _ANSWER.search(line) is not None
