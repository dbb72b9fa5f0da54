"""What a shell command does to the world: whether it only looks, and whether it only waits for something."""

from __future__ import annotations

import re
from functools import lru_cache

from monitor.shell.step import Step
from monitor.shell.steps import steps_of
from monitor.shell.writes import writes_of


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LOOKING = _names(
    "[ [[ : break cd continue date df dirname basename echo env exit export false free getconf hash hostname id jobs"
    " locale nproc nvidia-smi pgrep pidof popd printenv printf ps pushd pwd read readlink realpath return seq set shift"
    " shopt sleep sw_vers test trap true tty type ulimit umask uname unset uptime wait whereis which who whoami"
)
"""Programs that change nothing, beside those that read files."""
_LEAVES = {
    "find": re.compile(r"-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)"),
    "git": re.compile(r"--output.*|-O.*|--open-files-in-pager.*|--ext-diff|expire|delete"),
    "sort": re.compile(r"-[a-zA-Z]*o.*|--o.*"),
    "yq": re.compile(r"-[a-zA-Z]*i[a-zA-Z]*|--in-?place.*"),
    "date": re.compile(r"-s|--set.*"),
    "rg": re.compile(r"--pre.*"),
    "tree": re.compile(r"-o"),
    "xxd": re.compile(r"-r"),
    "tee": re.compile(r".*"),
}
"""Options with which a program that reads leaves something behind."""
_SECOND = _names("uniq xxd")
"""Programs that write into the second file they are given."""
_PROGRAMMED = {
    "sed": (
        re.compile(r"-[a-zA-Z]*f.*|--file.*"),
        re.compile(r"(?:^|[;{}\s\d$/|,#@:!])(?:[wW]\s|[gpiIm\d]*(?:w\s|e(?:[\s;}]|$)))"),
    ),
    "perl": (
        re.compile(r"-(?![0lanw]*[eE]$).*"),
        re.compile(
            r"[>|`]|\b(?:system|exec|qx|open|sysopen|unlink|rename|link|symlink|mkdir|rmdir|chmod|chown|utime|truncate"
            r"|dbmopen|eval|do|require|use|no|syscall|fork|kill)\b"
        ),
    ),
    **dict.fromkeys(
        ("awk", "gawk", "mawk"),
        (
            re.compile(r"-[a-zA-Z]*[fiElD].*|--(?!field-separator|assign|re-interval|posix).*"),
            re.compile(r"[>|@]|system\s*\("),
        ),
    ),
}
"""Programs that do what a text says: the options that lead elsewhere, and what in the text may leave something behind."""
_WAITING = _names("sleep wait jobs")
_CHECKING = {
    "gh": ("run view", "run list", "run watch", "pr checks", "workflow view"),
    "glab": ("ci status", "ci view", "pipeline status"),
    "kubectl": ("get", "describe", "rollout status", "logs", "wait"),
    "docker": ("ps", "logs", "inspect", "compose ps", "compose logs", "container ls", "stats"),
    "docker-compose": ("ps", "logs"), "podman": ("ps", "logs", "inspect"),
    "systemctl": ("status", "is-active", "show"), "tmux": ("capture-pane", "list-sessions", "list-panes"),
    "squeue": ("",), "sacct": ("",), "screen": ("-ls",),
}  # fmt: skip
"""Programs that ask, under these sub-commands, how something is that runs elsewhere."""
_ASKING = _names("curl wget nc ss netstat lsof kill pgrep pidof ps top tail cat head wc ls stat grep test [ echo date")
"""Programs that a running command is watched with."""


@lru_cache(maxsize=64)
def only_looks(command: str) -> bool:
    """Whether nothing is another after the command, whatever it printed; false where that cannot be told."""
    read = steps_of(command)
    return read.sure and bool(read.steps) and all(_looks(step) for step in read.steps)


def only_waits(command: str, *, running: bool) -> bool:
    """Whether the command waits for something that runs elsewhere, or asks how it is.

    With `running`, a command of this agent runs in the background: then anything that could watch it counts.
    """
    read = steps_of(command)
    if not command.strip():
        return True
    if not read.sure or not read.steps or not all(_waits(step) or _watches(step) for step in read.steps):
        return False
    return running or any(_waits(step) for step in read.steps)


def _looks(step: Step) -> bool:
    if step.remote or writes_of(step):
        return False
    leaves = _LEAVES.get(step.program)
    if leaves is not None and any(leaves.fullmatch(word) for word in step.words[1:]):
        return False
    if step.program in _PROGRAMMED:
        return _only_prints(step)
    if step.program in _SECOND and sum(not word.startswith("-") and not word.isdigit() for word in step.words[1:]) > 1:
        return False
    return not step.words or step.program in _LOOKING or _reads(step)


def _only_prints(step: Step) -> bool:
    """Whether the text that a program is given with the command does nothing but print; one in a file is not known."""
    elsewhere, leaves = _PROGRAMMED[step.program]
    if step.program == "perl" and not re.fullmatch(r"-[0lanw]*[eE]", step.words[1] if len(step.words) > 1 else ""):
        return False
    return not any(elsewhere.fullmatch(word) for word in step.words[1:]) and not leaves.search(" ".join(step.words[1:]))


def _reads(step: Step) -> bool:
    if step.program == "git" and step.simple.sub_command.split(" ")[0] in ("branch", "tag") and step.words[2:]:
        return all(
            word.startswith(("-a", "-r", "-v", "-l", "--list", "--show-current", "--all")) for word in step.words[2:]
        )
    return step.simple.effect == "reads" and step.program != "tee"


def _waits(step: Step) -> bool:
    below = f"{step.simple.sub_command} "
    asks = _CHECKING.get(step.program, ())
    return step.program in _WAITING or any(below.startswith(f"{sub} ") or not sub for sub in asks)


def _watches(step: Step) -> bool:
    if step.program == "kill":
        return "-0" in step.words
    if step.program in ("curl", "wget"):
        return not any(word in ("-d", "--data", "-X", "-T", "-F") for word in step.words)
    return step.program in _ASKING or _looks(step)
