"""The little notes app that the scripted agent works on."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS = "notes/texts.py"
SETTINGS = "notes/settings.py"

_TEXTS = '''"""What the app says, by language."""

TEXTS = {
    "en": {
        "list.title": "Notes",
        "list.empty": "Write your first note",
        "settings.title": "Settings",
        "settings.language": "Language",
        "settings.theme": "Theme",
        "settings.kept": "Your choice is kept",
    },
    "de": {
        "list.title": "Notizen",
        "list.empty": "Schreib deine erste Notiz",
    },
}


def text(key, language):
    """The text in the language, or in English where there is none."""
    return TEXTS.get(language, {}).get(key) or TEXTS["en"][key]
'''

_SETTINGS = '''"""The settings screen."""

from notes.texts import text


class Settings:
    """What the user may choose."""

    def __init__(self, language="en", theme="light"):
        self.language = language
        self.theme = theme

    def screen(self):
        """The screen, one row a line."""
        rows = [
            text("settings.title", "en"),
            text("settings.language", "en") + ": " + self.language,
            text("settings.theme", "en") + ": " + self.theme,
        ]
        return "\\n".join(rows)

    def kept(self):
        """What is said when they are kept."""
        return text("settings.kept", "en")
'''

_LISTING = '''"""The list of notes."""

from notes.texts import text


def screen(notes, language="en"):
    """The screen, one note a line."""
    title = text("list.title", language)
    return "\\n".join([title, *(notes or [text("list.empty", language)])])
'''

_TESTS = """import unittest

from notes.listing import screen
from notes.settings import Settings
from notes.texts import TEXTS, text


class Texts(unittest.TestCase):
    def test_every_german_text_has_an_english_one(self):
        self.assertLessEqual(set(TEXTS["de"]), set(TEXTS["en"]))

    def test_a_missing_text_is_english(self):
        self.assertEqual(text("list.title", "fr"), "Notes")


class Screens(unittest.TestCase):
    def test_the_list_is_german(self):
        self.assertEqual(screen([], "de"), "Notizen\\nSchreib deine erste Notiz")

    def test_the_settings_are_english(self):
        self.assertIn("Theme: dark", Settings(theme="dark").screen())
"""

_README = """# pocket-notes

Notes for one person, in the terminal. Run the tests with `python -m unittest`.
"""

FILES: Mapping[str, str] = {
    ".gitignore": "__pycache__/\n",
    "README.md": _README,
    "notes/__init__.py": "",
    "notes/listing.py": _LISTING,
    SETTINGS: _SETTINGS,
    TEXTS: _TEXTS,
    "tests/__init__.py": "",
    "tests/test_notes.py": _TESTS,
}
"""Every file of the scratch project, by its path within it."""
