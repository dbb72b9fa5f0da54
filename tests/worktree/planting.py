"""Every setting by which a repository can name a program to run."""

from __future__ import annotations

from pathlib import Path

HOOKS = (
    "fsmonitor-watchman",
    "post-checkout",
    "post-index-change",
    "pre-commit",
    "query-watchman",
    "reference-transaction",
)


def plant(config: Path, command: Path) -> None:
    """Write every setting by which a repository can name a program to run."""
    config.write_text(
        config.read_text()
        + f"""
[core]
    fsmonitor = {command}
    hooksPath = {command.parent}/hooks
    pager = {command}
    editor = {command}
    sshCommand = {command}
    gitProxy = {command}
    askPass = {command}
    alternateRefsCommand = {command}
[filter "planted"]
    clean = {command} && cat
    smudge = {command} && cat
    process = {command}
    required = true
[filter "cleaned"]
    clean = {command} && tr a-z A-Z
    smudge = tr A-Z a-z
[diff]
    external = {command}
[diff "planted"]
    command = {command}
    textconv = {command}
[merge "planted"]
    driver = {command}
[interactive]
    diffFilter = {command}
[pager]
    ls-files = {command}
    diff-files = {command}
    cat-file = {command}
[alias]
    ls-files = !{command}
    diff-files = !{command}
    cat-file = !{command}
[credential]
    helper = !{command}
[include]
    path = {command.parent}/included
[includeIf "gitdir:**"]
    path = {command.parent}/included
"""
    )
