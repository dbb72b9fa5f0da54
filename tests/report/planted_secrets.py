"""Secrets to plant: each is put together when the tests run, so that none stands in a file."""

from __future__ import annotations

import json
import random
import string
from base64 import b64encode, urlsafe_b64encode
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
WORD = LOWER + UPPER + DIGITS
HEX = "0123456789abcdef"


class Planted(NamedTuple):
    """A secret, the text it stands in, and the kind it is to be counted as."""

    kind: str
    secret: str
    text: str


def body(length, alphabet=WORD, seed=7):
    """Characters drawn at random, the same in every run."""
    return "".join(random.Random(f"{length}{alphabet}{seed}").choices(alphabet, k=length))


def bare(kind, *parts):
    """A token that is known by itself."""
    token = "".join(parts)
    return Planted(kind, token, f"it says {token} and goes on")


def within(kind, secret, before, after=""):
    """A secret that is known by what stands around it."""
    return Planted(kind, secret, before + secret + after)


def jwt():
    """Three parts of a web token."""
    parts = (json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps({"sub": "1234567890", "n": body(12)}))
    return ".".join([*(urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts), body(43)])


def pem(kind="RSA ", lines=6):
    """A private key in its armour."""
    inner = "\n".join(body(64, WORD + "+/", seed) for seed in range(lines))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{inner}\n{body(20)}==\n-----END {kind}PRIVATE KEY-----"


def tokens():
    """Tokens that their own shape gives away."""
    b = body
    return [
        bare("aws key", "AK", "IA", b(16, UPPER + "234567")),
        bare("aws key", "AS", "IA", b(16, UPPER + "234567")),
        bare("google key", "AI", "za", "Sy", b(33)),
        bare("google key", "GOC", "SPX-", b(28)),
        bare("google key", "ya", "29.", b(60)),
        bare("azure key", b(3), "8", "Q~", b(34)),
        bare("github token", "gh", "p_", b(36)),
        bare("github token", "gh", "o_", b(36)),
        bare("github token", "gh", "u_", b(36)),
        bare("github token", "gh", "s_", b(36)),
        bare("github token", "gh", "r_", b(76)),
        bare("github token", "github_", "pat_", b(22), "_", b(59)),
        bare("gitlab token", "gl", "pat-", b(20)),
        bare("bitbucket token", "AT", "BB", b(32)),
        bare("atlassian token", "ATA", "TT3x", b(60)),
        bare("anthropic key", "sk-", "ant-api03-", b(93, WORD + "-_"), "AA"),
        bare("model key", "sk-", b(20), "T3Blbk", "FJ", b(20)),
        bare("model key", "sk-", "proj-", b(74, WORD + "-_"), "x"),
        bare("hugging face token", "hf", "_", b(34)),
        bare("groq key", "gs", "k_", b(52)),
        bare("xai key", "xa", "i-", b(80)),
        bare("npm token", "np", "m_", b(36)),
        bare("pypi token", "py", "pi-AgEI", "cHlwaS5vcmc", b(60, WORD + "-_"), "x"),
        bare("rubygems key", "ruby", "gems_", b(48, HEX)),
        bare("crates.io token", "ci", "o", b(32)),
        bare("docker token", "dckr", "_pat_", b(27)),
        bare("slack token", "xo", "xb-", b(12, DIGITS), "-", b(13, DIGITS), "-", b(24)),
        bare("discord token", "M", b(25), ".", b(6), ".", b(38)),
        bare("telegram token", b(10, "123456789"), ":", "AA", b(33)),
        bare("stripe key", "sk", "_live_", b(24)),
        bare("stripe key", "rk", "_live_", b(24)),
        bare("sendgrid key", "SG", ".", b(22), ".", b(43)),
        bare("twilio key", "S", "K", b(32, HEX)),
        bare("digitalocean token", "dop", "_v1_", b(64, HEX)),
        bare("vault token", "hv", "s.", b(90)),
        bare("web token", jwt()),
        bare("age key", "AGE-SECRET", "-KEY-1", b(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
    ]


def beside():
    """Secrets that what stands around them gives away."""
    b = body
    chat = b(8, UPPER + DIGITS)
    return [
        within("slack webhook", f"T{chat}/B{chat}/{b(24)}", "https://hooks.slack" + ".com/services/", " was called"),
        within("discord webhook", f"{b(18, DIGITS)}/{b(68)}", "POST https://discord.com/api/web" + "hooks/", " 204"),
        within("aws key", b(40, WORD + "+/"), "aws_secret_access_" + "key = "),
        within("secret", b(40, WORD + "+/"), "| AK" + "IA" + b(16, UPPER) + " | ", " |"),
        within("azure key", b(86, WORD + "+/") + "==", "AccountName=x;Account" + "Key=", ";EndpointSuffix=core"),
        within("azure key", b(43) + "%3D", "https://x.blob.core.windows.net/c?sv=2024-05-04&si" + "g=", " done"),
        within("private key", pem(), "the file holds\n", "\nand nothing else"),
        within("private key", pem("OPENSSH ").replace("\n", "\\n"), '{"private_' + 'key": "', '", "client_id": "1"}'),
        within("password", "sw0rdfish", "postgres://app:", "@db.example.org/main"),
        within("password", "p@ss/w0rd", "redis://:", "@cache.example.org:6379"),
        within("authorization", b(30), "curl -H 'Authorization: Bea" + "rer ", "' https://api.example.org"),
        within("authorization", b64encode(b"ann:open sesame").decode(), '"Authorization": "Ba' + "sic ", '"'),
        within("cookie", f"sid={b(20)}; theme=dark", "Coo" + "kie: ", "\nAccept: */*"),
        within("key", b(32, HEX), "X-Api-" + "Key: "),
        within("password", "hunter2", "pass" + "word=", "&user=ann"),
        within("password", "correct horse", '"pass' + 'word": "', '"}'),
        within("password", 'tr0ub\\\\\\"4dor', '{\\"db_pass' + 'word\\": \\"', '\\"}'),
        within("key", b(32), '{\\"mistral_api_' + 'key\\":\\"', '\\"}'),
        within("token", b(24), "deploy --to" + "ken ", " --verbose"),
        within("secret", "s3same", "export SEC" + "RET=", "\nmake"),
        within("token", b(22), "NPM_TO" + "KEN=", "\\nnpm publish"),
        within("password", "h0tdog", "- name: DB_PASS" + "WORD\n  value: ", "\n"),
        within("password", "m4ven!", "<pass" + "word>", "</password>"),
        within("password", "s3cret", "curl -u ann:", " https://example.org"),
        within("password", "s3same", "machine example.org login ann pass" + "word ", "\n"),
        within("secret", b(28), "the client sec" + "ret it printed, at last: ", " (keep it)"),
        within("secret", b64encode(b"ann:open sesame").decode(), '"au' + 'th": "', '"'),
        within("e-mail", "ann.smith@example.org", "Author: Ann <", ">"),
        within("base64 line", b(64, WORD + "+/"), "   12 | ", "\n"),
    ]


PLANTED = [*tokens(), *beside()]
NAME = "annabel"
"""The person whose home stands in paths."""
