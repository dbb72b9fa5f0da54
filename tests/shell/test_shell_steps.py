from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.shell.heredocs import split_heredocs
from monitor.shell.steps import steps_of
from monitor.shell.words import parsed

HEREDOC = "cat > a.sh <<'EOF'\n#!/bin/bash\necho $x\nEOF\nchmod +x a.sh"


def words(command):
    """The words of each step, as one text each."""
    return [" ".join(step.words) for step in steps_of(command).steps]


def folders(command):
    return [step.folder for step in steps_of(command).steps]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make test", ["make test"]),
        ("a && b || c; d & e", ["a", "b", "c", "d", "e"]),
        ("a | b | c", ["a", "b", "c"]),
        ("sudo -u me timeout 30 ./x.sh a", ["./x.sh a"]),
        ("bash -c 'cd x; ./y.sh'", ["cd x", "./y.sh"]),
        ("sh -ec \"./a.sh && sh -c './b.sh'\"", ["./a.sh", "./b.sh"]),
        ("eval './q.sh 1'", ["./q.sh 1"]),
        ("echo $(./gen.sh)", ["./gen.sh", "echo $(./gen.sh)"]),
        ("X=$(./gen.sh)", ["./gen.sh"]),
        ("if [ -f x ]; then ./x.sh; else ./y.sh; fi", ["./x.sh", "./y.sh"]),
        ("! ./x.sh", ["./x.sh"]),
        ("for f in a.sh b.sh; do bash $f; done", ["bash a.sh", "bash b.sh"]),
        ("S=./run.sh; bash \"$S\" '$S'", ["bash ./run.sh $S"]),
        ("build() { ./b.sh; }; build", ["./b.sh"]),
        ("build() { ./b.sh; }", []),
        ("case $x in a) ./a.sh;; esac", ["./a.sh"]),
        ("while read l; do ./x.sh; done < in", ["read l", "./x.sh"]),
        ("'my script.sh' one\\ two", ["my script.sh one two"]),
        ("find . -name '*.sh' -exec bash {} \\;", ["find . -name *.sh -exec bash {} ;", "bash {}"]),
        ("ssh -p 22 me@host 'cd /srv; ./d.sh'", ["cd /srv", "./d.sh", "ssh -p 22 me@host cd /srv; ./d.sh"]),
        ("docker exec -it c sh -c './x.sh'", ["./x.sh", "docker exec -it c sh -c ./x.sh"]),
        ("su dev -c './x.sh'", ["./x.sh"]),
        (HEREDOC, ["cat", "chmod +x a.sh"]),
        ("# only a comment", []),
        ("", []),
    ],
)
def test_the_steps_of_a_command(command, expected):
    """Every program is a step, in the order of the text, without quotes and wrappers."""
    assert words(command) == expected


@pytest.mark.parametrize(
    ("command", "expected", "end"),
    [
        ("cd sub && ls", ["", "sub"], "sub"),
        ("cd a; cd b; pwd", ["", "a", "a/b"], "a/b"),
        ("cd a; cd -; pwd", ["", "a", ""], ""),
        ("cd /tmp && cd .. ", ["", "/tmp"], "/tmp/.."),
        ("(cd a && ls); pwd", ["", "a", ""], ""),
        ("cd a | ls; pwd", ["", "", ""], ""),
        ("pushd a; pwd; popd; pwd", ["", "a", "a", ""], ""),
        ("cd; pwd", ["", "~"], "~"),
        ('cd "$X"; pwd', ["", None], None),
        ('cd "$X"; cd /a; pwd', ["", None, "/a"], "/a"),
        ("bash -c 'cd a; pwd'; pwd", ["", "a", ""], ""),
    ],
)
def test_where_each_step_runs(command, expected, end):
    """`cd` holds for what follows it in its own shell; a folder that cannot be told is none."""
    assert folders(command) == expected
    assert steps_of(command).folder == end


def test_input_and_output():
    """Redirections belong to the command they follow; a heredoc is the input of its command, and of what `cat` feeds."""
    cat, chmod = steps_of(HEREDOC).steps
    assert (cat.here, cat.into) == ("#!/bin/bash\necho $x", ("a.sh",))
    assert (chmod.here, chmod.into) == (None, ())
    first, last = steps_of("a && b > out.txt 2>&1").steps
    assert (first.into, last.into) == ((), ("out.txt",))
    (shell,) = steps_of("bash < x.sh > /dev/null").steps
    assert (shell.stdin, shell.into) == ("x.sh", ())
    tee = steps_of("cat <<EOF | sudo tee -a /etc/x\nline\nEOF").steps[-1]
    assert (tee.words[0], tee.here) == ("tee", "line")
    (python,) = steps_of("python3 - <<< 'print(1)'").steps
    assert python.here == "print(1)"
    (group, one, two) = steps_of("{ a; b; } > all.log").steps
    assert (group.words, group.into, one.into, two.into) == ((), ("all.log",), (), ())


def test_what_came_before():
    """A step of a pipeline knows the commands before it, and whether its arguments are what they list."""
    last = steps_of("find . -name '*.sh' | xargs -n1 bash").steps[-1]
    assert last.listed
    assert last.before == (("find", ".", "-name", "*.sh"),)
    inner = steps_of("find . | while read f; do sh $f; done").steps[-1]
    assert inner.words == ("sh", "$f")
    assert inner.before[0][0] == "find"
    assert steps_of("docker run --rm -v $PWD:/app img bash /app/x.sh").steps[0].remote


def test_what_cannot_be_read_is_said():
    """A text the grammar fails on, or one that is too large or too dense, is read in part or not at all, and says so."""
    assert not steps_of("echo 'never closed").sure
    assert not steps_of("echo " + ";" * 600).sure
    assert not steps_of("x" * 70_000 + " | y").sure
    assert not steps_of("(" * 80 + "a" + ")" * 80).sure
    nested = "a"
    for _ in range(8):
        nested = "bash -c " + "'" + nested.replace("'", "'\\''") + "'"
    assert not steps_of(nested).sure
    assert steps_of("; ".join(["ls -l"] * 200)).sure
    assert (
        len(steps_of("for f in 1 2 3 4 5 6 7 8 9; do for g in " + "x " * 30 + "; do ls $f$g; ls; ls; done; done").steps)
        <= 400
    )


def test_large_heredocs_cost_nothing():
    """A heredoc is taken out before the rest is read, however large it is."""
    body = "\n".join(f"line {number} | & ; $(x)" for number in range(20_000))
    read = steps_of(f"cat > big.sh <<'EOF'\n{body}\nEOF\nls -l | head")
    assert read.sure
    assert read.steps[0].here == body


def test_heredocs_are_split_as_bash_ends_them():
    """Only its own line ends a heredoc; with a dash the tabs before it go; two in one line have their bodies in order."""
    text, bodies = split_heredocs("cat <<A <<-'B' > f\n A\nA\n\tone\n\tB\nls", "<{}>")
    assert text == "cat <0> <1> > f\nls"
    assert bodies == (" A", "one")
    assert split_heredocs("echo '<<A' && cat <<B\nnever", "<{}>") == ("echo '<<A' && cat <<B\nnever", ())


pieces = st.sampled_from(
    ["cd ", "a ", "'", '"', "$(", ")", "(", "{ ", "; }", "&&", "||", "|", ";", "\n", "<<E\n", "\nE\n", "> f ", "< g ", "$x", "`",
     "for x in 1 2; do ", "done", "if a; then ", "fi", "bash -c ", "find . -exec ", "\\;", "f() { ", "xargs ", "docker run i ",
     "ssh h ", "\x00", "é", "case $x in ", "esac", "!", "[[ ", "]]", "=", "eval "]
)  # fmt: skip


@given(st.lists(pieces, max_size=25).map("".join))
@settings(deadline=None, max_examples=150)
def test_any_text_is_read(text):
    """No text throws, reading is repeatable, and no step is empty of words and of a file."""
    read = steps_of(text)
    steps_of.cache_clear()
    assert steps_of(text) == read
    assert all(step.words or step.into for step in read.steps)
    assert parsed("") is None
