from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.shell.commands import Script, read
from monitor.shell.heredocs import without_heredocs


def words(command: str) -> list[str]:
    """Every simple command, its words joined."""
    return [" ".join(simple.words) for simple in read(command).commands]


@pytest.mark.parametrize(
    ("command", "commands"),
    [
        ("curl -sS 'https://a.com/x y' \"$B/z\"/q | head -3", ["curl -sS https://a.com/x y $B/z/q", "head -3"]),
        ('cd x && FOO=1 make -j4 || echo "no\\"pe" ; ls', ["cd x", "make -j4", 'echo no"pe', "ls"]),
        ("for i in 1 2; do curl https://a.com/$i; done", ["curl https://a.com/$i"]),
        ("if grep -q x f; then curl a; else wget b; fi", ["grep -q x f", "curl a", "wget b"]),
        ("echo $(curl -s b) `wget c`", ["echo $(curl -s b) `wget c`", "curl -s b", "wget c"]),
        ("x=$(curl y)", ["curl y"]),
        ("f() { curl a; }; f", ["curl a", "f"]),
        ("curl \\\n  -x p \\\n  u", ["curl -x p u"]),
        ("curl a > out 2>&1 < in", ["curl a"]),
        ("! curl a &", ["curl a"]),
        ("echo 'a; b' \"c && d\" e\\ f", ["echo a; b c && d e f"]),
        ("(cd x; curl a)", ["cd x", "curl a"]),
        ("", []),
        ("# nothing", []),
    ],
)  # fmt: skip
def test_simple_commands(command, commands):
    """Every program that a command runs is found, with its words as the shell reads them."""
    assert words(command) == commands


@pytest.mark.parametrize(
    ("command", "commands"),
    [
        ("sudo -u me -H timeout -k 5 30 curl x", ["curl x"]),
        ("env -u A B=c nohup nice -n 5 curl x", ["curl x"]),
        ("cat urls | xargs -I {} -P 4 curl {}", ["cat urls", "curl {}"]),
        ("/usr/bin/time -f %e /usr/bin/curl x", ["/usr/bin/curl x"]),
        ("find . -name x -exec curl {} \\;", ["find . -name x -exec curl {} ;", "curl {} ;"]),
        ("bash -lc 'cd a && curl x'", ["cd a", "curl x"]),
        ("sh -c \"bash -c 'curl x'\"", ["curl x"]),
        ("bash run.sh", ["bash run.sh"]),
        ("time", ["time"]),
    ],
)  # fmt: skip
def test_wrappers(command, commands):
    """Programs that only run another are taken off, and inner shells are looked into."""
    assert words(command) == commands


def test_variables():
    """Variables set for one command, for all, or in an inner shell are told with their values."""
    script = read("A=1 curl x; export B='2 3'; C=$D; bash -c 'E=5 y'")
    assert script.assigned == (("A", "1"), ("B", "2 3"), ("C", "$D"), ("E", "5"))


@pytest.mark.parametrize(
    ("command", "effect"),
    [("cat x", "reads"), ("git -C d --no-pager log -3", "reads"), ("git push", "unknown"), ("docker compose logs web", "reads"),
     ("gh run view 7 --log", "reads"), ("cd x", "nothing"), ("curl x", "unknown"), ("./run.sh", "unknown"),
     ("kubectl -n prod logs pod", "reads"), ("git stash", "unknown"), ("git stash list", "reads")],
)  # fmt: skip
def test_effect(command, effect):
    """Whether a command only reads, does nothing of note, or more than can be told."""
    (simple,) = read(command).commands
    assert simple.effect == effect


def test_programs_without_their_folder():
    """A program is known by its name, wherever it lies; no words have no name."""
    assert read("/usr/bin/curl x").commands[0].program == "curl"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("cat <<EOF > f\nhello\nEOF\ncurl b", "cat   > f\ncurl b"),
        ("cat <<A <<B; x\n1\nA\n2\nB\ny", "cat    ; x\ny"),
        ("cat <<'EOF'\n EOF\nEOF x\nEOF\nls", "cat  \nls"),
        ("cat <<-EOF\n\thi\n\tEOF\nx", "cat  \nx"),
        ("cat <<EOF\n\tEOF\nEOF\nx", "cat  \nx"),
        ('python3 - <<"PY" | tail\nimport x\nPY', "python3 -   | tail"),
        ("cat <<< word\nx", "cat <<< word\nx"),
        ("echo $((1<<2))\n2\nx", "echo $((1<<2))\n2\nx"),
        ("cat <<EOF\nnever ended", "cat <<EOF\nnever ended"),
        ("echo 'a <<b'", "echo 'a <<b'"),
    ],
)  # fmt: skip
def test_heredocs_end_as_in_bash(text, rest):
    """Bodies end at a line that is exactly the delimiter, tabs before it only after `<<-`; two in one line in turn."""
    assert without_heredocs(text) == rest


def test_what_cannot_be_told():
    """A command that is too long, too dense, broken or never ended is said to be unsure."""
    for command in (
        "curl 'a",
        "cat <<EOF\ncurl x",
        "if curl",
        "x " * 40_000,
        "((" * 400,
        "bash -c 'sh -c \"bash -c x\"'",
    ):
        assert not read(command).sure, command
    for command in ("curl x", "cat <<EOF\nif curl\nEOF", "echo 'cat <<EOF'"):
        assert read(command).sure, command


@pytest.mark.parametrize(
    "unit", ["<", "a=(", "<<<", "]`<", "=())[[", "if?", "\ncase", "<case`", "a@", "\nEOF\ncase", "${"]
)
def test_commands_made_to_take_long_are_not_parsed(unit, monkeypatch):
    """Commands that keep the parser busy for seconds are given up before it sees them."""
    monkeypatch.setattr("monitor.shell.words._parser", lambda: pytest.fail("parsed"))
    assert read((unit * 65_536)[:65_536]) == Script(sure=False)


def test_thousands_of_heredocs():
    """Operators without an end are left, however many there are; those with one are taken off."""
    assert without_heredocs("a\n" + "<<a\n" * 13_000) == "a\n" + "<<a\n" * 13_000
    assert without_heredocs("x <<a\na\n" * 10_000).split() == ["x"] * 10_000


def test_the_parser_is_imported_only_when_needed():
    """Importing the module does not import the grammar."""
    code = "import sys, monitor.shell; print(any('tree_sitter' in name for name in sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "False"
    )


@settings(deadline=None, max_examples=150)
@given(st.text(st.sampled_from("ab /-='\"$(){}<>|&;\n\\`![]#*é"), max_size=60))
def test_any_text_is_read(text):
    """No text makes it throw, and every command found has a program."""
    script = read(text)
    assert all(simple.words and simple.program is not None for simple in script.commands)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12), min_size=1, max_size=6)
)
def test_quoted_words_come_back(parts):
    """Words quoted for the shell are read as they were."""
    quoted = " ".join("'" + part.replace("'", "'\\''") + "'" for part in parts)
    script = read(f"run {quoted}")
    assert not script.sure or script.commands[0].words == ("run", *parts)
