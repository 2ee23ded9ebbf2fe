# SPDX-License-Identifier: MIT
"""Acoustic parameters by ISO 3382-1, and by IEC 60268-16 for speech, as libaula computes them."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from .files import file_name
from ._library import c_text, check, ffi, lib, rows, run, text, texts

if TYPE_CHECKING:
    import pandas

    from .comparison import Comparison

__all__ = ["Judged", "Judgement", "Metrics", "measure", "measure_file", "BANDS", "METRICS"]


def _figures() -> dict[str, tuple[int, str, str]]:
    names = texts(lib.aula_metric_name)
    return {
        name: (number, str(text(lib.aula_metric_unit(number))), str(text(lib.aula_metric_meaning(number))))
        for number, name in enumerate(names)
    }


#: Parameters by name: number in aula.h, unit and meaning.
METRICS: dict[str, tuple[int, str, str]] = _figures()

_OCTAVES = lib.AULA_OCTAVES
#: Bands of the parameters: the octaves by their centres in Hz, then the broad band.
BANDS: tuple[str, ...] = tuple(f"{lib.aula_octave_centre(b):g}" for b in range(_OCTAVES)) + ("broad",)
_VALIDITY = ("outside", "partly", "valid")


_VERDICTS = ("pass", "fail", "incomplete", "none")


@dataclass(frozen=True)
class Judged:
    """A part of a verdict: value and limits, and the absorption area in m2 to be added to a failed time until it meets its
    limit, or the target itself; a negative one is to be removed. ``verdict`` is "pass", "fail", "incomplete" or "none".
    """

    verdict: str
    value: float
    lower: float
    upper: float
    to_limit: float
    to_target: float


@dataclass(frozen=True)
class Judgement:
    """What :meth:`Metrics.judge` returns: the verdict, the target of the reverberation time in s, a part for each octave
    from 63 Hz to 8 kHz, for the mean and for the speech transmission index, and its grade."""

    verdict: str
    time: float
    volume_in_range: bool
    octaves: list[Judged]
    mean: Judged
    sti: Judged
    grade: str


def _judged(part: Any) -> Judged:
    return Judged(_VERDICTS[part.verdict], part.value, part.lower, part.upper, part.to_limit, part.to_target)


class Metrics:
    """Acoustic parameters of every channel of a response.

    ``metrics["T30"]`` is an array [channels, 9] with a column for each of :data:`BANDS`. A value is NaN if it cannot be
    determined from the response; :meth:`missing` returns the reason. :data:`METRICS` has the units.

    Attributes:
        channels: names of the channels.
        arrival: [channels] s from the first sample to the direct sound; NaN for a silent channel.
        validity: [channels][9] of "valid", "partly" (one edge of the band lies outside the valid band) or "outside".
        sti: [channels] speech transmission index of the room without noise (male weights), 0..1; NaN if missing.
        note: assumptions and findings, or None.
    """

    def __init__(self, handle: Any, channels: Optional[list[str]] = None) -> None:
        self._handle = handle
        count = lib.aula_metrics_channels(handle)
        self.channels: list[str] = channels if channels and len(channels) == count else [str(c) for c in range(count)]
        self.note: Optional[str] = text(lib.aula_metrics_note(handle))
        self.arrival: np.ndarray = np.array([lib.aula_metrics_arrival(handle, c) for c in range(count)])
        self.sti: np.ndarray = np.array([lib.aula_metrics_sti(handle, c) for c in range(count)])
        self.validity: list[list[str]] = [
            [_VALIDITY[lib.aula_metrics_validity(handle, c, b)] for b in range(len(BANDS))] for c in range(count)
        ]

    def __reduce__(self) -> Any:
        return _restored, (text(lib.aula_metrics_json(self._handle)), self.channels)

    def __getitem__(self, figure: str) -> np.ndarray:
        number = self._number(figure)
        return np.array(
            [
                [lib.aula_metrics_value(self._handle, c, b, number) for b in range(len(BANDS))]
                for c in range(len(self.channels))
            ]
        )

    @staticmethod
    def _number(figure: str) -> int:
        if figure not in METRICS:
            raise KeyError(f"unknown parameter {figure!r}; expected one of {', '.join(METRICS)}")
        return METRICS[figure][0]

    @staticmethod
    def _band(band: Union[str, float]) -> int:
        name = band if isinstance(band, str) else f"{band:g}"
        if name not in BANDS:
            raise KeyError(f"unknown band {band!r}; expected one of {', '.join(BANDS)}")
        return BANDS.index(name)

    def missing(self, figure: str, channel: int = 0, band: Union[str, float] = "broad") -> str:
        """The reason why a parameter is NaN; "" if it is not."""
        why = text(lib.aula_metrics_missing(self._handle, channel, self._band(band), self._number(figure)))
        if why is None:
            raise IndexError(f"channel {channel}: there are only {len(self.channels)}, counted from 0")
        return why

    def sti_missing(self, channel: int = 0) -> str:
        """The reason why the speech transmission index is missing, with the remedy; "" if it is not."""
        why = text(lib.aula_metrics_sti_missing(self._handle, channel))
        if why is None:
            raise IndexError(f"channel {channel}: there are only {len(self.channels)}, counted from 0")
        return why

    def speech(
        self,
        level: Any = 60.0,
        noise: Any = None,
        *,
        channel: int = 0,
        female: bool = False,
        at_one_metre: bool = False,
        masking: bool = True,
    ) -> float:
        """Speech transmission index with levels, noise and masking (IEC 60268-16:2011), 0..1.

        Args:
            level: speech level in dB re 20 uPa: A-weighted, for the standard's spectrum, or seven octave levels from
                125 Hz to 8 kHz.
            noise: [7] octave levels of the noise at the listener, dB re 20 uPa; None: no noise.
            at_one_metre: the level holds 1 m in front of the talker, and the response, which must be calibrated,
                carries it to the listener; otherwise the level holds at the listener.
            masking: include masking by the octave below and the reception threshold.
        Raises:
            InputError: the index cannot be computed, with the reason, or a level is out of range.
        """
        conditions = ffi.new("struct aula_speech *")
        conditions.female, conditions.at_one_metre, conditions.unmasked = female, at_one_metre, not masking
        kept = []
        for name, values in (("speech", level if np.ndim(level) else None), ("noise", noise)):
            if values is not None:
                octaves = np.ascontiguousarray(values, dtype=np.float64)
                if octaves.shape != (lib.AULA_SPEECH_OCTAVES,):
                    raise ValueError(f"{name}: expected {lib.AULA_SPEECH_OCTAVES} levels, 125 Hz to 8 kHz")
                kept.append(octaves)
                setattr(conditions, name, ffi.from_buffer("double[]", octaves))
        if not np.ndim(level):
            conditions.level = float(level)
        index = ffi.new("double *")
        check(lib.aula_metrics_speech, index, ffi.NULL, self._handle, channel, conditions)
        return float(index[0])

    def compare(self, other: "Metrics", pairs: Any = None) -> "Comparison":
        """Differences of ``other`` from this response in just noticeable differences; see :func:`aula.compare`."""
        from .comparison import compare

        return compare(self, other, pairs)

    def judge(
        self, target: str, volume: float = 0.0, file: Optional[Union[str, "os.PathLike[str]"]] = None
    ) -> Judgement:
        """Judges the mean over the channels by a target, as ``aula metrics --target`` does.

        Args:
            target: name of a target of rooms/targets.cfg or of `file`, such as "din18041_a3" or "iec_60268_16:D".
            volume: of the room, m3; 0: that of the render.
            file: further targets.
        Raises:
            InputError: there is no such target, or the volume is not known.
        """
        out = ffi.new("struct aula_judgement *")
        path = ffi.NULL if file is None else file_name(file)
        check(lib.aula_metrics_judge, out, self._handle, c_text(target, "target"), path, float(volume))
        return Judgement(
            verdict=_VERDICTS[out.verdict],
            time=out.time,
            volume_in_range=bool(out.volume_in_range),
            octaves=[_judged(out.octave[b]) for b in range(_OCTAVES)],
            mean=_judged(out.mean),
            sti=_judged(out.sti),
            grade=str(text(out.grade)),
        )

    def to_dict(self) -> dict[str, Any]:
        """{channel: {"arrival", "sti", "bands": {band: {"validity", parameter: number}}}}; a missing number is None."""
        values = {name: self[name] for name in METRICS}
        return {
            channel: {
                "arrival": _number(self.arrival[c]),
                "sti": _number(self.sti[c]),
                "bands": {
                    band: {"validity": self.validity[c][b], **{name: _number(values[name][c, b]) for name in METRICS}}
                    for b, band in enumerate(BANDS)
                },
            }
            for c, channel in enumerate(self.channels)
        }

    def to_frame(self) -> "pandas.DataFrame":
        """A table with a row for each channel and band and a column for each parameter.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame needs pandas; run pip install pandas, or use to_dict()") from None
        index = pandas.MultiIndex.from_product([self.channels, BANDS], names=["channel", "band"])
        columns: dict[str, Any] = {"validity": [v for channel in self.validity for v in channel]}
        columns.update({name: self[name].ravel() for name in METRICS})
        return pandas.DataFrame(columns, index=index)

    def __repr__(self) -> str:
        broad = {name: self[name][:, -1] for name in ("T30", "C80")}
        return f"<Metrics of {', '.join(self.channels)}: T30 {_said(broad['T30'])} s, C80 {_said(broad['C80'])} dB>"

    def _repr_html_(self) -> str:
        from .html import metrics_html

        return metrics_html(self)

    def plot(self, figures: Any = ("T30", "C80"), axes: Any = None) -> Any:
        """Plots parameters over octaves; see :func:`aula.plot.metrics`."""
        from .plot import metrics

        return metrics(self, figures, axes)


def _number(value: float) -> Optional[float]:
    return None if math.isnan(value) else float(value)


def _said(values: np.ndarray) -> str:
    return ", ".join("-" if math.isnan(v) else f"{v:.2f}" for v in values)


def _open(
    make: Any, channels: Optional[list[str]], *arguments: Any, locks: Any = (), path: Optional[str] = None
) -> Metrics:
    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_metrics **")
        check(make, place, *arguments, path=path)
        return ffi.gc(place[0], lib.aula_metrics_close)

    return Metrics(run(work, locks), channels)


def _restored(json: str, channels: list[str]) -> Metrics:
    """Called by pickles."""
    return _open(lib.aula_metrics_of_json, channels, c_text(json, "json"))


def measure(samples: Any, rate: float) -> Metrics:
    """Acoustic parameters of any impulse response, such as a measured one.

    Args:
        samples: [frames] or [channels, frames]; contiguous doubles are not copied.
        rate: sampling rate in Hz.

    The whole band counts as valid, and G is missing because the level is not calibrated.
    """
    array = rows(samples, "samples")
    return _open(
        lib.aula_metrics_of_samples,
        None,
        ffi.from_buffer("double[]", array),
        array.shape[0],
        array.shape[1],
        float(rate),
    )


def measure_file(path: Union[str, "os.PathLike[str]"]) -> Metrics:
    """Acoustic parameters of a sound file as ``aula metrics`` prints them, with valid band and calibration from the
    JSON beside it."""
    name = file_name(path)
    return _open(lib.aula_metrics_of_file, None, name, path=os.fsdecode(name))
