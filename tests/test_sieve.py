"""What is told of a record from its bytes alone."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import sys
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

import monitor
from monitor.agents.codex.decode import CodexDecoder
from monitor.agents.growing import DocumentDecoder
from monitor.text import clean
from monitor.timeline.sieve import FOLDED, Sieve
from monitor.timeline.vocabulary import ADDING, own_words, packages

LETTERS = st.text(st.sampled_from('abcKSksfi ßſİﬁK日本éÉ\n\t\x1b"\\_-1'), max_size=40)


def lets(sieve: Sieve, data: bytes) -> bool:
    low = data.lower()
    return not sieve.left(sieve.keys, low, 0, len(low), doubtful=sieve.doubts(low))


@settings(deadline=None, max_examples=300)
@given(LETTERS, st.integers(0, 39), st.integers(1, 12), st.booleans())
@example("the Kelvin", 4, 6, True)
@example("weiß es", 0, 4, False)
@example("日本語", 0, 2, True)
def test_a_word_that_a_text_holds_is_never_ruled_out(text: str, begin: int, length: int, plain: bool) -> None:
    """Whatever its case, however its record is escaped, once or twice: what would be found is let through."""
    word = clean(text).casefold()[begin : begin + length]
    once = json.dumps({"text": text}, ensure_ascii=plain)
    for record in (once, json.dumps({"arguments": once}, ensure_ascii=plain)):
        assert lets(Sieve([word]), record.encode("utf-8", "surrogatepass"))


def test_letters_written_as_escapes_are_not_missed() -> None:
    """JSON may write any letter as its number, and a control character as a letter."""
    assert lets(Sieve(["kelvin"]), rb'{"text": "\u004belvin"}')
    assert lets(Sieve(["nyz"]), rb'{"text": "\u000ayz"}')


def test_what_is_not_there_is_ruled_out() -> None:
    """One word of several is enough; a word too short to tell by lets everything through."""
    record = b'{"text": "plain words only"}'
    assert not lets(Sieve(["zebra"]), record)
    assert not lets(Sieve(["plain", "zebra"]), record)
    assert not lets(Sieve(["日本"]), record)
    assert lets(Sieve(["plain", "only"]), record)
    for word in ("ab", "404", "+14", "feed"):
        assert Sieve([word]).open, "letters that an escape is made of may be written anew"
    assert Sieve(["lines"], own="12 lines").open, "a word of our own need not stand in the record"


def test_every_sign_that_folds_to_letters_is_known() -> None:
    """Each character beyond ASCII whose lower case holds an ASCII letter."""
    wanted = (chr(code) for code in range(128, sys.maxunicode + 1))
    assert "".join(one for one in wanted if re.search("[a-z]", one.casefold())) == FOLDED


def literals(source: str) -> set[str]:
    """The words in a source's string constants that are no docstrings."""
    tree = ast.parse(source)
    told = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    texts = (
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in told
    )
    return {word for text in texts for word in re.findall("[a-z]{3,}", text.casefold())}


def test_every_word_of_the_decoders_and_of_the_wording_is_known() -> None:
    """What the code may add to a text is read from the loaded modules: no constant of their sources is missed.

    The types of the events are left out: what they allow is written by a decoder, and stands there as its constant.
    """
    for one in pkgutil.walk_packages(monitor.__path__, "monitor."):
        if one.name.startswith(ADDING) and not one.name.endswith("__main__"):
            importlib.import_module(one.name)
    known = own_words()
    for name in [name for name in sys.modules if name.startswith(ADDING) and not name.startswith("monitor.events")]:
        source = Path(str(sys.modules[name].__file__)).read_text(encoding="utf-8")
        assert literals(source) <= {word for word in literals(source) if word in known}, name


def test_the_packages_a_decoder_speaks_from() -> None:
    """Its own, that of the function it reads its documents with, and a single module that lies in no package."""
    read = type("Read", (), {"__module__": "of_another", "__call__": lambda self, found: "no story"})()
    assert packages(DocumentDecoder(read)) == {"monitor.agents", "of_another"}
    assert packages(CodexDecoder()) == {"monitor.agents.codex"}
