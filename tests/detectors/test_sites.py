from __future__ import annotations

import pytest
from network_story import Network, recorded

from monitor.detectors.sites import Sites
from monitor.events import Prompted, ToolCalled, ToolReturned

NOT_FOUND = "HTTP/1.1 404 Not Found\nServer: x\n"
NO_NAME = "curl: (6) Could not resolve host: dl.google.com"


def failing(told: Network, count: int, output: str = NOT_FOUND, host: str = "dl.google.com") -> None:
    for number in range(count):
        told.shell(f"curl -sI https://{host}/{len(told.events)}.{number}.zip | head -3", output)


def test_three_warn_five_block():
    """The third different failed call is a warning, the fifth blocks; each proves it by the results it points to."""
    told = Network()
    levels = []
    for number in range(6):
        told.shell(f"curl -sI https://dl.google.com/{number}.zip", NOT_FOUND)
        levels.append(told.site("dl.google.com").level)
    assert levels == [None, None, "warn", "warn", "stop", "stop"]
    entry = told.site("dl.google.com")
    assert (entry.failed_calls, entry.towards, entry.limit, entry.kinds) == (6, 6, 5, (("HTTP 404", 6),))
    assert not entry.answered
    assert entry.cause == "site"
    (finding,) = told.open()
    assert finding.message == "dl.google.com: every different call to it failed"
    assert finding.figure == "5 of 5"
    assert [spot.seq for spot in finding.places] == [1, 3, 5, 7, 9, 11]
    assert (finding.opened, finding.raised) == (5, 9)
    assert entry.at == 111.0


def test_identical_repeats_count_once():
    """The same call made again is the repeats rule's business, whatever the order of its arguments."""
    told = Network()
    for _ in range(6):
        told.shell("curl -sI https://dl.google.com/x", NOT_FOUND)
    assert told.names() == {"dl.google.com": 1}
    one, other = (
        '{"command": "curl https://a.com/x", "timeout": 5}',
        '{"timeout": 5, "command": "curl https://a.com/x"}',
    )
    for call, arguments in (("p", one), ("q", other)):
        told.tell(ToolCalled(call=call, tool="bash", kind="shell", command="curl https://a.com/x", arguments=arguments))
        told.tell(ToolReturned(call=call, output="curl: (7) Failed to connect to a.com port 443", exit=7))
    assert told.site("a.com").failed_calls == 1


def test_one_answer_clears_for_the_request():
    """A site that answered once is not flagged in the request, and what was flagged is cleared."""
    told = Network()
    failing(told, 5)
    assert told.site("dl.google.com").level == "stop"
    told.shell("curl -sI https://dl.google.com/ok", "HTTP/2 200 \n")
    entry = told.site("dl.google.com")
    assert (entry.level, entry.answered, entry.failed_calls) == (None, True, 5)
    failing(told, 6)
    assert told.open() == []
    (finding,) = told.detector.view().findings
    assert (finding.state, finding.why_ended, finding.level) == ("cleared", "it answered", "stop")


def test_a_new_request_begins_again():
    """The findings of a request are closed by the next prompt; its sites are kept for the report."""
    told = Network()
    failing(told, 4)
    told.prompt()
    view = told.detector.view()
    assert view.entries == ()
    assert [(entry.site, entry.level, entry.request) for entry in view.earlier] == [("dl.google.com", "warn", 1)]
    assert [finding.state for finding in view.findings] == ["closed"]
    failing(told, 2)
    assert told.site("dl.google.com").level is None


def test_settled_by_the_operator():
    """What the operator settles stays quiet for the rest of the request."""
    told = Network()
    failing(told, 3)
    told.settle(told.open()[0].key, "the site is down, go on")
    failing(told, 4)
    assert told.open() == []
    assert told.site("dl.google.com").level is None
    assert told.detector.view().findings[0].why_ended == "the site is down, go on"
    told.prompt()
    failing(told, 3)
    assert len(told.open()) == 1


def test_numbers_are_settings():
    """Other numbers move the levels, and 0 turns the rule off."""
    told = Network(warn=2, more=1)
    failing(told, 2)
    assert told.site("dl.google.com").level == "warn"
    failing(told, 1)
    assert (told.site("dl.google.com").level, told.site("dl.google.com").limit) == ("stop", 3)
    off = Network(warn=0)
    failing(off, 9)
    assert off.detector.view().entries == ()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "10.1.2.3", "169.254.1.1", "[::1]", "printer", "a.local",
                                  "x.test", "db.internal", "$HOST", "{host}.com", "api.example"])  # fmt: skip
def test_local_hosts_are_not_tracked(host):
    """Local, private, dotless and templated hosts are not sites."""
    told = Network()
    failing(told, 5, host=host)
    assert told.detector.view().entries == ()


def test_a_host_is_lower_case_without_its_final_dot():
    """However a host is written, it is one site; sub-domains are others."""
    told = Network()
    for host in ("DL.Google.com", "dl.google.com.", "user:pw@dl.google.com", "dl.google.com:8443"):
        failing(told, 1, host=host)
    failing(told, 1, host="www.google.com")
    assert told.names() == {"dl.google.com": 4, "www.google.com": 1}


def test_attribution_follows_the_address_printed_last():
    """A failure belongs to the address on its line, else to the last one printed, else to the command's only site."""
    told = Network()
    told.shell("./get.sh", "trying https://a.com/1\nHTTP/1.1 404 Not Found\nhttps://b.com/2\nERROR 500: no\n")
    told.shell("curl https://c.com/x; curl https://d.com/y", "HTTP/1.1 404 Not Found\n")
    told.shell("./get.sh", "404 Client Error: Not Found for url: https://e.com/z\n")
    assert told.names() == {"a.com": 1, "b.com": 1, "e.com": 1}


def test_calls_that_were_not_made_never_count():
    """Refused, denied, cancelled and copied calls say nothing of a site."""
    told = Network()
    for outcome in ("denied", "refused", "corrected", "approval_timeout", "cancelled", "not_executed"):
        told.shell(f"curl https://a.com/{outcome}", NOT_FOUND, None, outcome=outcome)
    told.shell("curl https://a.com/old", NOT_FOUND, copied=True)
    told.shell("curl https://a.com/later", NOT_FOUND, background=True)
    assert told.detector.view().entries == ()


def test_a_background_call_is_judged_when_it_returns():
    """The acknowledgement of a background call is no result; what comes later under the same call is."""
    told = Network()
    told.tell(ToolCalled(call="b", tool="bash", kind="shell", command="curl -I https://a.com/x"))
    told.tell(ToolReturned(call="b", output="started https://a.com/x HTTP/1.1 404 Not Found", background=True))
    assert told.names() == {}
    told.tell(ToolReturned(call="b", output=NOT_FOUND))
    assert told.names() == {"a.com": 1}


def test_sites_are_the_runs_own():
    """Calls of sub-agents count for the same site, even where their call ids are the same."""
    told = Network()
    for actor in ("", "x", "y"):
        told.tell(
            ToolCalled(call="same", tool="bash", kind="shell", command=f"curl https://a.com/{actor}", actor=actor)
        )
    for actor in ("y", "", "x"):
        told.tell(ToolReturned(call="same", output=NOT_FOUND, actor=actor))
    assert told.site("a.com").level == "warn"


def test_login_and_rate_are_capped():
    """401, 407 and 429 never block: the site was reached; each has its own advice. 403 counts like any other."""
    for output, cause, word in (
        ("HTTP/1.1 401 Unauthorized", "login", "credentials"),
        ("HTTP/1.1 407 Proxy Authentication Required", "login", "credentials"),
        ("HTTP/1.1 429 Too Many Requests", "rate", "Retry-After"),
        ("fatal: could not read Username for 'https://dl.google.com': No such device or address", "login", "login"),
    ):
        told = Network()
        failing(told, 8, output)
        entry = told.site("dl.google.com")
        assert (entry.level, entry.cause, entry.towards, entry.failed_calls) == ("warn", cause, 0, 8)
        assert word in told.open()[0].advice
        assert told.open()[0].figure == "×8"
    told = Network()
    failing(told, 5, "HTTP/1.1 403 Forbidden")
    assert told.site("dl.google.com").level == "stop"
    told = Network()
    failing(told, 4)
    failing(told, 4, "HTTP/1.1 429 Too Many Requests")
    assert told.site("dl.google.com").level == "warn"


def test_a_proxy_in_the_command_is_no_second_site():
    """A local address that is a proxy does not stop attribution, however the proxy is given."""
    for command in (
        "curl -sI -x http://127.0.0.1:54185 http://dl.google.com/{} | head -3",
        "https_proxy=http://127.0.0.1:54185 curl -sI https://dl.google.com/{}",
        "export HTTPS_PROXY=http://127.0.0.1:54185; curl -sI https://dl.google.com/{}",
        "curl -sI --proxy=127.0.0.1:54185 https://dl.google.com/{}",
        "wget -S -e use_proxy=yes -e https_proxy=127.0.0.1:54185 https://dl.google.com/{}",
        "git -c http.proxy=http://127.0.0.1:54185 ls-remote https://dl.google.com/{}",
    ):
        told = Network()
        for number in range(5):
            told.shell(command.format(number), NOT_FOUND)
        entry = told.site("dl.google.com via 127.0.0.1:54185")
        assert (entry.level, entry.cause, entry.via) == ("stop", "site", "127.0.0.1:54185"), command


def test_a_local_service_beside_a_site_is_not_its_proxy():
    """A command that asks a local service and a site leaves bare lines to neither."""
    told = Network()
    told.shell("curl -sI http://localhost:8000/h; curl -sI https://a.com/x", NOT_FOUND)
    told.shell(
        "curl -s http://localhost:8000/h; curl -sI https://a.com/x",
        "curl: (7) Failed to connect to localhost port 8000 after 0 ms: Couldn't connect to server",
        7,
    )
    told.shell("npm run dev", "see https://nextjs.org/docs\nready\n\nError: connect ECONNREFUSED 127.0.0.1:5432\n", 1)
    assert told.names() == {}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("curl -sS https://dl.google.com/{}", "curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect"),
        ("wget https://dl.google.com/{}", "Connecting to 127.0.0.1:9... failed: Connection refused."),
        ("git clone https://dl.google.com/{}", ("fatal: unable to access 'https://dl.google.com/x/': Failed to connect to"
         " 127.0.0.1 port 9 after 0 ms: Couldn't connect to server")),
        ("python get.py {}", ("requests.exceptions.ProxyError: HTTPSConnectionPool(host='dl.google.com', port=443): Max"
         " retries exceeded with url: /x (Caused by ProxyError('Unable to connect to proxy', NewConnectionError("
         "\"HTTPSConnection(host='127.0.0.1', port=9): Failed to establish a new connection: Connection refused\")))")),
        ("npm view x{} --registry https://dl.google.com", ("npm error request to https://dl.google.com/x failed, reason:"
         " connect ECONNREFUSED 127.0.0.1:9")),
        ("apt-get install x{}", ("Err:1 https://dl.google.com/deb stable InRelease\n  Could not connect to 127.0.0.1:9"
         " (127.0.0.1). - connect (111: Connection refused)")),
        ("curl -v https://dl.google.com/{}", ("* Uses proxy env variable https_proxy == 'http://127.0.0.1:9'\n"
         "curl: (56) CONNECT tunnel failed, response 403")),
    ],
)  # fmt: skip
def test_a_dead_proxy_is_named(command, output):
    """A proxy that cannot be reached, or refuses, is named in `via` and in the advice, not blamed on the site."""
    told = Network()
    for number in range(5):
        told.shell(command.format(number), output, 7)
    entry = told.site("dl.google.com via 127.0.0.1:9")
    assert (entry.level, entry.cause, entry.site, entry.via) == ("stop", "proxy", "dl.google.com", "127.0.0.1:9")
    (finding,) = told.open()
    assert "the proxy 127.0.0.1:9" in finding.advice
    assert "it is the proxy that fails" in finding.message


def test_an_answer_by_any_way_clears_the_host():
    """A host that answered through a proxy can be reached: it is flagged by no way any more."""
    told = Network()
    failing(told, 3)
    told.shell("curl -sI -x http://127.0.0.1:8 https://dl.google.com/y", NOT_FOUND)
    told.shell("curl -sI -x http://127.0.0.1:8 https://dl.google.com/x", "HTTP/2 200")
    assert [(entry.name, entry.answered, entry.level) for entry in told.detector.view().entries] == [
        ("dl.google.com", True, None),
        ("dl.google.com via 127.0.0.1:8", True, None),
    ]
    assert told.open() == []


def test_a_name_that_leads_to_this_machine_is_the_sites_failure():
    """A site refused on its own port at a local address is not behind a proxy."""
    told = Network()
    told.shell(
        "curl https://a.com/x", "curl: (7) Failed to connect to 127.0.0.1 port 443 after 0 ms: Connection refused", 7
    )
    assert told.names() == {"a.com": 1}


def test_the_proxys_own_success_is_no_answer():
    """`200 Connection established` is what the proxy says, before the site has said anything."""
    told = Network()
    failing(told, 5, "HTTP/1.1 200 Connection established\n\nHTTP/1.1 404 Not Found\n")
    assert told.site("dl.google.com").level == "stop"


@pytest.mark.parametrize(
    ("command", "output", "code", "kinds"),
    [
        ("curl -s -o /dev/null -w '%{{http_code}}' https://a.com/{}", "404", 0, "HTTP 404"),
        ("curl -so x -w '%{{http_code}}\\n' https://a.com/{}", "503\n", 0, "HTTP 503"),
        ("curl -s -w 'code: %{{http_code}} time %{{time_total}}\\n' https://a.com/{}", "oh\ncode: 404 time 0.2\n", 0, "HTTP 404"),
        ("curl -sw '%{{http_code}} %{{url_effective}}\\n' https://a.com/{}", "404 https://a.com/1\n", 0, "HTTP 404"),
        ("curl -s --write-out=%{{response_code}} https://a.com/{}", "<p>no</p>404", 0, "HTTP 404"),
        ("curl -s -o /dev/null -w '%{{http_code}}' https://a.com/{}", "000", 0, "no answer"),
        ("curl -s -o /dev/null -w '%{{http_code}}' https://a.com/{}", "000", 6, "name does not resolve"),
        ("for i in 1 2; do curl -so /dev/null -w '%{{http_code}}' https://a.com/$i{}; done", "404404", 0, "HTTP 404"),
        ("curl -s https://a.com/{}", "", 6, "name does not resolve"),
        ("curl -s https://a.com/{}", "", 7, "cannot connect"),
        ("curl -sf https://a.com/{}", "", 22, "HTTP error"),
        ("curl -s -m 5 https://a.com/{}", "", 28, "timed out"),
        ("curl -s https://a.com/{}", "", 35, "TLS error"),
        ("curl -sL https://a.com/{}", "", 47, "too many redirects"),
        ("wget -q https://a.com/{}", "", 8, "HTTP error"),
    ],
)  # fmt: skip
def test_bare_codes_and_silent_exits(command, output, code, kinds):
    """Bare codes that `curl -w` prints, and exit codes of a silent curl, say how a call failed."""
    told = Network()
    for number in range(5):
        told.shell(command.format(number), output, code)
    assert told.site("a.com").level == "stop"
    assert told.site("a.com").kinds == ((kinds, 5),)


def test_a_silent_exit_is_the_commands_site():
    """An exit code is of the site that the command names, whatever address was printed besides."""
    told = Network()
    told.shell("echo see https://docs.com/x; curl -s https://a.com/x", "see https://docs.com/x\n", 6)
    assert told.names() == {}
    told.shell("./hint.sh; curl -s https://a.com/x", "see https://docs.com/x\n", 6)
    assert told.names() == {"a.com": 1}


def test_a_bare_success_code_is_an_answer():
    """A bare 200 clears as a status line does; a bare number without `curl -w` says nothing."""
    told = Network()
    told.shell("curl -s -o /dev/null -w '%{http_code}' https://a.com/1", "404")
    told.shell("curl -s -o /dev/null -w '%{http_code}' https://a.com/2", "200")
    assert told.site("a.com").answered
    told.shell("python count.py https://b.com/", "404\n")
    assert "b.com" not in told.names()


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


def test_advice_fits_and_names_what_helps():
    """Advice is addressed to the agent, under 1,200 characters, with one check and what could help."""
    told = Network()
    host = ".".join(["very" * 12] * 5) + ".com"
    failing(told, 3, host=host)
    advice = told.open()[0].advice
    assert len(advice) < 1_200
    for word in ("another network", "a proxy", "a mirror", "CI", "must exist"):
        assert word in advice
    failing(told, 2, host=host)
    assert told.open()[0].advice.endswith("report this.")


def test_what_was_seen_by_the_view_does_not_change():
    """The view is the same object until something changes, and an old one never changes."""
    told = Network()
    failing(told, 3)
    view = told.detector.view()
    told.shell("ls", "a.txt")
    assert told.detector.view() is view
    before = view.entries[0].failed_calls
    failing(told, 1)
    assert (view.entries[0].failed_calls, told.detector.view() is view) == (before, False)


def test_state_is_bounded():
    """However many sites, calls and requests there are, what is kept stays small."""
    told = Network()
    for number in range(1_500):
        told.shell(f"curl https://a.com/{number}", NOT_FOUND)
    assert told.site("a.com").failed_calls == 1_000
    assert len(told.site("a.com").spots) == 20
    for number in range(400):
        told.shell(f"curl https://host{number}.com/", NOT_FOUND)
        told.tell(ToolCalled(call=f"open{number}", kind="shell", command="x" * 100_000))
    view = told.detector.view()
    assert len(view.entries) == 200
    assert view.entries[0].site == "a.com"
    assert len(told.detector._calls._calls) == 200
    for _ in range(3):
        told.prompt()
        for number in range(120):
            told.shell(f"curl https://host{number}.com/", NOT_FOUND)
    assert len(told.detector.view().earlier) == 100


@pytest.mark.parametrize(
    ("name", "site", "cause"),
    [
        ("02-unreachable-404", "dl.google.com", "site"),
        ("02c-web_fetch-404", "dl.google.com", "site"),
        ("03-unreachable-refused", "dl.google.com via 127.0.0.1:9", "proxy"),
        ("02b-MISS-proxy-url-in-command", "dl.google.com via 127.0.0.1:54185", "site"),
    ],
)
def test_recordings(shared, name, site, cause):
    """Recorded runs against dead sites: a warning at the third different call, blocked at the fifth."""
    detector, levels = Sites(), []
    for event in recorded(shared / "captures" / "lcode" / name / "stdout.jsonl"):
        detector.feed(event)
        if isinstance(event, ToolReturned):
            levels.append(next(entry.level for entry in detector.view().entries if entry.name == site))
    assert levels[:5] == [None, None, "warn", "warn", "stop"]
    assert set(levels[5:]) <= {"stop"}
    assert detector.view().entries[0].cause == cause
    if cause == "proxy":
        assert "127.0.0.1:9" in detector.view().findings[0].advice


def test_late_and_unknown_events():
    """Results without a call, calls without a result and events of an older request are taken as they come."""
    told = Network()
    told.tell(ToolReturned(call="nobody", output=NOT_FOUND))
    told.tell(ToolCalled(call="x", kind="shell", command="curl https://a.com"))
    told.detector.feed(Prompted(text="", request=7, seq=50))
    told.tell(ToolReturned(call="x", output=NOT_FOUND))
    assert told.names() == {"a.com": 1}
