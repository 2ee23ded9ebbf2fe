# SPDX-License-Identifier: MIT
"""What the comparisons share: aula as a program, its figures of impulse responses, and tables."""
import json
import math
import os
import subprocess

AULA = os.environ.get("AULA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/release/aula"))
OCTAVES = [125, 250, 500, 1000, 2000, 4000, 8000]
METRICS = {"t30": "T30, s", "t20": "T20, s", "edt": "EDT, s", "c80": "C80, dB", "d50": "D50", "g": "G, dB"}


def aula(*arguments):
    return subprocess.run([AULA, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def octave_of(centre):
    """The index of OCTAVES that holds an octave or third octave of this centre, Hz; None: of no other."""
    index = round(math.log2(centre / 1000) * 3)
    octave = (index + 9 + 1) // 3
    return octave if 0 <= octave < len(OCTAVES) else None


def figures_of(paths, names, thirds=False):
    """{name: [[values of all channels of all files] for each octave]} of sound files."""
    found = {name: [[] for _ in OCTAVES] for name in names}
    text = aula("metrics", *paths, "--json", *(["--third-octaves"] if thirds else []))
    for file in json.loads(text)["files"]:
        for channel in file["channels"]:
            for band in channel["third_octave_bands" if thirds else "octave_bands"]:
                octave = octave_of(band["centre"])
                if octave is None or band["valid"] == "no":
                    continue
                for name in names:
                    if band.get(name) is not None:
                        found[name][octave].append(band[name])
    return found


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def spread(values):
    return math.sqrt(sum((v - mean(values)) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else float("nan")


def paris(admittance):
    """Random-incidence absorption of a real specific admittance (Paris's formula over a locally reacting wall)."""
    y = admittance
    return 8 * y * (1 + y / (1 + y) - 2 * y * math.log((1 + y) / y))


def row(name, values, form="{:.2f}"):
    return f"| {name} | " + " | ".join("–" if v is None or math.isnan(v) else form.format(v) for v in values) + " |"


def head(name):
    labels = [f"{f} Hz" if f < 1000 else f"{f // 1000} kHz" for f in OCTAVES]
    return f"| {name} | " + " | ".join(labels) + " |\n|" + "---|" * (len(labels) + 1)
