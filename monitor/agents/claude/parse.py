"""Reads records as they come: typed where they keep their shape, with what fits where they do not."""

from __future__ import annotations

import json
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import Raw, Struct

Shape = TypeVar("Shape", bound=Struct)

_BOM = b"\xef\xbb\xbf"
_MISFIT = object()
_LARGEST = 1 << 53


class NotARecordError(Exception):
    """The bytes hold no JSON object; the text says what they hold."""


def read(kind: type[Shape], data: bytes | Raw) -> Shape:
    """The record in these bytes; a field of another type than expected is left out.

    Raises `NotARecordError` when there is no JSON object. Lone surrogates, NaN, a byte-order mark, control
    characters in strings and broken UTF-8 are taken.
    """
    try:
        record: Shape = _decoder(kind).decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        value = loads(data)
        if not isinstance(value, dict):
            raise NotARecordError(f"JSON, but {_article(value)}, not an object") from None
        return _fitted(kind, value)
    return record


def part(kind: type[Shape], data: Raw) -> Shape:
    """A part of a record in the same way; empty when it is no object."""
    try:
        return read(kind, data) if opens(data) == b"{" else kind()
    except NotARecordError:
        return kind()


def text_of(data: Raw) -> str:
    """A part that is a string; empty when it is none."""
    try:
        value = loads(data) if opens(data) == b'"' else ""
    except NotARecordError:
        return ""
    return str(value)


def opens(data: Raw) -> bytes:
    """The first byte of a part, which tells its type; empty where the part is missing."""
    return bytes(memoryview(data)[:1])


def loads(data: bytes | Raw) -> Any:
    """Any JSON, however odd. Raises `NotARecordError` when it is none."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    try:
        text = bytes(data).removeprefix(_BOM).decode("utf-8", "replace")
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        raise NotARecordError("not JSON") from None


@cache
def _decoder(kind: type[Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, str, tuple[Any, ...]], ...]:
    """Of each field its name, its name in JSON, and the types it may have."""
    return tuple((one.name, one.encode_name, _options(one.type)) for one in msgspec.structs.fields(kind))


def _options(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def _fitted(kind: type[Shape], value: dict[str, Any]) -> Shape:
    kept = {}
    for name, told, options in _fields(kind):
        if told in value and (fit := _fit(options, value[told])) is not _MISFIT:
            kept[name] = fit
    return kind(**kept)


def _fit(options: tuple[Any, ...], value: Any) -> Any:
    for option in options:
        if option is Raw:
            return Raw(json.dumps(value).encode())
        if option is NoneType:
            if value is None:
                return None
        elif (origin := get_origin(option)) is list:
            if isinstance(value, list):
                inner = _options(get_args(option)[0])
                return [fit for one in value if (fit := _fit(inner, one)) is not _MISFIT]
        elif origin is dict:
            if isinstance(value, dict):
                inner = _options(get_args(option)[1])
                return {key: fit for key, one in value.items() if (fit := _fit(inner, one)) is not _MISFIT}
        elif issubclass(option, Struct):
            if isinstance(value, dict):
                return _fitted(option, value)
        elif type(value) is option or (option is float and type(value) is int):
            return value if type(value) is not int or abs(value) < _LARGEST else _MISFIT
    return _MISFIT


def _article(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "true or false", NoneType: "null"}
    return names.get(type(value), "a number")
