"""Where the user wants to be told: `[notify]` of his config file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from monitor.errors import USAGE, MonitorError
from monitor.text import line, shorten

FILE: Final = "config.toml"


@dataclass(frozen=True, slots=True)
class Targets:
    """What to use; what the terminal or the desktop cannot do is left out."""

    bell: bool = True
    terminal: bool = True
    """OSC 9, the terminal's own notifications."""
    desktop: bool = True
    apprise: tuple[str, ...] = ()
    """Addresses in Apprise's notation."""
    an_hour: int = 20
    """Most notifications within an hour; 0 for no limit."""


def load(folder: Path) -> Targets:
    """The targets the user's config names. Raises `MonitorError` that names the file, and the key at fault."""
    file = folder / FILE
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("notify", {})
    except FileNotFoundError:
        return Targets()
    except (OSError, ValueError, RecursionError) as problem:
        raise _wrong(line(" ".join(str(problem).split()))) from None
    return read(table)


def read(table: Any) -> Targets:
    """The targets of a table. Raises `MonitorError` that names the key at fault."""
    if not isinstance(table, Mapping):
        raise _wrong("[notify] is a table")
    known = Targets.__dataclass_fields__
    for key in table:
        if key not in known:
            raise _wrong(f"[notify] there is no {shorten(line(key), 40)}; known are {', '.join(known)}")
    plain = Targets()
    limit = table.get("an_hour", plain.an_hour)
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        raise _wrong("[notify] an_hour is a number from 0 (no limit) on")
    addresses = table.get("apprise", [])
    if not isinstance(addresses, list) or not all(isinstance(one, str) and one for one in addresses):
        raise _wrong('[notify] apprise is a list of addresses, such as ["ntfy://my-topic"]')
    return Targets(
        bell=_switch(table, "bell", plain=plain.bell),
        terminal=_switch(table, "terminal", plain=plain.terminal),
        desktop=_switch(table, "desktop", plain=plain.desktop),
        apprise=tuple(addresses),
        an_hour=limit,
    )


def _switch(table: Mapping[str, Any], key: str, *, plain: bool) -> bool:
    value = table.get(key, plain)
    if not isinstance(value, bool):
        raise _wrong(f"[notify] {key} is true or false")
    return value


def _wrong(text: str) -> MonitorError:
    return MonitorError(f"{FILE}: {text}", "Mend it in your config folder", USAGE)
