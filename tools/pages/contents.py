# SPDX-License-Identifier: MIT
"""The contents of the site in reading order: titles, and pages of the repository or of reference.py."""

from __future__ import annotations

from typing import Any

CONTENTS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "Start",
        [
            ("aula", "README.md"),
            ("Using aula", "docs/guide/using.md"),
            ("The room in a browser", "docs/guide/studio.md"),
            ("Installing", "docs/guide/installing.md"),
            ("Questions", "docs/guide/faq.md"),
            ("All pages", "docs/README.md"),
        ],
    ),
    (
        "Tutorials",
        [
            ("Ten tutorials", "docs/guide/tutorials/README.md"),
            ("A first room", "docs/guide/tutorials/first-room.md"),
            ("A ceiling and two walls", "docs/guide/tutorials/ceiling.md"),
            ("A room from a model", "docs/guide/tutorials/attic.md"),
            ("With two ears", "docs/guide/tutorials/ears.md"),
            ("A classroom for a client", "docs/guide/tutorials/classroom.md"),
            ("A measurement, rehearsed", "docs/guide/tutorials/measuring.md"),
            ("The low end of a control room", "docs/guide/tutorials/modes.md"),
            ("Next door", "docs/guide/tutorials/two_rooms.md"),
            ("A drum in the room", "docs/guide/tutorials/drum.md"),
            ("A gong that crashes", "docs/guide/tutorials/gong.md"),
        ],
    ),
    (
        "Guide",
        [
            ("Concepts", "docs/guide/concepts.md"),
            ("Room files", "docs/guide/room-file.md"),
            ("Materials", "docs/guide/materials.md"),
            ("Rooms from models", "rooms/README.md"),
            ("Listening", "docs/guide/listening.md"),
            ("Films and maps", "docs/guide/film-and-map.md"),
            ("Measuring rooms", "docs/guide/measuring.md"),
            ("Modes", "docs/guide/modes.md"),
            ("Placing subwoofers", "docs/guide/placing.md"),
            ("Acoustic parameters", "docs/guide/metrics.md"),
            ("Comparing responses", "docs/guide/compare.md"),
            ("Targets", "docs/guide/targets.md"),
            ("Reports", "docs/guide/report.md"),
            ("Calibrating a room", "docs/guide/calibrating.md"),
            ("Instrument pieces", "docs/guide/pieces.md"),
            ("Playing instruments", "docs/guide/playing.md"),
            ("Data sets", "docs/guide/batch.md"),
            ("Checkpoints", "docs/guide/checkpoints.md"),
            ("Python", "docs/guide/python.md"),
            ("C library", "docs/guide/c-library.md"),
            ("Glossary", "docs/glossary.md"),
        ],
    ),
    (
        "Reference",
        [
            ("Keys of a room file", "reference/keys.md"),
            ("Commands", "reference/commands.md"),
            ("Manual page", "reference/manual.md"),
            ("Materials", "reference/materials.md"),
            ("Instrument presets", "reference/presets.md"),
            ("C interface", "reference/c.md"),
            ("Python interface", "reference/python.md"),
        ],
    ),
    (
        "Science",
        [
            ("Theory", "docs/science/theory.md"),
            ("Accuracy", "docs/science/accuracy.md"),
            ("Schemes", "docs/science/scheme.md"),
            ("Hybrid response", "docs/science/hybrid.md"),
            ("Walls and air", "docs/science/walls.md"),
            ("Reverberation", "docs/science/reverberation.md"),
            ("Directions", "docs/science/space.md"),
            ("Instruments", "docs/science/instruments.md"),
            ("Published stencils", "docs/science/stencils.md"),
        ],
    ),
    (
        "Results",
        [
            ("Measurements", "docs/results/README.md"),
            ("EPYC Zen 5", "docs/results/epyc-zen5.md"),
            ("EPYC Zen 4", "docs/results/epyc-zen4.md"),
            ("H200", "docs/results/h200.md"),
            ("Data sets an hour", "docs/results/batch.md"),
            ("Data sets and their loaders", "docs/results/datasets.md"),
            ("Other programs", "docs/results/peers.md"),
            ("Other programs, full band", "docs/results/band-peers.md"),
            ("Hybrid response and wave solver", "docs/results/hybrid.md"),
            ("Calibration", "docs/results/calibrate.md"),
            ("Decisions, other programs", "docs/results/decisions.md"),
            ("Modes of rooms", "docs/results/modes.md"),
            ("Layered walls", "docs/results/layers.md"),
            ("Furnished rooms", "docs/results/furnished_rooms.md"),
            ("Sound between rooms", "docs/results/transmission.md"),
        ],
    ),
    (
        "Design",
        [
            ("Architecture", "docs/design/architecture.md"),
            ("CUDA engine", "docs/design/gpu.md"),
            ("CPU engine", "docs/design/cpu.md"),
            ("Grids in parts", "docs/design/parallel.md"),
            ("Contributing", "CONTRIBUTING.md"),
            ("Changelog", "CHANGELOG.md"),
            ("Roadmap", "docs/roadmap.md"),
        ],
    ),
]


def pages() -> list[str]:
    return [path for _, entries in CONTENTS for _, path in entries]


def titles() -> dict[str, str]:
    """Of each page, and of each folder whose page it is."""
    found = {path: title for _, entries in CONTENTS for title, path in entries}
    return found | {
        path.removesuffix("/README.md"): title for path, title in found.items() if path.endswith("/README.md")
    }


def navigation(missing: list[str]) -> list[Any]:
    """As MkDocs takes it; pages of docs/ that the lists above do not know yet come at the end of a section."""
    made: list[dict[str, list[Any]]] = []
    made += [{section: [{title: path} for title, path in entries]} for section, entries in CONTENTS]
    for path in missing:
        section = "Results" if "/results/" in path else "Design"
        next(group for group in made if section in group)[section].append(path)
    return made
