"""How much a state holds."""

from __future__ import annotations

from collections import deque
from typing import Any


def weight(thing: Any, seen: set[int]) -> int:
    """Items of containers, fields of objects, and characters of texts in hundreds; each object once."""
    if id(thing) in seen or isinstance(thing, (int, float, bool, type(None), type)):
        return 1
    seen.add(id(thing))
    if isinstance(thing, (str, bytes)):
        return 1 + len(thing) // 100
    if isinstance(thing, dict):
        return 1 + sum(weight(key, seen) + weight(value, seen) for key, value in thing.items())
    if isinstance(thing, (list, tuple, set, frozenset, deque)):
        return 1 + sum(weight(one, seen) for one in thing)
    names = [name for base in type(thing).__mro__ for name in getattr(base, "__slots__", ()) if name != "__weakref__"]
    names += [*getattr(thing, "__dict__", ()), *getattr(type(thing), "__struct_fields__", ())]
    return 1 + sum(weight(getattr(thing, name, None), seen) for name in dict.fromkeys(names))
