"""Where it works, the scripts it wrote, and the tests it ran."""

from __future__ import annotations

from cases import case
from pen import Pen

SCRIPT = "#!/usr/bin/env bash\nset -e\nmake all\n"


@case
def it_leaves_the_project(run: Pen) -> None:
    run.shell("cd /srv/other && ls", "x", cwd="/srv/other")
    run.now("folder", "note", "/srv/other")
    run.write("/srv/other/y.py")
    run.now("folder", "warn", "/srv/other")


@case
def a_file_written_outside(run: Pen) -> None:
    run.write("/srv/other/y.py")
    run.now("folder", "note", "/srv/other")


@case
def it_only_looks_elsewhere(run: Pen) -> None:
    run.shell("(cd /srv && ls)", "x")
    run.shell("cd /srv && make && cd -", "made")
    run.shell("git -C /srv/other status", "clean")
    run.shell("cd sub && ls", "x")
    run.read("/etc/hosts", "127.0.0.1 localhost")
    run.write("/tmp/notes.txt", "later\n")
    run.quiet("folder")


@case
def a_script_never_run(run: Pen) -> None:
    run.write("build.sh", SCRIPT)
    run.shell("chmod +x build.sh && cat build.sh", SCRIPT)
    run.shell("bash -n build.sh")
    run.claim("The script builds everything.")
    run.now("scripts", "note", "build.sh")


@case
def a_script_run_before_its_last_edit(run: Pen) -> None:
    run.write("build.sh", SCRIPT)
    run.shell("./build.sh", "made")
    run.edit("build.sh", "make all", "make -j2 all")
    run.claim("The script builds everything.")
    run.now("scripts", "note", "build.sh")


@case
def a_script_that_was_run(run: Pen) -> None:
    run.write("build.sh", SCRIPT)
    run.shell("bash ./build.sh", "made")
    run.claim("The script builds everything.")
    run.quiet("scripts")


@case
def a_script_run_through_make(run: Pen) -> None:
    run.write("Makefile", "check:\n\t./build.sh\n")
    run.write("build.sh", SCRIPT)
    run.shell("chmod +x build.sh && make check", "./build.sh\nmade")
    run.claim("The script builds everything.")
    run.quiet("scripts")


@case
def a_heredoc_that_was_never_closed(run: Pen) -> None:
    run.shell(
        "cat > Makefile <<'EOF'\nall:\n\techo made", "root@box:/app# cat > Makefile <<'EOF'\n> all:\n> \techo made\n> "
    )
    run.now("scripts", "warn", "Makefile")
    run.shell("make", "> make\n> ")
    run.still("scripts", "warn", "Makefile")


@case
def a_heredoc_that_was_closed(run: Pen) -> None:
    run.shell("cat > Makefile <<'EOF'\nall:\n\techo made\nEOF")
    run.shell("make", "made")
    run.claim()
    run.quiet("scripts")


@case
def tested_before_the_last_edit(run: Pen) -> None:
    run.edit("a.py", "one", "two")
    run.shell("pytest -q", "3 passed in 0.10s")
    run.edit("a.py", "two", "three")
    run.claim()
    run.now("tests", "note")


@case
def tested_after_the_last_edit(run: Pen) -> None:
    run.edit("a.py", "one", "two")
    run.shell("pytest -q", "3 passed in 0.10s")
    run.claim()
    run.quiet("tests")
