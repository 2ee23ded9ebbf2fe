# SPDX-License-Identifier: MIT
"""Sounds at receivers, and ambisonic fields as two ears hear them."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

import numpy as np

from ._library import check, ffi, lib, rows, run, texts, view
from .files import file_name
from .pickling import without_handle

__all__ = ["Sound", "binaural", "read"]


class Sound:
    """A sound auralized at each receiver.

    Attributes:
        samples: [channels, frames] doubles, a read-only view of the library's memory.
        rate: sampling rate in Hz.
        channels: names of the channels, as of the first response.
        warnings: for example about silence, or a response that is a recorded signal.
    """

    def __init__(self, handle: Any, channels: list[str]) -> None:
        self._handle = handle
        self.channels = channels
        shape = lib.aula_sound_channels(handle), lib.aula_sound_frames(handle)
        self.samples: np.ndarray = view(lib.aula_sound_samples(handle, 0), shape, handle)
        self.rate: float = lib.aula_sound_rate(handle)
        self.warnings: list[str] = texts(lambda i: lib.aula_sound_warning(handle, i))

    def __getstate__(self) -> dict[str, Any]:
        return without_handle(self)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy or (dtype is not None and np.dtype(dtype) != self.samples.dtype):
            return np.array(self.samples, dtype=dtype)
        return self.samples

    def _repr_html_(self) -> str:
        from .html import sound_html

        return sound_html(self)

    def __repr__(self) -> str:
        return (
            f"<Sound: {self.samples.shape[0]} channels, {self.samples.shape[1] / self.rate:.4g} s at {self.rate:g} Hz>"
        )


def read(path: Union[str, "os.PathLike[str]"]) -> Sound:
    """Reads a sound file: WAV, FLAC and what else libsndfile reads, such as ``aula.data_path("sounds/voice.flac")``.
    Full scale is 1. Its channels are named by their numbers."""
    name = file_name(path)

    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_sound **")
        check(lib.aula_sound_read, place, name, path=os.fsdecode(name))
        return ffi.gc(place[0], lib.aula_sound_close)

    handle = run(work)
    return Sound(handle, [str(c) for c in range(lib.aula_sound_channels(handle))])


def binaural(
    field: Any,
    rate: float,
    hrtf: Union[str, "os.PathLike[str]"],
    *,
    yaw: float = 0.0,
    pitch: float = 0.0,
    roll: float = 0.0,
    distance: float = 0.0,
) -> Sound:
    """Renders an ambisonic field for two ears through an HRTF, as ``aula binaural`` does.

    Args:
        field: [channels, frames] in AmbiX (ACN, SN3D) of order 1 to 7: the channels of an ambisonic receiver in a
            response, or a sound that was auralized with them.
        rate: sampling rate in Hz.
        hrtf: a SOFA file of the convention SimpleFreeFieldHRIR.
        yaw, pitch, roll: of the head in degrees: to the left, down, left ear up.
        distance: m: uses the measurements of the HRTF nearest to it; 0: 1.5 m.
    Returns:
        The sound at the left and the right ear, [2, frames], at the level of the field.
    Raises:
        InputError: the number of channels is not that of a field, or the HRTF is not valid.
        AulaError: the library was built without netCDF, which SOFA needs.
    """
    array, path = rows(field, "field"), file_name(hrtf)
    kept = ffi.new("char[]", path)
    head = ffi.new("struct aula_head *", {"hrtf": kept, "yaw": yaw, "pitch": pitch, "roll": roll, "distance": distance})

    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_sound **")
        samples = ffi.from_buffer("double[]", array)
        check(lib.aula_binaural, place, samples, *array.shape, float(rate), head, path=os.fsdecode(path))
        return ffi.gc(place[0], lib.aula_sound_close)

    return Sound(run(work), ["left", "right"])
