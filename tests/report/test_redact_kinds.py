from __future__ import annotations

import pytest
from planted_secrets import DIGITS, HEX, PLANTED, WORD, body, jwt

from monitor.report.redact import Redactor
from monitor.text import line


def _redacted(text):
    return Redactor().text(text)


def test_more_than_thirty_kinds_are_planted():
    """The list is as long as it is meant to be, and no secret is planted twice."""
    assert len({one.kind for one in PLANTED}) > 30
    assert len({one.text for one in PLANTED}) == len(PLANTED)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.kind)
def test_a_secret_goes_and_what_stands_around_it_stays(planted):
    """Each secret is replaced by its kind, counted under it, and nothing else of its text is touched."""
    redactor = Redactor()
    before, after = planted.text.split(planted.secret)
    text = redactor.text(planted.text)
    assert planted.secret not in text
    assert text.endswith(f"[redacted: {planted.kind}]{after}")
    assert redactor.counts[planted.kind] == 1
    assert text.startswith(before) or sum(redactor.counts.values()) > 1


@pytest.mark.parametrize("planted", [one for one in PLANTED if one.kind != "base64 line"], ids=lambda one: one.kind)
@pytest.mark.parametrize("around", ["{}", '"{}"', "x: {}\\ny", "\u241b[31m{}\u241b[0m", "日本{}", "a\n{}\nb"])
def test_a_secret_is_found_in_any_surroundings(planted, around):
    """Quotes, escapes, colours, other scripts and lines around it hide no secret."""
    assert planted.secret not in _redacted(around.format(planted.text))


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.kind)
def test_a_text_put_on_one_line_is_no_hiding_place(planted):
    """Where newlines were made a sign, as titles and messages have it, each secret is found as before."""
    secrets = [part for part in line(planted.secret).split(" ⏎ ") if not part.startswith("-----")]
    redacted = _redacted(line(planted.text))
    assert not [part for part in secrets if part in redacted]


@pytest.mark.parametrize("planted", PLANTED[:37], ids=lambda one: one.kind)
@pytest.mark.parametrize(
    "around", ["{}", "-{}", "={}", '\\"{}\\"', "\\n{}\\n", "%3D{}", "\u241b[01;31m{}", "\\u0022{}\\u0022", "({})"]
)
def test_a_token_is_found_however_it_is_joined(planted, around):
    """A token right behind an escape, a sign or a colour is found."""
    assert planted.secret not in _redacted(around.format(planted.secret))


STAYS = [
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 by the bot",
    "9fceb02..d0ae598 main -> main",
    "sha256:" + body(64, HEX),
    '"integrity": "sha512-' + body(86, WORD + "+/") + '=="',
    "id 123e4567-e89b-12d3-a456-426614174000, 01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL call_Ql8mXh2vWb3Zt9Rk0Yp1Nc4d",
    "the token of tool call toolu_01A09q90qw90lq917835lq9",
    "react@18.2.0, @types/node@20.1.1, lodash@4.17.21-next.abc, logo@2x.png, getty@tty1.service",
    "git@github.com:org/repo.git and ssh://git@example.org/repo",
    "http://localhost:3000/@vite/client, https://registry.example.org:443/@scope/pkg, https://example.org/a?page=2#top",
    "https://example.org/home/about/team and example.org/Users/list",
    "src/home/index.ts, app/Users/UserController.php, pages/annabel.py",
    "aGVsbG8gd29ybGQ=",
    "the cache key f3a9b1c2-7d8e-4f5a-9b6c-1d2e3f4a5b6c of 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "the secret stands in integration-tests-for-release-2-candidates",
    "the token is gone\nsee artifact Qm2Xk9Lp4Rs6Tu8Vw0Yz3Ab5 in dist/index-BkX3fJ9qLm2Np4Rs6Tu8.js",
    "max_tokens=4096, tokens: 1234, token_count = 7, next_token = 'abc123', eos_token: '</s>1'",
    "def login(password: str, token: Optional[str] = None) -> bool:",
    "password = getpass.getpass()",
    "self.password = password",
    "api_key = os.environ['API_KEY']",
    "api_key=settings.API_KEY, secret=config.secret",
    "apiKey: process.env.OPENAI_API_KEY",
    "connect(password=password, token=auth_token)",
    "if token == '': raise ValueError('empty token')",
    'curl -H "Authorization: Bearer $TOKEN" https://example.org',
    "export GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}",
    "PASSWORD=$PASSWORD DB_PASS=${DB_PASS} TOKEN=$(cat token.txt) SECRET=%SECRET%",
    "password=*** api_key=<your key> token: your-token-here secret: [REDACTED]",
    "password: null, api_key: None, secret: true",
    "password_file=/run/secrets/db, SSL_KEY=/etc/ssl/key.pem, private_key: ~/.ssh/id_rsa",
    "docker run -u 1000:1000 -p 8080:80 image; python -u app.py; git push -u origin main:main",
    "cache_key=user-1234567890, key = 'title', public_key: abc123def456, primary_key=True, keyword: a1b2c3d4",
    "Bearer authentication is required; the secret is that there is none; a password must be given",
    "The password: it is asked for. Invalid token: unexpected ')'",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    'if "-----BEGIN PRIVATE KEY-----" in text: return',
    'text.startswith("-----BEGIN PRIVATE KEY-----") and text.endswith("-----END PRIVATE KEY-----")',
    "a last line, -----END RSA PRIVATE KEY-----, and nothing before it",
    "2024-01-02T15:04:05Z v1.2.3-rc.1+build5 python3.11 x86_64-unknown-linux-gnu",
    '<input type="password" name="password" placeholder="Password">',
    '"type": "password", "password": "string"',
    "sk-container-id-1 risk-assessment-of-everything hf_model_name TASK00000000000000000000000000000000x",
    "basic understanding of tokens; cookie: see below",
]


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text):
    """Hashes, ids, versions, paths, references, labels and code about secrets are left as they are."""
    redactor = Redactor()
    assert redactor.text(text) == text
    assert not redactor.counts


def test_a_secret_once_known_goes_everywhere():
    """What one text gives away is taken out of the next, where nothing stands beside it, under the same kind."""
    redactor = Redactor()
    secret = body(20)
    assert redactor.text(f"API_KEY={secret}") == "API_KEY=[redacted: key]"
    assert redactor.text(f"it printed {secret}!") == "it printed [redacted: key]!"
    assert redactor.text(f"url?{secret}x") == "url?[redacted: key]"
    assert redactor.text("a word: python") == "a word: python"


def test_a_word_given_as_a_password_stays_a_word_elsewhere():
    """A password that is a plain word is taken out beside its name and nowhere else."""
    redactor = Redactor()
    assert redactor.text("password=unchanged") == "password=[redacted: password]"
    assert redactor.text("unchanged") == "unchanged"


@pytest.mark.parametrize("keep", [12, 20, 30])
def test_a_token_cut_short_goes(keep):
    """The beginning of a token, as a shortened text leaves it, is a token."""
    for planted in PLANTED:
        if planted.kind in ("github token", "anthropic key", "npm token", "slack token", "pypi token"):
            part = planted.secret[: keep + 10]
            assert part not in _redacted(f"it says {part}…")


@pytest.mark.parametrize(("text", "expected"), [
    ("PASSWORD=ab(c)d,e;f&g", "PASSWORD=[redacted: password]"),
    ("export DB_PASS=p|q&r", "export DB_PASS=[redacted: password]"),
    ("password: correct horse # a comment", "password: [redacted: password] # a comment"),
    ("  12 | password: correct horse", "  12 | password: [redacted: password]"),
    ("user=a&password=b+c&x=1", "user=a&password=[redacted: password]&x=1"),
    ("Server=x;Password=abc;Database=y", "Server=x;Password=[redacted: password];Database=y"),
    ("f(password='a b', x=1)", "f(password='[redacted: password]', x=1)"),
    ("const apiKey = `abc`;", "const apiKey = `[redacted: key]`;"),
    ('password = "my secret password"', 'password = "[redacted: password]"'),
    ("os.environ['API_KEY'] = 'abc'", "os.environ['API_KEY'] = '[redacted: key]'"),
    ('setenv("API_TOKEN", "a1b2z3")', 'setenv("API_TOKEN", "[redacted: token]")'),
    ('<add key="ApiKey" value="abc" />', '<add key="ApiKey" value="[redacted: key]" />'),
    ("ALTER USER a WITH PASSWORD 'abc'", "ALTER USER a WITH PASSWORD '[redacted: password]'"),
    ("the password is hunter2.", "the password is [redacted: password]"),
    ("deploy_key: |\n    abc def", "deploy_key: |\n    [redacted: key]"),
    ('"password": "cut off', '"password": "[redacted: password]'),
    ("mysql -u root -ps3same db", "mysql -u root -p[redacted: password] db"),
    ("docker login -u a -p s3same x.io", "docker login -u a -p [redacted: password] x.io"),
    ("sshpass -p s3same ssh x; redis-cli -h y -a s3same", "sshpass -p [redacted: password] ssh x; redis-cli -h y -a [redacted: password]"),
    ("curl -u 'ann:s3cret' https://x.io", "curl -u 'ann:[redacted: password]' https://x.io"),
    ('Authorization: Digest username="a", response="b"', "Authorization: Digest [redacted: authorization]"),
    ("https://ann:p%40ss@x.io/a", "https://ann:[redacted: password]@x.io/a"),
    ("https://" + "a1B2c3D4e5F6g7H8i9" + "@x.io/a", "https://[redacted: token]@x.io/a"),
])  # fmt: skip
def test_values_end_where_they_end(text, expected):
    """A value goes whole, by the rules of the shell, of settings, of code, of URLs and of commands, and no more goes."""
    assert _redacted(text) == expected


def test_a_secret_takes_the_rest_of_its_word_along():
    """What is glued to a token goes with it, so that no half of it is left."""
    token = "gh" + "p_" + body(36)
    assert _redacted(f"{token}-more_of_it, next") == "[redacted: github token], next"


def test_of_two_reasons_the_shape_names_the_kind():
    """A token assigned to a password is counted once, as the token it is."""
    redactor = Redactor()
    assert redactor.text("PASSWORD='gl" + "pat-" + body(20) + "'") == "PASSWORD='[redacted: gitlab token]'"
    assert redactor.counts == {"gitlab token": 1}


def test_marks_are_left_alone():
    """A text that is redacted already, by us, says the same afterwards and is not counted again."""
    redactor = Redactor()
    text = "password=[redacted: password], [redacted: web token] and \ufdd0 and [redacted: Not One]"
    assert redactor.text(text) == text
    assert not redactor.counts


def test_numbers_and_empty_texts_are_no_secrets():
    """Nothing to take out of nothing."""
    for text in ("", " ", "\n", "\x00", "\ud800", "password=", "token:", '"api_key": ""', body(9, DIGITS)):
        assert _redacted(text) == text


def test_a_web_token_within_a_url_goes():
    """A token in a query is taken out and the URL around it stays."""
    assert _redacted(f"https://example.org/cb?id_token={jwt()}&state=1") == (
        "https://example.org/cb?id_token=[redacted: web token]&state=1"
    )
