from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lcode.unreachable import failure as seed_failure
from lcode.unreachable import site_of as seed_site_of

from monitor.detectors.hosts import endpoint, scp_host, site_of, urls
from monitor.detectors.network_failures import Failure, answered, failure, may_tell

LINES: dict[str, Failure] = {
    "curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect": Failure(
        "cannot connect", "127.0.0.1", 9
    ),
    "curl: (7) Failed to connect to [::1] port 9": Failure("cannot connect", "::1", 9),
    "curl: (6) Could not resolve host: dl.google.com": Failure("name does not resolve", "dl.google.com"),
    "curl: (5) Could not resolve proxy: p.corp.com": Failure("name does not resolve", "p.corp.com", None, proxy=True),
    "curl: (28) Connection timed out after 10001 milliseconds": Failure("timed out"),
    "curl: (52) Empty reply from server": Failure("no answer"),
    "curl: (47) Maximum (50) redirects followed": Failure("too many redirects"),
    "curl: (97) something new": Failure("cannot connect"),
    "curl: (56) CONNECT tunnel failed, response 403": Failure("HTTP 403", proxy=True),
    "curl: (56) Received HTTP code 407 from proxy after CONNECT": Failure("HTTP 407", proxy=True),
    "HTTP/2 503": Failure("HTTP 503"),
    "HTTP/1.1 407 Proxy Authentication Required": Failure("HTTP 407", proxy=True),
    "ssh: connect to host github.com port 22: Connection timed out": Failure("timed out", "github.com", 22),
    "ssh: Could not resolve hostname GitHub.com: Name or service not known": Failure(
        "name does not resolve", "github.com"
    ),
    "wget: unable to resolve host address ‘dl.google.com’": Failure("name does not resolve", "dl.google.com"),
    "Connecting to a.com (a.com)|142.250.1.1|:443... failed: Connection refused.": Failure(
        "connection refused", "a.com", 443
    ),
    "  Could not connect to 127.0.0.1:9 (127.0.0.1). - connect (111: Connection refused)": Failure(
        "connection refused", "127.0.0.1", 9
    ),
    "  404  Not Found [IP: 151.101.2.132 80]": Failure("HTTP 404"),
    "reading https://a.com/x: 410 Gone": Failure("HTTP 410"),
    "npm error code E401": Failure("HTTP 401"),
    "request to https://a.com/x failed, reason: connect ECONNREFUSED 127.0.0.1:9": Failure(
        "connection refused", "127.0.0.1", 9
    ),
    "ProxyError: HTTPSConnectionPool(host='a.com', port=443): Max retries exceeded (Caused by ProxyError('Unable to connect to "
    "proxy', NewConnectionError(\"HTTPSConnection(host='127.0.0.1', port=9): Connection refused\")))": Failure(
        "connection refused", "127.0.0.1", 9, proxy=True, site="a.com"
    ),
    'Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org on 1.1.1.1:53: no such host': Failure(
        "name does not resolve", "proxy.golang.org"
    ),
    "failed to get successful HTTP response from `https://index.crates.io/x` (1.2.3.4), got 403": Failure("HTTP 403"),
    "x509: certificate signed by unknown authority": Failure("TLS error"),
    "java.net.UnknownHostException: dl.google.com": Failure("name does not resolve", "dl.google.com"),
    "fatal: could not read Username for 'https://github.com': No such device": Failure("login wanted"),
    "fatal: repository 'https://github.com/a/b/' not found": Failure("repository not found"),
    "connect EPERM 1.2.3.4:443 - Local (0.0.0.0:0)": Failure("blocked by the sandbox", "1.2.3.4", 443),
    "x-proxy-error: blocked-by-allowlist": Failure("blocked by the sandbox"),
    "connect: Network is unreachable": Failure("no route"),
}


@pytest.mark.parametrize("line", LINES)
def test_failures_as_tools_print_them(line):
    """The kind, the host and the port of a failure are read from its line, and the cheap test never hides it."""
    assert failure(line) == LINES[line]
    assert may_tell(line)


@pytest.mark.parametrize("line", ["75 passed in 404 seconds", "line 500: Gone with the wind", "HTTP/1.1 200 OK", "port 503", "",
                                  "is not known to work", "retry later"])  # fmt: skip
def test_lines_that_tell_no_failure(line):
    """Numbers and words that only resemble a failure are none."""
    assert failure(line) is None


@pytest.mark.parametrize(
    ("line", "is_answer"),
    [
        ("HTTP/1.1 200 OK", True),
        ("< HTTP/2 301", True),
        ("HTTP request sent, awaiting response... 200 OK", True),
        ("status_code: 204", True),
        ("HTTP/1.1 200 Connection established", False),
        ("HTTP/1.1 404 Not Found", False),
        ("a" * 40 + "\trefs/heads/main", True),
        ("a" * 39 + "\trefs/heads/main", False),
    ],
)
def test_answers(line, is_answer):
    """Success status lines and listed repositories are answers; a proxy's own success is none."""
    assert answered(line) == is_answer
    assert may_tell(line) or not is_answer


TOKENS = (
    "HTTP/1.1", "HTTP Error", "returned HTTP", "returned error:", "ERROR", "Client Error", "status code", "http_code=", "404",
    "500:", "Not Found", "Bad Gateway", "Could not resolve host", "getaddrinfo", "ENOTFOUND", "Connection refused", "ETIMEDOUT",
    "Read timed out", "ECONNRESET", "No route to host", "SSLError", "Failed to connect to", "Max retries exceeded", "x", ":",
    "Name or service not known", "certificate verify failed", "(Forbidden", "Too Many Requests", "Failed to resolve",
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=6))
def test_every_failure_of_the_seed_is_known(tokens):
    """A line that the seed takes for a failure is one here, of the same status, and passes the cheap test."""
    line = " ".join(tokens)
    theirs = seed_failure(line)
    ours = failure(line)
    if theirs:
        assert ours is not None
        assert may_tell(line)
        assert ours.kind == theirs or not theirs.startswith("HTTP")


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("htps:/.@a1-[]$%_ ,é"), max_size=20))
def test_hosts_are_tracked_as_the_seed_tracks_them(rest):
    """The site of an address is the seed's, and no text makes any of it throw."""
    url = f"https://{rest}"
    assert site_of(url) == seed_site_of(url)
    assert isinstance(endpoint(rest) + scp_host(rest) + "".join(urls(rest)), str)


@pytest.mark.parametrize(
    ("word", "host"),
    [("git@github.com:o/r.git", "github.com"), ("github.com:o/r", "github.com"), ("C:/x", ""), ("a.com:443", ""),
     ("https://a.com:x", ""), ("user@host:path", ""), ("key: value", "")],
)  # fmt: skip
def test_scp_style_addresses(word, host):
    """`git@host:path` names a host; a drive, a port and a dotless host do not."""
    assert scp_host(word) == host


@pytest.mark.parametrize(
    ("text", "found"),
    [("see https://a.com/x.", ["https://a.com/x"]), ("(https://a.com)", ["https://a.com"]), ("[x](https://a.com/y)!", ["https://a.com/y"]),
     ("http://[::1]:8/x http://[::1]", ["http://[::1]:8/x", "http://[::1]"]), ("[https://a.com]", ["https://a.com"])],
)  # fmt: skip
def test_addresses_without_the_punctuation_after_them(text, found):
    """An address in prose ends before the sign that follows it."""
    assert urls(text) == found


@pytest.mark.parametrize(
    ("address", "place"),
    [("http://p.corp.com:3128/", "p.corp.com:3128"), ("127.0.0.1:9", "127.0.0.1:9"), ("socks5://p:1", "p:1"),
     ("http://u:pw@p.com", "p.com:80"), ("https://p.com", "p.com:443"), ("http://p:99999", "p:80"), ("", ""), ("http://[x", "")],
)  # fmt: skip
def test_endpoints(address, place):
    """A proxy is named by host and port, its scheme or port given or not."""
    assert endpoint(address) == place
