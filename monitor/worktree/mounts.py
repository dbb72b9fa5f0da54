"""Which disk a folder lies on: remote ones give no notice of what others change there."""

from __future__ import annotations

import os
import re
from pathlib import Path

_TABLE = Path("/proc/self/mountinfo")
_REMOTE = re.compile(
    r"nfs\d?|cifs|smb\d?|9p|virtiofs|vboxsf|drvfs|afs|ceph|lustre|glusterfs|fuse\.(?!fuseblk|snapfuse).+"
)
_ESCAPED = re.compile(r"\\(\d{3})")


def remote(folder: Path) -> str:
    """The kind of the remote disk that a folder lies on; empty for a disk of this machine, or where nothing tells."""
    try:
        rows = _TABLE.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    for row in rows:
        mounted, _, rest = row.partition(" - ")
        fields = mounted.split(" ")
        place = _ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[4]) if len(fields) > 4 else ""
        within = place and os.path.commonpath((place, str(folder))) == place
        if within and len(place) >= len(best):
            best, kind = place, rest.partition(" ")[0]
    return kind if _REMOTE.fullmatch(kind) else ""
