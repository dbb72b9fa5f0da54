from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_secrets import PLANTED, WORD, body, pem

from monitor.report.redact import Redactor

PIECES = [
    *(one.text for one in PLANTED), *(one.secret for one in PLANTED), pem()[:200], pem()[-200:], body(60, WORD + "+/="),
    "password", "token", "api_key", "key", "secret", "Authorization: ", "Bearer ", "Cookie: ", "--token ", "curl -u ",
    "export ", "login x password ", "value", "name", "=", ":", " = ", ": ", '"', "'", '\\"', '\\\\\\"', "\\n", "\n", " ", ",",
    ";", "&", "?", "/", "://", "@", "-", "_", ".", "~", "|", "<", ">", "(", ")", "[", "]", "{", "}", "hunter2", "x1y2z3w4",
    "/home/ann/", "/home/", "ann", "-home-ann-", "C:\\Users\\Ann Smith\\", "git@github.com:x", "[redacted: password]",
    "[redacted: ", "\ufdd0", "$HOME", "${X}", "0123456789abcdef0123456789abcdef", "\u241b[31m", "\x1b[0m", "\\u0022", "é", "…",
    "%3D", " is ", "sha256:", "v1.2.3", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
]  # fmt: skip
"""What texts with secrets are made of, and what stands between them."""

ADVERSE = [
    "a", " ", "\t", "\n", "-", "--a", ".", "@", "a@a@", "a@b.c", "1", "=", '"', "\\", '\\"', "é", "[", "://", "://a:b@", "eyJ",
    "eyJaaaaaaaa.", "ghp_", "xglpat-x", "sk-", "SG.", "12345678:AA", "A." + "A" * 24, "key", "key=", "key=key=", 'key="',
    'key="\\"', "key=\\'", "pwd=a,", "password=", "password: ", "password:'", "password: a b\n", "<password>", "token is ",
    "token aB3dE5fG7hI9jK1lM2nO4 ", "keyAAAAAAAAAAAAAAAAAAAAAAAA1b2C=", "cookie: ", "cookie=a", "authorization: ",
    "authorization: a=b,", "bearer ", "curl -u a:b ", "curl ", " -u a:", "mysql -x ", "docker login -x ", "login a password ",
    "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n" + "A" * 24 + "\n", "/home/",
    "/home/ann/", "C:\\Users\\", "Users\\\\", "\ufdd0", "[redacted: key]", "\ufdd0password=x", "A" * 76 + "AZDO",
]  # fmt: skip
"""What patterns that look back or ahead too far are slow on, when it is repeated."""


@settings(deadline=None, max_examples=600)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=10).map("".join))
def test_redacting_twice_is_redacting_once(text):
    """A second pass, by one who has seen nothing else, finds nothing that the first has left."""
    once = Redactor().text(text)
    again = Redactor()
    assert again.text(once) == once
    assert not again.counts


_SK, _SG, _AK = "sk" + "-" + body(20), "SG" + "." + body(16), "AK" + "IA" + body(16, "ABCDEFGH234567")
_BEGIN, _END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"


@pytest.mark.parametrize("text", [
    f"n@e.rg.{_AK}", f"n@e.rg.{_SG}", f"n@e.rg.{_END}", f"n@e.g{_SG}u0022{_SG}rd", f"{_SK}@e.t@b.ox", f"{_END}@e.9@b.ic",
    f"{_SK}Authorization:Authorization: Y2]://", f"passwd:l-u passwd{body(12)}", f"secret:on: {body(14)}dacted passwd",
    "passwdA:ATE t@b.om:\ufdd0", "login x password Bearer -.Bearer /9doi...", f"{_SK}.secretA:-ix pass",
    f"key@{body(24)}{_END}", "pass:2Cookie: Cookie: sig=", f"{_BEGIN}Cie: {_END}@b.ig", "Cookie:n@e.er=Cookie: sig=",
    f"{_SK}/home/nn/.a", f"://{body(17)}=git@:n@", f"Cookie:{_SG},Cookie:ue=", f"Cookie::={_SG}\ufdd0",
    f'login x password ${{{body(16)}>login x password "\\n', f"{_BEGIN}OMEAuthorization: 2-----BEGIN P",
])  # fmt: skip
def test_what_a_mark_uncovers_is_found_at_once(text):
    """Where one secret hides the beginning or the end of another, the first pass finds both."""
    once = Redactor().text(text)
    assert Redactor().text(once) == once


@settings(deadline=None, max_examples=200)
@given(st.text() | st.text(alphabet=st.sampled_from("ab1=:\"'\\@/.-_ \n")))
def test_any_text_comes_through(text):
    """No text stops it, what has no secret is unchanged, and marks lengthen a text by little."""
    redactor = Redactor()
    redacted = redactor.text(text)
    if not redactor.counts:
        assert redacted == text
    assert len(redacted) <= len(text) + 32 * sum(redactor.counts.values())


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(PLANTED[:30]), min_size=1, max_size=6), st.sampled_from([" ", "\n", ", ", "|", "\\n"]))
def test_no_secret_hides_another(planted, between):
    """Of tokens side by side each goes."""
    text = Redactor().text(between.join(one.secret for one in planted))
    assert not [one for one in planted if one.secret in text]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ADVERSE, ids=lambda unit: repr(unit[:24]))
def test_no_text_is_slow(unit):
    """A hundred kilobytes of what patterns like least takes a moment; one that is quadratic on it would take hours."""
    text = unit * (100_000 // len(unit))
    assert len(Redactor().text(text)) <= 6 * len(text) + 64


@pytest.mark.timeout(110)
def test_ten_megabytes_of_a_log_are_read():
    """A text as long as a whole log is searched through, and the secret at its end is found."""
    sentence = (
        'The file settings.py has "title": "x" in line 12; token 7 of 9 was read. See https://example.org/a?b=1#c\n'
    )
    text = sentence * (10_000_000 // len(sentence)) + PLANTED[6].text
    redactor = Redactor()
    assert redactor.text(text).endswith("it says [redacted: github token] and goes on")
    assert redactor.counts == {"github token": 1}


def test_it_touches_nothing():
    """Redaction is pure: it brings in no clock, no file, no process and no screen of ours."""
    code = (
        "import sys, monitor.report.redaction.assignments, monitor.report.redaction.token_shapes;"
        "sys.exit(any(name.split('.')[0] in ('textual', 'subprocess', 'socket', 'psutil') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
