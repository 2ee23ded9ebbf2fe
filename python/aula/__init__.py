# SPDX-License-Identifier: MIT
"""aula: room acoustics by finite differences in time.

A room is a file, or a dict with the keys of a room file. Units are SI; axes are right-handed, z up::

    import aula

    room = aula.Room({
        "room": {"size": [5.2, 4.1, 2.8], "walls": {"default": "gypsum_board", "z_min": "parquet"}},
        "grid": {"max_frequency": 500},
        "sources": [{"position": [1.2, 1.4, 1.25]}],
        "receivers": [{"position": [2.52, 2.35, 1.2]}],
    })
    response = room.render()
    response.samples                  # [channels, frames], a view of the library's memory
    response.metrics()["T30"]         # [channels, octaves and the broad band], s

docs/guide/python.md is the guide. Errors are AulaError, with file, line and key.
"""

from ._library import data_path, lib, text as _text
from .batch import Variation, batch, draws, grid
from .comparison import JND_SOURCES, Comparison, compare
from .errors import AulaError, InputError, Mistake, StoppedError
from .materials import OCTAVES, Material, materials
from .metrics import BANDS, METRICS, Judged, Judgement, Metrics, measure, measure_file
from .open_plan import OpenPlan, open_plan
from .response import Response, Sound, auralize, write
from .room import TOGETHER, Grid, Place, Room, Wall
from .shapes import Box, Cylinder, Mesh, Prism, Sphere, Wedge, box_mesh
from .sweeps import Deconvolution, Sweep, deconvolve, sweep
from .text import room_text

__version__: str = _text(lib.aula_version()) or ""

__all__ = [
    "AulaError",
    "BANDS",
    "Box",
    "Comparison",
    "Deconvolution",
    "Cylinder",
    "JND_SOURCES",
    "METRICS",
    "Grid",
    "InputError",
    "Material",
    "Mesh",
    "Judged",
    "Judgement",
    "Metrics",
    "Mistake",
    "OCTAVES",
    "OpenPlan",
    "Place",
    "Prism",
    "Response",
    "Room",
    "Sound",
    "Sphere",
    "StoppedError",
    "Sweep",
    "TOGETHER",
    "Variation",
    "Wall",
    "Wedge",
    "auralize",
    "batch",
    "box_mesh",
    "compare",
    "data_path",
    "deconvolve",
    "draws",
    "grid",
    "materials",
    "measure",
    "measure_file",
    "open_plan",
    "room_text",
    "sweep",
    "write",
    "__version__",
]
