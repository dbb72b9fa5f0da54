"""lcode's own class is the reference: what it flags we flag, and no more, but for the cases listed here by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lcode.unreachable import Sites as Seed
from network_story import Network

from monitor.detectors.sites import Sites
from monitor.findings import rank

HOSTS = ("dl.one.com", "two.org", "cdn.three.net")
FAILURES = (
    "HTTP/1.1 404 Not Found\nServer: x",
    "HTTP/2 503",
    "HTTP/1.1 403 Forbidden",
    "curl: (22) The requested URL returned error: 500",
    "curl: (6) Could not resolve host: {host}",
    "curl: (7) Failed to connect to {host} port 443 after 5 ms: Couldn't connect to server",
    "curl: (28) Connection timed out after 10001 milliseconds",
    "curl: (35) OpenSSL SSL_connect: Connection reset by peer in connection to {host}:443",
    "curl: (60) SSL certificate problem: unable to get local issuer certificate",
    "2026-11-30 07:38:05 ERROR 404: Not Found.",
    "wget: unable to resolve host address '{host}'\nTemporary failure in name resolution",
    "Connecting to {host} ({host})|1.2.3.4|:443... failed: Connection refused.",
    "urllib.error.HTTPError: HTTP Error 410: Gone",
    "requests.exceptions.HTTPError: 404 Client Error: Not Found for url: https://{host}/x",
    "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='{host}', port=443): Max retries exceeded",
    "npm error 404 Not Found - GET https://{host}/x - Not found",
    "status_code: 502",
    "502 Bad Gateway",
    "fatal: unable to access 'https://{host}/r.git/': Could not resolve host: {host}",
    "getaddrinfo ENOTFOUND {host}",
)
ANSWERS = (
    "HTTP/1.1 200 OK", "HTTP/2 301\nlocation: /y", "HTTP request sent, awaiting response... 200 OK", "status: 204", "word " * 90,
)  # fmt: skip
NOTHING = ("", "done", "saved to x.zip", "404 lines read")
COMMANDS = (
    "curl -sI https://{host}/{path}", "curl -fsSL -o x.zip 'https://{host}/{path}' | head -3", "wget https://{host}/{path}",
    'cd /tmp && wget -nv "https://{host}/{path}" && ls', "python get.py https://{host}/{path}",
    "git clone https://{host}/{path}.git", "for v in 1 2; do curl -I https://{host}/{path}$v; done",
    "python - <<'EOF'\nurlopen('https://{host}/{path}')\nEOF", "npm view {path} --registry https://{host}",
    "curl http://localhost:3000/{path}", "./get.sh {path}", "curl -I https://dl.one.com/{path} https://two.org/{path}",
)  # fmt: skip


@dataclass(frozen=True)
class Call:
    tool: str
    asked: str
    output: str
    exit: int | None = 0
    outcome: Any = "ok"


@st.composite
def calls(draw: st.DrawFn) -> Call:
    host, path = draw(st.sampled_from(HOSTS)), draw(st.sampled_from("abcdefghi"))
    told = draw(st.sampled_from(draw(st.sampled_from((FAILURES, FAILURES, FAILURES, NOTHING, ANSWERS))))).format(
        host=host
    )
    if draw(st.integers(0, 5)) == 0:
        url = f"https://{host}/{path}"
        failed = draw(st.booleans())
        output = f"Error: {url} returned HTTP 404" if failed else f"a page about {path}"
        return Call("web_fetch", url, output, None, "failed" if failed else "ok")
    command = draw(st.sampled_from(COMMANDS)).format(host=host, path=path)
    if (command.count("https://") != 1 and host in told) or draw(st.integers(0, 4)) == 0:
        told = f"trying https://{host}/{path}\n{told}"
    return Call("bash", command, told, draw(st.sampled_from((0, 0, 1, 128))))


class Both:
    """The seed and ours, told the same."""

    def __init__(self) -> None:
        self.seed = Seed()
        self.told = Network()

    def call(self, call: Call) -> tuple[str, bool]:
        """The site that the seed flags at this call, and whether it stops there."""
        if call.tool == "web_fetch":
            verdict = self.seed.check("web_fetch", {"url": call.asked}, call.output)
            self.told.fetch(call.asked, call.output, call.outcome)
        else:
            verdict = self.seed.check("bash", {"command": call.asked}, f"{call.output}\n\n[exit code: {call.exit}]")
            self.told.shell(call.asked, call.output, call.exit, outcome=call.outcome)
        return (verdict.site if verdict.note else ""), verdict.stop

    def ours(self) -> dict[str, str]:
        return {entry.name: entry.level for entry in self.told.detector.view().entries if entry.level}


@settings(deadline=None, max_examples=100)
@given(st.lists(calls(), max_size=30))
def test_flags_what_the_seed_flags_and_no_more(story):
    """At every call, the sites at warn and at stop are those the seed has counted to three and to five."""
    both = Both()
    for call in story:
        site, stop = both.call(call)
        ours = both.ours()
        if site:
            assert rank(ours.get(site)) >= rank("stop" if stop else "warn")
        counts = {name: len(failed) for name, failed in both.seed.failed.items() if name not in both.seed.reached}
        assert ours == {name: "stop" if n >= 5 else "warn" for name, n in counts.items() if n >= 3}
        assert {e.site for e in both.told.detector.view().entries if e.answered} == both.seed.reached


def many(asked: str, output: str, code: int | None = 0, **more: Any) -> list[Call]:
    return [
        Call(more.get("tool", "bash"), asked.format(n), output.format(n), code, more.get("outcome", "ok"))
        for n in range(5)
    ]


DIED = "curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server"
VIA = "HTTP/1.1 404 Not Found"
LATE = "connect to a.com: i/o timeout"
BEYOND: dict[str, tuple[list[Call], dict[str, str], dict[str, str]]] = {
    # name: the calls, what the seed flags at their end, what ours flags
    "a proxy in the command": (
        many("curl -sI -x http://127.0.0.1:8 https://a.com/{}", VIA), {}, {"a.com via 127.0.0.1:8": "stop"}),
    "a dead proxy": (many("curl -sS https://a.com/{}", DIED, 7), {"a.com": "stop"}, {"a.com via 127.0.0.1:9": "stop"}),
    "a proxy that refuses": (
        many("curl -x http://p.corp.com:3128 https://a.com/{}", "curl: (56) CONNECT tunnel failed, response 403", 56),
        {}, {"a.com via p.corp.com:3128": "stop"}),
    "direct and through a proxy are two ways": (
        many("wget https://a.com/{}", "https://a.com/{}:\nERROR 404: no")[:3]
        + many("https_proxy=http://p.corp.com:1 wget https://a.com/{}", "https://a.com/{}:\nERROR 404: no")[:2],
        {"a.com": "stop"}, {"a.com": "warn"}),
    "the proxy's 200 is no answer": (
        many("curl -sI https://a.com/{}", f"HTTP/1.1 200 Connection established\n\n{VIA}"), {}, {"a.com": "stop"}),
    "bare codes of curl -w": (many("curl -so x -w '%{{http_code}}' https://a.com/{}", "404"), {}, {"a.com": "stop"}),
    "bare 000 of curl -w": (many("curl -so x -w '%{{http_code}}' https://a.com/{}", "000"), {}, {"a.com": "stop"}),
    "a silent curl": (many("curl -s https://a.com/{}", "", 6), {}, {"a.com": "stop"}),
    "apt's failure": (
        many("apt-get install x{}", "Err:1 http://a.com/debian x\n  Temporary failure resolving 'a.com'", 100),
        {}, {"a.com": "stop"}),
    "scp-style addresses": (
        many("git clone git@a.com:o/{}.git", "ssh: connect to host a.com port 22: Connection refused", 128),
        {}, {"a.com": "stop"}),
    "git ls-remote": (many("git ls-remote https://a.com/o/{}", "remote: Repository not found.", 128), {}, {"a.com": "stop"}),
    "a listed repository is an answer": (
        [*many("git ls-remote https://a.com/o/{}", "ERROR 404: Not Found", 128),
         Call("bash", "git ls-remote https://a.com/o/x", "a" * 40 + "\tHEAD")], {"a.com": "stop"}, {}),
    "pip without an address": (many("pip install x{}", "Read timed out.", 1), {}, {"pypi.org": "stop"}),
    "npm without an address": (many("npm install x{}", "npm error code ECONNRESET", 1), {}, {"registry.npmjs.org": "stop"}),
    "other tools' words": (
        many("go get a.com/x{}", 'go: Get "https://a.com/x": dial tcp 1.2.3.4:443: i/o timeout', 1), {}, {"a.com": "stop"}),
    "the host on the line": (
        many("curl -L https://a.com/{}", "curl: (6) Could not resolve host: b.com", 6), {"a.com": "stop"}, {"b.com": "stop"}),
    "a log that is read": (many("cat {}.log", "GET https://a.com/x HTTP/1.1 404"), {"a.com": "stop"}, {}),
    "a log of success is no answer": (
        [Call("bash", "cat x.log", "GET https://a.com/x HTTP/1.1 200"), *many("curl -I https://a.com/{}", VIA)],
        {}, {"a.com": "stop"}),
    "test output": (many("pytest -k {}", "https://a.com/x Connection refused", 1), {"a.com": "stop"}, {}),
    "a local service": (
        many("npm run dev {}", "see https://a.com/docs\nready\n\nconnect ECONNREFUSED 127.0.0.1:5432", 1),
        {"a.com": "stop"}, {}),
    "401 is capped": (many("curl -I https://a.com/{}", "HTTP/1.1 401 Unauthorized"), {"a.com": "stop"}, {"a.com": "warn"}),
    "407 is capped": (
        many("curl -I https://a.com/{}", "HTTP/1.1 407 Proxy Authentication Required"), {"a.com": "stop"}, {"a.com": "warn"}),
    "429 is capped": (many("curl -I https://a.com/{}", "HTTP/1.1 429 Too Many"), {"a.com": "stop"}, {"a.com": "warn"}),
    "a failed fetch marked as success": (
        many("https://a.com/{}", "Failed to fetch URL (HTTP 404)", None, tool="web_fetch"), {}, {"a.com": "stop"}),
    "calls that were not made": (
        many("curl -I https://a.com/{}", VIA, None, outcome="cancelled"), {"a.com": "stop"}, {}),
    "coloured and redrawn lines": (
        many("curl -sf https://a.com/{}", "0 0␍␛[31mHTTP/1.1 404␛[0m"), {}, {"a.com": "stop"}),
    "an address in brackets": (many("./get.sh {}", "(see https://a.com)\nHTTP/1.1 404"), {"a.com)": "stop"}, {"a.com": "stop"}),
}  # fmt: skip
"""Where ours is meant to differ from the seed, each for a reason the rules give."""


@pytest.mark.parametrize("name", BEYOND)
def test_beyond(name):
    """Every listed case differs from the seed, and just so."""
    story, theirs, ours = BEYOND[name]
    both, flagged = Both(), {}
    for call in story:
        both.call(call)
    for site, failed in both.seed.failed.items():
        if site not in both.seed.reached and len(failed) >= 3:
            flagged[site] = "stop" if len(failed) >= 5 else "warn"
    assert flagged == theirs
    assert both.ours() == ours
    assert flagged != ours


@settings(deadline=None, max_examples=40)
@given(st.lists(calls(), max_size=20), st.integers(0, 20))
def test_a_copy_goes_on_like_the_original(story, at):
    """A copy fed the rest knows what one fed everything knows, and the original is untouched by it."""
    told = Network()
    for call in story:
        told.shell(call.asked, call.output, call.exit)
    first, rest = told.events[: 2 * at], told.events[2 * at :]
    one, straight = Sites(), Sites()
    for event in first:
        one.feed(event)
        straight.feed(event)
    before = one.view()
    other = one.copy()
    for event in rest:
        other.feed(event)
        straight.feed(event)
    assert other.view() == straight.view() == told.detector.view()
    assert one.view() is before


@settings(deadline=None, max_examples=40)
@given(st.lists(calls(), max_size=20))
def test_names_are_only_names(story):
    """Renaming the sites everywhere changes the names that are shown, and nothing else."""
    names = dict(zip(HOSTS, ("zz.example-one.io", "aa.museum", "long.long.long.name.dev"), strict=True))

    def renamed(text: str) -> str:
        for old, new in names.items():
            text = text.replace(old, new)
        return text

    one, other = Network(), Network()
    for call in story:
        one.shell(call.asked, call.output, call.exit)
        other.shell(renamed(call.asked), renamed(call.output), call.exit)
    assert [replace(entry, site=names[entry.site]) for entry in one.detector.view().entries] == list(
        other.detector.view().entries
    )
