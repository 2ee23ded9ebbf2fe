# SPDX-License-Identifier: MIT
"""Speech in open-plan offices by ISO 3382-3, as libaula computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from ._library import check, ffi, lib, run, text, texts
from .errors import InputError
from .metrics import Metrics
from .pickling import without_handle

__all__ = ["OpenPlan", "open_plan"]

_VALUES: dict[str, int] = {
    "decay_rate": lib.AULA_DECAY_RATE,
    "level_4m": lib.AULA_LEVEL_4M,
    "comfort_distance": lib.AULA_COMFORT_DISTANCE,
    "distraction_distance": lib.AULA_DISTRACTION_DISTANCE,
    "privacy_distance_2012": lib.AULA_PRIVACY_DISTANCE_2012,
    "background_level": lib.AULA_BACKGROUND_LEVEL,
}


class OpenPlan:
    """Parameters of speech along a line of places, from :func:`open_plan`. A value is NaN if it is missing;
    :meth:`missing` returns the reason.

    Attributes:
        decay_rate: D2,S, decay of the level of speech for a doubling of the distance, dB.
        level_4m: Lp,A,S,4m, level of speech at 4 m, dB(A).
        comfort_distance: rC, speech of 45 dB(A), m.
        distraction_distance: rD, speech transmission index of 0.50, m.
        privacy_distance_2012: rP, speech transmission index of 0.20 (ISO 3382-3:2012), m.
        background_level: Lp,A,B, dB(A).
        distances: [places] m from the source.
        level: [places] level of speech, dB(A).
        octaves: [places, 7] level of speech by octave, 125 Hz to 8 kHz, dB.
        sti: [places] speech transmission index in the noise.
        place_missing: [places] reasons why a level or an index is missing; "" if none is.
        warnings: such as for too few places, or an extrapolated distance.
    """

    def __init__(self, handle: Any, distances: np.ndarray) -> None:
        self._handle = handle
        self.distances = distances
        places = range(lib.aula_open_plan_count(handle))
        self.decay_rate: float = self._value("decay_rate")
        self.level_4m: float = self._value("level_4m")
        self.comfort_distance: float = self._value("comfort_distance")
        self.distraction_distance: float = self._value("distraction_distance")
        self.privacy_distance_2012: float = self._value("privacy_distance_2012")
        self.background_level: float = self._value("background_level")
        self.level: np.ndarray = np.array([lib.aula_open_plan_level(handle, i) for i in places])
        self.sti: np.ndarray = np.array([lib.aula_open_plan_sti(handle, i) for i in places])
        self.octaves: np.ndarray = np.array(
            [[lib.aula_open_plan_octave(handle, i, k) for k in range(lib.AULA_SPEECH_OCTAVES)] for i in places]
        )
        self.place_missing: list[str] = [str(text(lib.aula_open_plan_place_missing(handle, i))) for i in places]
        self.warnings: list[str] = texts(lambda i: lib.aula_open_plan_warning(handle, i))
        self._missing = {name: str(text(lib.aula_open_plan_missing(handle, i))) for name, i in _VALUES.items()}

    def __getstate__(self) -> dict[str, Any]:
        return without_handle(self)

    def _value(self, name: str) -> float:
        return float(lib.aula_open_plan_value(self._handle, _VALUES[name]))

    def missing(self, name: str) -> str:
        """The reason why a value, such as "comfort_distance", is NaN; "" if it is not."""
        if name not in _VALUES:
            raise KeyError(f"unknown value {name!r}; expected one of {', '.join(_VALUES)}")
        return self._missing[name]

    def __repr__(self) -> str:
        return (
            f"<OpenPlan of {len(self.distances)} places: D2,S {self.decay_rate:.1f} dB, Lp,A,S,4m "
            f"{self.level_4m:.1f} dB(A), rC {self.comfort_distance:.1f} m, rD {self.distraction_distance:.1f} m>"
        )


def open_plan(metrics: Union[Metrics, Sequence[Metrics]], distances: Any, noise: Any = None) -> OpenPlan:
    """Spatial decay of speech, comfort and distraction distance of an open-plan office by ISO 3382-3:2022, as ``aula
    open-plan`` computes them. Source and receivers are 1.2 m high, and the source is omnidirectional.

    Args:
        metrics: of calibrated responses to one source, from :meth:`Response.metrics` or :func:`measure_file`. Each
            channel is a place on a line from the source.
        distances: [places] m from the source, of all channels in their order.
        noise: background noise in dB: 7 octaves, 125 Hz to 8 kHz, or 8 from 63 Hz on; None: none.
    Raises:
        InputError: a response is not calibrated, or distances or noise are out of range.
    """
    given = [metrics] if isinstance(metrics, Metrics) else list(metrics)
    for i, one in enumerate(given):
        if not isinstance(one, Metrics):
            raise InputError(f"metrics[{i}] is a {type(one).__name__}; expected Metrics")
    channels = [(m._handle, c) for m in given for c in range(len(m.channels))]
    metres = np.array(distances, dtype=np.float64, ndmin=1)
    if metres.shape != (len(channels),):
        raise InputError(
            f"distances has the shape {metres.shape}; expected one of each of the {len(channels)} channels"
        )
    levels = np.ascontiguousarray([] if noise is None else noise, dtype=np.float64)
    if levels.ndim != 1 or (noise is not None and not levels.size):
        raise InputError("noise: expected 7 levels, 125 Hz to 8 kHz, or 8 from 63 Hz on")
    places = ffi.new("struct aula_open_plan_place[]", len(channels))
    for place, (handle, channel), distance in zip(places, channels, metres):
        place.metrics, place.channel, place.distance = handle, channel, distance

    def work(_callback: Any) -> Any:
        made = ffi.new("struct aula_open_plan **")
        pointer: Optional[Any] = ffi.NULL if noise is None else ffi.from_buffer("double[]", levels)
        check(lib.aula_open_plan_make, made, places, len(channels), pointer, levels.size)
        return ffi.gc(made[0], lib.aula_open_plan_close)

    return OpenPlan(run(work), metres)
