"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

FOLDER = click.Path(path_type=Path)
FAIL_ON = click.option(
    "--fail-on",
    type=click.Choice(["note", "warn", "stop", "never"]),
    default="stop",
    show_default=True,
    help="Exit with 1 when there is an open finding at this level or above it.",
)
THEME = click.option("--theme", default=None, help="dark, light, contrast, sixteen, or one of Textual's.")
ASCII = click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII signs only.")
REDACT = click.option("--no-redact", "redact", flag_value=False, default=True, help="Leave secrets in.")
PROJECT = click.option(
    "--project",
    type=FOLDER,
    help="The folder the agent works in: measured, and read when a write fails. Never written.",
)
POLICY = click.option(
    "--policy",
    metavar="FILE",
    help="What to do about findings while nobody looks; your policy.toml unless given, or seed for the monitor's own.",
)
