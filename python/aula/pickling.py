# SPDX-License-Identifier: MIT
"""How rooms and results go to other processes: rooms by their descriptions, results by their numbers."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional, TypeVar

import numpy as np

if TYPE_CHECKING:
    from .room import Room

__all__ = ["RoomRecipe", "shared_copy", "without_handle"]


def without_handle(instance: Any) -> dict[str, Any]:
    """The attributes of a result but for its handle of libaula, which no other process can use."""
    return {name: value for name, value in vars(instance).items() if name != "_handle"}


T = TypeVar("T")


def shared_copy(instance: T) -> T:
    """A copy within the process, also a deep one: it shares the handle, and numbers that cannot change."""
    copy = object.__new__(type(instance))
    for name, value in vars(instance).items():
        changes = isinstance(value, (list, dict)) or (isinstance(value, np.ndarray) and value.flags.writeable)
        vars(copy)[name] = value.copy() if changes else value
    return copy


class RoomRecipe:
    """From what a room is opened again. Pickles of a room and of its responses share one, and so share the room.

    A room from a dict keeps the dict, and a room from a text the text; a room from a file keeps its complete description,
    so that a later change of the file does not matter. Meshes of arrays travel along. Other files that the room names,
    such as OBJ files and HRTFs, are read again at their places.
    """

    def __init__(self, room: "Room") -> None:
        self.name = room.name
        self.settings: dict[str, Any] = dict(room.settings)
        self.source: Optional[Mapping[str, Any]] = None
        self.text: Optional[str] = room.text
        if isinstance(room._source, Mapping):
            self.source = room._source
        elif room.text is None:
            self.text, self.settings = room._json(), {}
        self.folder = os.path.abspath(os.path.dirname(os.fspath(room.name)))
        self._room: Optional["weakref.ref[Room]"] = None
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key not in ("_room", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._room, self._lock = None, threading.Lock()

    def open(self) -> "Room":
        """The room; the same one as long as anybody uses it."""
        from .room import Room

        with self._lock:
            room = self._room() if self._room is not None else None
            if room is None:
                room = Room._of_recipe(self)
                self.belongs_to(room)
            return room

    def belongs_to(self, room: "Room") -> None:
        self._room, room._made_by = weakref.ref(room), self


def open_room(recipe: RoomRecipe) -> "Room":
    """Called by pickles of rooms."""
    return recipe.open()
