# SPDX-License-Identifier: MIT
"""Performances: the instruments and the score of a room, as libaula plays them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._library import check, engine_options, ffi, lib, run, text, texts, view
from .errors import InputError
from .files import file_name
from .pickling import shared_copy

if TYPE_CHECKING:
    from .room import Room

__all__ = ["Take", "play_score"]


class Take:
    """A performance of the score of a room, from :meth:`aula.Room.synth`.

    Attributes:
        air: [channels, frames] doubles at the receivers, a read-only view of the library's memory.
        pickups: [pickups, frames] doubles of the pickups, likewise.
        channels, pickup_names: names of the channels of ``air`` and ``pickups``.
        units, pickup_units: "Pa" or "m/s" for each of them.
        rate: sampling rate in Hz. Sample 0 is the beginning of the score.
        warnings: of the run.
    """

    def __init__(self, handle: Any, room: "Room") -> None:
        self._handle, self._room = handle, room
        self.air, self.channels, self.units = self._part(lib.AULA_TAKE_AIR)
        self.pickups, self.pickup_names, self.pickup_units = self._part(lib.AULA_TAKE_PICKUPS)
        self.rate: float = lib.aula_take_rate(handle)
        self.warnings: list[str] = texts(lambda i: lib.aula_take_warning(handle, i))

    def _part(self, part: int) -> tuple[np.ndarray, list[str], list[str]]:
        handle = self._handle
        shape = lib.aula_take_channels(handle, part), lib.aula_take_frames(handle)
        names = [str(text(lib.aula_take_channel_name(handle, part, c))) for c in range(shape[0])]
        units = [str(text(lib.aula_take_unit(handle, part, c))) for c in range(shape[0])]
        return view(lib.aula_take_samples(handle, part, 0), shape, handle), names, units

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes sound files and the JSON beside each, as ``aula synth -o path`` does: ``path`` for the omni receivers
        and the pickups, NAME_RECEIVER.wav for each other receiver. Each file is complete or absent."""
        if self._handle is None:
            raise InputError(
                "this performance was pickled and has its samples alone; write it in the process that played it"
            )
        name = file_name(path)
        run(
            lambda _callback: check(lib.aula_take_write, self._handle, name, path=os.fsdecode(name)),
            [self._room._lock],
        )

    def __copy__(self) -> "Take":
        return shared_copy(self)

    def __deepcopy__(self, _memo: Any) -> "Take":
        return shared_copy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_handle": None, "_room": None}

    def __repr__(self) -> str:
        frames = max(self.air.shape[1], self.pickups.shape[1])
        return f"<Take: {len(self.air)} channels, {len(self.pickups)} pickups, {frames / self.rate:.4g} s at {self.rate:g} Hz>"


def play_score(
    room: "Room", dry: bool, progress: Optional[Callable[[float], Any]], engine: Optional[str], threads: int
) -> Take:
    """The work of :meth:`aula.Room.synth`."""
    options = engine_options(engine, threads)

    def work(callback: Any) -> Any:
        place = ffi.new("struct aula_take **")
        check(lib.aula_take_make, place, room._handle, int(dry), options(callback), path=room.name)
        return ffi.gc(place[0], lib.aula_take_close)

    return Take(run(work, [room._lock], progress), room)
