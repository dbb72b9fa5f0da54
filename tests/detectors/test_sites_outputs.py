"""Which outputs are a failure and which an answer."""

from __future__ import annotations

import pytest
from network_story import NOT_FOUND, Network, failing

NO_NAME = "curl: (6) Could not resolve host: dl.google.com"


@pytest.mark.parametrize(
    ("command", "output", "site"),
    [
        ("apt-get update", ("Err:1 http://deb.debian.org/debian bookworm InRelease\n  Temporary failure resolving"
         " 'deb.debian.org'"), "deb.debian.org"),
        ("apt-get install x", "Err:2 http://deb.debian.org/debian x\n  404  Not Found [IP: 151.101.2.132 80]", "deb.debian.org"),
        ("git clone git@github.com:o/r.git", "ssh: connect to host github.com port 22: Connection timed out", "github.com"),
        ("git clone git@github.com:o/r.git", "ssh: something: Connection refused", "github.com"),
        ("git ls-remote https://github.com/o/r", "remote: Repository not found.", "github.com"),
        ("git ls-remote https://github.com/o/r", "fatal: repository 'https://github.com/o/r/' not found", "github.com"),
        ("pip install x", ("WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<pip._vendor."
         "urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -2] Name or"
         " service not known')': /simple/x/"), "pypi.org"),
        ("python3 -m pip install x", "ReadTimeoutError: Read timed out.", "pypi.org"),
        ("npm install", "npm error code EAI_AGAIN", "registry.npmjs.org"),
        ("cargo build", "Caused by:\n  [6] Couldn't resolve host name (Could not resolve host: index.crates.io)", "index.crates.io"),
        ("go mod download", 'go: x: Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org: no such host',
         "proxy.golang.org"),
        ("./gradlew assemble", "> Could not GET 'https://dl.google.com/a.pom'. Received status code 404 from server",
         "dl.google.com"),
        ("curl -L https://a.com/x", "curl: (6) Could not resolve host: cdn.b.com", "cdn.b.com"),
        ("curl -s https://a.com/x", "  0     0    0␍curl: (22) The requested URL returned error: 404", "a.com"),
        ("http https://a.com/x", "␛[33mHTTP/1.1 404 Not Found␛[0m", "a.com"),
    ],
)  # fmt: skip
def test_failures_of_many_tools(command, output, site):
    """Failures are read as each tool prints them, and belong to the site that was meant."""
    told = Network()
    told.shell(command, output, 1)
    assert told.names() == {site: 1}


@pytest.mark.parametrize(
    "command",
    ["cat build.log", "cd x && grep -rn 404 . | head", "tail -50 server.log | grep HTTP", "sudo journalctl -u nginx",
     "docker logs web", "git log -3", "pytest -q", "cd app && python -m pytest tests", "npm test", "uv run pytest",
     "bash -lc 'cat build.log'", "find . -name '*.log' -exec cat {} \\;", "cat > get.py <<'EOF'\nhttps://a.com/x\nEOF"],
)  # fmt: skip
def test_logs_and_tests_never_count(command):
    """What a command only reads, and what tests print, is no request of the agent's."""
    told = Network()
    text = "GET https://api.x.com/v1 HTTP/1.1 404 Not Found\nhttps://api.y.com/ Connection refused\nHTTP/1.1 200 OK"
    for number in range(6):
        told.shell(f": {number}; {command}", text)
    assert told.detector.view().entries == ()


def test_a_download_beside_tests_counts():
    """In a command that downloads and tests, only what was asked outside the tests counts."""
    told = Network()
    told.shell("curl -sO https://a.com/x && pytest", "curl: (7) Failed to connect to a.com port 443\n"
               "E  requests: Connection refused https://api.x.com/v1\n", 1)  # fmt: skip
    told.shell("./gradlew test", "> Could not GET 'https://dl.google.com/a'. Received status code 404\n"
               "AppTest > https://api.x.com/v1 HTTP/1.1 500\n", 1)  # fmt: skip
    assert told.names() == {"a.com": 1, "dl.google.com": 1}


def test_fetched_pages():
    """A page is an answer; an error is a failure, also where the tool calls it a success."""
    told = Network()
    told.fetch("https://a.com/1", "Error: https://a.com/1 returned HTTP 404", "failed")
    told.fetch("https://a.com/2", "Failed to fetch URL (HTTP 404)")
    told.fetch("https://a.com/3", "Request failed with status code 404", "failed")
    assert told.site("a.com").level == "warn"
    assert told.site("a.com").kinds == (("HTTP 404", 3),)
    told.fetch("https://b.com/", "HTTP status codes\n404 Not Found means …")
    assert told.site("b.com").answered
    told.fetch("https://c.com/", "", "timed_out")
    assert told.site("c.com").kinds == (("timed out", 1),)
    told.fetch("http://localhost/", "Error: connection refused", "failed")
    assert len(told.names()) == 3


def test_plenty_of_text_is_an_answer():
    """A call that names one site, ends with 0, shows no failure and prints 400 characters was answered."""
    told = Network()
    told.shell("curl -s https://a.com/x", "word " * 80)
    assert told.site("a.com").answered
    told.shell("curl -s https://b.com/x", "word " * 79)
    told.shell("curl -s https://b.com/y", "word " * 80, 1)
    told.shell("curl -s https://b.com/z https://c.com/z", "word " * 80)
    assert set(told.names()) == {"a.com"}


def test_listing_a_repository_is_an_answer():
    """What `git ls-remote` lists came from the site."""
    told = Network()
    told.shell("git ls-remote git@github.com:o/r.git", "a" * 40 + "\tHEAD\n")
    assert told.site("github.com").answered


def test_no_network_is_told_apart():
    """When several sites fail alike before any answers, or the sandbox says so, it is the network that is missing."""
    told = Network()
    failing(told, 3, NO_NAME)
    assert told.site("dl.google.com").cause == "site"
    told.shell("curl https://a.com/x", "curl: (6) Could not resolve host: a.com", 6)
    entry = told.site("dl.google.com")
    assert entry.cause == "sandbox"
    failing(told, 1, NO_NAME)
    assert "there may be no network here" in told.open()[0].message
    assert "allowing it" in told.open()[0].advice
    told.shell("curl -sI https://b.com/", "HTTP/2 200")
    assert told.site("dl.google.com").cause == "site"
    told = Network()
    failing(told, 3, "x-proxy-error: blocked-by-allowlist")
    assert told.site("dl.google.com").cause == "sandbox"


def test_only_the_edges_are_read():
    """Of a long output the first and the last 64 KB are read."""
    told = Network()
    long = "x" * 70_000 + "\n"
    told.shell("curl https://a.com/1", NOT_FOUND + long * 2)
    told.shell("curl https://a.com/2", long * 2 + NOT_FOUND)
    told.shell("curl https://a.com/3", long + NOT_FOUND + long)
    assert told.site("a.com").failed_calls == 2
