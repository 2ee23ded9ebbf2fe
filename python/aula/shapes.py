# SPDX-License-Identifier: MIT
"""Shapes and meshes for rooms from dicts; each converts to the corresponding group of a room file."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np

from .errors import InputError
from .files import file_name, write_texts

__all__ = ["Box", "Cylinder", "Sphere", "Wedge", "Prism", "Mesh", "box_mesh"]

Point = Union[Sequence[float], np.ndarray]


def _group(shape: str, name: Optional[str], **keys: Any) -> dict[str, Any]:
    group = {"shape": shape, "name": name, **keys}
    return {key: value for key, value in group.items() if value is not None}


@dataclass
class Box:
    """A box between two opposite corners (m), rotated about its centre by yaw, pitch and roll (degrees)."""

    start: Point
    end: Point
    material: str
    rotation: Optional[Point] = None
    name: Optional[str] = None

    def to_room(self) -> dict[str, Any]:
        return _group(
            "box", self.name, **{"from": self.start, "to": self.end, "rotation": self.rotation}, material=self.material
        )


@dataclass
class Cylinder:
    """A cylinder around the axis between two points (m) in any direction; radius in m."""

    start: Point
    end: Point
    radius: float
    material: str
    name: Optional[str] = None

    def to_room(self) -> dict[str, Any]:
        return _group(
            "cylinder", self.name, **{"from": self.start, "to": self.end}, radius=self.radius, material=self.material
        )


@dataclass
class Sphere:
    """A sphere around a position; both in m."""

    position: Point
    radius: float
    material: str
    name: Optional[str] = None

    def to_room(self) -> dict[str, Any]:
        return _group("sphere", self.name, position=self.position, radius=self.radius, material=self.material)


@dataclass
class Wedge:
    """A box with a sloping top that reaches the height of ``end`` at the side ``rises``: "x_min", "x_max", "y_min" or
    "y_max"."""

    start: Point
    end: Point
    rises: str
    material: str
    rotation: Optional[Point] = None
    name: Optional[str] = None

    def to_room(self) -> dict[str, Any]:
        return _group(
            "wedge",
            self.name,
            **{"from": self.start, "to": self.end},
            rises=self.rises,
            rotation=self.rotation,
            material=self.material,
        )


@dataclass
class Prism:
    """A vertical prism over a floor plan: corners [n][2] in m, in order, from z = bottom to z = top."""

    corners: Sequence[Point]
    bottom: float
    top: float
    material: str
    name: Optional[str] = None

    def to_room(self) -> dict[str, Any]:
        return _group(
            "polygon", self.name, corners=self.corners, bottom=self.bottom, top=self.top, material=self.material
        )


_BEGIN = "# written by aula, metres, z up"


def is_ours(path: str) -> bool:
    """Whether an OBJ file was written by aula or does not exist."""
    try:
        with open(path, "rb") as file:
            return file.readline(len(_BEGIN)).decode("utf-8", "replace") == _BEGIN
    except FileNotFoundError:
        return True


_NAME = re.compile(r"[^\s#\\][^\n\r\\#]*")


@dataclass(eq=False)
class Mesh:
    """The walls of a room as faces with materials, for ``{"room": {"geometry": mesh}}``.

    Args:
        vertices: [n, 3], m, z up.
        faces: [m, 3] indices of vertices; or a sequence of flat polygons with three or more corners.
        materials: one name for all faces, or a name per face, from the library or the room's own materials.

    The faces must enclose the air: a hole wider than the grid spacing is an error. Orientation, order and repetition of
    faces do not matter.
    """

    vertices: np.ndarray
    faces: Any
    materials: Union[str, Sequence[str]]
    _folder: Optional[str] = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.vertices = np.asarray(self.vertices, dtype=np.float64)
        if self.vertices.ndim != 2 or self.vertices.shape[1] != 3:
            raise InputError(f"vertices has the shape {self.vertices.shape}; expected [n, 3]")
        if not np.isfinite(self.vertices).all():
            raise InputError(f"vertices[{int(np.argwhere(~np.isfinite(self.vertices))[0][0])}] is not finite")
        self.faces = [np.asarray(face, dtype=np.int64).ravel() for face in self.faces]
        for i, face in enumerate(self.faces):
            if len(face) < 3:
                raise InputError(f"faces[{i}] has {len(face)} corners; expected 3 or more")
            if face.min() < 0 or face.max() >= len(self.vertices):
                raise InputError(f"faces[{i}] has an index outside 0..{len(self.vertices) - 1}")
        if isinstance(self.materials, str):
            self.materials = [self.materials] * len(self.faces)
        self.materials = [str(name) for name in self.materials]
        if len(self.materials) != len(self.faces):
            raise InputError(f"materials has {len(self.materials)} names for {len(self.faces)} faces; use one per face")
        for i, name in enumerate(self.materials):
            if not _NAME.fullmatch(name):
                raise InputError(f"materials[{i}] {name!r} is not a valid name of a material")

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_folder": None}  # the temporary file ends with this object

    def text(self) -> str:
        """The text of an OBJ file in metres, z up, with exact numbers."""
        lines = [_BEGIN]
        lines += ["v " + " ".join(repr(float(x)) for x in vertex) for vertex in self.vertices]
        last = None
        for face, name in zip(self.faces, self.materials):
            if name != last:
                lines.append(f"usemtl {name}")
                last = name
            lines.append("f " + " ".join(str(int(i) + 1) for i in face))
        return "\n".join(lines) + "\n"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the OBJ file; on failure an older file stays."""
        write_texts({os.fsdecode(file_name(path)): self.text()})

    def group(self, path: str) -> dict[str, Any]:
        """The group room.geometry for an OBJ file at `path`."""
        names = dict.fromkeys(self.materials)
        return {"file": path, "unit": "m", "up": "z", "materials": [{"name": name, "material": name} for name in names]}

    def to_room(self, path: Optional[str] = None) -> dict[str, Any]:
        """Writes the mesh to `path`, or to a temporary file that lives as long as this object, and returns the group
        room.geometry."""
        if path is None:
            if self._folder is None:
                self._folder = tempfile.mkdtemp(prefix="aula-mesh-")
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            path = os.path.join(self._folder, "mesh.obj")
        self.save(path)
        return self.group(path)


BOX_FACES = {  # corners counted as x + 2 y + 4 z
    "x_min": (0, 4, 6, 2),
    "x_max": (1, 3, 7, 5),
    "y_min": (0, 1, 5, 4),
    "y_max": (2, 6, 7, 3),
    "z_min": (0, 2, 3, 1),
    "z_max": (4, 5, 7, 6),
}


def box_mesh(size: Point, materials: Union[str, Mapping[str, str]] = "plaster") -> Mesh:
    """A box 0..size (m) as a mesh of six faces; materials by wall (x_min .. z_max, "default"), or one for all walls."""
    corners = np.array([[x, y, z] for z in (0, size[2]) for y in (0, size[1]) for x in (0, size[0])], dtype=float)
    given = {"default": materials} if isinstance(materials, str) else dict(materials)
    unknown = set(given) - set(BOX_FACES) - {"default"}
    if unknown:
        raise InputError(f"materials: unknown wall {sorted(unknown)[0]!r}; use {', '.join(BOX_FACES)} or default")
    names = [given.get(wall, given.get("default", "plaster")) for wall in BOX_FACES]
    return Mesh(corners, list(BOX_FACES.values()), names)
