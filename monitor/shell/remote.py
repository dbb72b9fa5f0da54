"""Commands that run another command in a container, on another machine, or as another user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DOCKER = _names(
    "-v --volume -w --workdir -e --env --env-file -u --user -p --publish --name --network --net --entrypoint --mount -h"
    " --hostname -m --memory --cpus --platform -l --label --add-host -f --file --profile -c --context --project-name"
    " --pull --gpus --shm-size --ulimit --cap-add --device --log-level"
)
"""Options of docker that take a value."""
_SSH = _names("-p -i -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w")
_DOCKERS = ("docker", "podman", "nerdctl", "docker-compose")
_TEXT_AFTER = {"su": ("-c", "--command"), "vagrant": ("-c", "--command"), "nix-shell": ("--run", "--command")}
"""Programs whose option gives a shell's text."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What such a command runs: words, or a shell's text."""

    words: tuple[str, ...] = ()
    text: str = ""
    remote: bool = True


def elsewhere(words: Sequence[str]) -> Elsewhere | None:
    """What a command runs elsewhere; none for any other command, and where only the image says what it runs."""
    program = words[0].rpartition("/")[2] if words else ""
    if program in _TEXT_AFTER:
        return _text_after(words, _TEXT_AFTER[program], remote=program == "vagrant")
    if program == "ssh":
        rest = _past_options(words[1:], _SSH)[1:]
        return Elsewhere(text=" ".join(rest)) if rest else None
    if program in _DOCKERS:
        return _docker(words)
    if program == "kubectl" and "exec" in words[1:4] and "--" in words:
        return _ran(words[words.index("--") + 1 :])
    return None


def _docker(words: Sequence[str]) -> Elsewhere | None:
    rest = _past_options(words[1:], _DOCKER)
    if rest[:1] == ["compose"]:
        rest = _past_options(rest[1:], _DOCKER)
    if rest[:1] == ["container"]:
        rest = rest[1:]
    if rest[:1] not in (["run"], ["exec"]):
        return None
    called = _past_options(rest[1:], _DOCKER)[1:]
    options = rest[1 : len(rest) - len(called) - 1]
    for at, option in enumerate(options):
        if option == "--entrypoint" and at + 1 < len(options):
            return _ran([options[at + 1], *called])
        if option.startswith("--entrypoint="):
            return _ran([option.partition("=")[2], *called])
    return _ran(called)


def _ran(words: Sequence[str]) -> Elsewhere | None:
    return Elsewhere(words=tuple(words)) if words else None


def _text_after(words: Sequence[str], options: tuple[str, ...], *, remote: bool) -> Elsewhere | None:
    for option in options:
        if option in words[:-1]:
            return Elsewhere(text=words[list(words).index(option) + 1], remote=remote)
    return None


def _past_options(words: Sequence[str], valued: frozenset[str]) -> list[str]:
    """The words from the first on that is neither an option nor the value of one."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in valued else 1
    return list(words[at + 1 :] if words[at : at + 1] == ["--"] else words[at:])
