"""What may be copied of words that are the operator's own only in part."""

from __future__ import annotations

from monitor.report.redact import Redactor


class Quoted:
    """Words that are not the operator's own: their secrets are left out of what is copied.

    `home` is the folder of the person at the machine.
    """

    def __init__(self, words: str, home: str) -> None:
        self._words, self._home = words, home
        self._given = set(words.split()) - set(Redactor(home).text(words).split())

    def bare(self, text: str) -> str:
        """The text, redacted where something secret of the quoted words stands in it; own words stay as they are."""
        if not any(word in text for word in self._given):
            return text
        redactor = Redactor(self._home)
        redactor.learn(self._words)
        return redactor.text(text)
