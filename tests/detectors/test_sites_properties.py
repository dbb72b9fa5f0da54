"""Whatever is told of sites."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from network_story import Network


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("curl", "git clone", "pip install", "cat", "", "npm i")),
            st.text(st.sampled_from("htps:/.com -xw'\"$()<>|&;\n␛␍@%{}0459ae"), max_size=60),
            st.text(max_size=60),
            st.one_of(st.none(), st.integers()),
        ),
        max_size=8,
    )
)
def test_nothing_makes_it_throw(story):
    """Any command, output and exit code is taken in."""
    told = Network()
    for program, words, output, code in story:
        told.shell(f"{program} {words}", f"{output} https://{words}\nHTTP/1.1 404\nconnect to {words}:9", code)
        told.fetch(words, output)
    assert len(told.detector.view().entries) <= 200
