from __future__ import annotations

import pytest
from planted_secrets import NAME

from monitor.report.redact import Redactor


@pytest.mark.parametrize(("text", "expected"), [
    ("/home/annabel/x.py", "/home/~/x.py"),
    ("at /Users/annabel", "at /Users/~"),
    ("file:///home/annabel/a", "file:///home/~/a"),
    ("/mnt/c/Users/annabel/a", "/mnt/c/Users/~/a"),
    ("/var/home/annabel/a", "/var/home/~/a"),
    (r"C:\Users\annabel\x", r"C:\Users\~\x"),
    (r"C:\\Users\\annabel\\x", r"C:\\Users\\~\\x"),
    (r"C:\Users\Annabel Lee\x", r"C:\Users\~\x"),
    ("C:/Users/annabel/x", "C:/Users/~/x"),
    ("/home/annabel/p/-home-annabel-p/x.jsonl", "/home/~/p/-home-~-p/x.jsonl"),
    ("/home/annabel/x and /tmp/annabel/y, annabel/z, annabel@host:~$", "/home/~/x and /tmp/~/y, ~/z, ~@host:~$"),
    ("/home/annabel/x annabel.py annabella/x", "/home/~/x annabel.py annabella/x"),
    ("/home/user/x src/user/x", "/home/~/x src/user/x"),
    ("/home/~/x", "/home/~/x"),
])  # fmt: skip
def test_the_name_of_the_person_at_the_machine_goes(text, expected):
    """A home's owner becomes a tilde in every path, and the file's own name stays."""
    assert Redactor().text(text) == expected


def test_the_home_folder_names_the_person_wherever_it_lies():
    """A home that no rule knows is given by hand, and its name goes from every path."""
    redactor = Redactor(f"/data/people/{NAME}/")
    assert (
        redactor.text(f"/data/people/{NAME}/x, /srv/{NAME}/y, {NAME}.txt") == f"/data/people/~/x, /srv/~/y, {NAME}.txt"
    )
    assert redactor.counts == {"user name": 2}
    assert Redactor("/").text("a/b") == "a/b"
