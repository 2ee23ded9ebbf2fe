# SPDX-License-Identifier: MIT
"""A material by itself, as ``aula material`` shows it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Optional, Union

import numpy as np

from ._library import c_text, check, ffi, lib, run, texts
from .errors import InputError
from .files import file_name
from .materials import OCTAVES
from .text import setting_text

__all__ = ["MaterialAcoustics", "material"]

_INCIDENCES = (lib.AULA_NORMAL, lib.AULA_RANDOM, lib.AULA_RANDOM_ALONG)


class MaterialAcoustics:
    """Absorption, admittance and resonances of a material, from :func:`material`.

    Attributes:
        name: of the material, or its layers in words.
        layers: the number of its layers; 0: it has none.
        depth: of the layers, m; NaN without any.
        normal: [octaves] absorption at normal incidence, means over :data:`OCTAVES`.
        random: [octaves] absorption of sound from all angles, of a wall that reacts locally, as walls of aula do.
        random_along: [octaves] the same of sound that also propagates along the layers; NaN without layers.
        resonances: [resonances, 3] frequency in Hz, absorption at normal incidence, and Q, 20 Hz to 20 kHz.
        warnings: limits of the result.
    """

    def __init__(self, handle: Any, name: str, asked: tuple[Any, ...] = ()) -> None:
        self._handle = handle
        self._asked = asked
        self.name = name
        self.layers: int = int(lib.aula_material_layer_count(handle))
        self.depth: float = float(lib.aula_material_depth(handle))
        self.normal, self.random, self.random_along = (
            np.array([lib.aula_material_octave(handle, i, b) for b in range(len(OCTAVES))]) for i in _INCIDENCES
        )
        self.resonances: np.ndarray = np.zeros((lib.aula_material_resonance_count(handle), 3))
        one = ffi.new("struct aula_resonance *")
        for i, row in enumerate(self.resonances):
            lib.aula_material_resonance(handle, i, one)
            row[:] = one.frequency, one.absorption, one.quality
        self.warnings: list[str] = texts(lambda i: lib.aula_material_warning(handle, i))

    def __reduce__(self) -> Any:
        return material, (self.name, *self._asked)

    def _at(self, frequencies: Any) -> np.ndarray:
        """[frequencies, 5]: three absorptions, and Re and Im of Y."""
        wanted = np.atleast_1d(np.asarray(frequencies, dtype=np.float64))
        if wanted.ndim != 1:
            raise InputError(f"frequencies has the shape {wanted.shape}; expected a number or one dimension")
        found = np.empty((len(wanted), 5))
        point = ffi.new("struct aula_material_point *")
        for f, row in zip(wanted, found):
            if lib.aula_material_at(self._handle, f, point):
                raise InputError(f"frequency {f:g} is out of range; must be from 1 to 100000 Hz")
            row[:] = *point.absorption, *point.admittance
        return found

    def absorption(self, frequencies: Any) -> np.ndarray:
        """Absorption at frequencies in Hz, 1 to 100000: [frequencies, 3], normal, random and random along the
        layers."""
        return self._at(frequencies)[:, :3]

    def admittance(self, frequencies: Any) -> np.ndarray:
        """Specific admittance Y = rho c/Z at normal incidence, complex, at frequencies in Hz, 1 to 100000."""
        found = self._at(frequencies)
        return np.asarray(found[:, 3] + 1j * found[:, 4])

    def __repr__(self) -> str:
        return f"<MaterialAcoustics of {self.name!r}: random {np.array2string(self.random, precision=2)}>"


def material(
    name: str,
    room: Optional[Union[str, "os.PathLike[str]"]] = None,
    settings: Optional[Mapping[str, Any]] = None,
) -> MaterialAcoustics:
    """Absorption, admittance and resonances of a material without a room, as ``aula material`` computes them.

    Args:
        name: of the library, or layers from the room to the rigid wall in words, such as "porous 50 mm 10000, air 100
            mm".
        room: a room file, for one of its materials.
        settings: keys of the room with other values, such as ``{"air.temperature": 10}``.
    Raises:
        InputError: the material or its layers are wrong.
    """
    wanted = c_text(name, "name")
    path = ffi.NULL if room is None else ffi.new("char[]", file_name(room))
    lines = [ffi.new("char[]", c_text(setting_text(k, value), k)) for k, value in (settings or {}).items()]

    def work(_callback: Any) -> Any:
        made = ffi.new("struct aula_material **")
        pointers = ffi.new("char *[]", lines) if lines else ffi.NULL
        check(
            lib.aula_material_make, made, wanted, path, pointers, len(lines), path=None if room is None else str(room)
        )
        return ffi.gc(made[0], lib.aula_material_close)

    return MaterialAcoustics(run(work), name, (None if room is None else os.path.abspath(room), dict(settings or {})))
