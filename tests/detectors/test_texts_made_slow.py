"""Texts made to be slow to read are read at once: looked at place by place, each of these takes longer than a test may."""

from __future__ import annotations

import pytest

from monitor.detectors import programs
from monitor.detectors.attribution import fetched
from monitor.detectors.hosts import scp_host
from monitor.detectors.read_lines import ReadLines
from monitor.detectors.recipes import names, recipes
from monitor.detectors.test_runs import deeds
from monitor.events import ToolReturned
from monitor.shell.commands import Simple

LONG = 60_000

pytestmark = pytest.mark.timeout(15)


@pytest.mark.parametrize("page", ["!" * 131_000, "-" * 131_000 + "x", "!" * 65_000 + " " + "!" * 65_000])
def test_a_page_of_signs(page):
    """A fetched page that begins with a hundred thousand signs is a page."""
    assert fetched("https://a.com/x", ToolReturned(call="c", output=page)).answered == ("a.com",)


@pytest.mark.parametrize("before", ["", "--- ", "** "])
def test_a_refusal_behind_signs(before):
    """A refusal is found behind the signs that a tool sets before it."""
    told = fetched("https://a.com/x", ToolReturned(call="c", output=f"{before}Error: HTTP 404 Not Found"))
    assert [(one.site, one.kind) for one in told.failed] == [("a.com", "HTTP 404")]


@pytest.mark.parametrize("tail", [" x", "\n", "\t"])
def test_a_long_word_of_git(tail):
    """A long word of a git command that looks like an address at its beginning is none."""
    assert scp_host(f"host.com:{'x' * LONG}{tail}") == ""


@pytest.mark.parametrize(
    ("word", "host"),
    [("git@host.com:a/b.git", "host.com"), ("host.com:22", ""), ("host.com:2a", "host.com"), ("host.com://a", "")],
)
def test_an_address_of_git(word, host):
    """An address names a path after its host, which a port alone is not."""
    assert scp_host(word) == host


def test_a_file_read_in_a_thousand_pieces():
    """A file that is read a line at a time, thousands of times, is remembered as far as there is room."""
    read = ReadLines()
    for number in range(1, 3_000, 2):
        read.keep("a.py", f"{number}\tline {number}", from_top=False)
    lines, numbers = read.lines("a.py") or ([], [])
    assert numbers[-1] == 2_999
    assert lines[-1] == "line 2999"
    assert 500 < len(lines) < 1_000


@pytest.mark.parametrize("command", [f"python {'test_' * (LONG // 5)}", f"just '{'test_' * (LONG // 5)}\nx'"])
def test_a_long_name(command):
    """What no file and no task can be called is no test."""
    assert not any(deed.tests for deed in deeds(command))
    assert programs.tests(Simple(("mvn", "test" * (LONG // 4) + "!"))) == ""


def test_a_build_file_of_many_targets():
    """Of a Makefile in which thousands of targets share their needs and their lines, as many lines are taken as of any."""
    targets = " ".join(f"a{number}" for number in range(4_000))
    lines = "\n".join(f"\t./run{number}.sh" for number in range(2_000))
    assert recipes("make", f"{targets}: {targets}\n{lines}\n", ["a7"]) == [f"./run{number}.sh" for number in range(200)]
    assert recipes("make", f"{targets}: {targets}\na9:\n\t./a.sh\n", ["a7"]) == ["./a.sh"]


def test_a_rule_of_several_targets():
    """Each target of a rule has its lines and its needs; a target told again has those of all its rules, in order."""
    text = "a b: c\n\t./ab.sh\na: d\n\t./a.sh\nc d:\n\t./cd.sh\n"
    assert recipes("make", text, ["a"]) == ["./ab.sh", "./a.sh", "./cd.sh", "./cd.sh"]
    assert recipes("make", text, ["b"]) == ["./ab.sh", "./cd.sh"]
    assert recipes("make", text, []) == recipes("make", text, ["a"])


def test_a_name_in_a_comment():
    """A text that names a script in a comment alone does not name it."""
    assert not names("# ./a.sh\nx", "a.sh")
    assert names("run: ./a.sh\n", "a.sh")
