"""Runs the real screen over a scene, as a program of its own: `ui_child.py SCENE`."""

import signal
import sys
from pathlib import Path
from typing import ClassVar

import ui_hostile
import ui_samples
import ui_scenes
from textual.binding import BindingType

from monitor.commands.terminal import run
from monitor.ui import app
from monitor.ui.app import MonitorApp

STYLES = Path(app.__file__).with_name("app.tcss")


class Faulty(MonitorApp):
    """A screen in which something goes wrong when `h` is pressed."""

    CSS_PATH = STYLES
    BINDINGS: ClassVar[list[BindingType]] = [("h", "fail")]

    def action_fail(self) -> None:
        raise ZeroDivisionError


class Early(MonitorApp):
    """A screen that is told to end before it hears signals."""

    CSS_PATH = STYLES

    def on_mount(self) -> None:
        print("ready", file=sys.__stderr__, flush=True)
        signal.pause()


SCENES = {**ui_scenes.SCENES, "hostile": ui_hostile.hostile, "hostile_replay": ui_hostile.hostile_replay}
APPS = {"faulty": Faulty, "early": Early}

if __name__ == "__main__":
    name = sys.argv[1]
    scene = SCENES[name if name in SCENES else "calm"]()
    looks = {"pen": ui_samples.PEN, "now": lambda: ui_samples.NOWS["trouble"]}
    sys.exit(run(APPS.get(name, MonitorApp)(scene, **looks)))
