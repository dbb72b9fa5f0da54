"""The policy's file: what it may say, and what is said of it where it is wrong."""

from __future__ import annotations

import pytest

from monitor.errors import USAGE, MonitorError
from monitor.events import DETECTORS
from monitor.policy.file import named, read, standing
from monitor.policy.rules import Rules


def test_a_whole_policy(tmp_path):
    """Every key there is is read."""
    file = tmp_path / "policy.toml"
    file.write_text(
        'warnings_an_hour = 3\nwaiting = "notify"\nended = "notify"\nforce = "terminate"\nrefuse = "not-made"\nrefusals = 2\n'
        '[sites]\nnote = "notify"\nstop = "abort"\n[tests]\nnote = "show"\n'
    )
    responses = {("sites", "note"): "notify", ("sites", "stop"): "abort", ("tests", "note"): "show"}
    assert read(file) == Rules(
        responses, waiting=True, ended=True, warnings_an_hour=3, force="terminate", refuse="not-made", refusals=2
    )


def test_an_empty_policy_only_shows(tmp_path):
    """An empty file is the policy that does nothing."""
    (tmp_path / "policy.toml").write_text("")
    assert read(tmp_path / "policy.toml") == Rules()


def test_no_policy(tmp_path):
    """Without a file of the user's there is no policy."""
    assert standing(tmp_path) is None


def test_our_own_policy_by_name():
    """The monitor's own policy is found by its name, and every detector with a seed's ladder is in it."""
    rules = named("seed")
    assert rules.responses["sites", "stop"] == "abort"
    assert {detector for detector, _ in rules.responses} < set(DETECTORS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sitess = 1", "there is no sitess; did you mean sites"),
        ("xyz = 1", "there is no xyz; known are warnings_an_hour,"),
        ("sites = 1", "sites is a table"),
        ('[sites]\nstopp = "abort"', "[sites] there is no stopp; did you mean stop"),
        ('[sites]\nstop = "kill"', "[sites] stop is one of show, notify, warn, abort"),
        ("[sites]\nstop = 1", "[sites] stop is one of show, notify, warn, abort"),
        ("warnings_an_hour = -1", "warnings_an_hour is a number from 0 on"),
        ("warnings_an_hour = true", "warnings_an_hour is a number from 0 on"),
        ('waiting = "abort"', "waiting is one of show, notify"),
        ('force = "ask"', "force is one of interrupt, terminate, kill"),
        ('refuse = "always"', "refuse is one of never, not-made, unchanged"),
        ("refusals = 1.5", "refusals is a number from 0 on"),
        ("[sites", "Expected ']'"),
        ('"\\u001b[2J" = 1', "there is no ␛[2J"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    """A mistake is one line that names the file and the key, and uses exit code 2."""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(MonitorError) as caught:
        read(file)
    assert "mine.toml: " in caught.value.text
    assert said in caught.value.text
    assert "\n" not in str(caught.value)
    assert caught.value.code == USAGE


def test_a_name_there_is_not(tmp_path):
    """A policy that does not exist is said, with the names of ours."""
    with pytest.raises(MonitorError, match=r"no such file.*seed"):
        named("sed")
    with pytest.raises(MonitorError, match="no such file"):
        named(str(tmp_path / "none.toml"))


def test_what_cannot_be_read(tmp_path):
    """A folder, bytes that are no text, and a huge file are refused in words."""
    with pytest.raises(MonitorError, match="Is a directory"):
        read(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(MonitorError, match="utf-8"):
        read(tmp_path / "bytes")
    (tmp_path / "huge").write_bytes(b"#" * (2 << 20))
    with pytest.raises(MonitorError, match="too large"):
        read(tmp_path / "huge")
