from __future__ import annotations

import pytest

from monitor.shell.steps import steps_of
from monitor.shell.writes import removes_of, writes_of


def written(command):
    """Each file written, and how."""
    return [(one.path, one.by) for step in steps_of(command).steps for one in writes_of(step)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat > a.sh <<'EOF'\nx\nEOF", [("a.sh", "text")]),
        ("cat <<EOF >> a.sh\nx\nEOF", [("a.sh", "text")]),
        ("echo '#!/bin/sh' > run", [("run", "text")]),
        ("printf 'a\\n' | sudo tee -a /etc/x", [("/etc/x", "text")]),
        ("cat <<EOF | tee a b\nx\nEOF", [("a", "text"), ("b", "text")]),
        ("make 2>&1 | tee build.log", [("build.log", "output")]),
        ("pytest -q > out.txt 2> err.txt", [("out.txt", "output"), ("err.txt", "output")]),
        ("ls > /dev/null 2>&1", []),
        ("{ a; b; } > both", [("both", "output")]),
        ("sed -i 's/a/b/' x.py y.py", [("x.py", "edit"), ("y.py", "edit")]),
        ("sed -i.bak -e 's/a/b/' -e 1d x.py", [("x.py", "edit")]),
        ("sed -i '' 's/a/b/' x.py", [("x.py", "edit")]),
        ("sed -ne 1p x.py", []),
        ("perl -pi -e 's/a/b/' z", [("z", "edit")]),
        ("perl -ne 'print' z", []),
        ("gawk -i inplace '{ print $1 }' t.txt", [("t.txt", "edit")]),
        ("gawk -i inplace -f prog.awk t.txt u.txt", [("t.txt", "edit"), ("u.txt", "edit")]),
        ("awk '{ print $1 }' t.txt", []),
        ("truncate -s 0 a.log b.log", [("a.log", "edit"), ("b.log", "edit")]),
        ("ed -s f.txt <<< '1d'", [("f.txt", "edit")]),
        ("ex -s -c '1d' -c wq +3 f.txt", [("f.txt", "edit")]),
        ("cp a.sh bin/", [("bin/a.sh", "copy")]),
        ("cp a b c dir", [("dir/a", "copy"), ("dir/b", "copy"), ("dir/c", "copy")]),
        ("mv a.sh b.sh", [("b.sh", "copy"), ("b.sh/a.sh", "copy")]),
        ("install -m 755 -t /usr/bin x", [("/usr/bin/x", "copy")]),
        ("git mv a b", [("b", "copy"), ("b/a", "copy")]),
        ("git apply x.patch", [("", "unknown")]),
        ("patch -p1 < x.diff", [("", "unknown")]),
        ("git log", []),
        ("curl -o f.tgz https://x", [("f.tgz", "output")]),
        ("dd if=a of=b", [("b", "output")]),
        ("python - <<'E'\np = 'x.py'\ns = open(p).read()\nopen(p, 'w').write(s)\nE", [("x.py", "text")]),
        ("python3 -c \"from pathlib import Path; Path('q.sh').write_text('x')\"", [("q.sh", "text")]),
        ("node -e \"fs.writeFileSync('a.js', x)\"", [("a.js", "text")]),
        ("python x.py", []),
        ("grep a b", []),
    ],
)
def test_the_files_a_command_writes(command, expected):
    """Redirections, tee, edits in place, copies and code given with the command are seen; what only reads writes nothing."""
    assert written(command) == expected


def test_the_text_is_known_where_the_command_holds_it():
    """A heredoc's body, and the words of echo and printf, are what the file then holds."""
    texts = {
        "cat > a <<'E'\n#!/bin/sh\nls\nE": "#!/bin/sh\nls",
        "echo -e hello there > a": "hello there",
        "printf '#!/bin/sh\\nls\\n' > a": "#!/bin/sh\nls\n",
        "printf '%s\\n' '#!/bin/sh' 'ls -l' > a": "#!/bin/sh\nls -l\n",
        "printf '%s=%s;' a b c > a": "a=b;c=;",
        "printf '%s\\n' > a": "\n",
        "printf '%d files\\n' 3 > a": None,
        "cat head.sh - > a <<'E'\nls\nE": None,
        "printf -v text x > a": None,
        "printf > a": None,
        "ls > a": None,
    }
    for command, text in texts.items():
        (one,) = writes_of(steps_of(command).steps[-1])
        assert one.text == text


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm -rf a b", ["a", "b"]),
        ("git rm -q a", ["a"]),
        ("mv a b", ["a", "a"]),
        ("ls a", []),
    ],
)
def test_the_files_a_command_takes_away(command, expected):
    """Removed and moved files are no longer where they were."""
    assert [path for step in steps_of(command).steps for path in removes_of(step)] == expected


def test_long_code_is_not_searched():
    """A program's text beyond what is looked through tells nothing, and takes no time."""
    code = "x = 1\n" * 50_000 + "open('f', 'w')\n"
    assert written(f"python - <<'E'\n{code}\nE") == []
