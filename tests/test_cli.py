"""The commands as a person calls them: what they print, and their exit codes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from importlib import resources

import jsonschema
import logs
import pytest
from cli_calls import monitor, one_line

SCHEMA = json.loads((resources.files("monitor.report") / "report.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def log(tmp_path):
    """A finished run that claims to be done over two failed writes."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(logs.lines(*logs.FALSE_DONE))
    return path


def test_report_json(log):
    """The JSON report follows the schema shipped; a stop makes the exit code 1."""
    done = monitor("report", log, "--format", "json")
    report = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA)
    assert (done.returncode, report["verdict"]["state"]) == (1, "not made")


def test_one_of_several_logs_that_cannot_be_read(log, tmp_path):
    """Of several logs each report has its line, named in text, also where only one of them can be read."""
    done = monitor("report", log, tmp_path / "none.jsonl", "--format", "json")
    assert json.loads(done.stdout)["inputs"][0]["name"] == "run.jsonl"
    assert done.stdout.count(b"\n") == 1
    assert done.returncode == 3
    assert "no such file" in one_line(done)
    assert monitor("report", log, tmp_path / "none.jsonl").stdout.startswith(b"== 1 of 1: run.jsonl\n")


@pytest.mark.parametrize(("limit", "code"), [("note", 1), ("warn", 1), ("stop", 1), ("never", 0)])
def test_fail_on(log, limit, code):
    """`--fail-on` decides the exit code, not what is printed."""
    assert monitor("report", log, "--fail-on", limit).returncode == code


def test_report_to_a_file(log, tmp_path):
    """`-o` writes the report to a file, and says in one line when it cannot."""
    assert monitor("report", log, "-o", tmp_path / "out.txt", "--fail-on", "never").stdout == b""
    assert b"NOT MADE" in (tmp_path / "out.txt").read_bytes()
    done = monitor("report", log, "-o", tmp_path / "none" / "out.txt")
    assert "cannot be written" in one_line(done)
    assert done.returncode == 3


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_no_permission(log):
    """A log that may not be read is told as that."""
    log.chmod(0)
    assert "no permission" in one_line(monitor("report", log))


def test_the_screen_needs_a_terminal(log):
    """Without a terminal, attaching names the commands that need none."""
    done = monitor(log)
    assert done.returncode == 2
    assert "monitor watch" in one_line(done)


def test_watch(log):
    """A watch prints a JSON line for each finding and verdict, and ends with the run."""
    done = monitor("watch", log)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert {"finding", "verdict"} == {key for line in told for key in line}
    assert [line["verdict"]["state"] for line in told if "verdict" in line][-1] == "not made"


def test_a_closed_output(log):
    """A reader that goes away early is no error."""
    with subprocess.Popen(
        [sys.executable, "-m", "monitor", "report", str(log), "--fail-on", "never"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_markdown(log):
    """The Markdown report begins with the verdict."""
    assert "NOT MADE" in monitor("report", log, "--format", "md").stdout.decode().splitlines()[0]


def test_a_report_never_overwrites_its_log(log):
    """`-o` refuses the log itself, under any name."""
    before = log.read_bytes()
    link = log.with_name("link")
    link.symlink_to(log)
    for output in (log, link):
        done = monitor("report", log, "-o", output)
        assert (done.returncode, log.read_bytes()) == (2, before)
        assert "that is the log itself" in one_line(done)


def test_one_bad_log_hides_no_other(log, tmp_path):
    """The logs that can be read are reported; the others are named, and the exit code is 3."""
    done = monitor("report", log, tmp_path / "none.jsonl", "--fail-on", "never")
    assert b"NOT MADE" in done.stdout
    assert "no such file" in one_line(done)
    assert done.returncode == 3


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")  # noqa: PTH110 - a device
def test_a_full_output(log):
    """An output that cannot be written is told in one line."""
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "monitor", "report", str(log)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 3
    assert "cannot be written" in one_line(done)


def test_without_a_state_folder(log, tmp_path):
    """Where no state folder can be made, a run is watched all the same."""
    (tmp_path / "file").touch()
    done = monitor("watch", log, env=os.environ | {"XDG_STATE_HOME": str(tmp_path / "file")})
    assert b'"not made"' in done.stdout
    assert done.stderr == b""


def test_the_screen_is_not_drawn_into_a_file(log):
    """With standard error elsewhere the terminal would stay blank: that is said instead."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "monitor", log],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert "standard error is no terminal" in one_line(done)
