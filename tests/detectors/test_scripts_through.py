from __future__ import annotations

import pytest
from calls_story import Calls
from scripts_story import SCRIPT, after, story

from monitor.detectors.scripts import Scripts


@pytest.mark.parametrize(
    ("files", "command", "how"),
    [
        ([("Makefile", "S = ./build.sh\nall: dep\ndep:\n\t@$(S)\n")], "make", "make, through Makefile"),
        ([("Makefile", "all:\n\tls\nship: all\n\tbash build.sh\n")], "make ship", "make ship, through Makefile"),
        ([("sub/Makefile", "all:\n\tcd .. && ./build.sh\n")], "make -C sub", "make -C sub, through Makefile"),
        ([("package.json", '{"scripts": {"prebuild": "./build.sh", "build": "tsc"}}')], "npm run build", "npm run build, through package.json"),
        ([("Dockerfile", 'FROM x\nCOPY build.sh /\nENTRYPOINT ["/build.sh"]\n')], "docker build . && docker run x",
         "docker build . && docker run x, through Dockerfile"),
        ([("Dockerfile", "FROM x\nCOPY . /app\nRUN bash /app/build.sh\n")], "docker build .", "docker build ., through Dockerfile"),
        ([("compose.yaml", "services:\n  a:\n    entrypoint:\n      - /app/build.sh\n")], "docker compose up",
         "docker compose up, through compose.yaml"),
        ([("all.sh", "#!/bin/sh\n. ./env\n./build.sh\n")], "bash all.sh", "bash all.sh, through all.sh"),
        ([("Makefile", "all:\n\tbash all.sh\n"), ("all.sh", "./build.sh")], "make", "make, through Makefile, through all.sh"),
        ([("tools/b.py", "import subprocess\nsubprocess.run(['bash', 'build.sh'])\n")], "python tools/b.py", "python tools/b.py, through b.py"),
        ([("justfile", "ship:\n  ./build.sh\n")], "just ship", "just ship, through justfile"),
    ],
)  # fmt: skip
def test_through_another_file(files, command, how):
    """Make, npm, a docker entrypoint, another script, code that calls it: what those files say is known."""
    entry = after(story(*files), command)
    assert entry.run
    assert entry.how == how


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ([("Makefile", "all:\n\tls\nship:\n\t./build.sh\n")], "make"),
        ([("Makefile", "all:\n\tchmod +x build.sh\n")], "make"),
        ([("package.json", '{"scripts": {"ship": "./build.sh", "build": "tsc"}}')], "npm run build"),
        ([("package.json", "not JSON")], "npm test"),
        ([("Dockerfile", 'FROM x\nCOPY build.sh /\nENTRYPOINT ["/build.sh"]\n')], "docker build ."),
        ([("all.sh", "# ./build.sh\nls\n")], "bash all.sh"),
        ([("tools/b.py", "# runs build.sh some day\n")], "python tools/b.py"),
    ],
)
def test_what_those_files_do_not_run(files, command):
    """Another target, a chmod, another script of the package, the other stage, a comment."""
    entry = after(story(*files), command)
    assert not entry.run
    assert entry.perhaps == ""


def test_what_a_build_file_runs_may_not_be_known():
    """Where the log does not show what make runs, it may have run the script: the note says so."""
    told = story()
    entry = after(told, "make all")
    assert (entry.run, entry.perhaps) == (False, "make all")
    assert told.open[0].message.endswith("; perhaps make all ran it: the log does not show what that runs")
    assert "If make all ran it" in told.open[0].advice


def test_what_perhaps_ran_it_shows_at_once():
    """That make may have run a script shows with the call, whoever looked at the scripts before it."""
    told = story()
    assert told.detector.view().scripts[-1].perhaps == ""
    told.shell("make all")
    assert told.detector.view().scripts[-1].perhaps == "make all"


@pytest.mark.parametrize("output", ["bash ./build.sh\nbuilt", "> app@1.0 build\n> sh build.sh\n", "+ ./build.sh\nx",
                                    "./build.sh: line 3: foo: command not found"])  # fmt: skip
def test_a_build_tools_output_shows_it(output):
    """Build tools print the commands they run, and a shell names the script whose line failed."""
    entry = after(story(), "make all", output=output)
    assert (entry.run, entry.how) == (True, "make all, as its output shows")
    assert not after(story(), "ls -l", output=output).run


def test_a_read_build_file_is_known():
    """What the agent has read, or printed with cat, counts as well as what it wrote."""
    for look in (
        lambda told: told.read("Makefile", "     1\tall:\n     2\t\t./build.sh\n"),
        lambda told: told.shell("cat Makefile", "exit code: 0\nall:\n\t./build.sh\n"),
    ):
        told = Calls(Scripts())
        look(told)
        told.write("build.sh", SCRIPT)
        assert after(told, "make").run
