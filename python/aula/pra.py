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
        key = (*absorption.items(), "scatters", *scattering.items())
        if key not in self.names:
            name = self.names[key] = f"wall_{len(self.names) + 1}"
            self.definitions[name] = {
                "bands": list(absorption),
                "absorption": list(absorption.values()),
                "scattering": float(np.mean(list(scattering.values()))),
            }
            if len(set(scattering.values())) > 1 and list(scattering) == list(absorption):
                self.definitions[name]["scattering"] = list(scattering.values())
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


def _directed(what: str, directivity: Any) -> dict[str, Any]:
    """Pattern and orientation of a directivity; empty for omni."""
    if directivity is None:
        return {}
    pattern = _PATTERNS.get(round(float(getattr(directivity, "_p", math.nan)), 6))
    if pattern is None:
        raise InputError(
            f"{what}: directivity {type(directivity).__name__} is not supported; use {', '.join(_PATTERNS.values())}"
        )
    if pattern == "omni":
        return {}
    return {"pattern": pattern, "orientation": _orientation(directivity._orientation.unit_vector)}


def _sources(room: Any) -> list[dict[str, Any]]:
    made = []
    for i, source in enumerate(room.sources):
        group = {"name": f"S{i + 1}", "position": np.asarray(source.position, dtype=np.float64)}
        directed = _directed(f"sources[{i}]", getattr(source, "directivity", None))
        if directed:
            group.update(directivity=directed["pattern"], orientation=directed["orientation"])
        made.append(group)
    return made


def _receivers(room: Any) -> list[dict[str, Any]]:
    places = np.asarray(room.mic_array.R, dtype=np.float64).T
    patterns = getattr(room.mic_array, "directivity", None) or [None] * len(places)
    made = []
    for i, (position, pattern) in enumerate(zip(places, patterns)):
        group = {"name": f"R{i + 1}", "position": position}
        directed = _directed(f"microphones[{i}]", pattern)
        if directed:
            group.update(type=directed["pattern"], orientation=directed["orientation"])
        made.append(group)
    return made


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


def convert(room: Any) -> dict[str, Any]:
    """A ``pyroomacoustics.Room`` (ShoeBox, from corners, or of walls as from STL files) as a dict for
    :class:`aula.Room`.

    Absorption and scattering by octave, speed of sound and sampling rate are taken from the room. Both programs define
    absorption as the energy coefficient at random incidence.

    Raises:
        InputError: the room has two dimensions, no sources, no microphones, or an unsupported directivity.
    """
    if room.dim != 3:
        raise InputError(f"the room has {room.dim} dimensions; extrude it first")
    if not room.sources or room.mic_array is None:
        raise InputError("the room has no source or no microphone; call add_source and add_microphone first")
    materials = _Materials(room)
    shape = _shape(room, materials)
    return {
        "room": shape,
        "materials": materials.definitions,
        "air": {"temperature": _temperature(float(room.c)), "losses": room.air_absorption is not None},
        "sources": _sources(room),
        "receivers": _receivers(room),
        "output": {"rate": float(room.fs), "filter": "linear-phase"},
    }


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
    """
    made = Room(convert(room), {"grid.max_frequency": max_frequency, **(settings or {})}, name="pyroomacoustics")
    responses = made.render_all(progress=progress)
    if not aligned:
        return [[r.samples[m] for r in responses] for m in range(len(made.receivers))]
    return [
        [4.0 * np.pi * np.concatenate([np.zeros(DELAY), r.samples[m]]) for r in responses]
        for m in range(len(made.receivers))
    ]
