# SPDX-License-Identifier: MIT
"""The faces of a room as CHORAS writes them: a gmsh script (.geo) of points, straight lines and plane surfaces without holes."""

from __future__ import annotations

import re
from pathlib import Path

STATEMENT = re.compile(r"\s*(?P<kind>[A-Za-z ]+?)\s*\(\s*(?P<head>[^)]*?)\s*\)\s*\+?=\s*\{(?P<body>[^}]*)\}\s*$", re.S)
KINDS = ("Point", "Line", "Line Loop", "Curve Loop", "Plane Surface", "Physical Surface")
CURVED = re.compile(r"^\s*(Circle|Ellipse|Spline|BSpline|Bezier|Surface|Ruled Surface|BooleanUnion|Extrude)\s*[({]")


class GeoError(ValueError):
    """The file is not what CHORAS writes; the message names file and line."""


def read(path: Path) -> tuple[list[tuple[float, float, float]], list[list[int]], list[str]]:
    """The corners [n], m; the polygons, as indices of corners; and for each polygon the name of its physical surface."""
    points: dict[int, tuple[float, float, float]] = {}
    lines: dict[int, tuple[int, int]] = {}
    loops: dict[int, list[int]] = {}
    surfaces: dict[int, int] = {}
    layers: dict[int, str] = {}
    text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    at = 1
    for statement in text.split(";"):
        line = at + len(statement[: len(statement) - len(statement.lstrip())].split("\n")) - 1
        at += statement.count("\n")
        if CURVED.match(statement):
            raise GeoError(f"{path}:{line}: {CURVED.match(statement)[1]}: only plane surfaces of straight lines are read")
        found = STATEMENT.match(statement)
        if not found or " ".join(found["kind"].split()) not in KINDS:
            continue
        kind, head = " ".join(found["kind"].split()), found["head"]
        body = [part.strip() for part in found["body"].split(",") if part.strip()]
        try:
            if kind == "Physical Surface":
                name = re.match(r'"([^"]*)"', head)
                for surface in body:
                    layers[int(surface)] = name[1] if name else head
            elif kind == "Point":
                points[int(head)] = (float(body[0]), float(body[1]), float(body[2]))
            elif kind == "Line":
                lines[int(head)] = (int(body[0]), int(body[1]))
            elif kind == "Plane Surface":
                if len(body) != 1:
                    raise GeoError(f"{path}:{line}: Plane Surface({head}) has holes, which are not read; divide it")
                surfaces[int(head)] = int(body[0])
            else:
                loops[int(head)] = [int(part) for part in body]
        except (ValueError, IndexError) as error:
            if isinstance(error, GeoError):
                raise
            raise GeoError(f"{path}:{line}: {kind}({head}) is not understood: {error}") from None
    return _polygons(path, points, lines, loops, surfaces, layers)


def _polygons(path, points, lines, loops, surfaces, layers):
    numbers = sorted(points)
    index = {number: i for i, number in enumerate(numbers)}
    faces, names = [], []
    for surface, loop in sorted(surfaces.items()):
        if surface not in layers:
            raise GeoError(f"{path}: Plane Surface({surface}) belongs to no Physical Surface, and has no material")
        try:
            ends = [lines[side] if side > 0 else lines[-side][::-1] for side in loops[loop]]
            faces.append([index[start] for start, _ in ends])
        except KeyError as missing:
            raise GeoError(f"{path}: Plane Surface({surface}) uses {missing}, which is not there") from None
        if any(end != ends[(i + 1) % len(ends)][0] for i, (_, end) in enumerate(ends)):
            raise GeoError(f"{path}: the lines of Plane Surface({surface}) do not join")
        names.append(layers[surface])
    if not faces:
        raise GeoError(f"{path}: no plane surfaces")
    return [points[number] for number in numbers], faces, names
