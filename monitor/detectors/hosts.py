"""Hosts and addresses as commands and outputs write them."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

URL = re.compile(r"\b(?:https?|ftp|ssh|git)://[^\s'\"<>`|]+", re.IGNORECASE)
_SCP = re.compile(r"(?:[\w.+-]+@)?([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+):(?!//)\d*+[^\s\d]\S*")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*://")
_PORTS = {"http": 80, "https": 443, "ftp": 21, "ssh": 22, "git": 9418}
_LOCAL = (".local", ".lan", ".home", ".internal", ".localhost", ".test", ".example", ".invalid")
_TRAILING = ".,;:!?)}"


def urls(text: str) -> list[str]:
    """The web addresses in a text, without the punctuation after them."""
    found = URL.findall(text) if "://" in text else []
    return [url.rstrip(_TRAILING if "[" in url else _TRAILING + "]") for url in found]


def host_of(url: str) -> str:
    """The host of an address, lower case and without a final dot; empty where it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def site_of(url: str) -> str:
    """The host to watch for an address; empty for one that is not tracked."""
    host = host_of(url)
    return host if tracked(host) else ""


def tracked(host: str) -> bool:
    """Whether a host is one of the internet's: not local, private, link-local, dotless or templated."""
    if not host or "$" in host or "{" in host or host == "localhost" or host.endswith(_LOCAL):
        return False
    address = _address(host)
    if address is None:
        return "." in host
    return not (address.is_private or address.is_loopback or address.is_link_local or address.is_unspecified)


def is_address(host: str) -> bool:
    """Whether a host is written as an IP address."""
    return _address(host) is not None


def endpoint(url: str) -> str:
    """`host:port` of an address, a proxy's for one; the scheme may be missing. Empty where there is no host."""
    url = url if _SCHEME.match(url) else f"http://{url}"
    host = host_of(url)
    if not host:
        return ""
    try:
        port = urlsplit(url).port
    except ValueError:
        port = None
    return f"{host}:{port or _PORTS.get(urlsplit(url).scheme.lower(), 1080)}"


def scp_host(word: str) -> str:
    """The host of an address such as `git@host:path`; empty for any other word, and where it is not tracked."""
    found = _SCP.fullmatch(word) if ":" in word and "://" not in word else None
    host = found[1].lower() if found else ""
    return host if tracked(host) else ""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None
