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
from .calibration import Calibration, Combination, Residuals, calibrate
from .comparison import JND_SOURCES, Comparison, compare
from .data_set import DataSet, Rendered
from .ears import Sound, binaural, read
from .errors import AulaError, InputError, Mistake, StoppedError
from .instruments import Take
from .layers import MaterialAcoustics, material
from .listening import Preview, PreviewStatus
from .materials import OCTAVES, Material, MaterialTable, import_materials, materials
from .metrics import BANDS, METRICS, Judged, Judgement, Metrics, measure, measure_file
from .modes import ModeBand, Modes, modes
from .moving import auralize_path
from .open_plan import OpenPlan, open_plan
from .pictures import Map
from .placing import Filter, Placing, Sub, SubSet, WallArea, place
from .reports import Report, report
from .response import Response, auralize, write
from .room import TOGETHER, Grid, Place, Room, Wall
from .shapes import Box, Cylinder, Mesh, Prism, Sphere, Wedge, box_mesh
from .summary import Spread, Summary, summarize
from .sweeps import Deconvolution, Sweep, deconvolve, sweep
from .text import room_text

__version__: str = _text(lib.aula_version()) or ""

__all__ = [
    "AulaError",
    "BANDS",
    "Box",
    "Calibration",
    "Combination",
    "Comparison",
    "Cylinder",
    "DataSet",
    "Deconvolution",
    "Filter",
    "Grid",
    "InputError",
    "JND_SOURCES",
    "Judged",
    "Judgement",
    "METRICS",
    "Map",
    "Material",
    "MaterialAcoustics",
    "MaterialTable",
    "Mesh",
    "Metrics",
    "Mistake",
    "ModeBand",
    "Modes",
    "OCTAVES",
    "OpenPlan",
    "Place",
    "Placing",
    "Preview",
    "PreviewStatus",
    "Prism",
    "Rendered",
    "Report",
    "Residuals",
    "Response",
    "Room",
    "Sound",
    "Sphere",
    "Spread",
    "StoppedError",
    "Sub",
    "SubSet",
    "Summary",
    "Sweep",
    "TOGETHER",
    "Take",
    "Variation",
    "Wall",
    "WallArea",
    "Wedge",
    "auralize",
    "auralize_path",
    "batch",
    "binaural",
    "box_mesh",
    "calibrate",
    "compare",
    "data_path",
    "deconvolve",
    "draws",
    "grid",
    "import_materials",
    "material",
    "materials",
    "measure",
    "measure_file",
    "modes",
    "open_plan",
    "place",
    "read",
    "report",
    "room_text",
    "summarize",
    "sweep",
    "write",
    "__version__",
]
