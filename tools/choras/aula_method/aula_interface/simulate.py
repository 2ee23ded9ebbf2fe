# SPDX-License-Identifier: MIT
"""Runs a simulation of CHORAS: the JSON file that its back end writes, with the responses and parameters put into it."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, Callable, Optional

import aula

from . import geo

OCTAVES = (63, 125, 250, 500, 1000, 2000, 4000, 8000)  # Hz, of a material
#: Hz: of the coefficients, by their number; CHORAS writes five, its newer methods six or seven.
GIVEN = {5: OCTAVES[1:6], 6: OCTAVES[1:7], 7: OCTAVES[:7], 8: OCTAVES}
#: CHORAS' name: aula's, and the factor of its unit. CHORAS shows ts in ms and d50 in %.
PARAMETERS = {
    "edt": ("EDT", 1.0),
    "t20": ("T20", 1.0),
    "t30": ("T30", 1.0),
    "c80": ("C80", 1.0),
    "d50": ("D50", 100.0),
    "ts": ("Ts", 1000.0),
    "spl_t0_freq": ("G", 1.0),
}
#: dB: G to the level of a source of 1 W, whose level in free air is 120 - 31 dB at 10 m (ISO 3382-1, A.2.1).
LEVEL_OF_1_W = 89.0


def coefficients(layer: str, text: str) -> list[float]:
    """Absorption in the eight octaves of a material; outside of the given ones the nearest holds."""
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"absorption_coefficients.{layer} is {text!r}; expected numbers with commas") from None
    if len(values) not in GIVEN:
        raise ValueError(f"absorption_coefficients.{layer} has {len(values)} numbers; expected {sorted(GIVEN)}")
    if not all(0.0 <= value <= 1.0 for value in values):
        raise ValueError(f"absorption_coefficients.{layer} has {text}; expected 0 to 1")
    given = dict(zip(GIVEN[len(values)], values))
    return [given[min(given, key=lambda f: abs(math.log2(f / octave)))] for octave in OCTAVES]


def number(group: dict[str, Any], key: str, default: Optional[float] = None) -> float:
    """A number of a task."""
    value = group.get(key, default)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{key} is {value!r}; expected a number") from None


def check(task: dict[str, Any]) -> None:
    """Refuses, before anything is rendered, what the results could not take."""
    places = [[tuple(number(place, axis) for axis in "xyz") for place in block["responses"]] for block in task["results"]]
    for i, block in enumerate(task["results"]):
        if places[i] != places[0]:
            raise ValueError(f"results[{i}].responses has other receivers than results[0]; list the same ones in the same order")
        for frequency in block["frequencies"]:
            if f"{frequency:g}" not in aula.BANDS:
                raise ValueError(f"results[{i}].frequencies has {frequency}; expected octaves of {', '.join(aula.BANDS[:-1])} Hz")


def room_of(task: dict[str, Any], folder: Path) -> aula.Room:
    """The room of a task, with a source for each member of its results and their common receivers."""
    settings = task.get("simulationSettings", {})
    corners, faces, layers = geo.read(folder / task["geo_path"])
    absorption = task["absorption_coefficients"]
    names = {layer: f"layer_{i}" for i, layer in enumerate(dict.fromkeys(layers))}
    for layer in names:
        if layer not in absorption:
            raise ValueError(f"{task['geo_path']}: the surface {layer!r} has no absorption_coefficients")
    scattering = number(settings, "aula_scattering", 0.1)
    duration = number(settings, "aula_duration", 0.0)
    room = {
        "room": {"geometry": aula.Mesh(corners, faces, [names[layer] for layer in layers])},
        "materials": {
            name: {"absorption": coefficients(layer, absorption[layer]), "scattering": [scattering] * 8}
            for layer, name in names.items()
        },
        "grid": {"max_frequency": number(settings, "aula_max_frequency", 500.0)},
        "air": {
            "temperature": number(settings, "aula_temperature", 20.0),
            "humidity": number(settings, "aula_humidity", 50.0),
        },
        "time": {"duration": duration if duration > 0.0 else "auto"},
        "output": {"rate": number(settings, "sampling_rate", task.get("fs_auralization", 44100))},
        "sources": [
            {"name": f"source_{i}", "position": [number(block, f"source{axis}") for axis in "XYZ"]}
            for i, block in enumerate(task["results"])
        ],
        "receivers": [
            {"name": f"receiver_{i}", "position": [number(place, axis) for axis in "xyz"]}
            for i, place in enumerate(task["results"][0]["responses"])
        ],
    }
    return aula.Room(room, name=Path(task["geo_path"]).stem)


def parameters(metrics: aula.Metrics, channel: int, frequencies: list[float]) -> dict[str, list[Any]]:
    """CHORAS' parameters of a receiver; None where one cannot be determined."""
    out: dict[str, list[Any]] = {}
    for name, (ours, factor) in PARAMETERS.items():
        values = [metrics[ours][channel, aula.BANDS.index(f"{frequency:g}")] for frequency in frequencies]
        shift = LEVEL_OF_1_W if ours == "G" else 0.0
        out[name] = [float(factor * value + shift) if math.isfinite(value) else None for value in values]
    return out


def save(task: dict[str, Any], path: Path) -> None:
    """Writes the task; the file is whole at any time, because the back end reads its percentage."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(task, indent=4), encoding="utf-8")
    os.replace(part, path)


def simulate(path: Path, say: Callable[[str], None] = print) -> None:
    """Runs the task in this file and writes the results into it."""
    task = json.loads(path.read_text(encoding="utf-8"))
    check(task)
    room = room_of(task, path.parent)
    for remark in room.remarks:
        say(f"aula: {remark}")
    say(f"aula: {room.volume:.1f} m3, waves to {room.grid.valid_frequency:.0f} Hz, rays above")
    shown = -1  # %, of all sources; the back end reads it from the first
    for i, block in enumerate(task["results"]):

        def progress(share: float) -> None:
            nonlocal shown
            percent = int(99.0 * (i + share) / len(task["results"]))
            if percent > shown:
                shown = block["percentage"] = percent
                task["results"][0]["percentage"] = percent
                save(task, path)

        response = room.render(i, progress=progress)
        metrics = response.metrics()
        if metrics.note:
            say(f"aula: {metrics.note}")
        for channel, place in enumerate(block["responses"]):
            place["receiverResults"] = [float(sample) for sample in response.samples[channel]]
            place["receiverResultsUncorrected"] = place["receiverResults"]
            place["parameters"] = parameters(metrics, channel, block["frequencies"])
        block["percentage"] = 100
    task["results"][0]["percentage"] = 100
    save(task, path)
