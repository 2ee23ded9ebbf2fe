# SPDX-License-Identifier: MIT
"""Places for subwoofers and pairs of loudspeakers, as libaula searches them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._library import c_text, check, engine_options, ffi, lib, run, text, texts
from .errors import InputError
from .pickling import without_handle
from .room import Room

__all__ = ["Filter", "Placing", "Sub", "SubSet", "WallArea", "place"]

Point = tuple[float, float, float]

_FORMATS = {"apo": lib.AULA_EQUALISER_APO, "rew": lib.AULA_EQUALISER_REW}


@dataclass(frozen=True)
class Sub:
    """A sub of a set.

    Attributes:
        candidate: index of its place.
        position: m.
        delay: s.
        gain: dB.
        inverted: polarity.
    """

    candidate: int
    position: Point
    delay: float
    gain: float
    inverted: bool


@dataclass(frozen=True)
class SubSet:
    """A set of subs, as all seats hear their sum in bands of a twelfth of an octave.

    Attributes:
        spread: dB: standard deviation of the levels over bands and seats.
        spread_of_seats: dB: over the seats alone, which no equaliser changes.
        output: dB: mean level, with the loudest candidate of the set at a gain of 1.
        pareto: no other set has less spread and more output.
        subs: list of :class:`Sub`.
        seat: index of the seat that a pair of loudspeakers belongs to; None for subs.
    """

    spread: float
    spread_of_seats: float
    output: float
    pareto: bool
    subs: list[Sub]
    seat: Optional[int]


@dataclass(frozen=True)
class Filter:
    """A peaking filter (R. Bristow-Johnson's biquad): Hz, dB, and Q."""

    frequency: float
    gain: float
    q: float


@dataclass(frozen=True)
class WallArea:
    """An area of a wall or an object, of one material and about 1 m wide.

    Attributes:
        wall: "x_min" to "z_max": the side of the air on which it lies.
        material: its name in the room.
        centre: m.
        area: m2.
        change: dB of spread by 1 m2 whose specific admittance rises by 0.1, to first order.
        band: index in ``frequency`` of the band in which it takes the largest part of the energy that
            the walls would absorb alike.
        density: that part over its part of the area of all walls.
    """

    wall: str
    material: str
    centre: Point
    area: float
    change: float
    band: int
    density: float


class Placing:
    """Sets of places by rising spread, from :func:`place`.

    Attributes:
        sets: list of :class:`SubSet`, the best first.
        pareto: those of the Pareto list.
        seats, candidates: [n, 3] m.
        seat_names, candidate_names: their names.
        least_spread: [candidates] dB: least spread, with equal signals, of a set that has the candidate.
        frequency: [bands] Hz: centres.
        levels: [seats, bands] dB, of the first set; of a pair, at its own seat alone.
        mean: [bands] dB, of the first set, averaged over the seats.
        filters: list of :class:`Filter`, the equaliser of the first set.
        preamp, target: dB, of the equaliser.
        walls: list of :class:`WallArea`, by rising change of the spread; empty without ``walls``.
        spacing: m, of the grid.
        duration: s, of the responses.
        scored: number of sets; ``exhaustive`` is False if they were searched greedily.
        difference: dB: largest difference of the first set's levels from those of its own runs.
        warnings: such as for responses that end before they have decayed.
    """

    def __init__(self, handle: Any, is_pair: bool) -> None:
        self._handle, self._is_pair = handle, is_pair
        self._equalisers = {name: str(text(lib.aula_place_equaliser(handle, i))) for name, i in _FORMATS.items()}
        search = ffi.new("struct aula_placing *")
        lib.aula_place_search(handle, search)
        self.spacing: float = search.spacing
        self.duration: float = search.duration
        self.scored: int = int(search.scored)
        self.exhaustive: bool = bool(search.exhaustive)
        self.difference: float = search.difference
        self.preamp: float = search.preamp
        self.target: float = search.target
        seats, candidates = (
            range(lib.aula_place_seat_count(handle)),
            range(lib.aula_place_candidate_count(handle)),
        )
        self.seat_names: list[str] = [str(text(lib.aula_place_seat_name(handle, i))) for i in seats]
        self.candidate_names: list[str] = [str(text(lib.aula_place_candidate_name(handle, i))) for i in candidates]
        self.seats: np.ndarray = self._points(lib.aula_place_seat_position, len(seats))
        self.candidates: np.ndarray = self._points(lib.aula_place_candidate_position, len(candidates))
        self.least_spread: np.ndarray = np.array([lib.aula_place_candidate_spread(handle, i) for i in candidates])
        bands = range(lib.aula_place_band_count(handle))
        self.frequency: np.ndarray = np.array([lib.aula_place_frequency(handle, b) for b in bands])
        self.mean: np.ndarray = np.array([lib.aula_place_mean(handle, b) for b in bands])
        self.levels: np.ndarray = np.array(
            [[lib.aula_place_level(handle, s, b) for b in bands] for s in range(lib.aula_place_level_count(handle))]
        )
        self.sets: list[SubSet] = [self._set(i) for i in range(lib.aula_place_count(handle))]
        self.filters: list[Filter] = [self._filter(i) for i in range(lib.aula_place_filter_count(handle))]
        self.walls: list[WallArea] = [self._wall(i) for i in range(lib.aula_place_wall_count(handle))]
        self.warnings: list[str] = texts(lambda i: lib.aula_place_warning(handle, i))

    @property
    def pareto(self) -> list[SubSet]:
        return [s for s in self.sets if s.pareto]

    def equaliser(self, format: str = "apo") -> str:
        """The text of a file of the equaliser: "apo" for Equalizer APO, "rew" for Room EQ Wizard."""
        if format not in _FORMATS:
            raise InputError(f"format {format!r}: expected apo or rew")
        return self._equalisers[format]

    def __getstate__(self) -> dict[str, Any]:
        return without_handle(self)

    def _points(self, get: Any, count: int) -> np.ndarray:
        at, points = ffi.new("double[3]"), np.empty((count, 3))
        for i in range(count):
            get(self._handle, i, at)
            points[i] = list(at)
        return points

    def _set(self, rank: int) -> SubSet:
        found, sub = ffi.new("struct aula_sub_set *"), ffi.new("struct aula_sub *")
        lib.aula_place_set(self._handle, rank, found)
        subs = []
        for k in range(found.subs):
            lib.aula_place_sub(self._handle, rank, k, sub)
            at = self.candidates[sub.candidate]
            position = (float(at[0]), float(at[1]), float(at[2]))
            subs.append(Sub(sub.candidate, position, sub.delay, sub.gain, bool(sub.inverted)))
        seat = found.seat if self._is_pair else None
        return SubSet(found.spread, found.spread_of_seats, found.output, bool(found.pareto), subs, seat)

    def _filter(self, index: int) -> Filter:
        found = ffi.new("struct aula_filter *")
        lib.aula_place_filter(self._handle, index, found)
        return Filter(found.frequency, found.gain, found.q)

    def _wall(self, index: int) -> WallArea:
        found = ffi.new("struct aula_wall_area *")
        lib.aula_place_wall(self._handle, index, found)
        centre = (found.centre[0], found.centre[1], found.centre[2])
        names = (str(text(found.wall)), str(text(found.material)))
        return WallArea(*names, centre, found.area, found.change, found.band, found.density)

    def __repr__(self) -> str:
        if not self.sets:
            return "<Placing without sets>"
        return (
            f"<Placing: {len(self.sets)} sets of {len(self.candidates)} candidates, least spread "
            f"{self.sets[0].spread:.2f} dB>"
        )


Places = Union[str, Sequence[str], Sequence[Sequence[float]], np.ndarray, None]


def _places(places: Places, what: str) -> Any:
    """The text of places: names, or positions [n, 3] in m."""
    if places is None:
        return ffi.NULL
    if isinstance(places, str):
        said = places
    elif len(places) and all(isinstance(p, str) for p in places):
        said = ",".join(str(p) for p in places)
    else:
        points = np.asarray(places, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 3 or not len(points):
            raise InputError(f"{what} has the shape {points.shape}; expected names, or positions [n, 3] in m")
        said = ";".join(",".join(repr(float(x)) for x in point) for point in points)
    return ffi.new("char[]", c_text(said, what))


def place(
    room: Room,
    subs: Optional[int] = None,
    *,
    seats: Places = None,
    candidates: Places = None,
    facing: Optional[str] = None,
    band: tuple[float, float] = (20.0, 150.0),
    clearance: Optional[float] = None,
    delay: Optional[float] = None,
    gain: Optional[float] = None,
    boost: Optional[float] = None,
    max_frequency: float = 0.0,
    equal: bool = False,
    walls: bool = False,
    progress: Optional[Callable[[float], Any]] = None,
    engine: Optional[str] = None,
    threads: int = 0,
) -> Placing:
    """Searches places, delays and gains for subwoofers, as ``aula place`` does: one wave run for each seat, by
    reciprocity.

    Args:
        subs: 1 to 4; None: 1.
        seats: names of receivers, or positions [n, 3] in m; None: all omnidirectional receivers.
        candidates: names of sources, positions [n, 3] in m, or a text such as "grid 0.3 z=0.2", "walls 0.3" or
            "places.csv"; None: "grid 0.5", 0.2 m above the floor.
        facing: place a pair of loudspeakers instead, in front of a listener at each seat who faces "x", "-x", "y" or "-y".
        band: Hz.
        clearance: m: distance of the places of a grid from walls and objects; None: 0.25.
        delay: s: the longest that is tried, 0 to 0.1; None: 0.02.
        gain: dB: the lowest that is tried, -24 to 0; None: -6.
        boost: dB: the most that the equaliser amplifies, 0 to 12; None: 3.
        max_frequency: Hz, of the grid; 0: that of the room, 700 at most.
        equal: the same signal from all subs, without delays, gains and polarity.
        walls: also rank areas of walls and objects by what an absorber there gains.
        progress, engine, threads: as of :meth:`Room.render`.
    Raises:
        InputError: a choice is out of range, or a place is not in the air of the room.
        KeyboardInterrupt: on Ctrl-C in the main thread, within 0.3 s; the work stops.
    """
    if facing is not None and subs is not None:
        raise InputError("facing places two loudspeakers and subs places subs; use one of them")
    if subs is not None and not 1 <= subs < 2**31:
        raise InputError(f"subs is {subs}; must be from 1 to 4")
    options = engine_options(engine, threads)
    kept = [_places(seats, "seats"), _places(candidates, "candidates")]
    kept.append(ffi.NULL if facing is None else ffi.new("char[]", c_text(facing, "facing")))
    what = ffi.new("struct aula_place_options *")
    lib.aula_place_defaults(what)
    what.seats, what.candidates, what.facing = kept
    what.low, what.high = band
    what.max_frequency, what.equal, what.walls = max_frequency, equal, walls
    if subs is not None:
        what.subs = subs
    given = {"clearance": clearance, "delay": delay, "gain": gain, "boost": boost}
    for name, value in given.items():
        if value is not None:
            setattr(what, name, value)

    def work(callback: Any) -> Any:
        made = ffi.new("struct aula_place **")
        assert len(kept) == 3  # holds the texts of `what`
        check(lib.aula_place_make, made, room._handle, what, options(callback))
        return ffi.gc(made[0], lib.aula_place_close)

    return Placing(run(work, [room._lock], progress), facing is not None)
