# SPDX-License-Identifier: MIT
"""The modes of a room, as libaula finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._library import check, engine_options, ffi, lib, run, text, texts
from .pickling import without_handle
from .room import Room

__all__ = ["ModeBand", "Modes", "modes"]


@dataclass(frozen=True)
class ModeBand:
    """A part of the range, which was searched at once.

    Attributes:
        low, high: Hz.
        expected: modes by Weyl's count.
        found: modes.
        residual: norm of what the modes leave of the response, over that of the response.
        resolved: False if too many modes overlap.
    """

    low: float
    high: float
    expected: float
    found: int
    residual: float
    resolved: bool


class Modes:
    """The modes of a room by rising frequency, from :func:`modes`.

    Attributes:
        frequency: [modes] Hz, of the decaying oscillation.
        t60: [modes] s.
        level: [modes] dB: at resonance, at its loudest place, re the strongest mode.
        resolved: [modes] False where too many modes overlap, so that the numbers may be wrong.
        order: [modes, 3] half wavelengths along x, y and z of a box; -1 where no order was found.
        places: names of the sources, then of the receivers.
        levels: [modes, places] dB re the loudest place of each mode.
        bands: list of :class:`ModeBand`.
        low, high: Hz: range of the search.
        expected: modes in this range by Weyl's count.
        schroeder_frequency: Hz, by the median T60 of the modes; NaN without any.
        spacing: m, of the grid.
        size_error: largest error of a size of the room on the grid, over that size.
        seconds: s, of the response that was searched.
        warnings: such as bands in which too many modes overlap.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        span, mode = ffi.new("struct aula_mode_range *"), ffi.new("struct aula_mode *")
        lib.aula_modes_range(handle, span)
        self.low: float = span.low
        self.high: float = span.high
        self.expected: float = span.expected
        self.schroeder_frequency: float = span.schroeder
        self.spacing: float = span.spacing
        self.size_error: float = span.size_error
        self.seconds: float = span.seconds
        rows = []
        for i in range(lib.aula_modes_count(handle)):
            lib.aula_modes_mode(handle, i, mode)
            order = list(mode.order) if mode.has_order else [-1, -1, -1]
            rows.append((mode.frequency, mode.t60, mode.level, bool(mode.resolved), order))
        self.frequency: np.ndarray = np.array([r[0] for r in rows])
        self.t60: np.ndarray = np.array([r[1] for r in rows])
        self.level: np.ndarray = np.array([r[2] for r in rows])
        self.resolved: np.ndarray = np.array([r[3] for r in rows], dtype=bool)
        self.order: np.ndarray = np.array([r[4] for r in rows], dtype=int).reshape(-1, 3)
        self.places: list[str] = [
            str(text(lib.aula_modes_place_name(handle, p))) for p in range(lib.aula_modes_place_count(handle))
        ]
        self.levels: np.ndarray = np.array(
            [[lib.aula_modes_level(handle, i, p) for p in range(len(self.places))] for i in range(len(rows))]
        ).reshape(len(rows), len(self.places))
        self.bands: list[ModeBand] = [self._band(i) for i in range(lib.aula_modes_band_count(handle))]
        self.warnings: list[str] = texts(lambda i: lib.aula_modes_warning(handle, i))

    def _band(self, index: int) -> ModeBand:
        band = ffi.new("struct aula_mode_band *")
        lib.aula_modes_band(self._handle, index, band)
        return ModeBand(band.low, band.high, band.expected, band.found, band.residual, bool(band.resolved))

    def __len__(self) -> int:
        return len(self.frequency)

    def __getstate__(self) -> dict[str, Any]:
        return without_handle(self)

    def __repr__(self) -> str:
        return f"<Modes: {len(self)} from {self.low:.1f} to {self.high:.1f} Hz, {self.expected:.0f} expected>"


def modes(
    room: Room,
    to: float = 200.0,
    *,
    progress: Optional[Callable[[float], Any]] = None,
    engine: Optional[str] = None,
    threads: int = 0,
) -> Modes:
    """Finds the modes of a room, as ``aula modes`` does: frequency, decay, order, and level at sources and receivers.

    Args:
        room: its walls count; the grid is one of its own.
        to: highest frequency in Hz.
        progress, engine, threads: as of :meth:`Room.render`.
    Raises:
        InputError: ``to`` is too low or too high.
        AulaError: the library was built without LAPACK.
        KeyboardInterrupt: on Ctrl-C in the main thread, within 0.3 s; the work stops.
    """
    options = engine_options(engine, threads)

    def work(callback: Any) -> Any:
        place = ffi.new("struct aula_modes **")
        check(lib.aula_modes_make, place, room._handle, to, options(callback))
        return ffi.gc(place[0], lib.aula_modes_close)

    return Modes(run(work, [room._lock], progress))
