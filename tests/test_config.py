"""Where the monitor keeps things."""

from __future__ import annotations

import stat
import sys

import pytest

from monitor.config import config_folder, make_private, state_folder
from monitor.errors import MonitorError


def test_the_state_lies_in_the_users_own_folder(private_home):
    """The folder lies in the user's home, carries our name, and is made for that user alone."""
    folder = state_folder()
    assert folder.is_relative_to(private_home)
    assert folder.name == "monitor"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is a custom of Linux")
def test_the_user_may_have_the_state_elsewhere(monkeypatch, tmp_path):
    """XDG_STATE_HOME is followed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert state_folder() == tmp_path / "state/monitor"


def test_the_config_is_looked_for_and_not_made(private_home):
    """Reading the config leaves nothing behind."""
    assert config_folder().is_relative_to(private_home)
    assert config_folder().name == "monitor"
    assert not config_folder().exists()


def test_a_folder_that_others_could_read_is_tightened(tmp_path):
    """A folder made by somebody's looser habits becomes private."""
    folder = tmp_path / "x"
    folder.mkdir(mode=0o755)
    make_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_no_state_folder_is_an_error_with_advice(monkeypatch, tmp_path):
    """Where the folder cannot be had, the user is told which one."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("monitor.config.user_state_path", lambda name, appauthor: tmp_path / "file" / name)
    with pytest.raises(MonitorError, match="file/monitor: "):
        state_folder()


def test_another_users_folder_is_not_used(tmp_path, monkeypatch):
    """A folder that belongs to somebody else is refused."""
    monkeypatch.setattr("monitor.config.os.getuid", lambda: 12345)
    with pytest.raises(PermissionError):
        make_private(tmp_path)
