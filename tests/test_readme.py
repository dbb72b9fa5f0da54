"""What the README promises is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from monitor.agents import catalogue as agents
from monitor.cli import cli
from monitor.ui.keys import table

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_keys():
    """The table of keys is the registry's own."""
    between = README.split("<!-- keys -->")[1].split("<!-- /keys -->")[0]
    assert between.strip() == table().strip()


def test_agents():
    """The table of agents is the catalogue's own."""
    between = README.split("<!-- agents -->")[1].split("<!-- /agents -->")[0]
    assert between.strip() == agents.table().strip()


@pytest.mark.parametrize("name", ["demo", "test"])
def test_the_two_commands(name):
    """Each of the two commands is one line that makes its own environment and installs everything."""
    block = README.split(f"<!-- {name} command -->\n```sh\n")[1].split("```")[0]
    assert block.count("\n") == 1
    assert block.startswith("python3 -m venv .venv && .venv/bin/pip install")


def test_commands_exist():
    """Every command the README shows exists."""
    shown = set(re.findall(r"^monitor ([a-z]+) ", README, re.MULTILINE))
    assert shown
    assert shown <= set(cli.commands)


def test_links_lead_somewhere():
    """Every picture and every link within the project is there."""
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
