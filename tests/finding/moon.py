"""The README's example of a package that adds an agent, installed beside monitor, whole or spoilt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LOG = '{"moon": "rise"}\n{"moon": "ask", "words": "Shine"}\n{"moon": "wane"}\n{"moon": "set", "words": "It shone."}\n'


def example(name: str) -> str:
    """The code block that the README shows under this name."""
    return README.split(f"<!-- {name} example -->\n```python\n")[1].split("```")[0]


def installed(folder: Path, code: str) -> Path:
    """A folder of packages with this one in it, as pip leaves it."""
    info = folder / "moon_agent-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "moon_agent.py").write_text(code)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: moon-agent\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[monitor.agents]\nmoon = moon_agent\n")
    (info / "RECORD").write_text("")
    return folder


def run(site: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "monitor", *words], env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True,
        text=True, input=stdin, check=False, timeout=60,
    )  # fmt: skip
