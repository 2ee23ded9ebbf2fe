# SPDX-License-Identifier: MIT
"""The outline of a room as lines in space, for plans and sections."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .shapes import BOX_FACES

if TYPE_CHECKING:
    from .room import Room

__all__ = ["Line", "outline", "edges_of_mesh"]

_UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "ft": 0.3048, "file": 1.0}
_EDGES_MAX = 20000


class Line:
    """A polyline: points [n, 3] in m, material, whether it belongs to a wall or to an object, name of the object."""

    def __init__(self, points: Any, material: str, wall: bool, name: Optional[str] = None) -> None:
        self.points = np.asarray(points, dtype=float)
        self.material, self.wall, self.name = material, wall, name


def _box(lower: Any, upper: Any) -> np.ndarray:
    return np.array(
        [[x, y, z] for z in (lower[2], upper[2]) for y in (lower[1], upper[1]) for x in (lower[0], upper[0])]
    )


def _closed(points: Any) -> np.ndarray:
    closed: np.ndarray = np.vstack([points, points[:1]])
    return closed


def _turn(points: np.ndarray, degrees: Any) -> np.ndarray:
    """Rotates points about their centre: roll about x, then pitch about y, then yaw about z, as the library does."""
    yaw, pitch, roll = (math.radians(float(d)) for d in degrees)
    cy, sy, cp, sp, cr, sr = (
        math.cos(yaw),
        math.sin(yaw),
        math.cos(pitch),
        math.sin(pitch),
        math.cos(roll),
        math.sin(roll),
    )
    turn = (
        np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    )
    centre = points.mean(axis=0)
    turned: np.ndarray = (points - centre) @ turn.T + centre
    return turned


def _circle(centre: Any, radius: float, normal: Any) -> np.ndarray:
    normal = np.asarray(normal, float) / np.linalg.norm(normal)
    first = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    angles = np.linspace(0.0, 2.0 * np.pi, 33)[:, np.newaxis]
    ring: np.ndarray = np.asarray(centre, float) + radius * (np.cos(angles) * first + np.sin(angles) * second)
    return ring


def _object(o: Mapping[str, Any]) -> Iterator[Line]:
    material, name = str(o.get("material", "")), o.get("name")
    shape = o.get("shape")
    if shape in ("box", "wedge"):
        corners = _box(o["from"], o["to"])
        if shape == "wedge":  # the side opposite to the high one has no height
            axis, low = {"x_min": (0, 1), "x_max": (0, 0), "y_min": (1, 1), "y_max": (1, 0)}[o["rises"]]
            for i in range(8):
                if (i >> axis & 1) == low:
                    corners[i, 2] = corners[i & 3, 2]
        if o.get("rotation"):
            corners = _turn(corners, o["rotation"])
        for face in BOX_FACES.values():
            yield Line(_closed(corners[list(face)]), material, False, name)
    elif shape == "cylinder":
        start, end = np.asarray(o["from"], float), np.asarray(o["to"], float)
        rings = [_circle(start, o["radius"], end - start), _circle(end, o["radius"], end - start)]
        for ring in rings:
            yield Line(ring, material, False, name)
        for i in range(0, 32, 8):
            yield Line([rings[0][i], rings[1][i]], material, False, name)
    elif shape == "sphere":
        for normal in np.eye(3):
            yield Line(_circle(o["position"], o["radius"], normal), material, False, name)
    elif shape == "polygon":
        plan = np.asarray(o["corners"], float)
        for z in (o["bottom"], o["top"]):
            yield Line(_closed(np.column_stack([plan, np.full(len(plan), z)])), material, False, name)
        for x, y in plan:
            yield Line([[x, y, o["bottom"]], [x, y, o["top"]]], material, False, name)


def edges_of_mesh(vertices: np.ndarray, faces: Any, materials: Any) -> Iterator[Line]:
    """Edges between faces in different planes or of different materials, and edges of a single face."""
    vertices = np.asarray(vertices, float)
    found: dict[tuple[int, int], list[Any]] = {}
    for face, material in zip(faces, materials):
        corners = vertices[face]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        length = np.linalg.norm(normal)
        normal = normal / length if length else normal
        for a, b in zip(face, np.roll(face, -1)):
            found.setdefault((min(a, b), max(a, b)), []).append((normal, material))
    kept = 0
    for (a, b), sides in found.items():
        flat = len(sides) == 2 and abs(float(sides[0][0] @ sides[1][0])) > 0.999 and sides[0][1] == sides[1][1]
        if not flat and kept < _EDGES_MAX:
            kept += 1
            yield Line(vertices[[a, b]], sides[0][1], True)


def _obj(path: str, unit: str, up: str) -> Iterator[Line]:
    vertices, faces, names, name = [], [], [], ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.split()
            if line.startswith("v "):
                vertices.append([float(w) for w in words[1:4]])
            elif line.startswith("usemtl"):
                name = " ".join(words[1:])
            elif line.startswith("f "):
                indices = [int(w.split("/")[0]) for w in words[1:]]
                faces.append(np.array([i - 1 if i > 0 else len(vertices) + i for i in indices]))
                names.append(name)
    points = np.array(vertices) * _UNITS.get(unit, 1.0)
    if up == "y":
        points = points[:, [0, 2, 1]] * [1.0, -1.0, 1.0]
    return edges_of_mesh(points, faces, names)


def _walls(described: Mapping[str, Any], room: "Room") -> Iterator[Line]:
    group = described["room"]
    walls = group.get("walls", {})
    if room.meshes:
        for mesh in room.meshes:
            yield from edges_of_mesh(mesh.vertices, mesh.faces, mesh.materials)
    elif "geometry" in group:
        file, unit, up = (
            group["geometry"]["file"],
            group["geometry"].get("unit", "file"),
            group["geometry"].get("up", "z"),
        )
        if file.lower().endswith(".obj") and os.path.exists(file):
            yield from _obj(file, unit, up)
    elif "corners" in group:
        plan, height = np.asarray(group["corners"], float), group["height"]
        tops = np.broadcast_to(np.asarray(height, float), len(plan))
        yield Line(_closed(np.column_stack([plan, np.zeros(len(plan))])), walls.get("z_min", ""), True)
        yield Line(_closed(np.column_stack([plan, tops])), walls.get("z_max", ""), True)
        for (x, y), top in zip(plan, tops):
            yield Line([[x, y, 0.0], [x, y, top]], "", True)
    else:
        corners = _box((0.0, 0.0, 0.0), room.grid.size if "size" not in group else group["size"])
        for wall, face in BOX_FACES.items():
            yield Line(_closed(corners[list(face)]), walls.get(wall, walls.get("default", "")), True)


def outline(room: "Room") -> list[Line]:
    """The walls and objects of a room as lines. For models in formats other than OBJ, only the objects are drawn."""
    described = room.description
    lines = list(_walls(described, room))
    for o in described["room"].get("objects", []):
        lines.extend(_object(o))
    return lines
