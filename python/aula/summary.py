# SPDX-License-Identifier: MIT
"""Summaries of the data sets that ``aula batch`` makes, as libaula computes them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from ._library import check, ffi, lib, run, text, texts
from .files import file_name
from .pickling import without_handle

__all__ = ["Spread", "Summary", "summarize"]

_COUNTS = ("rooms", "partly_valid", "unmeasured", "incomplete")
_NUMBERS = ("mean", "deviation", "low", "high", "minimum", "maximum")
_EFFECTS = ("correlation", "share", "chance")


@dataclass(frozen=True)
class Spread:
    """The spread of a parameter over the rooms of a data set. Arrays are [octaves], 63 Hz to 8 kHz, or [1] for a single
    number of the whole response.

    Attributes:
        name, unit: such as "t30" and "s".
        line: one sentence about 500 Hz, or the nearest octave with rooms.
        rooms: with a value.
        partly_valid: without, because the octave is valid only in part or not at all.
        unmeasured: without, for other reasons.
        incomplete: with, though some sources or receivers lack it.
        mean, deviation, minimum, maximum: in the unit; NaN without rooms.
        low, high: 2.5 and 97.5 %; NaN below 40 rooms.
        correlation: [keys, octaves] Spearman's rank correlation with each key; NaN for a choice.
        share: [keys, octaves] share of the variance, 0..1; NaN: missing.
        chance: [keys, octaves] probability of such a share if key and parameter are independent.
        stands_out: [keys, octaves] whether the share is larger than chance explains.
        missing: [keys][octaves] reasons why a share is missing; "" if it is not.
    """

    name: str
    unit: str
    line: str
    rooms: np.ndarray
    partly_valid: np.ndarray
    unmeasured: np.ndarray
    incomplete: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    low: np.ndarray
    high: np.ndarray
    minimum: np.ndarray
    maximum: np.ndarray
    correlation: np.ndarray
    share: np.ndarray
    chance: np.ndarray
    stands_out: np.ndarray
    missing: list[list[str]]


class Summary:
    """The spread of all parameters over the finished rooms of a data set, from :func:`summarize`. ``summary["t30"]`` is a
    :class:`Spread`.

    Attributes:
        rooms, done: number of rooms of the plan, and of finished ones.
        keys: names of what varies: keys, components such as "room.size[0]", or "base".
        varies: [keys] whether a key has different values in the finished rooms.
        parameters: dict of :class:`Spread` by name.
        together: (key, key, association) of keys that vary together, so that their shares overlap.
        warnings: such as rooms without a value.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self.rooms: int = lib.aula_summary_room_count(handle)
        self.done: int = lib.aula_summary_done_count(handle)
        self.keys: list[str] = texts(lambda k: lib.aula_summary_key_name(handle, k))
        self.varies: list[bool] = [bool(lib.aula_summary_key_varies(handle, k)) for k in range(len(self.keys))]
        spreads = [self._spread(i) for i in range(lib.aula_summary_parameter_count(handle))]
        self.parameters: dict[str, Spread] = {spread.name: spread for spread in spreads}
        self.together: list[tuple[str, str, float]] = []
        pair = ffi.new("size_t[2]")
        while (association := lib.aula_summary_together(handle, len(self.together), pair)) == association:  # not NaN
            self.together.append((self.keys[pair[0]], self.keys[pair[1]], association))
        self.warnings: list[str] = texts(lambda i: lib.aula_summary_warning(handle, i))

    def _spread(self, parameter: int) -> Spread:
        handle, octaves = self._handle, lib.aula_summary_octave_count(self._handle, parameter)
        one, effect = ffi.new("struct aula_spread *"), ffi.new("struct aula_effect *")
        counts = {name: np.empty(octaves, dtype=int) for name in _COUNTS}
        numbers = {name: np.empty(octaves) for name in _NUMBERS}
        effects = {name: np.empty((len(self.keys), octaves)) for name in _EFFECTS}
        stands_out = np.empty((len(self.keys), octaves), dtype=bool)
        missing = [[""] * octaves for _ in self.keys]
        for b in range(octaves):
            lib.aula_summary_spread(handle, parameter, b, one)
            for name, array in {**counts, **numbers}.items():
                array[b] = getattr(one, name)
            for k in range(len(self.keys)):
                lib.aula_summary_effect(handle, parameter, b, k, effect)
                stands_out[k, b] = bool(effect.stands_out)
                missing[k][b] = str(text(effect.missing))
                for name, array in effects.items():
                    array[k, b] = getattr(effect, name)
        return Spread(
            str(text(lib.aula_summary_parameter_name(handle, parameter))),
            str(text(lib.aula_summary_parameter_unit(handle, parameter))),
            str(text(lib.aula_summary_line(handle, parameter))),
            **counts,
            **numbers,
            **effects,
            stands_out=stands_out,
            missing=missing,
        )

    def __getstate__(self) -> dict[str, Any]:
        return without_handle(self)

    def __getitem__(self, parameter: str) -> Spread:
        if parameter not in self.parameters:
            raise KeyError(f"unknown parameter {parameter!r}; expected one of {', '.join(self.parameters)}")
        return self.parameters[parameter]

    def __str__(self) -> str:
        return "\n".join(spread.line for spread in self.parameters.values())

    def __repr__(self) -> str:
        return f"<Summary of {self.done} of {self.rooms} rooms, {len(self.keys)} keys>"


def summarize(plan: Union[str, "os.PathLike[str]"], folder: Union[str, "os.PathLike[str]"]) -> Summary:
    """Summarizes the finished rooms of a data set, as ``aula batch --summary`` does, without rendering any.

    Args:
        plan: the plan's file.
        folder: the folder that ``aula batch plan -o folder`` has filled.
    Raises:
        InputError: the folder is that of another plan, or no data set.
        AulaError: no room is finished.
    """
    names = [file_name(plan), file_name(folder)]

    def work(_callback: Any) -> Any:
        made = ffi.new("struct aula_summary **")
        check(lib.aula_summary_make, made, *names, path=os.fsdecode(names[1]))
        return ffi.gc(made[0], lib.aula_summary_close)

    return Summary(run(work))
