from __future__ import annotations

import pytest
from planted_secrets import pem

from monitor.report.redact import Redactor
from monitor.text import line


def _redacted(text):
    return Redactor().text(text)


@pytest.mark.parametrize("cut", [60, 200, 300, 420])
def test_a_key_cut_short_goes_to_its_end(cut):
    """A private key whose last line is missing goes as far as it reaches, in lines, in JSON and with line numbers."""
    key = pem()[:cut]
    for text in (
        key,
        key.replace("\n", "\\n"),
        line(key),
        "\n".join(f"{n:>4} | {one}" for n, one in enumerate(key.split("\n"))),
    ):
        redacted = _redacted(f"before {text}…")
        assert redacted.startswith("before ")
        assert not [one for one in key.split("\n")[1:] if len(one) >= 8 and one in redacted]


def test_a_key_whose_beginning_is_missing_goes():
    """The end of a private key goes with the lines of base64 before it, and the text before them stays."""
    lines = pem().split("\n")
    tail = "\n".join(lines[4:])
    assert _redacted(f"it printed:\n{tail}\nand stopped") == "it printed:\n[redacted: private key]\nand stopped"
    assert _redacted(tail) == "[redacted: private key]"


def test_of_two_keys_the_cut_one_goes_too():
    """A key whose end is missing goes though another, whole, stands behind it."""
    cut = "\n".join(pem().split("\n")[:3])
    assert _redacted(f"{cut}\nthen\n{pem()}\nend") == "[redacted: private key]\nthen\n[redacted: private key]\nend"


def test_prose_after_a_cut_key_stays():
    """A key without an end does not take the sentences after it along."""
    lines = pem().split("\n")[:3]
    assert _redacted("\n".join([*lines, "and then it went on"])) == "[redacted: private key]\nand then it went on"
