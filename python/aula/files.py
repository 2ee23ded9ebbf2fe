# SPDX-License-Identifier: MIT
"""Files that are whole or absent, and names of files for the library."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import Union

from .errors import InputError

__all__ = ["file_name", "write_texts"]


def file_name(path: Union[str, bytes, "os.PathLike[str]"]) -> bytes:
    """A path as the library takes it.

    Raises:
        InputError: it holds a NUL, where the library would end it.
    """
    name = os.fsencode(path)
    if b"\0" in name:
        raise InputError(f"{os.fsdecode(name)!r} holds a NUL, which no name of a file does")
    return name


def _create(target: str, content: str) -> str:
    """A complete file beside the target, flushed to disk, with the permissions of the one that it replaces."""
    part = f"{target}.part-{os.getpid()}-{secrets.token_hex(4)}"
    mode = os.stat(target).st_mode & 0o777 if os.path.isfile(target) else None
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(part)
        raise
    return part


def write_texts(contents: Mapping[str, str]) -> None:
    """Writes files that take their names once all of them are complete; else the older ones stay. A link is followed."""
    parts: dict[str, str] = {}
    try:
        for path, content in contents.items():
            target = os.path.realpath(path)
            parts[target] = _create(target, content)
        for target in list(parts):
            os.replace(parts[target], target)
            del parts[target]
    finally:
        for part in parts.values():
            os.unlink(part)
