"""All words that our own code may add to the texts of a record: its string constants."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Final, get_args

ADDING: Final = (
    "monitor.agents", "monitor.errors", "monitor.events", "monitor.journal", "monitor.timeline.rows", "monitor.statuses",
    "monitor.streams", "monitor.text", "monitor.timeline.wording",
)  # fmt: skip
"""Where records are decoded and worded."""
_HELD: Final = ("__defaults__", "__kwdefaults__", "__wrapped__", "fget", "__func__", "func", "args")
"""What functions, methods, properties and partial calls hold besides their code."""
_TOLD: Final = frozenset({"__doc__", "__file__", "__cached__", "__builtins__", "__spec__", "__loader__"})
"""What describes a module or a class, and is never shown."""


def own_words(*packages: str) -> str:
    """The constants of the loaded modules that decode and word, of more packages among them, in lower case."""
    roots = (*ADDING, *packages)
    inside = tuple(f"{root}." for root in roots)
    return _gathered(tuple(name for name in list(sys.modules) if name in roots or name.startswith(inside)))


def packages(decoder: object) -> set[str]:
    """The packages, or single modules, whose constants a decoder may tell: its type's, and of the functions it is made of."""
    parts = (type(decoder), *filter(callable, getattr(decoder, "__dict__", {}).values()))
    modules = {str(getattr(one, "__module__", "")) for one in parts} - {"", "builtins"}
    return {one.rpartition(".")[0] or one for one in modules}


@lru_cache(maxsize=4)
def _gathered(names: tuple[str, ...]) -> str:
    found = {one.casefold() for name in names if name in sys.modules for one in constants(sys.modules[name])}
    return "\n".join(sorted(found))


def constants(module: ModuleType) -> Iterator[str]:
    """Every string among a module's values and in the code of its functions and classes, but for what describes them."""
    home, seen = module.__name__, set[int]()
    left: list[object] = [vars(module)]
    while left:
        for value in _within(left.pop(), home):
            if isinstance(value, (str, bytes)):
                yield value if isinstance(value, str) else value.decode("utf-8", "replace")
            elif id(value) not in seen:
                seen.add(id(value))
                left.append(value)


def _within(value: object, home: str) -> Iterable[object]:
    """What a value of a module is made of, as far as it may hold texts of the module's own."""
    if isinstance(value, CodeType):
        return value.co_consts
    if isinstance(value, re.Pattern):
        return (value.pattern,)
    if isinstance(value, Mapping):
        return [one for pair in value.items() if pair[0] not in _TOLD for one in pair]
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, type):
        return (vars(value), getattr(value, "__struct_encode_fields__", ())) if value.__module__ == home else ()
    fields = (*getattr(value, "__struct_fields__", ()), *getattr(value, "__dataclass_fields__", ()))
    if fields:
        return [getattr(value, name, None) for name in fields]
    return _of_function(value) if getattr(value, "__module__", home) == home else get_args(value)


def _of_function(value: object) -> Iterable[object]:
    """The constants in the code of a function, a method or a property, or of what wraps one."""
    told, code = getattr(value, "__doc__", None), getattr(value, "__code__", None)
    held = [getattr(value, name, None) for name in _HELD]
    parts = code.co_consts if isinstance(code, CodeType) else ()
    return [one for one in (*parts, *held, *get_args(value)) if one is not None and one != told]
