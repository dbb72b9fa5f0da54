"""Sites that no call can reach, and what only looks like one."""

from __future__ import annotations

from cases import case
from pen import Pen

PYPI = "https://files.example.org"
LOST = "curl: (22) The requested URL returned error: 404"
DENIED = "curl: (22) The requested URL returned error: 401"
UNRESOLVED = "curl: (6) Could not resolve host: files.example.org"


@case
def different_calls_to_one_site_fail(run: Pen) -> None:
    for number in range(3):
        run.shell(f"curl -fsSL {PYPI}/v{number}/tool.tar.gz -o tool.tar.gz", LOST, 22)
    run.now("sites", "warn", "files.example.org")
    for number in range(3, 5):
        run.shell(f"curl -fsSL {PYPI}/v{number}/tool.tar.gz -o tool.tar.gz", LOST, 22)
    run.now("sites", "stop", "files.example.org")
    run.claim("I could not fetch the tool.")


@case
def a_name_that_does_not_resolve(run: Pen) -> None:
    run.shell(f"curl -sS {PYPI}/a", UNRESOLVED, 6)
    run.shell(f"wget -q {PYPI}/b", "wget: unable to resolve host address 'files.example.org'", 4)
    run.shell(
        f"git clone {PYPI}/c.git",
        "fatal: unable to access 'https://files.example.org/c.git/': Could not resolve host: files.example.org",
        128,
    )
    run.now("sites", "warn", "files.example.org")


@case
def silent_curl(run: Pen) -> None:
    for number in range(3):
        run.shell(f"curl -s {PYPI}/{number}", "", 6)
    run.now("sites", "warn", "files.example.org")


@case
def a_dead_proxy_in_the_command(run: Pen) -> None:
    for number in range(5):
        command = f"curl -x http://127.0.0.1:9 -sS {PYPI}/{number}"
        run.shell(command, "curl: (7) Failed to connect to 127.0.0.1 port 9: Connection refused", 7)
    run.now("sites", "stop", "files.example.org")


@case
def a_login_is_asked_for(run: Pen) -> None:
    for number in range(3):
        run.shell(f"curl -fsS {PYPI}/private/{number}", DENIED, 22)
    run.now("sites", "warn", "files.example.org")
    for number in range(3, 8):
        run.shell(f"curl -fsS {PYPI}/private/{number}", DENIED, 22)
    run.still("sites", "warn", "files.example.org")


@case
def it_answered_once(run: Pen) -> None:
    run.shell(f"curl -fsSI {PYPI}/", "HTTP/2 200\ncontent-type: text/html\n")
    for number in range(6):
        run.shell(f"curl -fsSL {PYPI}/v{number}/tool.tar.gz -o tool.tar.gz", LOST, 22)
    run.quiet("sites")


@case
def identical_calls_count_once(run: Pen) -> None:
    for number in range(4):
        run.edit("fetch.py", f"try {number}", f"try {number + 1}")
        run.shell(f"curl -fsSL {PYPI}/tool.tar.gz -o tool.tar.gz", LOST, 22)
    run.quiet("sites")
    run.now("repeats", "stop", "same failing command")
    for number in range(4, 12):
        run.edit("fetch.py", f"try {number}", f"try {number + 1}")
        run.shell(f"curl -fsSL {PYPI}/tool.tar.gz -o tool.tar.gz", LOST, 22)


@case
def local_hosts(run: Pen) -> None:
    for port in (3000, 3001, 8000, 8080, 9000, 9090):
        run.shell(
            f"curl -fsS http://localhost:{port}/health",
            f"curl: (7) Failed to connect to localhost port {port}: Connection refused",
            7,
        )
    run.quiet("sites")


@case
def a_printed_log(run: Pen) -> None:
    for number in range(6):
        run.shell(
            f"tail -{number + 2} server.log",
            f"GET {PYPI}/v{number} 404\ncurl: (22) The requested URL returned error: 404",
        )
    run.quiet("sites")


@case
def the_output_of_tests(run: Pen) -> None:
    for number in range(6):
        run.shell(
            f"pytest tests/test_fetch_{number}.py",
            f"FAILED test_fetch_{number} - HTTPError: 404 Client Error: Not Found for url: {PYPI}/v{number}",
            1,
        )
    run.quiet("sites")


@case
def fetched_pages_that_are_not_there(run: Pen) -> None:
    for number in range(3):
        run.fetch(f"{PYPI}/docs/{number}", "Failed to fetch URL (HTTP 404)")
    run.now("sites", "warn", "files.example.org")


@case
def a_fetched_page(run: Pen) -> None:
    run.fetch(f"{PYPI}/docs", "# Documentation\n" + "How to use the tool, in many words. " * 20)
    for number in range(5):
        run.fetch(f"{PYPI}/docs/{number}", "Failed to fetch URL (HTTP 404)")
    run.quiet("sites")
