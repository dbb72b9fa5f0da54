from __future__ import annotations

import pytest
from calls_story import Calls
from scripts_story import SCRIPT, after, story

from monitor.detectors.numbers import ScriptsNumbers
from monitor.detectors.scripts import Scripts
from monitor.events import Change, FileOutcome, RequestEnded, ToolCalled, ToolReturned


def test_a_script_that_no_command_ran():
    """Written, made executable, read, checked and committed, but not run: a note at the claim."""
    told = story()
    assert told.findings == ()
    entry = after(
        told,
        "chmod +x build.sh",
        "cat build.sh",
        "git add build.sh",
        "bash -n build.sh",
        "ls -l",
        "shellcheck build.sh",
    )
    assert not entry.run
    (finding,) = told.open
    assert (finding.level, finding.subject) == ("note", "build.sh")
    assert finding.message == "build.sh was written and not run in this session"
    assert finding.places[0].seq == 3
    assert "say plainly" in finding.advice
    assert len(finding.advice) < 1_200


@pytest.mark.parametrize(
    "command",
    [
        "./build.sh", "bash build.sh", "bash -x ./build.sh --fast", "sh -c './build.sh'", ". ./build.sh", "source build.sh",
        "/p/build.sh", "cd sub && ../build.sh", "cd /elsewhere && bash /p/build.sh", "sudo timeout 30 ./build.sh",
        "if ./build.sh; then echo ok; fi", "false || ./build.sh", "(./build.sh) &", "bash < build.sh", "cat build.sh | bash",
        "find . -name '*.sh' -exec bash {} \\;", "ls *.sh | xargs -n1 bash", 'for f in *.sh; do bash "$f"; done',
        "S=./build.sh; $S", "docker run -v $PWD:/app img bash /app/build.sh", "docker exec c /app/build.sh",
        "cp build.sh /usr/local/bin/b && b", "mv build.sh run.sh && ./run.sh", "run() { ./build.sh; }; run",
        'bash "$(dirname "$0")/build.sh"', "ssh host './build.sh'", "env A=1 nohup ./build.sh > log 2>&1 &",
    ],
)  # fmt: skip
def test_ways_to_run_it(command):
    """By its path, by a shell, through a list, a loop, a variable, a function, a container, a copy."""
    told = story()
    entry = after(told, command)
    assert entry.run
    assert entry.how == command
    assert entry.ran.seq == 5
    assert told.findings == ()


@pytest.mark.parametrize(
    ("file", "command", "run"),
    [
        ("/srv/app/build.sh", "bash ./build.sh", True),
        ("/srv/app/ci/build.sh", "ci/build.sh", True),
        ("build.sh", "/srv/app/build.sh", True),
        ("/srv/app/build.sh", "ci/build.sh", False),
        ("/srv/app/build.sh", "/srv/other/build.sh", False),
        ("/srv/app/rebuild.sh", "./build.sh", False),
    ],
)
def test_where_the_folder_is_not_known(file, command, run):
    """A log that does not tell the folder may name the script from the root and run it from where it stands."""
    told = Calls(Scripts(), cwd="")
    told.write(file, SCRIPT)
    assert after(told, command).run is run


@pytest.mark.parametrize(
    "command",
    [
        "other/build.sh",
        "cd sub && ./build.sh",
        "echo ./build.sh",
        "grep build.sh README",
        "vim build.sh",
        "bash -n build.sh",
    ],
)
def test_what_does_not_run_it(command):
    """A script of the same name elsewhere, a mention, a syntax check."""
    assert not after(story(), command).run


def test_a_run_before_the_last_edit_does_not_count():
    """What is edited again must be run again."""
    told = story()
    told.shell("./build.sh")
    told.edit("build.sh", "built", "done")
    told.answer()
    assert [one.subject for one in told.open] == ["build.sh"]
    told.shell("./build.sh")
    assert told.open == []
    assert [one.why_ended for one in told.findings] == ["it was run: ./build.sh"]
    told.shell("sed -i s/done/built/ build.sh")
    assert not told.detector.view().scripts[0].run


def test_a_command_that_began_before_the_edit_does_not_count():
    """A command still running while the script is rewritten ran the old one; in one message the order holds."""
    told = story()
    run = told.call("bash", "shell", {"command": "./build.sh"}, command="./build.sh", message="m1")
    told.edit("build.sh", "built", "done", message="m2")
    told.result(run, "built", exit=0)
    assert not told.detector.view().scripts[0].run
    told = Calls(Scripts())
    write = told.call("write", "write", {"a": 1}, changes=(Change("build.sh", "write", None, SCRIPT),), message="m1")
    run = told.call("bash", "shell", {"command": "./build.sh"}, command="./build.sh", message="m1")
    told.result(write, files=(FileOutcome("build.sh"),))
    told.result(run, "built", exit=0)
    assert told.detector.view().scripts[0].run


@pytest.mark.parametrize(
    "command",
    [
        "cat > build.sh <<'EOF'\n#!/bin/sh\nls\nEOF",
        "tee build.sh <<EOF >/dev/null\nls\nEOF",
        "echo ls > build.sh",
        "python - <<'E'\nopen('build.sh', 'w').write('ls')\nE",
        "mkdir -p d && cd d && printf 'ls' > ../build.sh",
    ],
)
def test_a_script_written_by_a_command(command):
    """Heredocs, tee, redirections and code write scripts too; in one command the order of its steps holds."""
    told = Calls(Scripts())
    told.shell(command)
    told.answer()
    assert [one.subject for one in told.open] == ["build.sh"]
    told = Calls(Scripts())
    told.shell(f"{command}\nchmod +x /p/build.sh && /p/build.sh")
    told.answer()
    assert told.findings == ()


def test_which_files_are_shell_scripts():
    """By their ending, or by the first line of a file without one; a Python file with a shebang is none."""
    told = Calls(Scripts())
    told.write("a.bash", "ls")
    told.write("b.zsh", "ls")
    told.write("run", "#!/bin/sh\nls")
    told.write("tool", "#!/usr/bin/env python3\n")
    told.write("app.py", "#!/bin/bash is only text here")
    told.write("notes.txt", "ls")
    told.read("deploy", "1\t#!/bin/bash\n2\tls")
    told.edit("deploy", "ls", "ls -l")
    told.write("app.py", "print()")
    assert [one.file for one in told.detector.view().scripts] == ["a.bash", "b.zsh", "run", "deploy"]


def test_a_script_that_could_not_be_run():
    """Exit 126 and 127 mean that the shell did not run it; a failure of the script itself is a run."""
    for code, run in ((126, False), (127, False), (1, True)):
        told = story()
        told.shell("./build.sh", "no", code)
        assert told.detector.view().scripts[0].run == run


@pytest.mark.parametrize("outcome", ["refused", "denied", "not_executed", "cancelled", "unknown"])
def test_a_call_that_was_not_executed_runs_nothing(outcome):
    """Only what was executed has run a script or written one."""
    told = story()
    told.shell("./build.sh", "no", outcome=outcome)
    told.shell("cat > b.sh <<'E'\nls\nE", "no", outcome=outcome)
    told.answer()
    assert [one.subject for one in told.open] == ["build.sh"]


def test_a_script_that_is_gone():
    """A script that was removed, deleted or renamed need not be run under its old name."""
    for act in (
        lambda told: told.shell("rm -f build.sh"),
        lambda told: told.write("build.sh", op="delete"),
    ):
        told = story()
        told.answer()
        act(told)
        assert told.open == []
        assert told.detector.view().scripts == ()
    told = story()
    call = told.call("move", "write", {"a": 1}, changes=(Change("build.sh", "move", to="run.sh"),))
    told.result(call, files=(FileOutcome("build.sh"),))
    told.shell("./run.sh")
    assert [(one.key, one.run) for one in told.detector.view().scripts] == [("/p/run.sh", True)]


def test_claims_questions_and_sub_agents():
    """The note comes at the root's claim, not at a question; sub-agents write and run for the whole run."""
    told = story()
    told.tell(RequestEnded(text="Shall I run it?"))
    told.tell(RequestEnded(text="Done.", actor="kid"))
    assert told.findings == ()
    told.shell("./build.sh", actor="kid")
    told.answer()
    assert told.findings == ()


def test_off_settled_and_copied():
    """Turned off it is silent; settled it stays quiet; copied events are not counted."""
    told = Calls(Scripts(ScriptsNumbers(never_run=0, unwritten=0)))
    told.write("build.sh", SCRIPT)
    told.answer()
    assert told.findings == ()
    told = story()
    told.answer()
    told.act("settle", told.open[0].key)
    told.answer()
    assert told.open == []
    told = Calls(Scripts())
    told.tell(ToolCalled(call="x", kind="write", changes=(Change("a.sh", "write", None, "ls"),), copied=True))
    told.tell(ToolReturned(call="x", files=(FileOutcome("a.sh"),), copied=True))
    told.answer()
    assert told.findings == ()
