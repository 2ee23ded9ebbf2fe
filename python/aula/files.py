# SPDX-License-Identifier: MIT
"""Writes files that are complete or absent, and encodes file names for the library."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import Union

from .errors import InputError

__all__ = ["file_name", "write_texts"]


def file_name(path: Union[str, bytes, "os.PathLike[str]"]) -> bytes:
    """A path in the encoding of the file system.

    Raises:
        InputError: it contains NUL.
    """
    name = os.fsencode(path)
    if b"\0" in name:
        raise InputError(f"{os.fsdecode(name)!r} contains a NUL character; choose another name")
    return name


def _create(target: str, content: str) -> str:
    """Writes a temporary file beside the target, flushed to disk, with the permissions of the file it will replace."""
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
    """Writes files and renames them after all are complete; on failure the older files stay. Links are followed."""
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
