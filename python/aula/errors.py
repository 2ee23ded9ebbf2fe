# SPDX-License-Identifier: MIT
"""Exceptions of aula, with the file, line and key that they concern."""

from __future__ import annotations

import os
import re
from typing import NamedTuple, Optional, Tuple

__all__ = ["AulaError", "InputError", "StoppedError", "Mistake"]


class Mistake(NamedTuple):
    """One line of an error. ``file``, ``line`` and ``key`` are None if the message does not name them."""

    file: Optional[str]
    line: Optional[int]
    key: Optional[str]
    text: str


_KEY = r"[A-Za-z_][\w-]*(?:\[\d+\])*(?:\.(?:[A-Za-z_*][\w*-]*|\[\d+\])(?:\[\d+\])*)*"
_PLACE = re.compile(
    r"(?:(?P<file>[^\n]+?):(?P<line>\d+): |(?P<setting>setting [^\n]+?): |(?P<name>[^:\n]+): )"
    r"(?:(?P<material>material [^:\n]+): )?(?:(?P<key>" + _KEY + r"): )?(?P<text>.*)",
    re.DOTALL,
)
_SETTING = re.compile(r"setting (" + _KEY + r")=")


def _mistake(line: str) -> Mistake:
    """Parses a line of a message. It begins "FILE:LINE: KEY: " if it concerns a room file."""
    found = _PLACE.fullmatch(line)
    if not found:
        return Mistake(None, None, None, line)
    if found["setting"]:
        given = _SETTING.match(found["setting"])
        return Mistake(None, None, found["key"] or (given[1] if given else None), found["text"])
    key = found["key"]
    if found["material"]:
        key = "materials." + found["material"].split(" ", 1)[1] + ("." + key if key else "")
    if found["file"]:
        return Mistake(found["file"], int(found["line"]), key, found["text"])
    if not key:  # the text before the first colon need not be a file
        return Mistake(None, None, None, line)
    return Mistake(found["name"], None, key, found["text"])


def _about(mistake: Mistake, path: Optional[str]) -> Mistake:
    """Adds the file if the line begins with its name, or with that of a related file such as x.json for x.wav."""
    stem = os.path.splitext(path)[0] if path else ""
    if mistake.file or mistake.key or not path or not mistake.text.startswith(stem):
        return mistake
    end = mistake.text.find(": ", len(stem))
    name = mistake.text[:end] if end > 0 else ""
    if name != path and not name.endswith((".json", ".wav")):
        return mistake
    return mistake._replace(file=name, text=mistake.text[end + 2 :])


class AulaError(RuntimeError):
    """An error of libaula. ``str()`` is the message with the remedy.

    Attributes:
        exit_status: exit status of the program aula for this error: 1 the work failed, 2 the input is wrong.
        mistakes: each line of the message as a :class:`Mistake`; a room file may have several.
        file, line, key: of the first mistake that names a file or key; None if none does.
    """

    def __init__(self, message: str, exit_status: int = 1, about: Optional[str] = None) -> None:
        super().__init__(message)
        self.exit_status = exit_status
        self.mistakes: Tuple[Mistake, ...] = tuple(
            _about(_mistake(line), about) for line in message.split("\n") if line
        )
        first = next((m for m in self.mistakes if m.file or m.key), Mistake(None, None, None, message))
        self.file: Optional[str] = first.file
        self.line: Optional[int] = first.line
        self.key: Optional[str] = first.key


class InputError(AulaError, ValueError):
    """A room, a file or an argument is invalid."""

    def __init__(self, message: str, exit_status: int = 2, about: Optional[str] = None) -> None:
        super().__init__(message, exit_status, about)


class StoppedError(AulaError):
    """The work was stopped, for example by Ctrl-C in another thread."""
