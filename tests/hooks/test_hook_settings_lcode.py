"""The hooks in lcode's config, and the command that installs them."""

from __future__ import annotations

import io

import pytest
from hook_settings import install, remove

from monitor.cli import cli
from monitor.errors import MonitorError
from monitor.hooks.places import EVENTS, place_of
from monitor.hooks.standing import standing

LCODE = [
    "",
    "model = 'x'",
    "model = 'x' # mine\n\n[permissions]\nallow = ['bash:ls']\n",
    "[[hooks]]\nevent = 'after_tool'\ncommand = 'mine'\n",
    "a = 1\r\n",
]


@pytest.mark.parametrize("text", [None, *LCODE])
def test_lcodes_config_is_what_it_was(text):
    """Its tables are added behind all others, comments stay, and removed not a byte is left."""
    place = place_of("lcode", None)
    if text is not None:
        place.path.parent.mkdir(parents=True)
        place.path.write_bytes(text.encode())
    install(place)
    assert standing(place).state == "installed"
    data = place.path.read_bytes()
    assert data.startswith((text or "").encode())
    remove(place)
    assert (place.path.read_bytes().decode() if place.path.exists() else None) == text
    if text:
        place.path.write_bytes(b"# above\n" + data + b"[more]\nx = 1\n")
        remove(place)
        assert place.path.read_bytes().decode() == f"# above\n{text}[more]\nx = 1\n"


@pytest.mark.parametrize("text", ["a = ", "hooks = []\n", "hooks = 1\n"])
def test_a_config_that_takes_no_tables_is_refused(text):
    """What is no TOML, or would be none with ours, is left alone."""
    place = place_of("lcode", None)
    place.path.parent.mkdir(parents=True)
    place.path.write_text(text)
    with pytest.raises(MonitorError, match="does not read this file"):
        install(place)
    assert place.path.read_text() == text


def test_the_command_asks_first(place, tmp_path, monkeypatch, capsys):
    """Nobody there to say yes: the difference is shown and nothing written; an installation that is there is said to be."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    words = ["--project", str(tmp_path / "project")]
    with pytest.raises(MonitorError, match="nobody is there"):
        cli.main(["hooks", "install", *words], standalone_mode=False)
    assert f'"{EVENTS[0]}"' in capsys.readouterr().out
    assert not place.path.exists()
    for expected in ("Installed in", "nothing was changed"):
        with pytest.raises(SystemExit) as done:
            cli.main(["hooks", "install", *words, "--yes"], standalone_mode=False)
        assert done.value.code == 0
        assert expected in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["hooks", "status", *words], standalone_mode=False)
    assert "claude   installed: " in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["hooks", "remove", *words, "--yes"], standalone_mode=False)
    assert "made for them" in capsys.readouterr().out
