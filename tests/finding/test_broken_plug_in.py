"""A package that adds an agent, and whose code fails: it is named, and harms nothing else."""

from __future__ import annotations

import json

import pytest
from moon import LOG, example, installed, run

NATIVE = '{"event": "RunStarted", "agent": "mine"}\n{"event": "RequestEnded", "text": "Done."}\n'
RAISE = 'raise ValueError("eclipse\\x1b[31m")'
SPOILT = {
    "feed": ("        found = read_object(record.data)\n", f"        {RAISE}\n"),
    "no event": ('[RunStarted(agent="moon", **where)]', '["rise"]'),
    "wrong field": ('RunStarted(agent="moon"', "RunStarted(agent=3"),
    "copy": ("        other = Decoder()\n", f"        {RAISE}\n"),
    "finish": ("    def finish(self, inputs):\n        return []", f"    def finish(self, inputs):\n        {RAISE}"),
    "sniff": ("        return head.lstrip()", f"        {RAISE}\n        return head.lstrip()"),
    "listed": ('        for path in HOME.glob("*.log"):', f'        {RAISE}\n        for path in HOME.glob("*.log"):'),
    "places": ("        return [HOME]", f"        {RAISE}"),
    "late": (
        "b'\"set\"' in tail)\n",
        f'b\'"set"\' in tail)\n            if path.stem == "run-2":\n                {RAISE}\n',
    ),
}


@pytest.fixture
def logs(private_home):
    """A log of its own, and one of another's."""
    moon, native = private_home / ".moon" / "run-1.log", private_home / "run.jsonl"
    moon.parent.mkdir()
    moon.write_text(LOG)
    native.write_text(NATIVE)
    return moon, native


@pytest.fixture
def spoil(tmp_path):
    """Installs the example with a fault in one place."""

    def made(fault):
        old, new = SPOILT[fault]
        assert old in example("plug-in")
        return installed(tmp_path / "site", example("plug-in").replace(old, new))

    return made


@pytest.mark.parametrize(
    ("fault", "unreadable"), [("feed", 4), ("no event", 1), ("wrong field", 1), ("finish", 0), ("copy", 0)]
)
def test_the_others_are_reported(spoil, logs, fault, unreadable):
    """Its records are unreadable, its trouble is told in one line with its name, and all other logs are judged."""
    log = logs[0]
    if fault == "copy":
        log.write_text(LOG.removesuffix("\n"))
    answer = run(spoil(fault), "report", *map(str, logs), "--format", "json", "--fail-on", "never")
    moon, native = map(json.loads, answer.stdout.splitlines())
    assert native["claims"][0]["text"] == "Done."
    assert moon["inputs"][0]["unreadable"] == unreadable
    assert answer.returncode == 0
    assert answer.stderr.startswith("monitor: the plug-in moon failed in ")
    assert answer.stderr.count("\n") == 1
    assert "\x1b" not in answer.stderr
    assert answer.stderr.removeprefix("monitor: ").strip() in moon["coverage"]["failed_writes"]["why"]


def test_a_sniff_that_fails(spoil, logs):
    """Its logs are not known, with the plug-in's name and why; all others are, from a pipe too."""
    site = spoil("sniff")
    answer = run(site, "report", *map(str, logs), "--format", "json", "--fail-on", "never")
    assert answer.returncode == 3
    assert "the plug-in moon failed in open: ValueError: eclipse" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert json.loads(answer.stdout)["claims"][0]["text"] == "Done."
    last = run(site, "watch", "-", stdin=NATIVE).stdout.splitlines()[-1]
    assert json.loads(last)["verdict"]["claimed_done"] is True


@pytest.mark.parametrize("fault", ["feed", "finish"])
def test_a_run_that_is_followed(spoil, logs, fault):
    """From a pipe its fault ends nothing: the watch goes on to the end, and says whose it is."""
    answer = run(spoil(fault), "watch", "-", stdin=LOG.removesuffix("\n"))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "the plug-in moon failed in" in answer.stdout


@pytest.mark.parametrize("fault", ["listed", "places", "feed", "late"])
def test_the_doctor_names_it(spoil, logs, fault):
    """What fails while runs are listed, and while the newest of them are looked through, is a lack; other runs are there."""
    site = spoil(fault)
    (logs[0].parent / "run-2.log").write_text(LOG)
    told = run(site, "doctor").stdout
    (line,) = [one for one in told.splitlines() if "moon-agent 1.0" in one]
    assert "the plug-in moon failed in" in line
    assert run(site, "runs", "--json").returncode == 0
