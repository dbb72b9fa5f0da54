"""Which script files a shell command runs, and which build files run commands for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from monitor.shell.step import Step
from monitor.shell.words import SHELLS

_VALUED = ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")
"""Options of a shell that take a value."""
_SKIPS_RUN = re.compile(r"-[a-zA-Z]*n[a-zA-Z]*")
_RUNNERS = frozenset(
    ("watch", "strace", "ltrace", "valgrind", "unbuffer", "tini", "dumb-init", "fakeroot", "xvfb-run", "systemd-run", "dotenv",
     "parallel", "flock", "gosu", "uv", "poetry", "pipenv", "setarch", "chroot", "entr", "coproc", "bats")
)  # fmt: skip
"""Programs that run a program named somewhere among their words."""
_AFTER_ONE = ("flock", "gosu", "chroot")
"""Those whose first word is something else: a lock, a user, a folder."""
_PATTERNS = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex")
_SCRIPT = re.compile(r".*\.(?:sh|bash|zsh|bats)")
_MAKES = ("make", "gmake", "bmake", "remake")
_PACKAGES = ("npm", "yarn", "pnpm", "bun")
_DOCKERS = ("docker", "podman", "nerdctl", "docker-compose")
_CODE = re.compile(r"python[\d.]*|node|ruby|perl|php|deno|bun|tsx|ts-node")
_OTHERS: dict[str, str] = {
    "just": r"\.?justfile", "task": r"Taskfile\.ya?ml", "tox": r"tox\.ini|pyproject\.toml", "nox": r"noxfile\.py",
    "rake": r"Rakefile|.*\.rake", "gradle": r".*\.gradle(?:\.kts)?", "gradlew": r".*\.gradle(?:\.kts)?",
    "mvn": r"pom\.xml", "mvnw": r"pom\.xml", "cmake": r"CMakeLists\.txt|.*\.cmake", "ninja": r"build\.ninja|CMakeLists\.txt",
    "meson": r"meson\.build", "bazel": r"BUILD(?:\.bazel)?", "cargo": r"build\.rs|Cargo\.toml", "go": r".*\.go",
    "vagrant": r"Vagrantfile", "foreman": r"Procfile.*", "overmind": r"Procfile.*", "act": r".*\.ya?ml",
    "pre-commit": r"\.pre-commit-config\.yaml", "ansible-playbook": r".*\.ya?ml", "pytest": r".*\.py|pytest\.ini",
    "jest": r".*\.[jt]sx?", "vitest": r".*\.[jt]sx?", "ctest": r"CMakeLists\.txt|.*\.cmake", "hatch": r"pyproject\.toml",
    "packer": r".*\.pkr\.hcl", "terraform": r".*\.tf",
}  # fmt: skip
"""Programs that run what stands in files of these names."""

Way = Literal["make", "packages", "docker", "mentions"]


@dataclass(frozen=True, slots=True)
class Ran:
    """A file that a step runs as a script."""

    path: str
    """As given: it may hold expansions and wildcards, and is a bare name where the shell searches for it."""
    folder: str | None = ""
    """The folder it is seen from, itself seen from where the command began."""
    remote: bool = False

    @property
    def vague(self) -> bool:
        """Whether the path must be told by its name: its folder is not known, or is on another machine."""
        return self.remote or self.folder is None or "/" not in self.path or any(sign in self.path for sign in "$*?`[{")


@dataclass(frozen=True, slots=True)
class Carrier:
    """A file whose text says what a step runs."""

    way: Way
    """How the text is to be read; of `mentions`, whatever it names counts."""
    names: str
    """What the file's name looks like."""
    wanted: tuple[str, ...] = ()
    """The targets, scripts or stages asked for; empty for the usual one."""
    folder: str | None = ""


def scripts_of(step: Step) -> tuple[Ran, ...]:
    """The files a step runs; any program given by its path is one."""
    return tuple(
        dict.fromkeys(Ran(path, step.folder, step.remote) for path in _paths(step) if path and "\n" not in path)
    )


def carrier_of(step: Step) -> Carrier | None:
    """The build file that says what else a step runs."""
    program, words = step.program, step.words
    plain = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if program in _MAKES:
        folder = _joined(step.folder, _value(words, "-C", "--directory"))
        own = _value(words, "-f", "--file", "--makefile")
        names = re.escape(own.rpartition("/")[2]) if own else r"GNUmakefile|[Mm]akefile|.*\.mk"
        return Carrier(
            "make",
            names,
            tuple(word for word in plain if word not in (own, _value(words, "-C", "--directory"))),
            folder,
        )
    if program in _PACKAGES and plain:
        run = plain[1:2] if plain[0] in ("run", "run-script", "rum", "urn") else plain[:1]
        return Carrier("packages", r"package\.json", tuple(run), step.folder)
    if program in _DOCKERS:
        stage = "build" if "build" in plain[:2] or "--build" in words else ""
        stages = (stage,) if stage and "up" not in plain else (*((stage,) if stage else ()), "run")
        starts = any(word in ("build", "run", "up", "start", "restart", "create") for word in plain[:3])
        return Carrier("docker", r".*[Dd]ockerfile.*|.*compose.*\.ya?ml", stages, step.folder) if starts else None
    if _CODE.fullmatch(program):
        if words[1:2] == ("-m",):
            return Carrier(
                "mentions", _OTHERS.get(words[2], r".*\.py") if len(words) > 2 else r".*\.py", (), step.folder
            )
        return Carrier("mentions", re.escape(plain[0].rpartition("/")[2]), (), step.folder) if plain else None
    names = _OTHERS.get(program, "")
    if program == "git" and plain[:1] in (["commit"], ["push"], ["merge"], ["am"]):
        names = r"pre-commit|pre-push|commit-msg|post-\w+"
    return Carrier("mentions", names, (), step.folder) if names else None


def _paths(step: Step) -> Iterator[str]:
    words, program = step.words, step.program
    if not words:
        return
    if program in SHELLS:
        yield from _of_shell(step)
    elif program in (".", "source"):
        yield from map(_file, words[1:2])
    elif "{}" in words[0] and step.listed:
        yield from _listed(step)
    elif program in _RUNNERS:
        first = next((at for at, word in enumerate(words[1:], 1) if not word.startswith("-")), len(words))
        for at, word in enumerate(words[1:], 1):
            if program in _AFTER_ONE and at <= first:
                continue
            if word in SHELLS or "/" in word or _SCRIPT.fullmatch(word):
                yield from _paths(replace(step, words=words[at:]))
                break
    else:
        yield words[0]


def _of_shell(step: Step) -> Iterator[str]:
    """The file a shell is given: as an argument, as its input, or through a list."""
    words, at = step.words[1:], 0
    while at < len(words) and words[at][:1] in ("-", "+"):
        option = words[at]
        value = words[at + 1] if at + 1 < len(words) else ""
        if _SKIPS_RUN.fullmatch(option) or (option == "-o" and value == "noexec"):
            return
        at += 2 if option in _VALUED else 1
        if option in ("-s", "-", "--"):
            break
    file = words[at] if at < len(words) else ""
    if step.listed and (not file or "{}" in file):
        yield from _listed(step)
    elif file:
        yield _file(file)
        if "$" in file:
            yield from _listed(step)
    elif step.stdin:
        yield _file(step.stdin)
    elif step.before and step.before[-1][0] == "cat":
        yield from (_file(word) for word in step.before[-1][1:] if not word.startswith("-"))


def _listed(step: Step) -> Iterator[str]:
    """The files that the commands before it list, patterns among them."""
    for words in step.before:
        patterns = [after for word, after in pairwise(words) if word in _PATTERNS]
        plain = [word for word in words[1:] if not word.startswith("-") and word not in (".", "{}", ";")]
        yield from map(_file, patterns or plain)


def _file(word: str) -> str:
    """A file's name as a path: a shell takes it from its folder, and does not search for it."""
    return word if "/" in word or word.startswith(("$", "~")) else f"./{word}"


def _value(words: Sequence[str], *options: str) -> str:
    for at, word in enumerate(words):
        if word in options:
            return words[at + 1] if at + 1 < len(words) else ""
        for option in options:
            if option.startswith("--") and word.startswith(f"{option}="):
                return word.partition("=")[2]
    return ""


def _joined(folder: str | None, path: str) -> str | None:
    if not path or path.startswith("/") or not folder:
        return path or folder
    return f"{folder}/{path}"
