from __future__ import annotations

import pytest
from lcode.permissions import is_read_only

from monitor.shell.effects import only_looks, only_waits

LOOKS = [
    "ls -la", "cat x | head -5", "cd a && ls", "git status", "git log --oneline | head", "git diff --stat", "git branch -a",
    "find . -name '*.py'", "grep -rn a . | wc -l", "ls 2>&1", "ls > /dev/null", "date", "sort x", "rg foo", "stat x", "du -sh .",
    "head -3 x", "tree", "which python", "uname -a", "diff a b", "echo hi", "git show HEAD", "nl -ba x",
]  # fmt: skip
LOOKS_TOO = [
    "ls && cat x", "sed -n 1,20p x", "awk '{print $1}' x", "for f in *; do head -1 $f; done", "git stash list", "pgrep x", "env",
    "cat <<'E'\nx\nE", "perl -ne 'print if /x/' f", "perl -lane 'print $F[0]' f", "sed -n '/new /p' f", "sed -ne 5p f",
    "sed 's/the edge/ow/g' f", "awk -F: -v a=1 '$1 == a {print $2}' f", "uniq -c a", "uniq -f 2 a", "xxd -l 16 a",
    "git diff HEAD~1", "sort -k2,2n -r x", "yq -y .a f", "git grep -n x",
]  # fmt: skip
CHANGES = [
    "make", "pytest -q", "python x.py", "rm x", "touch z", "mkdir d", "mv a b", "cp a b", "chmod +x a", "echo a > b",
    "sed -i s/a/b/ x", "find . -delete", "find . -exec rm {} ;", "sort -o x y", "tee x", "git checkout x", "git branch new",
    "git commit -m x", "curl https://x", "npm ci", "date -s now", "./x.sh", "awk '{print > \"f\"}' x", "yq -i .a x",
    "echo 'never closed", "", "xargs rm", "docker exec c ls", "git stash pop", "tree -o f",
]  # fmt: skip


CHANGES_TOO = [
    "perl build.pl", "perl -e 'unlink \"x\"'", "perl -MFile::Path -e 'rmtree(q(x))'", "perl -i -pe 's/a/b/' f", "perl",
    "awk -f program.awk d", "awk 'BEGIN{system (\"rm x\")}'", "gawk -i inplace '{print}' f", "awk '{print | \"sh\"}' f",
    "sed -n 'w out' f", "sed 's/a/b/w out' f", "sed '1e rm x' f", "sed 's|a|rm x|ge' f", "sed -f script f", "sort -uo f f",
    "uniq a b", "xxd a b", "git diff --output=x", "git reflog expire --all", "yq -yi .a f",
]  # fmt: skip


@pytest.mark.parametrize("command", LOOKS + LOOKS_TOO)
def test_what_only_looks(command):
    """A command that reads and prints leaves all as it was."""
    assert only_looks(command)


@pytest.mark.parametrize("command", CHANGES + CHANGES_TOO)
def test_what_may_change_something(command):
    """What writes, runs a program that may, or cannot be read, does not only look."""
    assert not only_looks(command)


@pytest.mark.parametrize("command", LOOKS + CHANGES)
def test_as_lcode_holds_it(command):
    """Of plain commands lcode's own rule says the same."""
    assert only_looks(command) == is_read_only(command)


@pytest.mark.parametrize(
    ("command", "always", "while_running"),
    [
        ("sleep 30", True, True),
        ("sleep 30 && tail -5 log", True, True),
        ("while ! curl -s localhost:3000; do sleep 1; done", True, True),
        ("gh pr checks 3", True, True),
        ("gh run view 7 --log", True, True),
        ("kubectl get pods -n x", True, True),
        ("docker ps", True, True),
        ("jobs; wait", True, True),
        ("", True, True),
        ("tail -50 server.log", False, True),
        ("ps aux | grep node", False, True),
        ("curl -s http://localhost:3000/health", False, True),
        ("kill -0 77", False, True),
        ("kill 77", False, False),
        ("curl -X POST http://localhost/run", False, False),
        ("sleep 1; make", False, False),
        ("make", False, False),
        ("kubectl delete pod x", False, False),
        ("sleep 'never closed", False, False),
    ],
)
def test_what_only_waits(command, always, while_running):
    """Sleeping and asking how something is are waiting; a look at a log is, while something of the agent's own runs."""
    assert only_waits(command, running=False) == always
    assert only_waits(command, running=True) == while_running
