# SPDX-License-Identifier: MIT
"""Maps of acoustic parameters over a plane, and films of the sound field."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._library import c_text, check, engine_options, ffi, lib, run, text
from .errors import InputError
from .files import file_name
from .metrics import BANDS, METRICS, Metrics
from .pickling import shared_copy

if TYPE_CHECKING:
    from .room import Room

__all__ = ["Map", "make_map", "write_film"]

Path = Union[str, "os.PathLike[str]"]


def _kept(value: Optional[str], name: str) -> Any:
    return ffi.NULL if value is None else ffi.new("char[]", c_text(value, name))


class Map:
    """Acoustic parameters at receivers on a lattice in a plane, from :meth:`aula.Room.map`.

    ``map["T30"]`` is an array [rows, columns, 9] with a value for each of :data:`aula.BANDS`, and NaN where there is no
    air or the parameter is missing. :data:`aula.METRICS` has the units.

    Attributes:
        axis, at: the plane: "x", "y" or "z", and its position in m.
        across, up: [columns], [rows] m: positions along the other two axes, in their order.
        positions: [rows, columns, 3] m.
        is_air: [rows, columns] whether a receiver is there.
        sti: [rows, columns] speech transmission index without noise; NaN where it is missing.
        valid: (low, high) Hz, the valid band of the responses.
        band: Hz: octave of the picture.
        seconds: s, of the responses.
        note: parameters that the picture lacks, and why; None: none.
    """

    def __init__(self, handle: Any, room: "Room") -> None:
        self._handle, self._room = handle, room
        lattice = ffi.new("struct aula_lattice *")
        lib.aula_map_lattice(handle, lattice)
        columns, rows = lattice.count
        self.axis: str = "xyz"[lattice.axis]
        self.at: float = lattice.at
        self.across, self.up = (lattice.first[i] + lattice.step[i] * np.arange(lattice.count[i]) for i in (0, 1))
        self.valid: tuple[float, float] = (lattice.valid[0], lattice.valid[1])
        self.band: float = lattice.band
        self.seconds: float = lattice.seconds
        self.note: Optional[str] = text(lib.aula_map_note(handle))
        nowhere = lib.aula_map_place(ffi.NULL, 0, 0)
        places = [[lib.aula_map_place(handle, c, r) for c in range(columns)] for r in range(rows)]
        self.is_air: np.ndarray = np.array([[p != nowhere for p in row] for row in places], dtype=bool)
        self._place: np.ndarray = np.array([[p if p != nowhere else -1 for p in row] for row in places], dtype=int)
        self.positions: np.ndarray = np.empty((rows, columns, 3))
        others = [i for i in range(3) if i != lattice.axis]
        self.positions[..., lattice.axis] = self.at
        self.positions[..., others[0]] = self.across[np.newaxis, :]
        self.positions[..., others[1]] = self.up[:, np.newaxis]
        count = lib.aula_map_place_count(handle)
        self.sti: np.ndarray = self._spread(np.array([lib.aula_map_sti(handle, p) for p in range(count)]))
        self._values: dict[str, np.ndarray] = {}

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """Values [places, ...] as [rows, columns, ...], NaN where there is no air."""
        found: np.ndarray = np.full(self._place.shape + values.shape[1:], np.nan)
        found[self.is_air] = values[self._place[self.is_air]]
        return found

    def __getitem__(self, figure: str) -> np.ndarray:
        if figure not in self._values:
            number, handle = Metrics._number(figure), self._handle
            self._values[figure] = self._spread(
                np.array(
                    [
                        [lib.aula_map_value(handle, p, b, number) for b in range(len(BANDS))]
                        for p in range(lib.aula_map_place_count(handle))
                    ]
                )
            )
        return self._values[figure]

    def write(self, picture: Optional[Path] = None, csv: Optional[Path] = None, size: tuple[int, int] = (0, 0)) -> None:
        """Writes the picture and the table of ``aula map``.

        Args:
            picture: a name that ends in .png; None: no picture.
            csv: a name that ends in .csv, for all parameters of all octaves; None: no table.
            size: columns and rows of the picture in pixels; 0: automatic.
        Raises:
            AulaError: a file cannot be written, or cairo is missing.
        """
        if self._handle is None:
            raise InputError(
                "this map was pickled and has its values alone; write it in the process that computed it, or a copy of it there"
            )
        names = [ffi.NULL if name is None else ffi.new("char[]", file_name(name)) for name in (picture, csv)]
        run(
            lambda _callback: check(lib.aula_map_write, self._handle, *names, *size, path=None),
            [self._room._lock],
        )

    def __copy__(self) -> "Map":
        return shared_copy(self)

    def __deepcopy__(self, _memo: Any) -> "Map":
        return shared_copy(self)

    def __getstate__(self) -> dict[str, Any]:
        for figure in METRICS:
            self[figure]
        return {**{k: v for k, v in vars(self).items() if k not in ("_handle", "_room")}, "_handle": None}

    def __repr__(self) -> str:
        rows, columns = self.is_air.shape
        return (
            f"<Map at {self.axis} = {self.at:.4g} m: {columns} x {rows} receivers, {int(self.is_air.sum())} in the air>"
        )


def make_map(
    room: "Room",
    source: int,
    plane: Optional[str],
    spacing: float,
    parameters: Optional[str],
    band: float,
    progress: Optional[Callable[[float], Any]],
    engine: Optional[str],
    threads: int,
) -> Map:
    """The work of :meth:`aula.Room.map`."""
    options, what = engine_options(engine, threads), ffi.new("struct aula_map_options *")
    kept = _kept(plane, "plane"), _kept(parameters, "parameters")
    what.source, what.spacing, what.band = source, spacing, band
    what.plane, what.parameters = kept

    def work(callback: Any) -> Any:
        place = ffi.new("struct aula_map **")
        check(lib.aula_map_make, place, room._handle, what, options(callback), path=room.name)
        return ffi.gc(place[0], lib.aula_map_close)

    return Map(run(work, [room._lock], progress), room)


def write_film(
    room: "Room",
    path: Path,
    source: int,
    plane: Optional[str],
    numbers: dict[str, Any],
    progress: Optional[Callable[[float], Any]],
    engine: Optional[str],
    threads: int,
) -> None:
    """The work of :meth:`aula.Room.film`."""
    options, what, name = engine_options(engine, threads), ffi.new("struct aula_film_options *"), file_name(path)
    kept = _kept(plane, "plane")
    what.source, what.plane = source, kept
    for key, value in numbers.items():
        setattr(what, key, value)
    run(
        lambda callback: check(
            lib.aula_film_write, room._handle, name, what, options(callback), path=os.fsdecode(name)
        ),
        [room._lock],
        progress,
    )
