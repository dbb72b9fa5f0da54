"""Nothing grows beyond what can be read at one go, and every file of tests has a name of its own."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import monitor

ROOT = Path(monitor.__file__).parent
TESTS = Path(__file__).parent
LINES = 250
"""Of a file, at the most."""
STEPS = 40
"""Lines of a function of the package, at the most."""


def files(folder):
    return sorted(path for path in folder.rglob("*.py") if not any(part.startswith(".") for part in path.parts))


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("folder", [ROOT, TESTS], ids=["the package", "its tests"])
def test_a_file_is_read_at_one_go(folder):
    """A file that needs a table of contents is divided by noun."""
    assert {str(path.relative_to(folder)): lines(path) for path in files(folder) if lines(path) > LINES} == {}


def test_a_function_is_seen_at_one_glance():
    """A function of the package fits on a screen."""
    found = {}
    for path in files(ROOT):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[f"{path.relative_to(ROOT)} {node.name}"] = (node.end_lineno or 0) - node.lineno + 1
    assert {name: length for name, length in found.items() if length > STEPS} == {}
    assert len(found) > 1000


def test_names_of_test_files_are_unique():
    """Tests are no package: a file is imported by its name alone."""
    names = Counter(path.name for path in files(TESTS) if path.name != "conftest.py")
    assert [name for name, count in names.items() if count > 1] == []
