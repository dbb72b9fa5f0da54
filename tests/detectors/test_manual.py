"""What README and help say of the detectors is what the table says, number by number."""

from __future__ import annotations

from pathlib import Path

from monitor.detectors.manual import RULES, counts, speaks
from monitor.detectors.numbers import Numbers, SitesNumbers, entries
from monitor.events import DETECTORS
from monitor.ui.keys import KEYS
from monitor.ui.present.help import parts

README = Path(__file__).resolve().parents[2] / "README.md"


def between(name):
    text = README.read_text(encoding="utf-8")
    return text.split(f"<!-- {name} -->\n")[1].split(f"<!-- /{name} -->")[0].splitlines()[2:]


def test_the_readme_says_what_each_detector_does():
    """One row a detector, but for failed writes, which has a section of its own."""
    assert between("detectors") == [
        f"| {rule.title.lower()} | {counts(name)} | {speaks(name)} | {rule.cleared} |"
        for name, rule in RULES.items()
        if name != "failed_writes"
    ]


def test_the_readme_names_every_number():
    """Table, name, default, unit and meaning of each, as the config takes them."""
    assert between("numbers") == [
        f"| `[detectors.{one.detector}]` | `{one.name}` | {one.default:g} | {one.number.unit} | {one.number.says} |"
        for one in entries()
    ]


def test_the_help_shows_each_detector_with_the_numbers_in_force():
    """Counts, speaks, cleared, and its table in the config; a number of the user's own stands beside its default."""
    numbers = Numbers(sites=SitesNumbers(warn=7, more=0))
    told = [f"{part.text.strip()} {part.right}".strip() for part in parts(KEYS, numbers)]
    for name in DETECTORS:
        at = told.index(f"{RULES[name].title} Counts {counts(name, numbers)}.")
        assert told[at + 1 : at + 3] == [f"Speaks: {speaks(name, numbers)}.", f"Cleared by {RULES[name].cleared}."]
        assert told[at + 3].startswith(f"[detectors.{name}] ")
        for one in entries(numbers):
            if one.detector == name:
                assert f"{one.name} = {one.value:g}" in told[at + 3]
    assert "[detectors.sites] warn = 7 (else 3), more = 0 (else 2), answered = 400" in told
    assert "warn at 7 when the host answered none" in speaks("sites", numbers)
    assert "blocked" not in speaks("sites", numbers)
