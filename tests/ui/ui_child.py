"""Runs the real screen over a scene, as a program of its own: `ui_child.py SCENE`."""

import sys

import ui_hostile
import ui_samples
import ui_scenes

from monitor.ui.app import MonitorApp

SCENES = {**ui_scenes.SCENES, "hostile": ui_hostile.hostile, "hostile_replay": ui_hostile.hostile_replay}

if __name__ == "__main__":
    app = MonitorApp(SCENES[sys.argv[1]](), pen=ui_samples.PEN, now=lambda: ui_samples.NOWS["trouble"])
    app.run()
    sys.exit(app.return_code)
