# SPDX-License-Identifier: MIT
"""HTML for notebooks: tables and drawings of rooms, responses, parameters and materials, without other packages."""

from __future__ import annotations

import base64
import io
import math
import wave
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from .outline import outline

if TYPE_CHECKING:
    from .materials import Material
    from .metrics import Metrics
    from .ears import Sound
    from .response import Response
    from .room import Room, Wall

__all__ = ["room_html", "response_html", "metrics_html", "materials_html", "sound_html"]

_WIDTH, _HEIGHT = 320, 200
_LINE = 'stroke="currentColor" fill="none"'


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(h)}</th>" for h in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _number(value: float, digits: int = 2) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _path(points: Sequence[tuple[float, float]]) -> str:
    """An SVG path in whole pixels; empty if it shrinks to one pixel, like the edges of a fine mesh."""
    whole = [f"{x:.0f},{y:.0f}" for x, y in points]
    return "" if len(set(whole)) == 1 else "M" + "L".join(whole)


def _drawing(room: "Room", lines: Any, axes: tuple[int, int], title: str) -> str:
    places = [p.position for p in room.sources + room.receivers]
    points = np.vstack([np.asarray(places)] + [line.points for line in lines])[:, axes]
    lower, span = points.min(axis=0), np.ptp(points, axis=0)
    scale = min((_WIDTH - 20) / max(span[0], 1e-9), (_HEIGHT - 20) / max(span[1], 1e-9))

    def at(point: Any) -> tuple[float, float]:
        x, y = (np.asarray(point)[list(axes)] - lower) * scale
        return 10 + x, 10 + span[1] * scale - y

    drawn = []
    for wall, width, opacity in ((True, 1.4, 1.0), (False, 0.8, 0.6)):
        paths = dict.fromkeys(_path([at(p) for p in line.points]) for line in lines if line.wall == wall)
        drawn.append(f'<path d="{"".join(paths)}" {_LINE} stroke-width="{width}" opacity="{opacity}"/>')
    for place, colour in [(p, "#d55e00") for p in room.sources] + [(p, "#0072b2") for p in room.receivers]:
        x, y = at(place.position)
        drawn.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{escape(place.name)}</title></circle>'
        )
    return (
        f'<svg width="{_WIDTH}" height="{span[1] * scale + 20:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )


def _absorption(wall: "Wall", definition: Mapping[str, Any]) -> str:
    """The requested absorption, also in octaves above the grid's frequency limit."""
    asked = definition.get("absorption", wall.asked)
    return ", ".join(_number(asked[band]) for band in (1, 3, 5))


def room_html(room: "Room") -> str:
    grid = room.grid
    lines, materials = outline(room), room.description.get("materials", {})
    size = " × ".join(f"{s:.4g}" for s in grid.size)
    points = " × ".join(str(p) for p in grid.points)
    facts = (
        f"<b>{escape(room.name)}</b>: {size} m, {room.volume:.4g} m³ of air; grid {points} of {grid.spacing:.4g} m at "
        f"{grid.rate:.0f} Hz, waves valid up to {grid.valid_frequency:.0f} Hz"
    )
    walls = _table(
        ["material", "area, m²", "absorption at 125, 500, 2000 Hz"],
        [[w.name, _number(w.area), _absorption(w, materials.get(w.name, {}))] for w in room.walls],
    )
    places = _table(
        ["", "name", "position, m"],
        [
            [kind, p.name, ", ".join(f"{x:.4g}" for x in p.position)]
            for kind, all_of in (("source", room.sources), ("receiver", room.receivers))
            for p in all_of
        ],
    )
    remarks = "".join(f"<li>{escape(r)}</li>" for r in room.remarks)
    return (
        f"<div><p>{facts}</p>{_drawing(room, lines, (0, 1), 'plan')} {_drawing(room, lines, (0, 2), 'section')}"
        f"{places}{walls}<details><summary>remarks</summary><ul>{remarks}</ul></details></div>"
    )


def _curve(values: np.ndarray, lower: float, upper: float) -> str:
    """A curve through the minimum and maximum of each pixel column, so that no peak is lost."""
    columns = np.array_split(values, min(_WIDTH - 20, len(values)))
    points = []
    for x, part in enumerate(columns):
        for value in (part.max(), part.min()):
            share = (min(max(value, lower), upper) - lower) / (upper - lower)
            points.append(f"{10 + x},{10 + (1 - share) * 80:.1f}")
    return f'<polyline points="{" ".join(points)}" {_LINE} stroke-width="0.8"/>'


def response_html(response: "Response") -> str:
    drawn = []
    decays = response.decay()
    for c, name in enumerate(response.channels[:8]):
        samples = response.samples[c]
        peak = float(np.abs(samples).max()) or 1.0
        decay = np.nan_to_num(decays[c], nan=-60.0, neginf=-60.0)
        drawn.append(
            f'<figure style="display:inline-block;margin:4px"><figcaption>{escape(name)}: peak {peak:.3g}, '
            f'and energy decay, 0 to -60 dB</figcaption><svg width="{_WIDTH}" height="100">'
            f'{_curve(samples, -peak, peak)}</svg><svg width="{_WIDTH}" height="100">'
            f"{_curve(decay, -60.0, 0.0)}</svg></figure>"
        )
    warnings = "".join(f"<li>{escape(w)}</li>" for w in response.warnings)
    return f"<div><p>{escape(repr(response)[1:-1])}</p>{''.join(drawn)}<ul>{warnings}</ul></div>"


def metrics_html(metrics: "Metrics") -> str:
    from .metrics import BANDS, METRICS

    tables = []
    for c, name in enumerate(metrics.channels):
        shown = [f for f in METRICS if not np.isnan(metrics[f][c]).all()]
        rows = [
            [f"{f}{', ' + METRICS[f][1] if METRICS[f][1] else ''}"] + [_number(v) for v in metrics[f][c]] for f in shown
        ]
        tables.append(
            f"<p><b>{escape(name)}</b>: STI {_number(metrics.sti[c])}, arrival "
            f"{_number(1e3 * metrics.arrival[c])} ms</p>" + _table(["", *BANDS], rows)
        )
    note = f"<p>{escape(metrics.note)}</p>" if metrics.note else ""
    return f"<div>{''.join(tables)}{note}</div>"


def sound_html(sound: "Sound") -> str:
    """A player for at most 30 s of the first two channels, normalised to 16 bits."""
    samples = sound.samples[:2, : int(30 * sound.rate)]
    peak = float(np.abs(samples).max(initial=0.0)) or 1.0
    whole = np.round(samples.T * (32767.0 / peak)).astype("<i2")
    memory = io.BytesIO()
    with wave.open(memory, "wb") as file:
        file.setnchannels(whole.shape[1])
        file.setsampwidth(2)
        file.setframerate(round(sound.rate))
        file.writeframes(whole.tobytes())
    data = base64.b64encode(memory.getvalue()).decode()
    warnings = "".join(f"<li>{escape(w)}</li>" for w in sound.warnings)
    return (
        f"<div><p>{escape(repr(sound)[1:-1])}, played {-20 * math.log10(peak):+.1f} dB</p>"
        f'<audio controls src="data:audio/wav;base64,{data}"></audio><ul>{warnings}</ul></div>'
    )


def materials_html(materials: Iterable["Material"]) -> str:
    from .materials import OCTAVES

    return _table(
        ["material", *(f"{o:g}" for o in OCTAVES), "source"],
        [[m.name, *(_number(a) for a in m.absorption), m.source or ""] for m in materials],
    )
