# SPDX-License-Identifier: MIT
"""A living room of 31 m2: sofa, armchair, tables, bookshelf, carpet, curtains, window and door."""
import math

from blocks import Blocks
from mesh import Mesh, at_z
from walls import lathe

TITLE = "Living room, 6.4 x 4.8 x 2.6 m"
COLOURS = {
    "walls": (0.90, 0.87, 0.80), "ceiling": (0.95, 0.95, 0.93), "floor": (0.67, 0.48, 0.30),
    "carpet": (0.62, 0.22, 0.20), "window_glass": (0.62, 0.78, 0.86), "woodwork": (0.93, 0.92, 0.90),
    "door": (0.55, 0.36, 0.22), "upholstery": (0.32, 0.42, 0.50), "furniture": (0.60, 0.42, 0.26),
    "books": (0.45, 0.32, 0.30), "curtains": (0.80, 0.70, 0.50), "radiator": (0.96, 0.96, 0.96),
    "screen": (0.10, 0.10, 0.12), "lamp": (0.95, 0.88, 0.70),
}
X, Y, Z = 6.4, 4.8, 2.6


def shell(room):
    room.box(-0.5, X + 0.5, -0.5, Y + 0.5, -0.5, 0, "floor")
    room.box(-0.5, X + 0.5, -0.5, Y + 0.5, 0, Z, "walls")
    room.box(-0.5, X + 0.5, -0.5, Y + 0.5, Z, Z + 0.5, "ceiling")
    room.air(0, X, 0, Y, 0, Z)
    room.box(3.1, 5.7, 1.0, 3.8, -0.1, 0, "carpet")
    for x in (0, X - 0.02):  # skirting boards
        room.box(x, x + 0.02, 0, Y, 0, 0.1, "woodwork")
    for y in (0, Y - 0.02):
        room.box(0, X, y, y + 0.02, 0, 0.1, "woodwork")
    # a window of three casements in a niche, its board in front of it
    room.air(1.7, 4.9, Y, Y + 0.25, 0.85, 2.3)
    room.box(1.7, 4.9, Y + 0.1, Y + 0.25, 0.85, 2.3, "woodwork")
    for k in range(3):
        x = 1.7 + 3.2 / 3 * k
        room.air(x + 0.08, x + 3.2 / 3 - 0.08, Y + 0.1, Y + 0.16, 0.93, 2.22)
        room.box(x + 0.08, x + 3.2 / 3 - 0.08, Y + 0.16, Y + 0.25, 0.93, 2.22, "window_glass")
    room.box(1.6, 5.0, Y - 0.1, Y, 0.81, 0.85, "woodwork")
    room.box(1.7, 4.9, Y, Y + 0.1, 0.81, 0.85, "woodwork")
    # a door with its frame
    room.box(0, 0.03, 0.42, 1.48, 0, 2.13, "woodwork")
    room.air(-0.1, 0.03, 0.5, 1.4, 0, 2.05)
    room.box(-0.15, -0.1, 0.5, 1.4, 0, 2.05, "door")
    for z0, z1 in ((0.25, 0.9), (1.1, 1.85)):
        room.air(-0.12, -0.1, 0.65, 1.25, z0, z1)


def sofa(room, x, y, length, depth):
    """Its back to smaller x, along y."""
    room.box(x, x + depth, y, y + length, 0.12, 0.40, "upholstery")
    room.box(x + 0.25, x + depth, y + 0.2, y + length - 0.2, 0.40, 0.46, "upholstery")
    room.box(x, x + 0.25, y, y + length, 0.40, 0.85, "upholstery")
    for v in (y, y + length - 0.2):
        room.box(x, x + depth, v, v + 0.2, 0.40, 0.62, "upholstery")
    for u in (x + 0.05, x + depth - 0.13):
        for v in (y + 0.05, y + length - 0.13):
            room.box(u, u + 0.08, v, v + 0.08, 0, 0.12, "furniture")


def table(room, x0, x1, y0, y1, top, leg=0.06):
    room.box(x0, x1, y0, y1, top - 0.04, top, "furniture")
    for x in (x0 + 0.04, x1 - 0.04 - leg):
        for y in (y0 + 0.04, y1 - 0.04 - leg):
            room.box(x, x + leg, y, y + leg, 0, top - 0.04, "furniture")


def chair(room, x, y, back):
    """back: the side of the seat at which it stands, (-1 or 1, 0) or (0, -1 or 1)."""
    table(room, x, x + 0.44, y, y + 0.44, 0.46, 0.04)
    u, v = (x if back[0] <= 0 else x + 0.4), (y if back[1] <= 0 else y + 0.4)
    room.box(u, u + (0.04 if back[0] else 0.44), v, v + (0.04 if back[1] else 0.44), 0.46, 0.9, "furniture")


def shelf(room, x0, y0, columns, rows):
    """Books of many heights and depths, the same ones in every run; a gap here and there."""
    width, height, depth = 0.8, 0.36, 0.34
    room.box(x0, x0 + columns * width + 0.04, y0, y0 + depth, 0, 0.08 + rows * height + 0.04, "furniture")
    state = 7
    for c in range(columns):
        for r in range(rows):
            left, right = x0 + 0.04 + c * width, x0 + (c + 1) * width
            floor, roof = 0.12 + r * height, 0.08 + (r + 1) * height
            room.air(left, right, y0 + 0.02, y0 + depth, floor, roof)
            x = left
            while x < right - 0.05:
                state = (state * 1103515245 + 12345) % 2 ** 31
                pick = state >> 16
                end = min(x + 0.08 + 0.04 * (pick % 5), right)
                if right - end < 0.05:
                    end = right
                if pick % 11:
                    room.box(x, end, y0 + 0.02, y0 + 0.2 + 0.02 * (pick // 8 % 6), floor,
                             floor + 0.2 + 0.02 * (pick // 64 % 5), "books")
                x = end


def furniture(room):
    sofa(room, 2.1, 1.25, 2.2, 0.95)
    room.box(4.3, 5.2, 0.55, 1.4, 0.12, 0.42, "upholstery")  # armchair, its back to the shelf
    room.box(4.3, 5.2, 0.55, 0.77, 0.42, 0.9, "upholstery")
    for x in (4.3, 5.04):
        room.box(x, x + 0.16, 0.55, 1.4, 0.42, 0.6, "upholstery")
    for x in (4.35, 5.07):
        for y in (0.6, 1.27):
            room.box(x, x + 0.08, y, y + 0.08, 0, 0.12, "furniture")
    table(room, 3.75, 4.4, 1.85, 2.95, 0.44)
    room.box(5.9, X, 1.2, 3.5, 0.12, 0.58, "furniture")  # sideboard on plinths, a screen above it
    for y in (1.3, 3.2):
        room.box(5.95, X, y, y + 0.2, 0, 0.12, "furniture")
    room.box(X - 0.08, X, 1.6, 3.1, 0.85, 1.7, "screen")
    shelf(room, 1.0, 0, 3, 6)
    for x, y, back in ((0.43, 3.3, (-1, 0)), (1.53, 3.3, (1, 0)), (0.98, 2.72, (0, -1)), (0.98, 3.88, (0, 1))):
        chair(room, x, y, back)
    room.box(2.3, 4.3, Y - 0.1, Y, 0.15, 0.7, "radiator")
    for y0, y1, z0, z1 in ((2.0, 2.9, 1.3, 1.95), (3.2, 3.8, 1.35, 1.9)):
        room.box(0, 0.03, y0, y1, z0, z1, "furniture")


def curtain(mesh, x0, x1):
    """Folds 100 mm and more in front of the wall, from a rail to just above the floor."""
    count = 4 * round((x1 - x0) / 0.12)
    xs = [x0 + (x1 - x0) * k / count for k in range(count + 1)]
    near = [(x, Y - 0.24 + 0.045 * math.sin(math.pi / 2 * k)) for k, x in enumerate(xs)]
    outline = near + [(x, y + 0.05) for x, y in reversed(near)]
    mesh.prism(at_z(0.03, outline), at_z(2.45, outline), "curtains", cap="curtains", base="curtains")


def build():
    room, mesh = Blocks(), Mesh()
    shell(room)
    furniture(room)
    # a round dining table on one foot, a floor lamp
    foot, _ = lathe(mesh, (1.2, 3.52), ((0.3, 0), (0.3, 0.04), (0.06, 0.07), (0.06, 0.71), (0.5, 0.71), (0.5, 0.75),
                                        (0, 0.75)), "furniture", 24)
    room.cut(2, foot)
    foot, _ = lathe(mesh, (2.55, 4.1), ((0.15, 0), (0.15, 0.03), (0.02, 0.03), (0.02, 1.42), (0.22, 1.42), (0.14, 1.74),
                                        (0, 1.74)), "lamp", 16)
    room.cut(2, foot)
    curtain(mesh, 0.95, 1.67)
    curtain(mesh, 4.93, 5.65)
    room.build(mesh)
    return mesh
