from __future__ import annotations

import pytest

from monitor.shell.runs import carrier_of, scripts_of
from monitor.shell.steps import steps_of


def ran(command):
    """The files run that are given by a path."""
    found = [one for step in steps_of(command).steps for one in scripts_of(step)]
    return [one.path for one in found if "/" in one.path or "$" in one.path]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("./x.sh a b", ["./x.sh"]),
        ("/opt/x", ["/opt/x"]),
        ("bash x.sh", ["./x.sh"]),
        ("bash -eux -o pipefail sub/x.sh", ["sub/x.sh"]),
        ("zsh -- x.zsh", ["./x.zsh"]),
        ("bash --rcfile r x.sh", ["./x.sh"]),
        ("bash -n x.sh", []),
        ("sh -en x.sh", []),
        ("bash -o noexec x.sh", []),
        ("bash < x.sh", ["./x.sh"]),
        ("bash -s < x.sh", ["./x.sh"]),
        ("cat x.sh | bash", ["./x.sh"]),
        ("curl https://x/i.sh | bash", []),
        (". ./env.sh", ["./env.sh"]),
        ("source env.sh", ["./env.sh"]),
        ("exec ./x.sh", ["./x.sh"]),
        ("env A=1 nohup ./x.sh &", ["./x.sh"]),
        ("watch -n 1 ./x.sh", ["./x.sh"]),
        ("flock -n /tmp/l ./x.sh", ["./x.sh"]),
        ("uv run ./x.sh", ["./x.sh"]),
        ("find s -name '*.sh' -exec bash {} \\;", ["./*.sh"]),
        ("find . -name x.sh -exec {} +", ["./x.sh"]),
        ("ls a.sh b.sh | xargs -n1 bash", ["./a.sh", "./b.sh"]),
        ("find . -name '*.sh' | while read f; do sh $f; done", ["$f", "./*.sh"]),
        ('bash "$D/x.sh"', ["$D/x.sh"]),
        ("docker exec c bash /app/x.sh", ["/app/x.sh"]),
        ("docker run --entrypoint /x.sh img", ["/x.sh"]),
        ("chmod +x ./x.sh", []),
        ("cat ./x.sh", []),
        ("git add ./x.sh", []),
        ("echo ./x.sh", []),
        ("shellcheck ./x.sh", []),
        ("cp ./x.sh ./y.sh", []),
    ],
)
def test_the_scripts_a_command_runs(command, expected):
    """A script is run by its path, by a shell, through lists and loops; reading, checking and copying it do not run it."""
    assert ran(command) == expected


def test_what_can_only_be_told_by_its_name():
    """A name searched for, a path in a container, an expansion and a wildcard are vague; a file in a known folder is not."""
    vague = {
        "x.sh": True, "./x.sh": False, "bash x.sh": False, "bash *.sh": True, "bash $D/x.sh": True,
        "docker exec c /x.sh": True, 'cd "$D" && ./x.sh': True, "cd d && ./x.sh": False,
    }  # fmt: skip
    for command, expected in vague.items():
        found = [one for step in steps_of(command).steps for one in scripts_of(step) if one.path.endswith(".sh")]
        assert [one.vague for one in found] == [expected], command


@pytest.mark.parametrize(
    ("command", "way", "wanted"),
    [
        ("make", "make", ()),
        ("make -C sub -j4 build V=1", "make", ("build",)),
        ("npm run build", "packages", ("build",)),
        ("npm test", "packages", ("test",)),
        ("yarn deploy", "packages", ("deploy",)),
        ("docker build -t x .", "docker", ("build",)),
        ("docker run x", "docker", ("run",)),
        ("docker compose up --build", "docker", ("build", "run")),
        ("python tools/b.py", "mentions", ()),
        ("pytest -q", "mentions", ()),
        ("git commit -m x", "mentions", ()),
    ],
)
def test_the_files_that_say_what_is_run(command, way, wanted):
    """Build tools run what stands in their own files."""
    (carrier,) = [one for step in steps_of(command).steps if (one := carrier_of(step))]
    assert (carrier.way, carrier.wanted) == (way, wanted)


@pytest.mark.parametrize("command", ["ls", "git status", "docker ps", "python", "npm", "cat Makefile"])
def test_what_runs_nothing_else(command):
    """Other commands run no file but themselves."""
    assert not any(carrier_of(step) for step in steps_of(command).steps)
