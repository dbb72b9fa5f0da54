"""One spelling for each file: paths made absolute and normal by their letters alone, without a look at any disk."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

_LONGEST = 4096
"""Characters of a path; a longer one is kept by its beginning and a digest."""
_USUAL = 300
"""Characters of paths and folders whose canonical path is remembered: a run names the same few again and again."""


def canonical(path: str, folder: str) -> str:
    """The path that stands for all spellings of it, seen from a folder; empty for an empty path.

    `.`, `..`, doubled slashes, `~`, backslashes and the case of drive letters are evened out. A path that ends
    in a slash keeps it: it names no file. Without a known folder a relative path begins with `./`.
    """
    if not path:
        return ""
    return (_known if len(path) < _USUAL and len(folder) < _USUAL else _canonical)(path, folder)


def _canonical(path: str, folder: str) -> str:
    base = _base(folder)
    path = _slashed(path, base)
    if path.startswith("~") and (home := _home(base)) and path[1:2] in ("", "/"):
        path = home + path[1:]
    if not (_rooted(path) or path.startswith("~")):
        path = f"{base.rstrip('/') if base else '.'}/{path}"
    return _short(_normal(path))


_known = lru_cache(maxsize=2_048)(_canonical)


def inside(key: str, folder: str) -> bool:
    """Whether a canonical path lies in a folder."""
    base = _base(folder)
    return bool(base) and key.startswith(base if base.endswith("/") else base + "/")


def shown(key: str, folder: str) -> str:
    """A canonical path as people read it: relative to the folder where it lies in it."""
    if inside(key, folder):
        return key[len(_base(folder)) :].lstrip("/") or key
    return key.removeprefix("./") or key


def name(key: str) -> str:
    """The last part of a canonical path; empty when it names no file."""
    return key.rsplit("/", 1)[-1]


def _base(folder: str) -> str:
    """A folder, canonical and without a slash at its end; empty unless it is absolute."""
    return (_known_base if len(folder) < _USUAL else _based)(folder)


def _based(folder: str) -> str:
    folder = _slashed(folder, "")
    if not _rooted(folder):
        return ""
    normal = _normal(folder)
    return normal if normal == "/" or (len(normal) == 3 and normal[1] == ":") else normal.rstrip("/")


_known_base = lru_cache(maxsize=256)(_based)


def _slashed(path: str, base: str) -> str:
    """Backslashes turned to slashes where they part folders: on Windows, or where nothing says otherwise."""
    path = path.removeprefix("\\\\?\\")
    windows = base.startswith("//") or _drive(base) or _drive(path.replace("\\", "/"))
    if windows or not base:
        path = path.replace("\\", "/")
    if path.startswith("///") or (base and not windows):
        path = "/" * path.startswith("/") + path.lstrip("/")
    if not windows:
        return path
    if _drive(path):
        return path[0].upper() + path[1:]
    if path.startswith("/") and not path.startswith("//") and _drive(base):
        return f"{path[1].upper()}:{path[2:]}" if path[2:3] == "/" and path[1].isalpha() else base[:2] + path
    return path


def _drive(path: str) -> bool:
    return path[1:3] == ":/" and path[0].isascii() and path[0].isalpha()


def _rooted(path: str) -> bool:
    return path.startswith("/") or _drive(path)


def _home(base: str) -> str:
    """The home folder that a folder lies in, as far as its letters tell."""
    parts = base.split("/")
    if parts[:2] == ["", "root"]:
        return "/root"
    if len(parts) > 2 and parts[1].lower() in ("home", "users") and (parts[0] == "" or parts[0].endswith(":")):
        return "/".join(parts[:3])
    return ""


def _normal(path: str) -> str:
    """`.`, `..` and empty parts resolved; the first part (nothing, a drive, `.`, `~`) stays."""
    share = path.startswith("//") and not path.startswith("///")
    first, *rest = path.split("/")
    kept: list[str] = []
    for part in rest:
        if part == "..":
            if kept and kept[-1] != "..":
                kept.pop()
            elif first in (".", "~"):
                kept.append("..")
        elif part not in ("", "."):
            kept.append(part)
    file = bool(kept) and kept[-1] != ".." and rest[-1] not in ("", ".", "..")
    return ("/" if share else "") + "/".join((first, *kept, *(() if file else ("",))))


def _short(path: str) -> str:
    if len(path) <= _LONGEST:
        return path
    return f"{path[:2000]}…{blake2b(path.encode(errors='replace'), digest_size=16).hexdigest()}"
