# SPDX-License-Identifier: MIT
"""Responses of rooms, and sounds convolved with them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._library import c_text, check, ffi, lib, rows, run, text, texts, view
from .errors import InputError
from .files import file_name
from .ears import Sound, binaural
from .metrics import Metrics, _open
from .pickling import RoomRecipe, without_handle

if TYPE_CHECKING:
    from .room import Room

__all__ = ["Response", "Sound", "auralize", "write"]


class Response:
    """The response of every receiver to one source, or to all sources together, from :meth:`aula.Room.render`.

    Attributes:
        samples: [channels, frames] doubles, a read-only view of the library's memory, which lives as long as the array.
            Sample 0 is the instant of emission: the direct sound begins at r / c. A source of 1 Pa m arrives in free
            field as 1 / (4 pi r) Pa.
        rate: sampling rate in Hz.
        channels: names of the channels: the receiver's name, followed by a number if it has several channels.
        band: (low, high) Hz, the valid band.
        is_filter: True for an impulse response, False for a recorded signal in Pa.
        warnings: warnings of the render, such as a receiver that no sound reaches.
        source: name of the source; None for all sources together.
        room: the room that was rendered.

    Responses can be pickled and copied, by their samples, their JSON and the description of the room.
    """

    def __init__(self, handle: Any, room: "Room", source: Optional[str]) -> None:
        self._made: Any = handle
        self._room: Union["Room", RoomRecipe] = room
        self._json: Optional[str] = None
        self.source = source
        channels, frames = lib.aula_response_channels(handle), lib.aula_response_frames(handle)
        self.samples: np.ndarray = view(lib.aula_response_samples(handle, 0), (channels, frames), handle)
        self.rate: float = lib.aula_response_rate(handle)
        self.is_filter: bool = bool(lib.aula_response_is_filter(handle))
        self.warnings: list[str] = texts(lambda i: lib.aula_response_warning(handle, i))
        self.channels: list[str] = room.channels
        band = ffi.new("double[2]")
        lib.aula_response_band(handle, band)
        self.band: tuple[float, float] = (band[0], band[1])

    @property
    def room(self) -> "Room":
        """The room that was rendered; after unpickling, it is opened when it is first asked for."""
        if isinstance(self._room, RoomRecipe):
            self._room = self._room.open()
        return self._room

    @property
    def _handle(self) -> Any:
        """Of the library; after unpickling, made again from samples and JSON when it is first needed."""
        if self._made is None:
            room, json = self.room, c_text(str(self._json), "json")
            array = np.ascontiguousarray(self.samples)

            def work(_callback: Any) -> Any:
                place = ffi.new("struct aula_response **")
                check(
                    lib.aula_response_of_samples,
                    place,
                    room._handle,
                    json,
                    ffi.from_buffer("double[]", array),
                    array.shape[0],
                    array.shape[1],
                )
                return ffi.gc(place[0], lib.aula_response_close)

            self._made = run(work, [room._lock])
        return self._made

    def __getstate__(self) -> dict[str, Any]:
        state = {**vars(self), "_made": None}
        if not isinstance(self._room, RoomRecipe):
            state["_room"] = self._room._recipe()
        if self._json is None:
            with self.room._lock:
                self._json = state["_json"] = text(lib.aula_response_json(self._handle))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.samples.flags.writeable = False

    @property
    def frames(self) -> int:
        return int(self.samples.shape[1])

    @property
    def duration(self) -> float:
        """Duration in s."""
        return self.frames / self.rate

    @property
    def times(self) -> np.ndarray:
        """[frames] times in s since emission."""
        times: np.ndarray = np.arange(self.frames) / self.rate
        return times

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy or (dtype is not None and np.dtype(dtype) != self.samples.dtype):
            return np.array(self.samples, dtype=dtype)
        return self.samples

    def __getitem__(self, channel: Union[int, str]) -> np.ndarray:
        """The samples [frames] of one channel, by number or name."""
        if isinstance(channel, str):
            if channel not in self.channels:
                raise KeyError(f"unknown channel {channel!r}; expected one of {', '.join(self.channels)}")
            channel = self.channels.index(channel)
        samples: np.ndarray = self.samples[channel]
        return samples

    def metrics(self) -> Metrics:
        """Acoustic parameters of every channel, by ISO 3382-1 and IEC 60268-16.

        Raises:
            AulaError: all channels are silent.
        """
        return _open(lib.aula_metrics_of_response, self.channels, self._handle, locks=[self.room._lock])

    def decay(self) -> np.ndarray:
        """[channels, frames] energy decay by backward integration, dB re the total (Schroeder, JASA 37, 409-412,
        1965)."""
        energy = np.cumsum(self.samples[:, ::-1] ** 2, axis=1)[:, ::-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            level: np.ndarray = 10.0 * np.log10(energy / energy[:, :1])
        return level

    def auralize(self, dry: Any, rate: float) -> "Sound":
        """Convolves a dry sound with the response; see :func:`auralize`."""
        return auralize(self, dry, rate)

    def binaural(self, hrtf: Union[str, "os.PathLike[str]"], receiver: Optional[str] = None, **head: Any) -> "Sound":
        """The response of an ambisonic receiver as two ears hear it; see :func:`aula.binaural`.

        Args:
            receiver: name of the ambisonic receiver; None: the only one.
            head: options of :func:`aula.binaural`.
        """
        first, count = self.room._field(receiver)
        return binaural(self.samples[first : first + count], self.rate, hrtf, **head)

    def write(self, path: Union[str, "os.PathLike[str]"], *, positions: bool = False) -> None:
        """Writes a WAV file and the JSON beside it, as ``aula render -o`` does, or a SOFA file; see :func:`write`."""
        write([self], path, positions=positions)

    def plot(self, axes: Any = None) -> Any:
        """Plots pressure and energy decay; see :func:`aula.plot.response`."""
        from .plot import response

        return response(self, axes)

    def __repr__(self) -> str:
        what = "impulse response" if self.is_filter else "recorded signal"
        return (
            f"<Response: {what}, {len(self.channels)} channel{'s' if len(self.channels) != 1 else ''}, "
            f"{self.duration:.4g} s at {self.rate:g} Hz, valid from {self.band[0]:.0f} to {self.band[1]:.0f} Hz>"
        )

    def _repr_html_(self) -> str:
        from .html import response_html

        return response_html(self)


def _list(responses: Union[Response, Sequence[Response]]) -> list[Response]:
    if not isinstance(responses, (Response, Iterable)):
        raise InputError(f"responses is a {type(responses).__name__}; expected Responses of Room.render")
    given = [responses] if isinstance(responses, Response) else list(responses)
    for i, response in enumerate(given):
        if not isinstance(response, Response):
            raise InputError(f"responses[{i}] is a {type(response).__name__}; expected a Response of Room.render")
    return given


def auralize(responses: Union[Response, Sequence[Response]], dry: Any, rate: float) -> Sound:
    """Convolves channel i of a dry sound with responses[i] and sums the results at each receiver.

    Args:
        dry: [frames], or [channels, frames] with one channel per response; contiguous doubles are not copied.
        rate: sampling rate of the dry sound in Hz; it is resampled to the rate of the responses.
    Returns:
        The sound at each receiver, without any gain. Its length is that of the resampled dry sound plus the longest
        response, minus 1 frame.
    Raises:
        InputError: shapes, rates or receivers do not match.
    """
    given = _list(responses)
    if not given:
        raise InputError("there are 0 responses; pass one for each channel of dry")
    array = rows(dry, "dry")
    if array.shape[0] != len(given):
        raise InputError(f"dry has {array.shape[0]} channels for {len(given)} responses; use one channel per response")
    handles = ffi.new("struct aula_response *[]", [r._handle for r in given])

    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_sound **")
        check(
            lib.aula_auralize,
            place,
            handles,
            len(given),
            ffi.from_buffer("double[]", array),
            array.shape[1],
            float(rate),
        )
        return ffi.gc(place[0], lib.aula_sound_close)

    return Sound(run(work, [r.room._lock for r in given]), given[0].channels)


def write(
    responses: Union[Response, Sequence[Response]], path: Union[str, "os.PathLike[str]"], *, positions: bool = False
) -> None:
    """Writes sound files and the JSON beside each, as ``aula render -o path`` does: ``path`` for one response,
    NAME_SOURCE.wav for the responses to all sources of a room, in their order. With a path that ends in .sofa, writes
    the responses as one SOFA file (AES69) of all omni receivers, and NAME_RECEIVER.sofa for each other receiver. Each
    file is complete or absent.

    Args:
        positions: write the SOFA file of ``aula render --sofa-positions``, with each place of a receiver as a position
            of the listener; NAME_SOURCE.sofa for the responses to all sources.
    Raises:
        AulaError: a file cannot be written, or would replace an input of the room; or the library was built without
            netCDF, which SOFA needs.
    """
    given = _list(responses)
    if os.path.isdir(os.fspath(path)):
        raise InputError(f"path {os.fspath(path)}: is a folder; add the name of a file, such as response.wav")
    is_sofa = os.fspath(path).lower().endswith(".sofa")
    if positions and not is_sofa:
        raise InputError(f"path {os.fspath(path)}: positions needs a SOFA file; use a name that ends in .sofa")
    function = (
        lib.aula_responses_write_positions
        if positions
        else lib.aula_responses_write_sofa
        if is_sofa
        else lib.aula_responses_write
    )
    handles, name = ffi.new("struct aula_response *[]", [r._handle for r in given]), file_name(path)
    run(
        lambda _callback: check(function, handles, len(given), name, path=os.fsdecode(name)),
        [r.room._lock for r in given],
    )
