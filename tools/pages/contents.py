# SPDX-License-Identifier: MIT
"""What stands in the site, in reading order: title, and the page in the repository or one that reference.py makes."""

from __future__ import annotations

from typing import Any

CONTENTS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "Start",
        [
            ("aula", "README.md"),
            ("Using the program", "docs/guide/using.md"),
            ("Questions", "docs/guide/faq.md"),
            ("All pages", "docs/README.md"),
        ],
    ),
    (
        "Tutorials",
        [
            ("Five tutorials", "docs/guide/tutorials/README.md"),
            ("A first room", "docs/guide/tutorials/first-room.md"),
            ("A ceiling and two walls", "docs/guide/tutorials/ceiling.md"),
            ("A room from a model", "docs/guide/tutorials/attic.md"),
            ("With two ears", "docs/guide/tutorials/ears.md"),
            ("A drum in the room", "docs/guide/tutorials/drum.md"),
        ],
    ),
    (
        "Concepts",
        [
            ("For acousticians", "docs/guide/concepts.md"),
            ("The equations", "docs/science/theory.md"),
            ("Accuracy", "docs/science/accuracy.md"),
            ("Two schemes, and a map", "docs/science/scheme.md"),
            ("The whole band", "docs/science/hybrid.md"),
            ("Walls and air", "docs/science/walls.md"),
            ("Reverberation", "docs/science/reverberation.md"),
            ("Directions", "docs/science/space.md"),
            ("Figures", "docs/guide/metrics.md"),
            ("Glossary", "docs/glossary.md"),
        ],
    ),
    (
        "Guides",
        [
            ("Room files", "docs/guide/room-file.md"),
            ("Rooms from models", "rooms/README.md"),
            ("Listening", "docs/guide/listening.md"),
            ("Films and maps", "docs/guide/film-and-map.md"),
            ("Many rooms", "docs/guide/batch.md"),
            ("Checkpoints", "docs/guide/checkpoints.md"),
            ("Grids in parts", "docs/design/parallel.md"),
            ("Python", "docs/guide/python.md"),
            ("C library", "docs/guide/c-library.md"),
        ],
    ),
    (
        "Instruments and stencils",
        [
            ("Instruments", "docs/science/instruments.md"),
            ("The twenty presets", "reference/presets.md"),
            ("Four pieces", "docs/guide/pieces.md"),
            ("Three stencils", "docs/science/stencils.md"),
        ],
    ),
    (
        "Reference",
        [
            ("Keys of a room file", "reference/keys.md"),
            ("Commands", "reference/commands.md"),
            ("Manual page", "reference/manual.md"),
            ("Materials", "reference/materials.md"),
            ("C interface", "reference/c.md"),
            ("Python interface", "reference/python.md"),
        ],
    ),
    (
        "Results",
        [
            ("Measurements", "docs/results/README.md"),
            ("EPYC Zen 5", "docs/results/epyc-zen5.md"),
            ("EPYC Zen 4", "docs/results/epyc-zen4.md"),
            ("H200", "docs/results/h200.md"),
            ("Beside other programs", "docs/results/peers.md"),
            ("The whole band beside others", "docs/results/band-peers.md"),
            ("Hybrid responses beside waves", "docs/results/hybrid.md"),
        ],
    ),
    (
        "How it is made",
        [
            ("Architecture", "docs/design/architecture.md"),
            ("CUDA engine", "docs/design/gpu.md"),
            ("CPU engine", "docs/design/cpu.md"),
            ("Contributing", "CONTRIBUTING.md"),
            ("Changes", "CHANGELOG.md"),
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
        section = "Results" if "/results/" in path else "How it is made"
        next(group for group in made if section in group)[section].append(path)
    return made
