"""The commands without a finished log: names, usage, pipes and folders."""

from __future__ import annotations

import json
import os
import re

import logs
import pytest
from cli_calls import monitor, one_line


def bad_inputs(tmp_path):
    """Each kind of input that is no run, with words of what is said of it."""
    (tmp_path / "empty").touch()
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0\1" * 100)
    (tmp_path / "prose").write_text("Dear diary,\n[/foo] today was \x1b]0;x\x07 fine.\n")
    (tmp_path / "other.jsonl").write_text('{"kind": "span", "trace": 1}\n' * 3)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    return {
        "missing.jsonl": "no such file",
        "empty": "empty",
        "binary": "binary",
        "prose": "not an agent's log",
        "other.jsonl": "not of an agent",
        "folder": "no run in this folder",
        "fifo": "neither a file nor a folder",
        "dangling": "No such file",
    }


@pytest.mark.parametrize("command", ["report", "watch"])
def test_bad_input(tmp_path, command):
    """What is no run gives one clear line, exit code 3, and no traceback."""
    for name, words in bad_inputs(tmp_path).items():
        done = monitor(command, tmp_path / name)
        assert words in one_line(done), name
        assert done.returncode == 3, name
        assert done.stdout == b""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (".", "no run in this folder"),
        ("..", "no run in this folder"),
        ("a" * 300, "too long"),
        ("x/" + "a" * 300, "no such"),
    ],
)
def test_names_that_no_log_has(tmp_path, monkeypatch, name, words):
    """The folder one stands in, and a name longer than any file's, are answered in one line as well."""
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert words in one_line(monitor("report", name))


LONG = "\x1b[2J" + "a" * 300
"""A name longer than any file's, and not harmless on a terminal."""


@pytest.mark.parametrize("words", [
    ["report", LONG, "-o", "out"], ["report", "run.jsonl", "-o", LONG], ["report", "run.jsonl", "--project", LONG],
    ["measure", LONG], ["measure", ".", "--since", LONG],
])  # fmt: skip
def test_a_path_that_the_system_refuses_is_told_in_one_line(tmp_path, words):
    """Whichever option names it: what the system says of it, exit code 3, and no traceback."""
    (tmp_path / "run.jsonl").write_bytes(logs.lines(logs.started(), logs.prompted()))
    done = monitor(*words, cwd=tmp_path)
    assert "File name too long" in one_line(done)
    assert "\x1b" not in one_line(done)
    assert done.returncode == 3


HOSTILE = "[/foo]\x1b]52;c;aGk=\x07\u202e\n.jsonl"


@pytest.mark.parametrize("words", [
    ["report", HOSTILE], ["report", "there" + HOSTILE], ["report", HOSTILE, "gone"], ["watch", HOSTILE],
    ["measure", HOSTILE], ["measure", ".", "--since", "there" + HOSTILE], ["rescue", HOSTILE, "--show"],
    ["rescue", HOSTILE, "--diff"], ["--theme", HOSTILE, HOSTILE], [f"--{HOSTILE}"], ["measure", ".", HOSTILE],
    ["run", "--", HOSTILE],
], ids=lambda words: " ".join(word.replace(HOSTILE, "NAME") for word in words))  # fmt: skip
def test_hostile_names(tmp_path, words):
    """A name full of markup and control characters is shown harmlessly, whichever command it is given to."""
    there = tmp_path / f"there{HOSTILE}"
    there.parent.mkdir()
    there.write_text("nothing\n")
    done = monitor(*words, cwd=tmp_path)
    text = done.stderr.decode() + done.stdout.decode()
    assert "monitor: " in text
    assert done.returncode > 0
    assert not any(sign in text for sign in "\x1b\x07\u202e")
    assert all(row.startswith("monitor: ") for row in text.splitlines())


def test_a_version_that_is_not_kept_is_named_harmlessly(tmp_path):
    """A file's name stands on one line, whatever is in it."""
    done = monitor("rescue", HOSTILE, cwd=tmp_path)
    assert done.stdout.decode() == "No version of [/foo]␛]52;c;aGk=␇\ufffd ⏎ .jsonl was overwritten here.\n"


@pytest.mark.parametrize("words", [["report"], ["report", "x", "--format", "xml"], ["--nonsense"], ["demo", "more"]])
def test_wrong_usage(words):
    """Wrong usage is exit code 2, one line, and where the help is."""
    done = monitor(*words)
    assert done.returncode == 2
    assert "--help" in one_line(done)


def test_help_and_version():
    """Help and version answer with 0."""
    assert b"monitor TARGET" in monitor("--help").stdout
    assert monitor("--version").stdout.startswith(b"monitor 0.")
    assert monitor().returncode == 0


def test_watch_a_pipe():
    """A run piped in is watched like a file."""
    done = monitor("watch", "-", stdin=logs.lines(*logs.FALSE_DONE))
    assert b'"not made"' in done.stdout
    assert done.returncode == 1


def test_watch_a_pipe_of_prose():
    """A pipe that is no agent's stream ends with an unknown verdict, not with a crash."""
    done = monitor("watch", "-", stdin=b"hello\n" * 100)
    assert done.returncode == 0
    assert b'"unknown"' in done.stdout
    assert done.stderr == b""


def test_demo_without_a_terminal():
    """Without a terminal the demo runs at full speed, prints the report, and leaves nothing behind."""
    done = monitor("demo")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert text.startswith("BLOCKED: docs.example.net")
    assert re.search(r"^Also +not made$", text, re.MULTILINE)
    assert "changed since the latest prompt" in text


def test_measure(tmp_path):
    """`measure` prints a fingerprint, and against an earlier one what changed."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text("x\n")
    first = monitor("measure", tmp_path / "project")
    assert first.returncode == 0
    (tmp_path / "before.json").write_bytes(first.stdout)
    (tmp_path / "project" / "a.py").write_text("y\n")
    second = json.loads(monitor("measure", tmp_path / "project", "--since", tmp_path / "before.json").stdout)
    assert (second["changed"], second["files"]) == (True, ["a.py"])
    assert monitor("measure", tmp_path / "none").returncode == 2


def test_redaction(tmp_path):
    """Secrets are out of every format unless asked for by name."""
    secret = "ghp_" + "aB3dE5fG7hI9kL1mN3oP5qR7sT9uV1wX3yZ5"
    path = tmp_path / "run.jsonl"
    path.write_bytes(
        logs.lines(logs.started(), logs.prompted(f"push with {secret}"), *logs.answered(f"pushed with {secret}"))
    )
    for form in ("text", "json", "md"):
        done = monitor("report", path, "--format", form)
        assert secret.encode() not in done.stdout, form
        assert b"redacted" in done.stdout, form
        assert secret.encode() in monitor("report", path, "--format", form, "--no-redact").stdout.replace(b"\n", b""), (
            form
        )


def test_a_terminal_without_unicode(tmp_path):
    """Where the output knows ASCII alone, other letters are written as escapes."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(logs.lines(logs.started(), logs.prompted("Schönes Wetter"), *logs.answered("Fertig ✓")))
    done = monitor("report", path, env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert done.stderr == b""


def test_no_state_folder_keeps_nobody_from_looking(tmp_path):
    """Where no state folder can be made, a folder is measured all the same, and the doctor names the lack."""
    (tmp_path / "blocked").touch()
    told = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "blocked")}
    done = monitor("measure", tmp_path, env=told)
    assert done.returncode == 0
    assert json.loads(done.stdout)["content"]
    examined = monitor("doctor", env=told)
    assert examined.stderr == b""
    assert b"! state folder" in examined.stdout
