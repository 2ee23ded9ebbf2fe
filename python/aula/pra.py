# SPDX-License-Identifier: MIT
"""Renders rooms of pyroomacoustics (Scheibler, Bezzam and Dokmanic, ICASSP 2018) with the wave solver.

    import pyroomacoustics, aula.pra

    room = pyroomacoustics.ShoeBox([5, 4, 3], fs=16000, materials=pyroomacoustics.Material(0.2))
    room.add_source([1, 1, 1.5])
    room.add_microphone([3, 2.5, 1.2])
    room.rir = aula.pra.render(room, max_frequency=1000)    # [microphone][source], as after compute_rir

This module does not import pyroomacoustics; it reads the attributes of its rooms.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Optional

import numpy as np

from .errors import InputError
from .room import Room
from .shapes import Mesh

__all__ = ["convert", "render", "DELAY"]

#: Frames by which pyroomacoustics delays its responses: half the length of its fractional delay filters (81 taps).
DELAY = 40

_WALLS = {"west": "x_min", "east": "x_max", "south": "y_min", "north": "y_max", "floor": "z_min", "ceiling": "z_max"}
_PATTERNS = {1.0: "omni", 0.5: "cardioid", 0.25: "hypercardioid", 0.0: "figure_of_eight"}


class _Materials:
    """Definitions of materials; walls with equal properties share one."""

    def __init__(self, room: Any) -> None:
        self.centres = [float(f) for f in room.octave_bands.centers]
        self.names: dict[tuple[Any, ...], str] = {}
        self.definitions: dict[str, dict[str, Any]] = {}

    def of(self, wall: Any) -> str:
        absorption, scattering = self._octaves(wall.absorption), self._octaves(wall.scatter)
        if np.size(wall.absorption) == 1 and np.size(wall.scatter) > 1:  # a single number applies to all octaves
            absorption = dict.fromkeys(scattering, absorption[63.0])
        elif np.size(wall.scatter) == 1:
            scattering = dict.fromkeys(absorption, scattering[63.0])
        key = (*absorption.items(), "scatters", *scattering.items())
        if key not in self.names:
            name = self.names[key] = f"wall_{len(self.names) + 1}"
            self.definitions[name] = {
                "bands": list(absorption),
                "absorption": list(absorption.values()),
                "scattering": list(scattering.values()),
            }
            if len(set(scattering.values())) == 1:
                self.definitions[name]["scattering"] = next(iter(scattering.values()))
        return self.names[key]

    def _octaves(self, values: Any) -> dict[float, float]:
        """Values of the octaves that both programs have; a single number applies to all octaves."""
        given = np.asarray(values, dtype=np.float64).ravel()
        known = [63.0, 125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0]
        if len(given) == 1:
            return dict.fromkeys(known, round(float(given[0]), 7))  # pyroomacoustics stores single precision
        if len(given) != len(self.centres):
            raise InputError(f"a wall has {len(given)} values for {len(self.centres)} octaves; expected one per octave")
        found = {f: round(float(v), 7) for f, v in zip(self.centres, given) if f in known}
        if not found:
            raise InputError(f"octaves at {self.centres} Hz are not supported; use the default, 125 Hz to 8 kHz")
        return found


def _orientation(vector: Any) -> list[float]:
    """yaw, pitch and roll in degrees for a view direction along the vector."""
    x, y, z = (float(v) for v in np.asarray(vector).ravel())
    return [math.degrees(math.atan2(y, x)), -math.degrees(math.atan2(z, math.hypot(x, y))), 0.0]


#: A sum of patterns that aula has, each with its weight.
_Parts = list[tuple[float, str]]


def _parts(what: str, directivity: Any) -> _Parts:
    """A pattern of first order, p + (1 - p) cos, as a sum: by itself where aula has it, else of omni and figure of
    eight."""
    if directivity is None:
        return [(1.0, "omni")]
    p, gain = float(getattr(directivity, "_p", math.nan)), float(getattr(directivity, "_gain", 1.0))
    if not 0.0 <= p <= 1.0:
        raise InputError(
            f"{what}: directivity {type(directivity).__name__} is not supported; use one of the cardioid family"
        )
    named = _PATTERNS.get(round(p, 6))
    if named is not None:
        return [(gain, named)]
    return [(gain * p, "omni"), (gain * (1.0 - p), "figure_of_eight")]


def _group(name: str, place: Any, pattern: str, directivity: Any, key: str) -> dict[str, Any]:
    """A source or receiver; `key` is that of its pattern."""
    group: dict[str, Any] = {"name": name, "position": np.asarray(place, dtype=np.float64).ravel()}
    if pattern != "omni":
        group[key] = pattern
        group["orientation"] = _orientation(directivity._orientation.unit_vector)
    return group


class _Terms:
    """Sources or receivers of aula, and of which of them each of pyroomacoustics is the weighted sum."""

    def __init__(self, letter: str, what: str, key: str, places: Any, directivities: Any) -> None:
        self.groups: list[dict[str, Any]] = []
        self.sums: list[list[tuple[float, str]]] = []  # (weight, name)
        for i, (place, directivity) in enumerate(zip(places, directivities)):
            parts = _parts(f"{what}[{i}]", directivity)
            names = [f"{letter}{i + 1}" + ("_eight" if k else "") for k in range(len(parts))]
            self.groups += [_group(n, place, pattern, directivity, key) for n, (_, pattern) in zip(names, parts)]
            self.sums.append([(weight, n) for n, (weight, _) in zip(names, parts)])


def _sources(room: Any) -> _Terms:
    return _Terms(
        "S",
        "sources",
        "directivity",
        [source.position for source in room.sources],
        [getattr(source, "directivity", None) for source in room.sources],
    )


def _receivers(room: Any) -> _Terms:
    places = np.asarray(room.mic_array.R, dtype=np.float64).T
    patterns = getattr(room.mic_array, "directivity", None) or [None] * len(places)
    return _Terms("R", "microphones", "type", places, patterns)


def _temperature(speed: float) -> float:
    """Temperature in degrees Celsius for a speed of sound in m/s, by aula's c = 343.2 sqrt(T / 293.15 K)."""
    return (speed / 343.2) ** 2 * 293.15 - 273.15


def _shape(room: Any, materials: _Materials) -> dict[str, Any]:
    size = getattr(room, "shoebox_dim", None)
    if size is not None:
        walls = {_WALLS[wall.name]: materials.of(wall) for wall in room.walls}
        return {"size": np.asarray(size, dtype=np.float64), "walls": walls}
    vertices: list[np.ndarray] = []
    faces, names = [], []
    for wall in room.walls:
        corners = np.asarray(wall.corners, dtype=np.float64).T
        faces.append(np.arange(len(corners)) + len(vertices))
        names.append(materials.of(wall))
        vertices.extend(corners.round(6))  # single precision: makes equal corners equal again
    return {"geometry": Mesh(np.array(vertices), faces, names)}


_AFTER = 0.008  # s: of an anechoic response after the last direct sound


def _is_anechoic(room: Any) -> bool:
    return any(base.__name__ == "AnechoicRoom" for base in type(room).__mro__)


def _free_field(made: dict[str, Any]) -> dict[str, Any]:
    """A box around sources and receivers whose walls no sound reaches and leaves within the response."""
    sources, receivers = (np.array([g["position"] for g in made[key]]) for key in ("sources", "receivers"))
    farthest = max(float(np.linalg.norm(s - r)) for s in sources for r in receivers)
    speed = 343.2 * math.sqrt((made["air"]["temperature"] + 273.15) / 293.15)
    duration = farthest / speed + _AFTER
    margin = 0.55 * speed * duration  # the way to a wall and back is longer than the response
    places = np.concatenate([sources, receivers])
    corner = places.min(axis=0) - margin
    for group in made["sources"] + made["receivers"]:
        group["position"] = group["position"] - corner
    size = places.max(axis=0) + margin - corner
    return {
        **made,
        "room": {"size": size, "walls": {"default": "rigid"}},
        "materials": {},
        "time": {"duration": duration},
        "hybrid": {"order": 0, "rays": 0},
    }


_NEEDED = ("dim", "walls", "sources", "mic_array", "fs", "c")  # of a room of pyroomacoustics


def _check_kind(room: Any) -> None:
    if isinstance(room, Room):
        raise TypeError("room is an aula.Room; call its own method, room.render()")
    if not all(hasattr(room, name) for name in _NEEDED):
        raise TypeError(
            f"room is a {type(room).__name__}; expected a room of pyroomacoustics, such as pyroomacoustics.ShoeBox"
        )


_LONG = 10.0  # s: time.max_duration, at which a response of automatic length ends


def _check_decay(made: Room) -> None:
    """Refuses a room in which sound does not decay, and warns of a very long decay, by Sabine's formula."""
    areas = np.array([wall.area for wall in made.walls])
    absorption = np.array([np.zeros(8) if wall.kind == "rigid" else wall.asked for wall in made.walls])
    area = float((areas[:, np.newaxis] * absorption).sum(axis=0)[1:].min())  # m2, from 125 Hz on
    remedy = "or the length of the response, such as settings={'time.duration': 0.5}"
    if area == 0.0:
        raise InputError(
            "the walls absorb nothing, so the sound would not decay (pyroomacoustics ends at max_order); give the room "
            f"materials, such as materials=pyroomacoustics.Material(0.2), {remedy}"
        )
    decay = 0.161 * made.volume / area
    if decay > _LONG:
        warnings.warn(
            f"the walls absorb so little that sound decays in about {decay:.0f} s; the response ends after {_LONG:g} s, "
            f"which takes long to compute; give the room more absorption, {remedy}",
            stacklevel=3,
        )


def convert(room: Any) -> dict[str, Any]:
    """A ``pyroomacoustics.Room`` (ShoeBox, from corners, or of walls as from STL files) as a dict for
    :class:`aula.Room`.

    Sources and microphones may have any pattern of first order. One that aula does not have, such as a sub-cardioid, is
    a sum of two sources or receivers, S1 and S1_eight, which :func:`render` adds with their weights. An ``AnechoicRoom``
    becomes a rigid box so large that no reflection returns within the response. Absorption and scattering by octave, speed of sound and sampling rate are taken from the room. Both programs define
    absorption as the energy coefficient at random incidence.

    Raises:
        InputError: the room has two dimensions, no sources, no microphones, or an unsupported directivity.
        TypeError: it is not a room of pyroomacoustics.
    """
    _check_kind(room)
    if room.dim != 3:
        raise InputError(f"the room has {room.dim} dimensions; extrude it first")
    if not room.sources or room.mic_array is None:
        raise InputError("the room has no source or no microphone; call add_source and add_microphone first")
    made = {
        "air": {"temperature": _temperature(float(room.c)), "losses": room.air_absorption is not None},
        "sources": _sources(room).groups,
        "receivers": _receivers(room).groups,
        "output": {"rate": float(room.fs), "filter": "linear-phase"},
    }
    if _is_anechoic(room):
        return _free_field(made)
    materials = _Materials(room)
    return {"room": _shape(room, materials), "materials": materials.definitions, **made}


def _sum(terms: list[tuple[float, str]], parts: Mapping[str, np.ndarray]) -> np.ndarray:
    total = np.zeros(max(len(parts[name]) for _, name in terms))
    for weight, name in terms:
        total[: len(parts[name])] += weight * parts[name]
    return total


def render(
    room: Any,
    max_frequency: float = 1000.0,
    settings: Optional[Mapping[str, Any]] = None,
    *,
    progress: Optional[Callable[[float], Any]] = None,
    aligned: bool = True,
) -> list[list[np.ndarray]]:
    """Hybrid impulse responses of a ``pyroomacoustics.Room``: the wave solver up to max_frequency (Hz), image sources
    and rays above.

    Args:
        settings: keys of aula to change, such as ``{"hybrid.full": False, "time.duration": 0.5}``.
        progress: called with the completed fraction, 0..1, for each source.
        aligned: match ``compute_rir``, with a delay of :data:`DELAY` frames and a level of 1 / r; otherwise frame 0 is
            the instant of emission and the level is 1 / (4 pi r).
    Returns:
        [microphone][source] arrays of frames at room.fs.
    Raises:
        InputError: as :func:`convert`, or the walls absorb nothing and the settings have no time.duration.
        TypeError: it is not a room of pyroomacoustics.
    Warns:
        UserWarning: sound decays in more than 10 s.
    """
    made = Room(convert(room), {"grid.max_frequency": max_frequency, **(settings or {})}, name="pyroomacoustics")
    if "time.duration" not in (settings or {}) and not _is_anechoic(room):
        _check_decay(made)
    parts = {response.source: response for response in made.render_all(progress=progress)}
    channels = {name: c for c, name in enumerate(made.channels)}
    found = []
    for microphone in _receivers(room).sums:
        row = []
        for source in _sources(room).sums:
            by_source = {
                str(name): _sum(microphone, {r: response.samples[channels[r]] for r in channels})
                for name, response in parts.items()
            }
            total = _sum(source, by_source)
            row.append(4.0 * np.pi * np.concatenate([np.zeros(DELAY), total]) if aligned else total)
        found.append(row)
    return found
