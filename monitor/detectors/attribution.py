"""Which sites a call failed to reach, and which answered, as its result tells it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from monitor.detectors.asked import Asked, asks
from monitor.detectors.hosts import endpoint, is_address, site_of, tracked, urls
from monitor.detectors.network_failures import SILENT, Failure, answered, failure, may_tell
from monitor.detectors.programs import FETCHES
from monitor.events import ToolReturned

_EDGE = 65_536
"""Characters read at either end of a result."""
_OURS = ("[lcode", "[exit code")
"""How lines begin that the harness adds to a result."""
_COLOURS = re.compile("␛\\[[0-9;?]*[A-Za-z]")
_USES_PROXY = re.compile(r"proxy env variable \S+ == '([^']+)'")
_REFUSED_PAGE = re.compile(
    r"\W*+(?:Error:|Error (?:fetching|during)|Failed to (?:fetch|load|retrieve|download)|Request failed|Could not fetch"
    r"|Unable to fetch|(?:\S+ ){0,3}returned HTTP [45]|HTTP(?:/\S+)?(?: error)?:? [45]\d\d\b|fetch failed)",
    re.IGNORECASE,
)
"""How the body of a fetched page begins when it is none."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A site that a call could not reach, and how."""

    site: str
    via: str = ""
    """The proxy it went through, `host:port`."""
    kind: str = ""
    at_proxy: bool = False
    """It was the proxy that could not be reached, or that refused."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one result tells: the first failure of each site, and the sites that answered."""

    failed: tuple[Failed, ...] = ()
    answered: tuple[str, ...] = ()


NOTHING = Told()


def fetched(url: str, result: ToolReturned) -> Told:
    """What the result of a fetch tool tells of its address; a failure in a result marked as success counts."""
    site = site_of(url)
    if not site:
        return NOTHING
    text = _edges(result.output).lstrip()
    if result.outcome == "ok" and not _REFUSED_PAGE.match(text):
        return Told(answered=(site,))
    lines = text.splitlines()[: 1 if result.outcome == "ok" else None]
    found = next(filter(None, map(failure, lines)), None) if may_tell(text) else None
    if found is None:
        return Told((Failed(site, kind="timed out"),)) if result.outcome == "timed_out" else NOTHING
    placed = _place(found, site, Asked(named=frozenset((site,)), only=site))
    return Told((placed,)) if placed else NOTHING


def ran(command: str, result: ToolReturned, *, plenty: int = 400) -> Told:
    """What the output of a shell command tells of the sites it names or prints.

    `plenty` characters printed without a failure count as an answer of the one site it names; 0: none do.
    """
    text = _edges(result.output)
    names = "://" in command or "@" in command
    if not names and not may_tell(text):
        return NOTHING
    asked = asks(command)
    tells = may_tell(text, somewhere=bool(asked.named))
    if asked.quiet or not (asked.named or tells):
        return NOTHING
    reading = _Reading(asked)
    if tells or asked.codes:
        for line in text.splitlines():
            reading.read(line)
    reading.finish(result, text, plenty)
    return Told(tuple(reading.failed.values()), tuple(reading.answered))


def _edges(text: str) -> str:
    """The beginning and the end of an output, one line per line that was drawn, without colours."""
    text = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
    if "␍" in text:
        text = text.replace("␍", "\n")
    return _COLOURS.sub("", text) if "␛" in text else text


class _Reading:
    """Goes through an output line by line and remembers the last address printed."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._site = asked.only
        self._printed = ""
        """The address printed last, where its site was not asked for yet."""
        self.failed: dict[tuple[str, str], Failed] = {}
        self.answered: dict[str, None] = {}
        self._since = 2
        """Lines since an address was printed."""

    @property
    def current(self) -> str:
        """The site that a line without an address belongs to; empty where it belongs to none."""
        if self._printed:
            self._site, self._printed = site_of(self._printed), ""
        return self._site

    def read(self, line: str) -> None:
        if line.startswith(_OURS):
            return
        if "proxy env" in line and (found := _USES_PROXY.search(line)):
            self._uses(endpoint(found[1]))
            return
        printed, proxies = urls(line), self.asked.proxies
        if proxies and printed:
            printed = [url for url in printed if endpoint(url) not in proxies]
        self._since += 1
        if printed:
            self._printed, self._since = printed[-1], 0
        if told := failure(line):
            self._fail(told, line)
            return
        if answered(line):
            self._answer()
        for pattern in self.asked.codes:
            if self.current and (code := pattern.search(line)):
                self._code(code[1])
                break

    def finish(self, result: ToolReturned, text: str, plenty: int) -> None:
        """What the exit code and the amount of text say where no line said anything."""
        only = self.asked.only
        if not only:
            return
        silent = not self.failed or all(failed.kind == SILENT for failed in self.failed.values())
        kind = self.asked.exits.get(result.exit or 0)
        if silent and kind and only not in self.answered:
            self.failed.clear()
            self._site, self._printed = only, ""
            self._fail(Failure(kind), "")
        elif plenty and not self.failed and (result.exit == 0 or (result.exit is None and result.outcome == "ok")):
            printed = sum(len(line) for line in text.splitlines() if not line.startswith(_OURS))
            if printed >= plenty:
                self.answered[only] = None

    def _uses(self, proxy: str) -> None:
        """Remember the proxy that `curl -v` says it takes from its environment."""
        asked = self.asked
        if proxy and proxy not in asked.proxies:
            self.asked = replace(asked, proxies=(*asked.proxies, proxy))

    def _code(self, code: str) -> None:
        if code[0] in "45":
            self._fail(Failure(f"HTTP {code}"), "")
        elif code == "000":
            self._fail(Failure(SILENT), "")
        elif code[0] in "23":
            self._answer()

    def _answer(self) -> None:
        if self.current and (not self.asked.tests or self.current in self.asked.named):
            self.answered[self.current] = None

    def _fail(self, told: Failure, line: str) -> None:
        near = self.current in self.asked.named or self._since < 2
        placed = _place(told, self.current, self.asked, near=near)
        if placed and not (self.asked.tests and placed.site not in self.asked.named and not FETCHES.search(line)):
            self.failed.setdefault((placed.site, placed.via), placed)


def _place(told: Failure, current: str, asked: Asked, *, near: bool = True) -> Failed | None:
    """The site and the proxy that a failure belongs to; none when it is a local service's, or nobody's.

    A host that the line names is meant itself, unless it is the proxy: one the command names, one the line calls
    so, a local one while a site of the internet is asked, or one on a port that no site is asked on. `near`: the
    site was named by the command, or close by.
    """
    via = asked.proxies[0] if len(asked.proxies) == 1 else ""
    peer = f"{told.host}:{told.port}" if told.port is not None else ""
    if told.proxy or peer in asked.proxies:
        return _at_proxy(told, told.site or current, peer, via, asked)
    if not told.host or told.host == current or (is_address(told.host) and tracked(told.host)):
        return Failed(current, via, told.kind) if current else None
    odd = told.port not in (None, 22, 80, 443)
    if tracked(told.host) and not (odd and current and told.host not in asked.named):
        return Failed(told.host, via, told.kind)
    if not current or not near or peer in asked.local:
        return None
    return Failed(current, peer, told.kind, at_proxy=True) if odd else Failed(current, via, told.kind)


def _at_proxy(told: Failure, site: str, peer: str, via: str, asked: Asked) -> Failed | None:
    """A failure of the proxy itself; its address is the line's, else the command's."""
    if not tracked(site):
        return None
    named = "" if told.host == site else told.host
    known = next((proxy for proxy in asked.proxies if proxy.rpartition(":")[0] == named), "")
    return Failed(site, (peer if named else "") or known or via or named, told.kind, at_proxy=True)
