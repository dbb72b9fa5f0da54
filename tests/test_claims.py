"""What a final answer says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.claims import says


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "The app name has been changed to Block Stacker.",
        "All 12 tests pass. Would you like me to also update the changelog?",
        "I fixed the bug that could not be reproduced before.",
        "",
        "Ich habe die Datei geändert.",
        "The parser now returns the right value when the header can not be read.",
        "Done: the name is changed everywhere. I couldn't run the tests here.",
        "I renamed it in all files. I could not find any other use of it.",
        "I added a check, so that we can't get a wrong type any more.",
        "The bug is fixed, though I was not able to actually reproduce it.",
    ],
)
def test_done(text):
    """An answer claims to be done unless it plainly says otherwise; an offer at its end changes nothing."""
    assert says(text) == "done"


@pytest.mark.parametrize(
    "text",
    [
        "I could not make the change: the file is not there.",
        "Sorry, I couldn't apply the edit to settings.py.",
        "I was unable to reach the server, so nothing was installed.",
        "I updated the header, but I wasn't able to change the footer.",
        "The change was not made.",
        "Unfortunately I didn’t manage to run the tests.",
        "We have not been able to find the file.",
        "Unable to proceed without the credentials.",
        "I couldn't verify it: the file is not changed.",
        "I can't see the file, so nothing is to be changed.",
        "I can't access that folder.",
        "I fixed one typo, but I could not change the name.",
    ],
)
def test_could_not(text):
    """An answer that says the work was not done is no claim of done."""
    assert says(text) == "could not"


@pytest.mark.parametrize("text", ["Which of the two files do you mean?", "Shall I go on?\n", "続けますか？"])
def test_asks(text):
    """A bare question is no claim."""
    assert says(text) == "asks"


@given(st.text(max_size=200))
def test_total(text):
    """Any text is one of the three."""
    assert says(text) in ("done", "could not", "asks")


def test_long_answers_are_judged_by_their_edges():
    """A failure told in the last paragraph of a very long answer is seen."""
    assert says("It went well. " * 5000 + "\nI could not edit README.md.") == "could not"
