# SPDX-License-Identifier: MIT
"""The rooms of the comparisons, given once: plan, height, blocks of furniture, real specific admittances, places.

Every program gets its own input from these (peer_programs.py). Walls are real specific admittances Y, alike at all
frequencies; air takes nothing. Boxes without blocks have exact answers (box_field.py)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

SPEED = 343.2  # m/s
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Surface:
    """A flat polygon, m, anticlockwise as seen from the air."""

    material: str
    corners: tuple[Point, ...]

    def triangles(self) -> list[tuple[Point, Point, Point]]:
        """Ears cut off one after the other: floors may be concave."""
        corners, found = list(self.corners), []
        normal = area_vector(corners)
        while len(corners) > 3:
            for i in range(len(corners)):
                ear = (corners[i - 1], corners[i], corners[(i + 1) % len(corners)])
                others = [c for c in corners if c not in ear]
                if dot(area_vector(list(ear)), normal) > 0 and not any(inside(c, ear, normal) for c in others):
                    found.append(ear)
                    del corners[i]
                    break
            else:
                raise ValueError(f"{self.material}: the polygon crosses itself")
        return [*found, (corners[0], corners[1], corners[2])]


@dataclass(frozen=True)
class Block:
    start: Point
    end: Point
    material: str


@dataclass(frozen=True)
class Room:
    name: str
    title: str
    plan: tuple[tuple[float, float], ...]  # m, anticlockwise from above
    height: float
    walls: float  # specific admittance Y; 0: rigid
    floor: float
    seconds: float  # of the responses
    source: Point
    receivers: tuple[Point, ...]
    blocks: tuple[Block, ...] = ()
    block_admittances: tuple[tuple[str, float], ...] = ()
    scattering: float = 0.05  # of programs that trace rays

    @property
    def admittances(self) -> dict[str, float]:
        return {"wall": self.walls, "floor": self.floor, **dict(self.block_admittances)}

    @property
    def box(self) -> Point | None:
        """The size of an empty box, whose field is known exactly; None: another room."""
        if len(self.plan) != 4 or self.blocks:
            return None
        return (self.plan[2][0], self.plan[2][1], self.height)

    def surfaces(self) -> list[Surface]:
        floor = [(x, y, 0.0) for x, y in self.plan]
        ceiling = [(x, y, self.height) for x, y in self.plan]
        found = [Surface("floor", tuple(floor)), Surface("wall", tuple(reversed(ceiling)))]
        for i in range(len(self.plan)):
            found.append(Surface("wall", (floor[i], floor[i - 1], ceiling[i - 1], ceiling[i])))
        for block in self.blocks:
            found += block_surfaces(block)
        return found

    def volume(self) -> float:
        return sum(dot(area_vector(list(s.corners)), s.corners[0]) for s in self.surfaces()) / -3


def block_surfaces(block: Block) -> list[Surface]:
    """Five faces: what stands on the floor hides its own."""
    (x0, y0, z0), (x1, y1, z1) = block.start, block.end
    low = [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)]
    high = [(x, y, z1) for x, y, _ in low]
    sides = [Surface(block.material, (low[i - 1], low[i], high[i], high[i - 1])) for i in range(4)]
    return [*sides, Surface(block.material, tuple(high))]


def area_vector(corners: list[Point]) -> Point:
    """Normal times area, towards where the corners are seen anticlockwise from."""
    x = y = z = 0.0
    for (ax, ay, az), (bx, by, bz) in zip(corners, corners[1:] + corners[:1]):
        x, y, z = x + (ay * bz - az * by) / 2, y + (az * bx - ax * bz) / 2, z + (ax * by - ay * bx) / 2
    return x, y, z


def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def inside(point: Point, triangle: tuple[Point, Point, Point], normal: Point) -> bool:
    return all(dot(area_vector([triangle[i - 1], triangle[i], point]), normal) >= 0 for i in range(3))


def paris(admittance: float) -> float:
    """Energy absorption at random incidence of a locally reacting wall of real specific admittance (Paris)."""
    y = admittance
    return 8 * y * (1 + y / (1 + y) - 2 * y * math.log((1 + y) / y)) if y else 0.0


BOX = ((0.0, 0.0), (4.1, 0.0), (4.1, 3.1), (0.0, 3.1))
PLACES = dict(
    source=(1.13, 0.87, 1.24),
    receivers=((2.91, 2.13, 1.71), (3.32, 1.22, 0.81), (1.64, 2.41, 1.87), (2.27, 0.93, 0.62)),
)
ROOMS = (
    Room("rigid", "box of 4.1 x 3.1 x 2.6 m, rigid", BOX, 2.6, 0.0, 0.0, 0.25, **PLACES),
    Room("even", "box of 4.1 x 3.1 x 2.6 m, Y = 0.05", BOX, 2.6, 0.05, 0.05, 0.6, **PLACES),
    Room("uneven", "box of 4.1 x 3.1 x 2.6 m, Y = 0.02, floor 0.2", BOX, 2.6, 0.02, 0.2, 0.7, **PLACES),
    Room(
        "furnished",
        "L of 6 x 5 x 2.7 m, Y = 0.03, floor 0.15, a table block of Y = 0.1 and a cupboard of .02",
        ((0.0, 0.0), (6.0, 0.0), (6.0, 3.0), (3.6, 3.0), (3.6, 5.0), (0.0, 5.0)),
        2.7,
        0.03,
        0.15,
        0.7,
        (4.93, 0.97, 1.52),
        ((0.91, 1.13, 1.31), (2.87, 0.71, 1.18), (1.07, 4.23, 1.43), (2.73, 3.57, 1.24), (3.07, 2.83, 1.67)),
        (Block((1.2, 1.7, 0.0), (2.6, 2.5, 0.8), "table"), Block((3.9, 1.9, 0.0), (5.5, 2.4, 1.6), "cupboard")),
        (("table", 0.1), ("cupboard", 0.02)),
    ),
    # for tests: so small that every program has it in a second
    Room(
        "closet",
        "box of 1.3 x 1.1 x 0.9 m, Y = 0.1",
        ((0.0, 0.0), (1.3, 0.0), (1.3, 1.1), (0.0, 1.1)),
        0.9,
        0.1,
        0.1,
        0.12,
        (0.43, 0.37, 0.22),
        ((0.91, 0.73, 0.61),),
    ),
)


def room_of(name: str) -> Room:
    for room in ROOMS:
        if room.name == name:
            return room
    raise ValueError(f"{name}: no such room; there are {', '.join(r.name for r in ROOMS)}")


def resized(room: Room, size: tuple[float, ...]) -> Room:
    """The same box at another size, places kept."""
    x, y, height = size
    return replace(room, plan=((0.0, 0.0), (x, 0.0), (x, y), (0.0, y)), height=height)
