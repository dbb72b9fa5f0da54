from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.detectors import folding
from monitor.detectors.folding import EDGE, Held, Told, folded

ALIKE = [
    ("75 passed in 0.12s", "75 passed in 1.4 s"),
    ("real\t0m0.004s", "real\t0m1.250s"),
    ("took 1m 04s", "took 2m 10s"),
    ("ran 3 minutes", "ran 12 mins"),
    ("12:30:45 started", "9:01:02 started"),
    ("log:12:30:45,123 x", "log:12:31:00,001 x"),
    ("at 12:30 today", "at 23:59 today"),
    ("2026-11-30T10:33:30.123Z up", "2026-12-01T00:00:00+01:00 up"),
    ("_logs/2026-11-30T10_33_30_123Z-debug-0.log", "_logs/2026-11-30T11_00_01_004Z-debug-0.log"),
    ("now 1764498810", "now 1764498999"),
    ("HEAD is 3477e43", "HEAD is fb44585"),
    ("id 550e8400-e29b-41d4-a716-446655440000", "id 650e8400-e29b-41d4-a716-446655440001"),
    ("<Foo at 0x7f3a2bcd1234>", "<Foo at 0x7f3a2bcd9999>"),
    ("pid 4411 died", "pid 4500 died"),
    ("started process [99]", "started process [1203]"),
    ("[1] 12345", "[1] 23456"),
    ("sshd[1234]: refused", "sshd[99]: refused"),
    ("run.sh: line 3: 4411 Killed  ./x", "run.sh: line 3: 71 Killed  ./x"),
    ("==4411== leak", "==77== leak"),
    ("listening on port 40123", "listening on port 53111"),
    ("http://localhost:43210/x", "http://localhost:51234/x"),
    ("bound to 127.0.0.1:91", "bound to 127.0.0.1:8080"),
    ("/tmp/tmpab12cd34/x.py", "/tmp/tmpzz99yy00/x.py"),
    ("/tmp/pytest-of-root/pytest-12/t0", "/tmp/pytest-of-root/pytest-13/t0"),
    ("made tmp.AbCdEfGhIj", "made tmp.ZzYyXxWwVv"),
    ("col    a", "col a"),
    ("text\n\n[lcode] You made this exact call 3 times in this request", "text"),
    ("a<system-reminder>be brief</system-reminder>", "a"),
]
APART = [
    ("12 passed, 3 failed", "12 passed, 2 failed"),
    ("a.py:12:30: error", "a.py:12:31: error"),
    ("exit code: 1", "exit code: 2"),
    ("/tmp/proj/a.py", "/tmp/proj/b.py"),
    ("arr[1234] missing", "arr[1235] missing"),
    ("version 1.2.3", "version 1.2.4"),
    ("1048576 bytes", "2097152 bytes"),
    ("defaced", "effaced"),
    ("Step 3 of 9", "Step 4 of 9"),
    ("error: foo", "error: bar"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_differs_on_every_run_is_folded(one, other):
    """Durations, times, dates, hashes, process ids, ports, temporary names and a harness's own notes make no difference."""
    assert folded(one) == folded(other)
    assert Told(one, 0).same(Told(other, 0))


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_is_news_stays(one, other):
    """A count, a line, a path, a version or a word that changes is another result."""
    assert folded(one) != folded(other)
    assert not Told(one, 0).same(Told(other, 0))


def test_the_edges_are_compared():
    """Of a long result the first and the last 8 KB count; what changes between them does not."""
    long = "a" * EDGE + "middle" + "b" * EDGE
    assert Told(long, 0).same(Told(long.replace("middle", "M"), 0))
    assert not Told(long, 0).same(Told(long[:-1] + "c", 0))
    assert not Told("x", "ok").same(Told("x", "failed"))


def test_held_text_is_bounded():
    """Too much text held unfolded is folded, which changes no comparison; what nobody keeps is let go."""
    held = Held()
    kept = [Told(f"{number} took 1s " + "x" * 16_000, 0) for number in range(1_500)]
    for told in kept:
        held.hold(told)
    assert sum(told.size for told in kept) <= 16_000_000
    assert kept[0].same(Told("0 took 2s " + "x" * 16_000, 0))
    assert not kept[0].same(kept[1])
    other = held.copy()
    other.hold(Told("x", 0))


def test_a_copy_lists_nothing_anew():
    """What is held by many checkpoints is listed once, and still bounded, however many copies are taken."""
    held, kept = Held(), []
    for number in range(3_000):
        kept.append(Told(f"{number} took 1s " + "x" * 8_000, 0))
        held.hold(kept[-1])
        assert len(held.copy()._told) == 0
    assert sum(told.size for told in kept) <= 16_000_000


@given(st.text(alphabet="0123456789abcdef:.-/[]= tmpTZs\n", max_size=300))
@settings(deadline=None, max_examples=200)
def test_folding_settles(text):
    """Any text is folded, and no volatile number is left to fold in what was folded once."""
    once = folded(text)
    assert folded(once) == once or len(folded(once)) <= len(once)
    assert Told(text, 0).same(Told(text, 0))


_PLAIN = (
    r"\b([Pp]?[Pp]ids?|P?PID|[Pp]rocess(?:es)?(?: id)?)(\W{1,3})\d{1,7}\b",
    r"^(\[\d+\]\W{0,4})\d{2,7}\b(?![\w.])",
    r"(?<=[a-z])\[\d{2,7}\](?=:)|==\d{2,7}==|(?<=/proc/)\d+",
    r"\b([Pp]orts?|PORT)(\W{1,3})\d{2,5}\b",
    r"\blocalhost:\d{2,5}\b",
    r"(\[[0-9a-fA-F:]{2,40}\]):\d{2,5}\b",
    r"(?<![\w.])(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d{2,5}\b",
    r"(/tmp/|/dev/shm/|/var/folders/\w\w/\w{1,40}/T/)(?:pytest-of-[\w.-]+/)?[\w.+-]*(?:\d|tmp)[\w.+-]*",
    r"\btmp(?:\.\w{10}|[a-z0-9_]{8}|[._]?(?=[a-z_]*\d)[a-z0-9_]{6,12})\b",
    r"(?<!\w)(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?:0x)?[0-9a-fA-F]{7,128})(?!\w)",
    r"""(?x)(?<!\w)(?=\d)(?:
      \d{4}-\d\d-\d\d(?:[T_\ ]\d\d[:_-]\d\d(?:[:_-]\d\d)?(?:[.,_]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)
    | \d\d?:\d\d:\d\d(?:[.,]\d+)?(?!\d) | (?<![:.])\d\d?:\d\d(?![\w:])
    | (?<![.-])1[5-9]\d{8}(?:\d{3}|\.\d+)?(?![\w.])
    | \d+m\ ?\d+(?:\.\d+)?s\b
    | \d+(?:\.\d+)?\s?(?:[nµμum]s|[Ss](?:ecs?|econds?)?|[Mm](?:ins?|inutes?)?|[Hh](?:rs?|ours?)?)\b
    | \d{2,7}(?=\ (?:Killed|Terminated|Aborted|Hangup|Segmentation|Bus\ error|Illegal))
    )""",
    r"[ \t]+",
)
"""What is folded, as it is read: the module's own patterns begin with a first sign, for which they are found fast."""
_FAST = (*(pattern for _, pattern, _ in folding._HINTED), folding._IDS, folding._NUMBERS, folding._SPACES)
_PIECES = (
    "pid ", "Pid", "PPID=", "process id", "[1] ", "[12]", "sshd", "[1234]", ":", "==77==", "/proc/", "port ", "PORT=", "import ",
    "localhost:", "127.0.0.1", ":8080", "/tmp/", "tmp", ".AbCdEfGhIj", "ab12cd34", "_1", "x", " ", "\t", "  ", "\n", "é", "８",
    "2026-11-30", "T10:33:30", ".123Z", "12:30:45", "12:30", "1764498810", "0.12s", "3 ms", "1m 04s", "12", "4411 Killed", "-",
    "0x7f3a2bcd1234", "3477e43", "550e8400-e29b-41d4-a716-446655440000", ".", ",", "(", "s", "minutes", "9",
)  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=10).map("".join))
@settings(deadline=None, max_examples=400)
def test_what_is_found_fast_is_what_is_meant(text):
    """Each pattern marks the same places as its plain form."""
    for plain, fast in zip(_PLAIN, _FAST, strict=True):
        multiline = re.MULTILINE if plain.startswith("^") else 0
        assert fast.sub(" ", text) == re.sub(plain, " ", text, flags=multiline)
