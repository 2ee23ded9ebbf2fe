# SPDX-License-Identifier: MIT
"""A shoebox concert hall in the manner of the 19th century: two balconies, an organ, a coffered ceiling.

Seats are blocks: published absorption of seating is for a square metre of the floor that it covers."""
from blocks import Blocks
from mesh import Mesh
from walls import lathe

TITLE = "Concert hall, 45 x 19 x 17 m"
COLOURS = {
    "walls": (0.93, 0.89, 0.78), "ceiling": (0.95, 0.92, 0.84), "floor": (0.58, 0.40, 0.25),
    "stage": (0.76, 0.56, 0.34), "seats": (0.55, 0.12, 0.14), "balconies": (0.90, 0.82, 0.62),
    "columns": (0.86, 0.80, 0.66),
    "organ_case": (0.45, 0.28, 0.16), "organ_pipes": (0.78, 0.78, 0.80), "doors": (0.42, 0.26, 0.16),
    "windows": (0.62, 0.76, 0.84), "chandeliers": (0.95, 0.84, 0.45),
}
X, Y, Z = 45.0, 19.0, 17.0
STAGE, STAGE_HEIGHT = 11.5, 1.1
LOW, HIGH = 4.6, 9.2  # undersides of the balconies
BAY = 2.5
RAKE_FROM, RAKE_PITCH, RAKE_STEP = 20.0, 0.9, 0.06


def floor_at(x):
    """Height of the stalls' floor: level in front, then a low step for each row."""
    return max(0, int((x - RAKE_FROM) / RAKE_PITCH + 1)) * RAKE_STEP if x >= RAKE_FROM else 0.0


def shell(hall):
    hall.box(-1, X + 1, -1, Y + 1, -1, 0, "floor")
    hall.box(-1, X + 1, -1, Y + 1, 0, Z, "walls")
    hall.box(-1, X + 1, -1, Y + 1, Z, Z + 1.5, "ceiling")
    hall.air(0, X, 0, Y, 0, Z)
    x = RAKE_FROM
    while x < X:
        hall.box(x, X, 0, Y, 0, floor_at(x + 0.01), "floor")
        x += RAKE_PITCH
    hall.box(0, STAGE, 0, Y, 0, STAGE_HEIGHT, "stage")
    for k, edge in enumerate((6.0, 4.6, 3.2)):
        hall.box(0, edge, 2.5, Y - 2.5, STAGE_HEIGHT, STAGE_HEIGHT + 0.25 * (k + 1), "stage")


def sides(hall):
    """Pilasters, a cornice, windows above and doors below, bay by bay, on both long walls."""
    for side in (0, 1):
        def out(a, b):  # from the wall into the hall
            return (a, b) if side == 0 else (Y - b, Y - a)

        hall.box(0, X, *out(0, 0.45), 15.7, 16.1, "walls")
        hall.box(0, X, *out(0, 0.25), 15.4, 15.7, "walls")
        for k in range(18):
            x = BAY * k
            if k:
                bottom = STAGE_HEIGHT if x < STAGE else floor_at(x)
                hall.box(x - 0.35, x + 0.35, *out(0, 0.22), bottom, 15.4, "walls")
                hall.box(x - 0.45, x + 0.45, *out(0, 0.3), 14.7, 15.4, "walls")
            hall.air(x + 0.6, x + 1.9, *out(-0.35, 0), 10.6, 14.2)
            hall.box(x + 0.6, x + 1.9, *out(-0.6, -0.35), 10.6, 14.2, "windows")
            hall.box(x + 1.2, x + 1.3, *out(-0.35, -0.25), 10.6, 14.2, "walls")
            hall.box(x + 0.6, x + 1.9, *out(-0.35, -0.25), 12.4, 12.5, "walls")
            if x > STAGE and k % 2:
                z = floor_at(x + 0.55)
                hall.air(x + 0.55, x + 1.95, *out(-0.2, 0), floor_at(x + 1.96), z + 2.4)
                hall.box(x + 0.55, x + 1.95, *out(-0.4, -0.2), z - 0.2, z + 2.4, "doors")
            if x < STAGE - BAY:  # panels behind the players
                hall.box(x + 0.55, x + 1.95, *out(0, 0.12), 2.4, 8.4, "organ_case")


def balconies(hall):
    start = 12.5
    for level, depth, rear in ((LOW, 2.4, 37.0), (HIGH, 1.7, 41.0)):
        for side in (0, 1):
            def out(a, b):
                return (a, b) if side == 0 else (Y - b, Y - a)

            hall.box(start, X, *out(0, depth), level, level + 0.4, "balconies")
            hall.box(start, rear + 0.15, *out(depth - 0.15, depth), level + 0.4, level + 1.25, "balconies")
            hall.box(start, start + 0.15, *out(0, depth), level + 0.4, level + 1.25, "balconies")
            hall.box(start, rear, *out(depth, depth + 0.1), level + 0.1, level + 0.3, "balconies")
            for k in range(int((rear - start) / BAY)):  # a panel in relief on each bay of the parapet
                x = start + BAY * k
                hall.box(x + 0.4, x + 2.1, *out(depth, depth + 0.08), level + 0.5, level + 1.1, "balconies")
                if level == LOW:
                    hall.box(x + 0.3, x + 2.2, *out(0.75, 1.6), level + 0.4, level + 1.15, "seats")
        terrace(hall, rear, level, depth, *((7, 0.35) if level == LOW else (3, 0.4)))


def terrace(hall, front, level, side, rows, step):
    """A balcony over the rear wall that rises row by row."""
    hall.box(front, X, 0, Y, level, level + 0.4, "balconies")
    for k in range(rows):
        x, z = front + 1.0 + 0.95 * k, level + 0.4 + step * k
        if k:
            hall.box(x, X, 2.4, Y - 2.4, level + 0.4, z, "floor")
        for y0, y1 in ((2.7, 8.9), (10.1, Y - 2.7)):
            hall.box(x, x + 0.95, y0, y1, z, z + 0.75, "seats")
    hall.box(front, front + 0.15, side - 0.15, Y - side + 0.15, level + 0.4, level + 1.25, "balconies")
    for k in range(6):
        y = 2.6 + (Y - 5.2) / 6 * k
        hall.box(front - 0.08, front, y + 0.3, y + (Y - 5.2) / 6 - 0.3, level + 0.5, level + 1.1, "balconies")


def stalls(hall):
    for first, last in ((13.7, 23.6), (24.8, 36.5)):
        x = first
        while x + 0.89 < last:
            for y0, y1 in ((2.7, 9.0), (10.0, Y - 2.7)):
                hall.box(x, x + RAKE_PITCH, y0, y1, floor_at(x + 0.01), floor_at(x + RAKE_PITCH - 0.01) + 0.75, "seats")
            x += RAKE_PITCH
    for k in range(6):  # under the balcony, behind the last cross aisle
        for y0, y1 in ((2.7, 9.0), (10.0, Y - 2.7)):
            x = 38.0 + RAKE_PITCH * k
            hall.box(x, x + RAKE_PITCH, y0, y1, floor_at(x + 0.01), floor_at(x + RAKE_PITCH - 0.01) + 0.75, "seats")
    for y in (4.0, 13.5):  # doors at the back
        hall.air(X, X + 0.2, y, y + 1.6, floor_at(X - 0.01), 3.9)
        hall.box(X + 0.2, X + 0.4, y, y + 1.6, 0, 3.9, "doors")


def organ(hall, mesh):
    shelf = 4.6
    hall.box(0, 2.2, 4.5, Y - 4.5, shelf - 0.6, shelf, "organ_case")
    hall.box(2.2, 2.4, 4.5, Y - 4.5, shelf - 0.6, shelf + 0.5, "organ_case")
    for y0, y1, top in ((4.5, 5.1, 12.6), (13.9, 14.5, 12.6), (7.6, 8.0, 13.6), (11.0, 11.4, 13.6)):
        hall.box(0, 1.7, y0, y1, shelf, top, "organ_case")
    hall.box(0, 0.9, 5.1, 13.9, shelf, 10.5, "organ_case")
    for first, count, low, high in ((5.1, 6, 3.6, 5.2), (8.0, 7, 6.4, 7.6), (11.4, 6, 5.2, 3.6)):
        width = (2.5 if count == 6 else 3.0) / count
        for k in range(count):
            share = k / (count - 1)
            top = shelf + (low + (high - low) * share if count == 6 else high - (high - low) * abs(2 * share - 1))
            foot, _ = lathe(mesh, (1.35, first + width * (k + 0.5)),
                            ((0.05, shelf), (0.17, shelf + 0.6), (0.17, top), (0, top)), "organ_pipes", 12)
            hall.cut(2, foot)


def ceiling(hall, mesh):
    """8 x 18 coffers in two steps with a rose in each."""
    width = Y / 8
    for i in range(18):
        for k in range(8):
            x, y = BAY * i, width * k
            hall.air(x + 0.3, x + BAY - 0.3, y + 0.3, y + width - 0.3, Z, Z + 0.3)
            hall.air(x + 0.55, x + BAY - 0.55, y + 0.55, y + width - 0.55, Z + 0.3, Z + 0.65)
            _, root = lathe(mesh, (x + BAY / 2, y + width / 2),
                            ((0, Z + 0.4), (0.16, Z + 0.45), (0.34, Z + 0.55), (0.4, Z + 0.65)), "ceiling", 10)
            hall.cut(2, root)


def columns(hall, mesh):
    for k in range(11):
        x = 15.0 + BAY * k + BAY / 2
        for y in (2.1, Y - 2.1):
            z = floor_at(x) + 0.5
            hall.box(x - 0.3, x + 0.3, y - 0.3, y + 0.3, 0, z, "columns")
            foot, head = lathe(mesh, (x, y), ((0.26, z), (0.26, z + 0.1), (0.2, z + 0.18), (0.17, z + 0.3), (0.15, 4.1),
                                              (0.2, 4.3), (0.24, LOW - 0.1), (0.24, LOW)), "columns", 12)
            hall.cut(2, foot)
            hall.cut(2, head)


def chandeliers(mesh):
    for k in range(5):
        for y in (5.0, Y - 5.0):
            x = 7.5 + 7.5 * k
            lathe(mesh, (x, y), ((0, 11.4), (0.25, 11.55), (0.7, 11.9), (0.95, 12.2), (0.9, 12.3), (0.35, 12.35),
                                 (0.15, 12.8), (0.08, 13.6), (0, 13.6)), "chandeliers", 12)


def build():
    hall, mesh = Blocks(), Mesh()
    shell(hall)
    sides(hall)
    balconies(hall)
    stalls(hall)
    organ(hall, mesh)
    ceiling(hall, mesh)
    columns(hall, mesh)
    chandeliers(mesh)
    hall.build(mesh)
    return mesh
