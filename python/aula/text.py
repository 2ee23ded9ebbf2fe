# SPDX-License-Identifier: MIT
"""Writes Python values as the text of a room file, with exact numbers; used for rooms from dicts, settings and saved
files."""

from __future__ import annotations

import math
import numbers
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .errors import InputError

__all__ = ["room_text", "setting_text", "value_text"]

_KEY = re.compile(r"[A-Za-z*][A-Za-z0-9_*-]*")
_PATH = re.compile(r"[A-Za-z*][A-Za-z0-9_*-]*(\[\d+\]|\.[A-Za-z0-9_*-]+)*")
_INT_MAX = 2**31 - 1


def _refuse(path: str, why: str) -> InputError:
    return InputError(f"room: {path or 'the room'}: {why}")


def _quoted(value: str, path: str) -> str:
    if any(ord(c) < 32 and c not in "\t\n\r" for c in value):
        raise _refuse(path, "contains a control character; remove it")
    escaped = (
        value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    )
    return f'"{escaped}"'


def _number(value: Any, path: str) -> str:
    if isinstance(value, numbers.Integral):
        whole = int(value)
        return str(whole) if abs(whole) <= _INT_MAX else repr(float(whole))
    decimal = float(value)
    if not math.isfinite(decimal):
        raise _refuse(path, f"is {decimal}; must be a finite number")
    return repr(decimal)  # the shortest text that reads back as the same bits


def _plain(value: Any) -> Any:
    """Converts numpy values and paths to plain Python values, and shapes to dicts."""
    if hasattr(value, "to_room"):
        return _plain(value.to_room())
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _group(value: Mapping[str, Any], path: str, indent: str, one_line: bool) -> list[str]:
    lines: list[str] = []
    for key, inner in value.items():
        name = f"{path}.{key}" if path else str(key)
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise _refuse(name, "is not a valid key; use letters, digits, _ and -")
        if inner is not None:  # None omits the key
            lines.append(f"{indent}{key} = {value_text(inner, name, indent, one_line)};")
    return lines


def value_text(value: Any, path: str = "", indent: str = "", one_line: bool = False) -> str:
    """A value in the syntax of a room file: mappings as ``{ }``, sequences as ``( )``, each group of a list on its own
    line.

    Args:
        path: path of the key, for messages.
        one_line: omit line breaks, as ``--set`` requires.
    Raises:
        InputError: the value cannot be written; the message has the path of its key.
    """
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Real):
        return _number(value, path)
    if isinstance(value, str):
        return _quoted(value, path)
    if isinstance(value, Mapping):
        lines = _group(value, path, "" if one_line else indent + "  ", one_line)
        return "{ " + " ".join(lines) + " }" if one_line else "{\n" + "\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        items = [_plain(item) for item in value]
        inner = [value_text(item, f"{path}[{i}]", indent + "  ", one_line) for i, item in enumerate(items)]
        if one_line or not any(isinstance(item, Mapping) for item in items):
            return "( " + ", ".join(inner) + " )" if inner else "( )"
        return "(\n" + ",\n".join(f"{indent}  {line}" for line in inner) + f"\n{indent})"
    raise _refuse(path, f"is a {type(value).__name__}; expected a number, a string, a list or a dict")


def room_text(room: Mapping[str, Any]) -> str:
    """The text of a room file for a room from a dict. Keys with the value None are omitted."""
    return "\n".join(_group(room, "", "", False)) + "\n"


def setting_text(key: str, value: Any) -> str:
    """``key=value`` in the syntax of ``--set``, such as ``grid.rate=48000.0``."""
    if not isinstance(key, str) or not _PATH.fullmatch(key):
        raise InputError(f"setting {key}: is not a valid key, such as grid.max_frequency or sources[0].position")
    return f"{key}={value_text(value, key, one_line=True)}"
