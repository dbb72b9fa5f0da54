"""The application: themes, keys, palette and signals; everything else is the screen's."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.events import Event, Paste
from textual.screen import Screen
from textual.widgets import TextArea

from monitor.config import chosen_numbers, config_folder
from monitor.text import clean, line
from monitor.ui import keymap, themes
from monitor.ui.fleet import Fleet
from monitor.ui.keys import Where
from monitor.ui.pen import Pen
from monitor.ui.screens.overview import Overview
from monitor.ui.screens.run import RunScreen
from monitor.ui.source import Source
from monitor.ui.theme import roles
from monitor.ui.unattached import Unattached

SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
"""What ends the screen from outside: the terminal is left as it was, the exit code tells which it was."""


class MonitorApp(App[None]):
    """Shows one source in the chosen theme; raises `MonitorError` for a theme that does not exist."""

    CSS_PATH = "app.tcss"
    TITLE = "monitor"
    ALLOW_SELECT = False
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        source: Source | None,
        *,
        fleet: Callable[[], Fleet] | None = None,
        theme: str | None = None,
        ascii_only: bool = False,
        pen: Pen | None = None,
        now: Callable[[], float] = time.time,
        config: Path | None = None,
        here: Path | None = None,
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        config = config_folder() if config is None else config
        keys, wrong_keys = keymap.load(config)
        self.source, self._fleet_of, self.fleet = source, fleet, None if fleet is None or source else fleet()
        self._inside, self._here = "", here
        """The run that was entered from the overview; the folder whose one agent is entered at once."""
        self.pen = replace(pen or Pen(ascii=ascii_only, home=str(Path.home())), keys=keys)
        self.set_class(self.pen.ascii, "-ascii")
        self.now = now
        self.themes = themes.found(config)
        self.notices: dict[str, str] = {}
        """What is to be told when the screen opens, by title."""
        self.policy = ""
        """How a policy acts on the source, in the words of the header."""
        wrong_numbers = " · ".join(one for one in chosen_numbers(config).problems if one != wrong_keys)
        self.problems = {
            "Keys": wrong_keys,
            "Numbers": wrong_numbers,
            "Themes": " · ".join(self.themes.problems),
        }
        for one in (*self.themes.ours, *self.themes.yours):
            self.register_theme(one)
        self.theme = self.themes.named(theme) if theme else self._suited()

    def _suited(self) -> str:
        """The theme that suits the terminal, else any that exists."""
        name = themes.suited(self.console.color_system, no_color=self.no_color)
        return name if name in self.available_themes else "textual-dark"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles exist under any theme, ours or not."""
        return roles(self.current_theme)

    def get_default_screen(self) -> Screen[None]:
        """The run's, or where none is named that of all runs."""
        if self.source is None and self.fleet is not None:
            return Overview(self.fleet, self.pen, self.now, here=self._here)
        return RunScreen(self.source or Unattached(), self.pen, self.now, self.policy)

    def action_overview(self) -> None:
        """Back to all runs, or to them for the first time; the run is seen up to here."""
        if self._fleet_of is None:
            self.notify("The overview is not to be had from here", markup=False, timeout=6)
            return
        left, self._inside = self._inside, ""
        if self.fleet is not None and left:
            self.fleet.seen(left, left=True)
        below = next((one for one in self.screen_stack[:-1] if isinstance(one, Overview)), None)
        if below is not None:
            below.left = left
            self.pop_screen()
            below.show_keys()
            return
        self.fleet = self.fleet or self._fleet_of()
        self.push_screen(Overview(self.fleet, self.pen, self.now, policy=self._sign))

    def _sign(self) -> tuple[str, str]:
        """How a policy acts, and on whom; empty where there is none, or nothing left to act on."""
        run = self.source.snapshot.run if self.source is not None else None
        if not self.policy or run is None or run.over:
            return "", ""
        where = self.pen.place(line(run.project or run.cwd))
        return self.policy, f"on {line(run.agent) or 'the run'}{f' in {where}' if where else ''}"

    def on_taking_entered(self, event: Overview.Entered) -> None:
        """Show the run; the one that was there before the overview is shown as it was left."""
        event.stop()
        if self.fleet is None or not isinstance(self.screen, Overview):
            if self.fleet is not None and event.run != self._inside:
                self.fleet.seen(event.run, left=True)
            return
        self._inside = event.run
        self.fleet.seen(event.run)
        below = self.screen_stack[-2] if len(self.screen_stack) > 1 else None
        if isinstance(below, RunScreen) and below.source is event.source:
            self.pop_screen()
        else:
            self.push_screen(RunScreen(event.source, self.pen, self.now))

    def on_mount(self) -> None:
        """Leave the terminal as it was when told to end; say what is wrong with the user's config."""
        loop = asyncio.get_running_loop()
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self.exit, None, 128 + number)
        self.set_keymap(keymap.changed(self.pen.keys))
        for title, words in self.notices.items():
            self.notify(line(words), title=title, markup=False, timeout=8)
        for title, words in self.problems.items():
            if words:
                self.notify(line(words), title=title, severity="warning", markup=False, timeout=12)

    def ring(self, signs: str) -> None:
        """Write a bell or a notification to the terminal, in its turn among the frames; any thread may."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(signs)

    def on_ready(self) -> None:
        """What exists by now stays: the collector need not look at it again, and pauses seldom."""
        if not self.is_headless:
            gc.set_threshold(50_000, 20, 100)
            gc.collect()
            gc.freeze()

    async def on_event(self, event: Event) -> None:
        """What is pasted is cleaned before any field gets to see it."""
        if isinstance(event, Paste):
            text = event.text.replace("\r\n", "\n").replace("\r", "\n")
            event.text = clean(text) if isinstance(self.focused, TextArea) else line(text.strip())
        await super().on_event(event)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Our keys by name, and every theme."""
        where: Where = "overview" if isinstance(screen, Overview) else "run"
        if isinstance(screen, RunScreen | Overview):
            for key in self.pen.keys:
                if key.palette and key.on(where):
                    told = f"{key.first}: {key.help}"
                    yield SystemCommand(key.label.capitalize(), told, partial(screen.action_go, key.id))
        yield SystemCommand("Choose a theme", "Ours, yours and all of Textual's.", self.action_change_theme)

    def action_command_palette(self) -> None:
        """The palette, in words that ASCII has."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(id="--command-palette", placeholder="A command, or a part of its name"))

    def action_next_theme(self) -> None:
        """The next of our themes and the user's."""
        names = self.themes.cycle
        if names:
            here = names.index(self.theme) if self.theme in names else -1
            self.theme = names[(here + 1) % len(names)]
            self.notify(f"Theme: {self.theme.removeprefix('monitor-')}", markup=False, timeout=2)
