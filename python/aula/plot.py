# SPDX-License-Identifier: MIT
"""Plots with matplotlib, which only this module needs. Every function draws on the given axes, or creates them, and
returns them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from .outline import outline

if TYPE_CHECKING:
    from .metrics import Metrics
    from .response import Response
    from .room import Room

__all__ = ["response", "spectrum", "spectrogram", "room", "metrics"]

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")  # Okabe and Ito: colour-blind safe


def _axes(axes: Any, rows: int = 1, columns: int = 1, **options: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib; run pip install matplotlib") from None
    _figure, made = pyplot.subplots(rows, columns, layout="constrained", **options)
    return made


def response(response: "Response", axes: Any = None) -> Any:
    """Pressure and energy decay (backward integral) in dB over time. ``axes``: two of them."""
    axes = _axes(axes, 2, 1, sharex=True)
    for c, (name, decay) in enumerate(zip(response.channels, response.decay())):
        colour = _COLOURS[c % len(_COLOURS)]
        axes[0].plot(response.times, response.samples[c], color=colour, linewidth=0.7, label=name)
        axes[1].plot(response.times, decay, color=colour, label=name)
    axes[0].set_ylabel("Pa per Pa m" if response.is_filter else "Pa")
    axes[1].set(xlabel="time, s", ylabel="energy decay, dB", ylim=(-70, 2))
    axes[0].legend()
    return axes


def spectrum(response: "Response", axes: Any = None) -> Any:
    """Level in dB over frequency; frequencies above the valid band are shaded."""
    axes = _axes(axes)
    frequencies = np.fft.rfftfreq(response.frames, 1.0 / response.rate)
    for c, name in enumerate(response.channels):
        level = np.abs(np.fft.rfft(response.samples[c]))
        axes.plot(
            frequencies[1:],
            20.0 * np.log10(np.maximum(level[1:], 1e-12)),
            color=_COLOURS[c % len(_COLOURS)],
            linewidth=0.8,
            label=name,
        )
    low, high = response.band
    axes.axvspan(high, frequencies[-1], color="0.85", zorder=0)
    axes.set(xscale="log", xlim=(max(low, 10.0), response.rate / 2), xlabel="frequency, Hz", ylabel="level, dB")
    axes.legend()
    return axes


def spectrogram(response: "Response", channel: Union[int, str] = 0, axes: Any = None, range_db: float = 60.0) -> Any:
    """Level in dB re the peak over time and frequency."""
    axes = _axes(axes)
    samples = response[channel]
    length = max(64, 1 << int(response.rate * 0.02).bit_length())
    if len(samples) < length:
        samples = np.pad(samples, (0, length - len(samples)))
    frames = np.lib.stride_tricks.sliding_window_view(samples, length)[:: length // 4] * np.hanning(length)
    level = 20.0 * np.log10(np.maximum(np.abs(np.fft.rfft(frames, axis=1)), 1e-300)).T
    peak = level.max()
    axes.imshow(
        level - peak,
        origin="lower",
        aspect="auto",
        vmin=-range_db,
        vmax=0.0,
        cmap="cividis",
        extent=(0.0, len(samples) / response.rate, 0.0, response.rate / 2),
    )
    axes.set(xlabel="time, s", ylabel="frequency, Hz", ylim=(0.0, min(response.band[1] * 1.2, response.rate / 2)))
    return axes


def room(room: "Room", axes: Any = None) -> Any:
    """Plan and section with sources and receivers. ``axes``: two of them."""
    axes = _axes(axes, 1, 2)
    from matplotlib.collections import LineCollection

    lines = outline(room)
    for which, (a, b) in zip(axes, ((0, 1), (0, 2))):
        for wall, colour, width in ((True, "0.2", 1.2), (False, "0.55", 0.8)):
            drawn = [line.points[:, (a, b)] for line in lines if line.wall == wall]
            which.add_collection(LineCollection(drawn, colors=colour, linewidths=width))
        for places, mark, colour, label in (
            (room.sources, "*", _COLOURS[1], "source"),
            (room.receivers, "o", _COLOURS[0], "receiver"),
        ):
            which.plot(
                [p.position[a] for p in places], [p.position[b] for p in places], mark, color=colour, label=label
            )
        which.autoscale_view()
        which.set(xlabel="x, m", ylabel=f"{'xyz'[b]}, m", aspect="equal")
    axes[0].legend(loc="upper right")
    return axes


def metrics(metrics: "Metrics", figures: Sequence[str] = ("T30", "C80"), axes: Any = None) -> Any:
    """Acoustic parameters over octaves. ``axes``: one for each parameter."""
    from .metrics import BANDS, METRICS

    axes = np.atleast_1d(_axes(axes, 1, len(figures)))
    octaves = np.arange(len(BANDS) - 1)
    for which, figure in zip(axes, figures):
        for c, values in enumerate(metrics[figure]):
            which.plot(octaves, values[:-1], "o-", color=_COLOURS[c % len(_COLOURS)], label=metrics.channels[c])
        unit = METRICS[figure][1]
        which.set(xlabel="octave, Hz", ylabel=f"{figure}{', ' + unit if unit else ''}", xticks=octaves)
        which.set_xticklabels(BANDS[:-1], rotation=45)
    axes[0].legend()
    return axes
