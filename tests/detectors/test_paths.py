"""One canonical path for all spellings of a file, by its letters alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.detectors.paths import canonical, inside, name, shown


@pytest.mark.parametrize(
    ("path", "folder", "key"),
    [
        ("a.py", "/p", "/p/a.py"),
        ("./a.py", "/p/", "/p/a.py"),
        ("/p/a.py", "/elsewhere", "/p/a.py"),
        ("x/../a.py", "/p", "/p/a.py"),
        ("//p///a.py", "/p", "/p/a.py"),
        ("../q/a.py", "/p", "/q/a.py"),
        ("../../../a.py", "/p", "/a.py"),
        ("a.py", "/", "/a.py"),
        ("~/a.py", "/home/sam/p", "/home/sam/a.py"),
        ("~/a.py", "/Users/sam/p", "/Users/sam/a.py"),
        ("~/a.py", "/root/p", "/root/a.py"),
        ("~/a.py", "/srv/p", "~/a.py"),
        ("~/x/../a.py", "", "~/a.py"),
        ("~other/a.py", "/home/sam", "~other/a.py"),
        ("a.py", "", "./a.py"),
        ("x/../../a.py", "", "./../a.py"),
        ("a.py", "not/absolute", "./a.py"),
        ("", "/p", ""),
    ],
)
def test_spellings_of_one_file(path: str, folder: str, key: str) -> None:
    """Dots, doubled slashes and the home folder are evened out against the folder."""
    assert canonical(path, folder) == key


@pytest.mark.parametrize(
    ("path", "folder", "key"),
    [
        ("src\\a.py", "C:\\p", "C:/p/src/a.py"),
        ("c:\\p\\a.py", "", "C:/p/a.py"),
        ("c:/p/A.py", "/p", "C:/p/A.py"),
        ("..\\a.py", "c:\\p\\q", "C:/p/a.py"),
        ("/c/p/a.py", "C:\\p", "C:/p/a.py"),
        ("/proj/a.py", "C:\\q", "C:/proj/a.py"),
        ("a.py", "C:\\", "C:/a.py"),
        ("\\\\?\\C:\\p\\a.py", "", "C:/p/a.py"),
        ("\\\\host\\share\\x\\..\\a.py", "", "//host/share/a.py"),
        ("a.py", "\\\\host\\share", "//host/share/a.py"),
        ("~\\a.py", "C:\\Users\\sam\\p", "C:/Users/sam/a.py"),
        ("src\\a.py", "", "./src/a.py"),
        ("odd\\name.py", "/p", "/p/odd\\name.py"),
    ],
)
def test_windows_spellings(path: str, folder: str, key: str) -> None:
    """Backslashes part folders on Windows, and are letters of a name where the folder says POSIX."""
    assert canonical(path, folder) == key


@pytest.mark.parametrize("path", ["app/", "./app//", "app/.", "x/../app/"])
def test_a_folder_keeps_its_slash(path: str) -> None:
    """A path that names no file never becomes one, nor an empty key."""
    assert canonical(path, "/p") == "/p/app/"
    assert name(canonical(path, "/p")) == ""
    assert canonical("app", "/p") == "/p/app"
    assert canonical(".", "/p") == "/p/"
    assert canonical("..", "/") == "/"


def test_shown_against_the_project() -> None:
    """Inside the project a path is shown relative to it, elsewhere whole."""
    assert shown("/p/src/a.py", "/p") == "src/a.py"
    assert shown("/pq/a.py", "/p") == "/pq/a.py"
    assert shown("./a.py", "") == "a.py"
    assert shown("/p/", "/p") == "/p/"
    assert inside("/a", "/")
    assert not inside("/a", "")


def test_a_path_without_end_is_kept_short() -> None:
    """A hostile path cannot fill the memory, and two such paths stay two."""
    one, two = canonical("a" * 100_000, "/p"), canonical("a" * 99_999 + "b", "/p")
    assert len(one) < 2_100
    assert one != two


@given(st.text("ab/.\\~: é", max_size=30), st.sampled_from(["/p/q", "C:\\p", "", "/home/x/p", "//", "\\\\h\\s"]))
@settings(deadline=None, max_examples=300)
def test_total_and_stable(path: str, folder: str) -> None:
    """Any path has a key, and a key is its own; it is empty for the empty path alone."""
    key = canonical(path, folder)
    assert bool(key) == bool(path)
    assert canonical(key, folder) == key
