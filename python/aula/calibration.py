# SPDX-License-Identifier: MIT
"""The absorption of a room's materials from measured responses, as libaula finds it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._library import c_text, check, engine_options, ffi, lib, run, text, texts
from .errors import InputError
from .files import file_name, write_texts
from .metrics import METRICS, Metrics
from .pickling import RoomRecipe, without_handle
from .room import Room

__all__ = ["Calibration", "Combination", "Residuals", "calibrate"]

_PARAMETERS = ("T20", "T30", "EDT", "C80")


@dataclass(frozen=True)
class Residuals:
    """A parameter where it was measured, s or dB: arrays [octaves, measured], NaN where it is missing.

    Attributes:
        measured, prior, calibrated: values: measured, and of the room before and after.
        jnd: calibrated less measured, in just noticeable differences.
    """

    measured: np.ndarray
    prior: np.ndarray
    calibrated: np.ndarray
    jnd: np.ndarray


@dataclass(frozen=True)
class Combination:
    """A combination of the materials' ln(-ln(1 - absorption)), each in units of its prior deviation.

    Attributes:
        remaining: share of the prior's deviation that the data leave.
        weights: [materials] of unit length.
    """

    remaining: float
    weights: np.ndarray


@dataclass(frozen=True)
class _Kept:
    """What a pickle keeps of a calibration in place of its handle."""

    combinations: list[list[Combination]]
    room: RoomRecipe
    text: str


class Calibration:
    """Absorption coefficients with intervals of 95 %, from :func:`calibrate`. Arrays are [octaves, materials].

    Attributes:
        octaves: [octaves] Hz: centres.
        by_waves: [octaves] True: the wave solver; False: rays.
        materials: names.
        absorption, low, high: the result and its interval.
        prior, prior_low, prior_high: of the room file, and of measured coefficients in general.
        remaining: share of the prior's deviation that remains.
        told: False where the data tell nothing of a material by itself.
        data, chi_squared: [octaves] measured parameters that count, and their misfit: about ``data`` where the model fits.
        receivers: names of the receivers that were measured.
        held_out: [measured] True: compared, and not fitted.
        residuals: dict of :class:`Residuals` by parameter, such as "T20".
        settled: False if the search has not settled, and the intervals are doubtful.
        evaluations: of the room.
        warnings: such as what the data cannot tell.
    """

    def __init__(self, handle: Any, room: Room, receivers: list[str], held_out: list[bool]) -> None:
        self._handle, self._name = handle, room.name
        self._kept: Optional[_Kept] = None
        octaves = range(lib.aula_calibration_octave_count(handle))
        materials = range(lib.aula_calibration_material_count(handle))
        about, value = ffi.new("struct aula_calibrated_octave *"), ffi.new("struct aula_calibrated *")
        self.materials: list[str] = [str(text(lib.aula_calibration_material_name(handle, m))) for m in materials]
        self.octaves: np.ndarray = np.empty(len(octaves))
        self.by_waves: np.ndarray = np.empty(len(octaves), dtype=bool)
        self.data: np.ndarray = np.empty(len(octaves), dtype=int)
        self.chi_squared: np.ndarray = np.empty(len(octaves))
        numbers = {
            name: np.empty((len(octaves), len(materials)))
            for name in ("value", "low", "high", "prior", "prior_low", "prior_high", "remaining")
        }
        self.told: np.ndarray = np.empty((len(octaves), len(materials)), dtype=bool)
        for k in octaves:
            lib.aula_calibration_octave(handle, k, about)
            self.octaves[k], self.by_waves[k] = about.centre, bool(about.by_waves)
            self.data[k], self.chi_squared[k] = about.data, about.chi_squared
            for m in materials:
                lib.aula_calibration_absorption(handle, k, m, value)
                self.told[k, m] = bool(value.told)
                for name, array in numbers.items():
                    array[k, m] = getattr(value, name)
        self.absorption: np.ndarray = numbers["value"]
        self.low: np.ndarray = numbers["low"]
        self.high: np.ndarray = numbers["high"]
        self.prior: np.ndarray = numbers["prior"]
        self.prior_low: np.ndarray = numbers["prior_low"]
        self.prior_high: np.ndarray = numbers["prior_high"]
        self.remaining: np.ndarray = numbers["remaining"]
        self.receivers = receivers
        self.held_out: np.ndarray = np.array(held_out, dtype=bool)
        self.residuals: dict[str, Residuals] = {}
        for name in _PARAMETERS:
            found = self._residuals(name)
            if found is not None:
                self.residuals[name] = found
        self.settled: bool = bool(lib.aula_calibration_settled(handle))
        self.evaluations: int = lib.aula_calibration_evaluations(handle)
        self.warnings: list[str] = texts(lambda i: lib.aula_calibration_warning(handle, i))

    def _residuals(self, parameter: str) -> Optional[Residuals]:
        one = ffi.new("struct aula_residual *")
        all_ = np.empty((4, len(self.octaves), len(self.receivers)))
        for k in range(len(self.octaves)):
            for i in range(len(self.receivers)):
                if lib.aula_calibration_residual(self._handle, k, i, METRICS[parameter][0], one):
                    return None
                all_[:, k, i] = one.measured, one.prior, one.calibrated, one.jnd
        return Residuals(*all_)

    def combinations(self, octave: int) -> list[Combination]:
        """The combinations of materials in an octave, by index, that the data tell best, the best first."""
        if self._kept is not None:
            return list(self._kept.combinations[octave])
        if not 0 <= octave < len(self.octaves):
            raise IndexError(f"octave {octave}: there are only {len(self.octaves)}, counted from 0")
        found, left = [], ffi.new("double *")
        weights = ffi.new("double[]", len(self.materials))
        for n in range(len(self.materials)):
            lib.aula_calibration_combination(self._handle, octave, n, left, weights)
            found.append(Combination(left[0], np.array(list(weights))))
        return found

    def __getstate__(self) -> dict[str, Any]:
        kept = self._kept
        if kept is None:
            with tempfile.TemporaryDirectory(prefix="aula-calibration-") as folder:
                self.write(os.path.join(folder, "room.cfg"))
                with open(os.path.join(folder, "room.cfg"), encoding="utf-8") as file:
                    said = file.read()
            kept = _Kept([self.combinations(k) for k in range(len(self.octaves))], self.room()._recipe(), said)
        return {**without_handle(self), "_kept": kept}

    def room(self) -> Room:
        """The room with the calibrated absorption, which can be rendered."""
        if self._kept is not None:
            return self._kept.room.open()

        def work(_callback: Any) -> Any:
            made = ffi.new("struct aula_room **")
            check(lib.aula_calibration_room, made, self._handle, path=self._name)
            return ffi.gc(made[0], lib.aula_room_close)

        return Room._of_handle(run(work), self._name)

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the room file with the calibrated absorption, as ``aula calibrate -o path`` does; settings are not
        included."""
        if self._kept is not None:
            write_texts({os.fsdecode(file_name(path)): self._kept.text})
            return
        name = file_name(path)
        run(lambda _callback: check(lib.aula_calibration_write, self._handle, name, path=os.fsdecode(name)))

    def __repr__(self) -> str:
        return (
            f"<Calibration of {', '.join(self.materials)} in {len(self.octaves)} octaves by {len(self.receivers)} "
            f"receivers{'' if self.settled else ', not settled'}>"
        )


Measured = Union[Metrics, Mapping[str, Union[Metrics, tuple[Metrics, int]]]]


def _by_receiver(room: Room, measured: Measured) -> list[tuple[str, Metrics, int]]:
    names = [r.name for r in room.receivers]
    if isinstance(measured, Metrics):
        named = [(c, i) for i, c in enumerate(measured.channels) if c in names]
        if not named and len(measured.channels) != len(names):
            raise InputError(
                f"measured has {len(measured.channels)} channels without the names of receivers, and the room has "
                f"{len(names)} receivers; pass a dict of receivers and metrics"
            )
        return [(c, measured, i) for c, i in named] or [(c, measured, i) for i, c in enumerate(names)]
    found = []
    for name, one in measured.items():
        metrics, channel = one if isinstance(one, tuple) else (one, 0)
        if name not in names:
            raise InputError(f"measured {name!r}: the room has only the receivers {', '.join(names)}")
        if not isinstance(metrics, Metrics):
            raise InputError(f"measured {name!r} is a {type(metrics).__name__}; expected Metrics")
        found.append((name, metrics, channel))
    return found


def _list(values: Union[str, Sequence[Any], None], what: str) -> Any:
    if values is None:
        return ffi.NULL
    said = values if isinstance(values, str) else ",".join(v if isinstance(v, str) else f"{v:g}" for v in values)
    return ffi.new("char[]", c_text(said, what))


def calibrate(
    room: Room,
    measured: Measured,
    *,
    hold_out: Sequence[str] = (),
    source: Union[int, str] = 0,
    materials: Optional[Sequence[str]] = None,
    parameters: Sequence[str] = ("T20",),
    octaves: Optional[Sequence[float]] = None,
    progress: Optional[Callable[[float], Any]] = None,
    engine: Optional[str] = None,
    threads: int = 0,
) -> Calibration:
    """Finds the absorption by which a room has the measured parameters, as ``aula calibrate`` does.

    Args:
        room: a room from a file, a text or a dict. Octaves above its grid's valid band come from rays.
        measured: metrics of measured responses by the name of the receiver, such as ``{"left": aula.measure_file("l.wav")}``,
            of their first channel or of a tuple (metrics, channel); or the metrics of one response, whose channels belong to
            the receivers by their names, else in their order.
        hold_out: receivers that are compared with the calibrated room and not fitted.
        source: number or name of the source that was measured.
        materials: names of those to calibrate; None: those with absorption that cover 1 % of the surface.
        parameters: of "T20", "T30", "EDT" and "C80".
        octaves: Hz; None: all that were measured.
        progress, engine, threads: as of :meth:`Room.render`.
    Raises:
        InputError: the data or the choices do not fit the room.
        KeyboardInterrupt: on Ctrl-C in the main thread, within 0.3 s; the work stops.
    """
    data = _by_receiver(room, measured)
    names = [name for name, _, _ in data]
    for name in hold_out:
        if name not in names:
            raise InputError(f"hold_out {name!r}: nothing was measured there")
    options = engine_options(engine, threads)
    given = ffi.new("struct aula_measured[]", max(len(data), 1))
    receivers = [r.name for r in room.receivers]
    for one, (name, metrics, channel) in zip(given, data):
        if not 0 <= channel < len(metrics.channels):
            raise InputError(f"measured {name!r}: channel {channel} of only {len(metrics.channels)}, counted from 0")
        one.metrics, one.channel = metrics._handle, channel
        one.receiver, one.held_out = receivers.index(name), name in hold_out
    kept = [
        _list(materials, "materials"),
        _list([p.lower() for p in parameters], "parameters"),
        _list(octaves, "octaves"),
    ]
    what = ffi.new("struct aula_calibration_options *")
    what.source = room._source_index(source)
    what.materials, what.parameters, what.octaves = kept

    def work(callback: Any) -> Any:
        made = ffi.new("struct aula_calibration **")
        assert len(kept) == 3  # holds the texts of `what`
        check(lib.aula_calibrate, made, room._handle, given, len(data), what, options(callback), path=room.name)
        return ffi.gc(made[0], lib.aula_calibration_close)

    handle = run(work, [room._lock], progress)
    return Calibration(handle, room, names, [name in hold_out for name in names])
