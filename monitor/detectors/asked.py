"""What a shell command asks of the network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from monitor.detectors.curl_codes import printed
from monitor.detectors.hosts import endpoint, scp_host, site_of, tracked, urls
from monitor.detectors.network_failures import CONNECT, CURL_EXITS
from monitor.detectors.programs import registry, tests
from monitor.shell.commands import Script, Simple, read

_PROXY_VARIABLE = re.compile(r"(?:https?|all|ftp|npm_config|npm_config_https)_proxy", re.IGNORECASE)
_PROXY_OPTION = re.compile(r"--(?:https?-)?proxy|--preproxy|--socks(?:4a?|5|5-hostname)")
_PROXY_VALUE = re.compile(r"(?:--[\w-]*proxy|--socks[\w-]+|https?\.proxy|(?:https?|all)_proxy)=(.+)", re.IGNORECASE)
_PROXY_IN_TEXT = re.compile(r"(?:\s-x|--proxy|--preproxy|proxy=|\.proxy)[\s=]*['\"]?([^\s'\"]+)", re.IGNORECASE)
_WGET_EXITS = {4: CONNECT, 5: "TLS error", 8: "HTTP error"}
_DIRECT = ("curl", "wget", "http", "https", "aria2c")
"""Programs whose plain addresses are what they fetch."""
_LOCAL = re.compile(r"(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:/|$)")


@dataclass(frozen=True, slots=True)
class Asked:
    """The sites a command names, and how its output is to be read."""

    named: frozenset[str] = frozenset()
    """Every tracked site in it, and the registry of a package tool that names none."""
    only: str = ""
    """The site that a line without an address belongs to; empty when there is none, or more than one."""
    proxies: tuple[str, ...] = ()
    """`host:port` of each proxy it names."""
    local: frozenset[str] = frozenset()
    """`host:port` of the local services it asks."""
    quiet: bool = False
    """It only reads, prints a log or runs tests: what it prints is no request of its own."""
    tests: bool = False
    """It runs tests beside other things."""
    codes: tuple[re.Pattern[str], ...] = ()
    """How it prints bare status codes."""
    exits: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """What its exit codes say where it may have been silent."""


def asks(command: str) -> Asked:
    """What a command asks of the network; where it cannot be read wholly, what its text names."""
    script = read(command)
    proxies = tuple(dict.fromkeys(filter(None, map(endpoint, _proxies(script, command)))))
    proxies = tuple(proxy for proxy in proxies if "$" not in proxy and "{" not in proxy)
    found = [url for url in urls(command) if endpoint(url) not in proxies]
    named = {site for url in found if (site := site_of(url))}
    named |= {host for simple in script.commands if simple.program == "git" for host in _scp(simple)}
    local = frozenset(place for simple in script.commands for place in _local(simple, proxies))
    if not named and not local:
        named = {site for simple in script.commands if (site := registry(simple))}
    kinds = [tests(simple) or simple.effect for simple in script.commands]
    return Asked(
        frozenset(named),
        next(iter(named)) if len(named) == 1 and not local else "",
        proxies,
        local,
        script.sure and bool({"reads", "tests"} & set(kinds)) and {"reads", "tests", "nothing"} >= set(kinds),
        "tests" in kinds or "builds" in kinds,
        tuple(pattern for simple in script.commands for pattern in printed(simple)),
        _exits(script.commands),
    )


def _exits(commands: Iterable[Simple]) -> Mapping[int, str]:
    programs = {simple.program for simple in commands}
    return (CURL_EXITS if "curl" in programs else {}) | (_WGET_EXITS if "wget" in programs else {})


def _proxies(script: Script, command: str) -> Iterator[str]:
    """The proxies a command names, as written."""
    for name, value in script.assigned:
        if _PROXY_VARIABLE.fullmatch(name):
            yield value
    for simple in script.commands:
        words = simple.words
        for word, after in zip(words, (*words[1:], ""), strict=True):
            if _PROXY_OPTION.fullmatch(word) or (simple.program == "curl" and re.fullmatch(r"-[a-zA-Z]*x", word)):
                yield after
            elif found := _PROXY_VALUE.fullmatch(word):
                yield found[1]
    if not script.sure:
        yield from (found[1] for found in _PROXY_IN_TEXT.finditer(command))


def _scp(simple: Simple) -> Iterator[str]:
    return filter(None, map(scp_host, simple.words[1:]))


def _local(simple: Simple, proxies: tuple[str, ...]) -> Iterator[str]:
    """The local services a fetching program is told to ask."""
    if simple.program in _DIRECT:
        for word in simple.words[1:]:
            place = endpoint(word) if "://" in word[:8] or _LOCAL.match(word) else ""
            if place and place not in proxies and not tracked(place.rpartition(":")[0]) and "$" not in place:
                yield place
