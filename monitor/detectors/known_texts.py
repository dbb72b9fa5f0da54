"""The texts of scripts and build files, as far as the run itself wrote or read them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.detectors.paths import name

_FILES = 100
_FILE = 64_000
"""Characters kept of a file."""
_BUILD = re.compile(
    r"(?:GNU)?[Mm]akefile|.*\.mk|package\.json|.*[Dd]ockerfile.*|.*compose.*\.ya?ml|\.?[Jj]ustfile|Taskfile\.ya?ml|tox\.ini"
    r"|noxfile\.py|Rakefile|.*\.rake|.*\.gradle(?:\.kts)?|CMakeLists\.txt|.*\.cmake|Procfile.*|Vagrantfile|pyproject\.toml"
)
_NAMES_SCRIPTS = re.compile(r"\.(?:sh|bash|zsh|bats)\b|\b(?:bash|subprocess|child_process|execSync|os\.system)\b")
SHELL_FILE = re.compile(r".*\.(?:sh|bash|zsh)")
_SHEBANG = re.compile(r"#!\s*\S*?(?:/|env\s+(?:-S\s+)?)(?:ba|z|da|k)?sh\b")


class KnownTexts:
    """What is known of the files that may run a script, and which files are shell scripts."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._shells: dict[str, None] = {}
        """Files without a telling name whose first line names a shell."""

    def is_script(self, key: str) -> bool:
        """Whether a file is a shell script, by its name or its first line."""
        return SHELL_FILE.fullmatch(name(key)) is not None or key in self._shells

    def put(self, key: str, text: str) -> None:
        """The file holds this text now."""
        self._shells.pop(key, None)
        if _SHEBANG.match(text):
            self._shells[key] = None
            if len(self._shells) > _FILES:
                del self._shells[next(iter(self._shells))]
        self._texts.pop(key, None)
        if self.is_script(key) or _BUILD.fullmatch(name(key)) or _NAMES_SCRIPTS.search(text[:_FILE]):
            self._texts[key] = text[:_FILE]
            if len(self._texts) > _FILES:
                del self._texts[next(iter(self._texts))]

    def edit(self, key: str, old: str | None, new: str | None) -> None:
        """A piece of the file was replaced; of a file not known whole, the new piece is known."""
        text = self._texts.get(key, "")
        if old and old in text:
            self.put(key, text.replace(old, new or "", 1))
        elif new:
            self.put(key, f"{text}\n{new}" if text else new)

    def drop(self, key: str) -> None:
        """The file is gone, or another that is not known."""
        self._texts.pop(key, None)
        self._shells.pop(key, None)

    def move(self, key: str, to: str) -> None:
        """The file has another name now, or a twin."""
        text = self._texts.get(key)
        if text is not None:
            self.put(to, text)
        elif key in self._shells:
            self._shells[to] = None

    @property
    def any(self) -> bool:
        """Whether anything is known."""
        return bool(self._texts)

    def text(self, key: str) -> str:
        """What is known of a file; empty for nothing."""
        return self._texts.get(key, "")

    def named(self, pattern: str) -> Iterator[tuple[str, str]]:
        """The known files whose names look like this, with their texts."""
        wanted = re.compile(pattern)
        return ((key, text) for key, text in self._texts.items() if wanted.fullmatch(name(key)))

    def copy(self) -> KnownTexts:
        """Another that goes on from here."""
        other = KnownTexts()
        other._texts, other._shells = dict(self._texts), dict(self._shells)
        return other
