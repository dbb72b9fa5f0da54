"""What a filter means, and which rows it finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui_found import ROWS, found
from ui_runs import STORE
from ui_samples import SampleRows, ran, said
from ui_views import HOST

from monitor.events import Checked, Event, FileChanged, RequestEnded, RunEnded, ToolReturned, Unreadable
from monitor.timeline.places import Extent
from monitor.timeline.rows import Brief, RowKind
from monitor.ui.filtered import Filtered
from monitor.ui.query import KINDS, LONGEST, Query, failed, parse


def kinds(text: str) -> set[str]:
    return {ROWS.row(index).kind for index in found(text)}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("", Query()),
        ("  Readings  CSV ", Query("Readings  CSV", words=("readings", "csv"))),
        ('"old text" not', Query('"old text" not', words=("old text", "not"))),
        ("kind:shell kind:fetch", Query("kind:shell kind:fetch", kinds=frozenset({"shell", "fetch"}))),
        ("FAILED file:Store.py", Query("FAILED file:Store.py", files=("store.py",), failed=True)),
        ("site:dl.example.org", Query("site:dl.example.org", sites=("dl.example.org",))),
        ('"failed"', Query('"failed"', words=("failed",))),
        (
            "-kind:said -Word",
            Query("-kind:said -Word", without=(Query(kinds=frozenset({"said"})), Query(words=("word",)))),
        ),
        ('-"two words" x', Query('-"two words" x', words=("x",), without=(Query(words=("two words",)),))),
        ("-FAILED -file:A", Query("-FAILED -file:A", without=(Query(failed=True), Query(files=("a",))))),
        ('--force "-rf" a-b', Query('--force "-rf" a-b', words=("--force", "-rf", "a-b"))),
        ('- -"" -', Query('- -"" -')),
        ("std::string kind: http://x", Query("std::string kind: http://x", words=("std::string", "kind:", "http://x"))),
    ],
)
def test_a_query_is_read_as_it_was_meant(text: str, query: Query) -> None:
    """Words, quoted words, prefixes and `failed` in any case, with a minus what is left out; all else is a word."""
    assert parse(text) == query


def test_the_beginning_of_a_kind_will_do_and_an_unknown_one_is_told() -> None:
    """`kind:w` is every kind that begins so; `kind:sprout` says which kinds there are, and finds nothing."""
    assert parse("kind:w").kinds == {"write", "waiting"}
    assert parse("kind:read").kinds == {"read"}
    problem = parse("kind:sprout")
    assert problem.problem.startswith("There is no kind sprout: started, prompt")
    assert found("kind:sprout") == []
    assert parse("-kind:sprout").problem == problem.problem


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from('ab" :-kindfailedsite\x1b\x9b\u202e\n\t日')))
def test_no_text_breaks_a_query(text: str) -> None:
    """Whatever is typed or pasted: no error, nothing beyond its length, no control character kept."""
    query = parse(text * 20)
    assert len(query.text) <= LONGEST
    assert not any(ord(sign) < 32 or sign in "\x9b\u202e" for sign in query.text)
    assert query.kinds <= set(KINDS)


def test_rows_are_found_by_kind_words_file_site_and_failure() -> None:
    """Each alone, and all of them together."""
    assert kinds("kind:write") == {"write"}
    assert {ROWS.row(index).text for index in found(f"file:{STORE.upper()} kind:write")} == {STORE}
    assert found("attributeerror") == [18], "a word of the output alone"
    assert kinds(f"site:{HOST}") == {"fetch", "shell"}
    assert found(f"kind:shell failed site:{HOST}") == [21, 22]
    assert set(found("failed")) >= {15, 18, 19, 20, 21, 22, 24, 25}
    assert found("failed kind:read") == []
    assert found("sqlite kind:prompt") == [6]
    assert found("no such thing anywhere") == []


@pytest.mark.parametrize(
    ("event", "result", "bad"),
    [
        (Checked(passed=False), None, True),
        (Checked(passed=None), None, False),
        (RunEnded(exit=1), None, True),
        (RunEnded(exit=0), None, False),
        (RequestEnded(how="error"), None, True),
        (RequestEnded(), None, False),
        (Unreadable(why="x"), None, True),
        (FileChanged(file="x"), None, False),
        (None, None, False),
        (None, ToolReturned(call="c", exit=3), True),
        (None, ToolReturned(call="c", exit=0), False),
    ],
)
def test_what_has_no_outcome_still_tells_whether_it_failed(
    event: Event | None, result: ToolReturned | None, bad: bool
) -> None:
    """A check, an exit code, an error, a record nobody could read."""
    assert failed(event, result) == bad


@dataclass
class Counted(SampleRows):
    """Rows that count how often their texts are read back."""

    read: list[int] = field(default_factory=list)

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        self.read.append(ref)
        return super().events(ref)


def test_texts_are_read_back_only_where_nothing_else_tells() -> None:
    """By kind and failure alone no row is read; with a word only rows of the kind are."""
    rows = Counted(ROWS.items)
    found("kind:write failed", rows)
    assert rows.read == []
    found("kind:write readings", rows)
    assert {ROWS.row(index).kind for index in rows.read} == {"write"}


def test_a_search_goes_on_where_it_stopped() -> None:
    """A slice of three rows at a time finds in the end what one search finds."""
    shown = Filtered(ROWS, parse("kind:write"))
    slices = 0
    while True:
        left = iter(range(3))
        slices += 1
        if shown.search({}, lambda left=left: next(left, None) is not None):
            break
    assert slices == -(-len(ROWS) // 3)
    assert [shown.ref(index) for index in range(len(shown))] == found("kind:write")


def test_a_row_that_comes_out_later_is_judged_again() -> None:
    """A running call is no failure; once its result says so it is found, however many rows came since."""
    rows = SampleRows()
    ran(rows, "12:00:00", "make", "running")
    for _ in range(100):
        said(rows, "said", "12:00:01", "still at it")
    shown = Filtered(rows, parse("failed"))
    shown.search({}, lambda: True)
    assert len(shown) == 0
    row, event, _ = rows.items[0]
    rows.items[0] = (replace(row, outcome="exit 2"), event, ToolReturned(call="c0", outcome="failed", exit=2))
    rows.version += 1
    before = shown.version
    shown.search({}, lambda: True)
    assert [shown.ref(index) for index in range(len(shown))] == [0]
    assert shown.version != before, "what was drawn no longer holds"


def test_fewer_rows_cut_what_was_found() -> None:
    """A replay that goes back shows no row of later, and finds it again when it goes on."""
    rows = SampleRows(list(ROWS.items))
    shown = Filtered(rows, parse("kind:write"))
    shown.search({}, lambda: True)
    whole = len(shown)
    del rows.items[16:]
    shown.search({}, lambda: True)
    assert [shown.ref(index) for index in range(len(shown))] == [one for one in found("kind:write") if one < 16]
    rows.items += ROWS.items[16:]
    shown.search({}, lambda: True)
    assert len(shown) == whole


def test_rows_keep_their_own_numbers_within_a_filter() -> None:
    """An event leads to its place among the rows found, or to none where it is filtered out."""
    shown = Filtered(ROWS, parse("kind:write"))
    shown.search({}, lambda: True)
    assert shown.ref_of(15) == 15
    assert shown.ref(shown.index(15) or 0) == 15
    assert shown.row(15) == ROWS.row(15)
    assert shown.events(15) == ROWS.events(15)
    assert shown.brief(shown.ref(0)).kind == "write"
    assert shown.ref_of(16) is None
    assert shown.index(16) is None
    assert shown.ref_of(10_000) is None


@dataclass
class Plan(SampleRows):
    """Rows of which only a kind and an outcome are known, as far as the run has come."""

    plan: list[tuple[RowKind, bool]] = field(default_factory=list)
    total: int = 0

    def __init__(self, plan: list[tuple[RowKind, bool]]) -> None:
        super().__init__()
        self.plan = plan

    @property
    def extent(self) -> Extent:
        return Extent(self.total, 0)

    def __len__(self) -> int:
        return self.total

    def revised(self, since: int) -> Iterable[int]:
        return range(self.total) if since != self.version else ()

    def long(self, ref: int) -> bool:
        raise AssertionError(ref)

    def brief(self, ref: int) -> Brief:
        kind, bad = self.plan[ref]
        return Brief(kind, failed=bad)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from(["write", "shell", "said"]), st.booleans()), max_size=60),
    st.lists(st.integers(0, 60), max_size=8),
    st.sampled_from(["kind:write", "failed", "kind:shell failed", "-kind:write", "-failed", "-kind:said failed"]),
)
def test_searched_in_any_pieces_the_same_rows_are_found(
    plan: list[tuple[RowKind, bool]], totals: list[int], text: str
) -> None:
    """Forth and back through a run: in the end the same rows as searched at once."""
    rows = Plan(plan)
    query = parse(text)
    shown = Filtered(rows, query)
    for total in (*totals, len(plan)):
        rows.total = min(total, len(plan))
        rows.version += 1
        shown.search({}, lambda: True)
    wanted = [index for index in range(len(plan)) if query.decides(rows.brief(index))]
    assert [shown.ref(index) for index in range(len(shown))] == wanted
