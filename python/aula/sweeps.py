# SPDX-License-Identifier: MIT
"""Measured responses: exponential sweeps, and impulse responses from recordings of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._library import check, ffi, lib, rows, run, texts, view
from .errors import AulaError, InputError
from .metrics import Metrics, _open
from .pickling import without_handle

__all__ = ["Deconvolution", "Sweep", "deconvolve", "sweep"]


@dataclass(frozen=True, eq=False)
class Sweep:
    """An exponential sweep, from :func:`sweep`.

    Attributes:
        samples: [frames] doubles, a read-only view of the library's memory.
        rate: sampling rate in Hz.
        low, high: Hz.
        seconds: time from low to high.
        level: dB re full scale.
    """

    samples: np.ndarray
    rate: float
    low: float
    high: float
    seconds: float
    level: float

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy or (dtype is not None and np.dtype(dtype) != self.samples.dtype):
            return np.array(self.samples, dtype=dtype)
        return self.samples

    def __repr__(self) -> str:
        return (
            f"<Sweep: {self.low:g} to {self.high:g} Hz in {self.seconds:g} s at {self.level:g} dB re full scale, "
            f"{self.rate:g} Hz>"
        )

    def _parameters(self) -> Any:
        parameters = ffi.new("struct aula_sweep *")
        parameters.low, parameters.high, parameters.seconds = self.low, self.high, self.seconds
        parameters.rate, parameters.level = self.rate, self.level
        return parameters


def sweep(
    low: float = 20.0, high: float = 20000.0, seconds: float = 10.0, rate: float = 48000.0, level: float = 0.0
) -> Sweep:
    """Makes an exponential sweep, to be played with silence around it.

    Args:
        low, high: frequencies in Hz: from 1 Hz, at least an octave, and up to half the rate.
        seconds: time from low to high, 0.1 to 600.
        rate: sampling rate in Hz.
        level: dB re full scale, -80 to 0.
    Raises:
        InputError: a number is out of range.
    """
    made = Sweep(np.zeros(0), float(rate), float(low), float(high), float(seconds), float(level))
    parameters = made._parameters()

    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_sound **")
        check(lib.aula_sweep_make, place, parameters)
        return ffi.gc(place[0], lib.aula_sound_close)

    handle = run(work)
    samples = view(lib.aula_sound_samples(handle, 0), (lib.aula_sound_frames(handle),), handle)
    return Sweep(samples, made.rate, made.low, made.high, made.seconds, made.level)


class Deconvolution:
    """The impulse response of a measured room, from :func:`deconvolve`.

    Attributes:
        samples: [channels, frames] doubles, recorded over played samples, a read-only view of the library's memory.
            The loopback channel is left out.
        rate: sampling rate in Hz.
        start: time of sample 0 in s, -0.05. t = 0 is the emission by loopback or delay, else the strongest sound of
            channel 0.
        band: (low, high) Hz of the sweep, within which the response is valid.
        distortion: [channels, 4] energy of the harmonics of order 2 to 5, dB re the linear response in the same band;
            NaN: not in the band.
        distortion_noise: [channels, 4] the same of the noise; NaN: unknown.
        difference: dB: energy by which the repeats differ from their mean, re that of the mean; NaN for one sweep.
        drift: of the clocks of player and recorder, by the distances of the repeats: 1e-6 is 1 ppm.
        warnings: such as clipping, distortion or noise. Their channels count from 1.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._metrics: Optional[Metrics] = None
        channels, frames = lib.aula_deconvolution_channels(handle), lib.aula_deconvolution_frames(handle)
        self.samples: np.ndarray = view(lib.aula_deconvolution_samples(handle, 0), (channels, frames), handle)
        self.rate: float = lib.aula_deconvolution_rate(handle)
        self.start: float = lib.aula_deconvolution_start(handle)
        self.difference: float = lib.aula_deconvolution_difference(handle)
        self.drift: float = lib.aula_deconvolution_drift(handle)
        self.warnings: list[str] = texts(lambda i: lib.aula_deconvolution_warning(handle, i))
        band = ffi.new("double[2]")
        lib.aula_deconvolution_band(handle, band)
        self.band: tuple[float, float] = (band[0], band[1])
        orders = range(2, lib.AULA_DISTORTION_ORDERS + 1)
        self.distortion: np.ndarray = np.empty((channels, len(orders)))
        self.distortion_noise: np.ndarray = np.empty((channels, len(orders)))
        level, noise = ffi.new("double *"), ffi.new("double *")
        for channel in range(channels):
            for i, order in enumerate(orders):
                lib.aula_deconvolution_distortion(handle, channel, order, level, noise)
                self.distortion[channel, i], self.distortion_noise[channel, i] = level[0], noise[0]

    @property
    def times(self) -> np.ndarray:
        """[frames] times in s; the response begins before t = 0."""
        times: np.ndarray = self.start + np.arange(self.samples.shape[1]) / self.rate
        return times

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy or (dtype is not None and np.dtype(dtype) != self.samples.dtype):
            return np.array(self.samples, dtype=dtype)
        return self.samples

    def metrics(self) -> Metrics:
        """Acoustic parameters of every channel within the band of the sweep. Arrivals count from t = 0, and G is
        missing because the strength of the source is not known."""
        if self._metrics is None:
            self._metrics = _open(lib.aula_metrics_of_deconvolution, None, self._handle)
        return self._metrics

    def __getstate__(self) -> dict[str, Any]:
        try:
            self.metrics()
        except AulaError:  # a pickle without metrics, such as of silence
            pass
        return without_handle(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _handle=ffi.NULL)
        self.samples.flags.writeable = False

    def __repr__(self) -> str:
        channels, frames = self.samples.shape
        return (
            f"<Deconvolution: {channels} channel{'s' if channels != 1 else ''}, {frames / self.rate:.4g} s at "
            f"{self.rate:g} Hz, valid from {self.band[0]:.0f} to {self.band[1]:.0f} Hz>"
        )


def deconvolve(
    recording: Any,
    sweep: Union[Sweep, Any],
    rate: Optional[float] = None,
    *,
    repeats: int = 1,
    pause: float = 3.0,
    loopback: Optional[int] = None,
    delay: Optional[float] = None,
) -> Deconvolution:
    """Makes an impulse response from the recording of one or several equal sweeps, as ``aula deconvolve`` does.

    Args:
        recording: [frames] or [channels, frames]; contiguous doubles are not copied.
        sweep: the :class:`Sweep` that was played, or samples [frames] that hold one, by which its frequencies and its
            length are recognised.
        rate: sampling rate of the recording in Hz; that of the Sweep if omitted.
        repeats: number of sweeps, of which the response is the mean.
        pause: s from the end of one sweep to the beginning of the next, 0.2 to 60.
        loopback: channel, from 0, that recorded the played sweep through a cable; it sets t = 0.
        delay: s from the first sample of the recording to that of the emitted sweep; it sets t = 0.
    Raises:
        InputError: the recording does not contain the sweep or ends with it, the repeats differ, or an argument is
            wrong.
    """
    if loopback is not None and delay is not None:
        raise InputError("loopback and delay both set t = 0; pass one of them")
    if rate is None and not isinstance(sweep, Sweep):
        raise InputError("rate is missing; pass the sampling rate of the recording")
    if repeats < 1:
        raise InputError(f"repeats is {repeats}; must be 1 or more")
    if loopback is not None and loopback < 0:
        raise InputError(f"loopback is {loopback}; pass a channel, counted from 0")
    array = rows(recording, "recording")
    given = ffi.new("struct aula_recording *")
    kept: list[Any] = [ffi.from_buffer("double[]", array)]
    given.samples, given.channels, given.frames = kept[0], array.shape[0], array.shape[1]
    given.repeats, given.pause = repeats, pause
    if isinstance(sweep, Sweep):
        kept.append(sweep._parameters())
        given.sweep = kept[-1]
        given.rate = sweep.rate if rate is None else float(rate)
    else:
        played = rows(sweep, "sweep")
        if played.shape[0] != 1:
            raise InputError(f"sweep has {played.shape[0]} channels; pass one")
        kept.append(ffi.from_buffer("double[]", played))
        given.played, given.played_frames, given.rate = kept[-1], played.shape[1], float(rate or 0.0)
    if loopback is not None:
        given.zero, given.loopback = lib.AULA_ZERO_LOOPBACK, loopback
    elif delay is not None:
        given.zero, given.delay = lib.AULA_ZERO_DELAY, delay

    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_deconvolution **")
        check(lib.aula_deconvolve, place, given)
        assert kept  # until the library has read them
        return ffi.gc(place[0], lib.aula_deconvolution_close)

    return Deconvolution(run(work))
