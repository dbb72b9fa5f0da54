"""Which site a failure belongs to: addresses, proxies, names of this machine, bare codes."""

from __future__ import annotations

import pytest
from network_story import NOT_FOUND, Network, failing


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
