"""The application: themes, palette and signals; everything else is the screen's."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from textual.app import App, SystemCommand
from textual.screen import Screen

from monitor.text import line
from monitor.ui import theme as themes
from monitor.ui.keys import KEYS
from monitor.ui.pen import Pen
from monitor.ui.screens.run import RunScreen
from monitor.ui.source import Source

SIGNALS = ("SIGTERM", "SIGHUP")


class MonitorApp(App[None]):
    """Shows one source in the chosen theme."""

    CSS_PATH = "app.tcss"
    TITLE = "monitor"
    ALLOW_SELECT = False
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        source: Source,
        *,
        theme: str | None = None,
        ascii_only: bool = False,
        pen: Pen | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.source = source
        self.pen = pen or Pen(ascii=ascii_only, home=str(Path.home()))
        self.now = now
        found, self.problems = themes.load(themes.folder())
        for one in found:
            self.register_theme(one)
        self.theme = self._wished(theme or "")

    def _wished(self, wish: str) -> str:
        """The theme asked for, else the one that suits the terminal, else any that exists."""
        found = themes.chosen(self.console.color_system, no_color=self.no_color)
        for name in (f"monitor-{wish}", wish) if wish else ():
            if name in self.available_themes:
                return name
        if wish:
            self.problems += (f"There is no theme {wish}",)
        return found if found in self.available_themes else "textual-dark"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles exist under any theme, ours or not."""
        return themes.roles(self.current_theme)

    def get_default_screen(self) -> Screen[None]:
        """The one screen there is."""
        return RunScreen(self.source, self.pen, self.now)

    def on_mount(self) -> None:
        """Leave the terminal as it was when told to end; say what is wrong with the themes."""
        loop = asyncio.get_running_loop()
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self.exit, None, 128 + number)
        if self.problems:
            self.notify(line(" · ".join(self.problems)), title="Themes", severity="warning", markup=False)

    def on_ready(self) -> None:
        """What exists by now stays: the collector need not look at it again, and pauses seldom."""
        if not self.is_headless:
            gc.set_threshold(50_000, 20, 100)
            gc.collect()
            gc.freeze()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Our keys by name, and every theme."""
        if isinstance(screen, RunScreen):
            for key in KEYS:
                if key.palette:
                    run = screen.action_go
                    yield SystemCommand(key.label.capitalize(), key.help, lambda name=key.id, run=run: run(name))
        yield SystemCommand("Choose a theme", "Ours and all of Textual's.", self.action_change_theme)

    def action_next_theme(self) -> None:
        """The next of our themes."""
        names = [name for name in themes.NAMES if name in self.available_themes]
        if names:
            here = names.index(self.theme) if self.theme in names else -1
            self.theme = names[(here + 1) % len(names)]
            self.notify(f"Theme: {self.theme.removeprefix('monitor-')}", markup=False, timeout=2)
