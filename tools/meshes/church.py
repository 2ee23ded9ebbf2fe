# SPDX-License-Identifier: MIT
"""A church in the Romanesque manner: nave with groin vaults over columns, aisles, transept, dome on a drum, apse.

The long axis is x, from the west door to the apse; y is counted from the axis. Springing lines, radii and bays are
simple numbers, so that vaults, arches and walls share their points."""
import math

from mesh import Mesh, arc, at_x, at_y, at_z, circle, rectangle
from walls import Wall, lathe

TITLE = "Church, 51 m long, 32 m across the transept, 27 m to the top of the dome"
COLOURS = {
    "walls": (0.88, 0.83, 0.72), "vaults": (0.95, 0.92, 0.85), "columns": (0.80, 0.70, 0.58),
    "floor": (0.50, 0.47, 0.44), "windows": (0.45, 0.58, 0.78), "doors": (0.40, 0.25, 0.15), "pews": (0.48, 0.30, 0.18),
    "altar": (0.93, 0.91, 0.90),
}
RADIUS = 5.0  # of the vaults of the nave, the crossing, the drum and the apse
SPRINGING, COUNT = 11.0, 16  # their height, and straight pieces of a half circle
AISLE_IN, AISLE_OUT, AISLE_SPRINGING, AISLE_COUNT = 6.0, 11.0, 5.5, 12
BAY, BAYS = 5.0, 6
WEST_OF_CROSSING, EAST_OF_CROSSING = 31.0, 41.0
CROSSING, APSE, TRANSEPT = 36.0, 46.0, 16.0
IMPOST = 5.0  # height at which the arches of the arcade begin
STEPS = ((41.0, 0.16), (41.4, 0.32), (41.8, 0.48))  # up to the choir


def half_circle(centre, height, radius, count):
    """From the larger coordinate over the crown to the smaller one."""
    return arc((centre, height), radius, 0, 180, count)


def round_headed(centre, sill, springing, width, count=10):
    return [(centre - width / 2, sill), (centre + width / 2, sill)] + half_circle(centre, springing, width / 2, count)


def mirrored(side, points):
    return [(x, side * y, z) for x, y, z in points]


def arcade():
    """Lower edges of the walls of the arcade, from west to east: lists of (x, z), one for each arch."""
    edges = []
    for k in range(BAYS):
        edge = half_circle(BAY * (k + 0.5), IMPOST, BAY / 2 - 0.5, AISLE_COUNT)[::-1]
        edges.append(([(0.5, 0)] if k == 0 else []) + edge + ([(BAY * BAYS - 0.5, 0)] if k == BAYS - 1 else []))
    return edges


def lunettes(first, last, radius, height, count):
    """Upper edge of a wall under vaults, from east to west."""
    edge, x = [], last
    while x > first:
        edge += half_circle(x - radius, height, radius, count)[0 if x == last else 1:]
        x -= 2 * radius
    return edge


def groin_vault(mesh, cx, cy, radius, height, count):
    """Two half cylinders that cross: straight lines from the arch on each side of a square bay to its diagonals."""
    half = [(-radius * math.cos(math.pi * k / count), height + radius * math.sin(math.pi * k / count))
            for k in range(count + 1)]
    for s in (1, -1):
        mesh.bridge([(cx + s * radius, cy + v, z) for v, z in half],
                    [(cx + s * abs(v), cy + v, z) for v, z in half], "vaults")
        mesh.bridge([(cx + v, cy + s * radius, z) for v, z in half],
                    [(cx + v, cy + s * abs(v), z) for v, z in half], "vaults")


def nave_and_aisles(mesh, side):
    end = BAY * BAYS
    lower = [p for edge in arcade() for p in edge]
    wall = Wall(mesh, (0, side * RADIUS), (1, side * RADIUS), [(0, 0)] + lower + [
        (WEST_OF_CROSSING, 0), (WEST_OF_CROSSING, SPRINGING)] + lunettes(0, end, RADIUS, SPRINGING, COUNT), "walls")
    for k in range(3):
        for x, sill, springing, width in ((5, 11.4, 13.4, 1.6), (2.6, 11.3, 12.1, 0.9), (7.4, 11.3, 12.1, 0.9)):
            wall.recess(round_headed(10 * k + x, sill, springing, width), -side * 0.5, "walls", "windows")
    wall.finish()
    top = [(WEST_OF_CROSSING, AISLE_SPRINGING)] + lunettes(0, end, BAY / 2, AISLE_SPRINGING, AISLE_COUNT)
    inner = [(0, 0)] + lower + [(WEST_OF_CROSSING, 0)] + top
    Wall(mesh, (0, side * AISLE_IN), (1, side * AISLE_IN), inner, "walls").finish()
    for edge in arcade():
        mesh.bridge(*(mirrored(side, at_y(y, edge)) for y in (RADIUS, AISLE_IN)), "walls")
    outer = Wall(mesh, (0, side * AISLE_OUT), (1, side * AISLE_OUT), [(0, 0), (WEST_OF_CROSSING, 0)] + top, "walls")
    for k in range(BAYS):
        outer.recess(round_headed(BAY * (k + 0.5), 2.3, 4.9, 1.3), -side * 0.5, "walls", "windows")
        groin_vault(mesh, BAY * (k + 0.5), side * (AISLE_IN + BAY / 2), BAY / 2, AISLE_SPRINGING, AISLE_COUNT)
    outer.finish()
    aisle = half_circle(AISLE_IN + BAY / 2, AISLE_SPRINGING, BAY / 2, AISLE_COUNT)
    mesh.bridge(*(mirrored(side, at_x(x, aisle)) for x in (end, WEST_OF_CROSSING)), "vaults")
    west = Wall(mesh, (0, 0), (0, side), [(AISLE_IN, 0), (AISLE_OUT, 0)] + aisle, "walls")
    west.recess(circle((AISLE_IN + BAY / 2, 5.0), 0.8, 16), -side * 0.5, "walls", "windows")
    west.finish()
    # columns; each stands on a plinth, whose outline is a hole of the floor
    plinths = []
    for k in range(1, BAYS):
        c = (BAY * k, side * (AISLE_IN + RADIUS) / 2)
        square = rectangle(c[0] - 0.6, c[1] - 0.6, c[0] + 0.6, c[1] + 0.6)
        inner = rectangle(c[0] - 0.5, c[1] - 0.5, c[0] + 0.5, c[1] + 0.5)
        plinths.append(square)
        profile = [(0.56, 0.25), (0.58, 0.35), (0.5, 0.45), (0.52, 0.53), (0.42, 0.6), (0.38, 4.1), (0.42, 4.15),
                   (0.4, 4.2), (0.46, 4.5), (0.58, 4.75)]
        foot, head = lathe(mesh, c, profile, "columns", 20)
        mesh.bridge(at_z(0, square), at_z(0.25, square), "columns", closed=True)
        mesh.polygon(at_z(0.25, square), "columns", [foot])
        mesh.polygon(at_z(4.75, square), "columns", [head])
        mesh.bridge(at_z(4.75, square), at_z(IMPOST, square), "columns", closed=True)
        mesh.polygon(at_z(IMPOST, square), "columns", [at_z(IMPOST, inner)])
    return plinths


def west_front_and_nave_vault(mesh):
    nave = half_circle(0, SPRINGING, RADIUS, COUNT)
    wall = Wall(mesh, (0, 0), (0, 1), [(-RADIUS, 0), (RADIUS, 0)] + nave, "walls")
    wall.recess(round_headed(0, 0.15, 3.2, 2.6), -0.4, "walls", "doors")
    wall.recess(circle((0, 10.6), 2.0, 24), -0.5, "walls", "windows")
    for y in (-2.9, 2.9):
        wall.recess(round_headed(y, 5.2, 7.4, 1.1), -0.5, "walls", "windows")
    wall.finish()
    for k in range(3):
        groin_vault(mesh, 2 * RADIUS * (k + 0.5), 0, RADIUS, SPRINGING, COUNT)
    mesh.bridge(at_x(BAY * BAYS, nave), at_x(WEST_OF_CROSSING, nave), "vaults")
    mesh.bridge(at_x(EAST_OF_CROSSING, nave), at_x(APSE, nave), "vaults")


def half_dome(mesh, centre, radius, bottom, springing, count, windows=()):
    """A round niche that opens to the west; windows: numbers of its facets that have one. Returns its plan."""
    ring = arc(centre, radius, -90, 90, count)
    for k in range(count):
        p, q = ring[k + 1], ring[k]
        length = math.hypot(q[0] - p[0], q[1] - p[1])
        wall = Wall(mesh, p, q, [(0, bottom), (length, bottom), (length, springing), (0, springing)], "walls")
        if k in windows:
            wall.recess(round_headed(length / 2, 4.5, 7.5, 0.7, 6), 0.4, "walls", "windows")
        wall.finish()
    rows = []
    for k in range(count // 2 + 1):
        rise = math.pi * k / count
        row = [(centre[0] + (x - centre[0]) * math.cos(rise), centre[1] + (y - centre[1]) * math.cos(rise),
                springing + radius * math.sin(rise)) for x, y in ring]
        rows.append(row if 2 * k < count else row[:1])
    mesh.rows(rows, "vaults")
    return ring


def transept(mesh, side):
    """One arm, with a niche for an altar in its east wall. Returns the plan of that niche."""
    aisle = half_circle(AISLE_IN + BAY / 2, AISLE_SPRINGING, BAY / 2, AISLE_COUNT)[::-1]
    Wall(mesh, (WEST_OF_CROSSING, 0), (WEST_OF_CROSSING, side), [(RADIUS, 0), (AISLE_IN, 0)] + aisle + [
        (AISLE_OUT, 0), (TRANSEPT, 0), (TRANSEPT, SPRINGING), (RADIUS, SPRINGING)], "walls").finish()
    middle, niche = (AISLE_OUT + 10) / 2, 2.0
    plan = half_dome(mesh, (EAST_OF_CROSSING, side * middle), niche, 0, 4.0, AISLE_COUNT)
    opening = half_circle(middle, 4.0, niche, AISLE_COUNT)[::-1]
    Wall(mesh, (EAST_OF_CROSSING, 0), (EAST_OF_CROSSING, side), [
        (RADIUS, 0), (middle - niche, 0)] + opening + [(middle + niche, 0), (TRANSEPT, 0), (TRANSEPT, SPRINGING), (
            RADIUS, SPRINGING), (RADIUS, STEPS[0][1])], "walls").finish()
    vault = half_circle(CROSSING, SPRINGING, RADIUS, COUNT)
    end = Wall(mesh, (0, side * TRANSEPT), (1, side * TRANSEPT), [
        (WEST_OF_CROSSING, 0), (EAST_OF_CROSSING, 0)] + vault, "walls")
    for x in (CROSSING - 2.2, CROSSING + 2.2):
        end.recess(round_headed(x, 3.5, 8.5, 1.5), -side * 0.5, "walls", "windows")
    end.recess(circle((CROSSING, 12.2), 1.6, 20), -side * 0.5, "walls", "windows")
    end.finish()
    mesh.bridge(*(mirrored(side, at_y(y, vault)) for y in (RADIUS, TRANSEPT)), "vaults")
    return plan


def choir_and_apse(mesh):
    for side in (1, -1):
        (x0, z0), (x1, z1), (x2, z2) = STEPS
        wall = Wall(mesh, (0, side * RADIUS), (1, side * RADIUS), [
            (x0, z0), (x1, z0), (x1, z1), (x2, z1), (x2, z2), (APSE, z2), (APSE, SPRINGING), (x0, SPRINGING)], "walls")
        wall.recess(round_headed(43.5, 5.5, 8.5, 1.4), -side * 0.5, "walls", "windows")
        wall.finish()
    below = 0.0
    for k, (x, z) in enumerate(STEPS):
        mesh.polygon([(x, -RADIUS, below), (x, RADIUS, below), (x, RADIUS, z), (x, -RADIUS, z)], "floor")
        if k < 2:
            mesh.polygon(at_z(z, rectangle(x, -RADIUS, STEPS[k + 1][0], RADIUS)), "floor")
        below = z
    plan = half_dome(mesh, (APSE, 0), RADIUS, below, SPRINGING, COUNT, windows=(2, 5, 10, 13))
    altar = rectangle(46.0, -1.5, 47.2, 1.5)
    mesh.polygon(at_z(below, [(STEPS[2][0], -RADIUS)] + plan + [(STEPS[2][0], RADIUS)]), "floor", [at_z(below, altar)])
    mesh.prism(at_z(below, altar), at_z(below + 1.0, altar), "altar", cap="altar")


def dome(mesh):
    for sx in (1, -1):
        for sy in (1, -1):
            rows = []  # of a pendentive: level lines of a sphere about the centre of the crossing
            for k in range(COUNT // 2 + 1):
                rise = math.pi * k / COUNT
                radius, first = RADIUS * math.sqrt(1 + math.cos(rise) ** 2), math.degrees(math.atan(math.cos(rise)))
                row = arc((0, 0), radius, first, 90 - first, k) if k else [(RADIUS, RADIUS)]
                rows.append([(CROSSING + sx * x, sy * y, SPRINGING + RADIUS * math.sin(rise)) for x, y in row])
            mesh.rows(rows, "vaults")
    count, base, top = 2 * COUNT, SPRINGING + RADIUS, 20.5
    ring = circle((CROSSING, 0), RADIUS, count)
    for k in range(count):
        p, q = ring[k], ring[k - 1]
        length = math.hypot(q[0] - p[0], q[1] - p[1])
        wall = Wall(mesh, p, q, [(0, base), (length, base), (length, top), (0, top)], "walls")
        if k % 2:
            wall.recess(round_headed(length / 2, 17.0, 19.2, 0.6, 6), 0.4, "walls", "windows")
        wall.finish()
    profile = [(RADIUS * math.cos(math.radians(a)), top + RADIUS * math.sin(math.radians(a))) for a in range(0, 90, 10)]
    lathe(mesh, (CROSSING, 0), profile + [(profile[-1][0], top + 6.2), (0, top + 6.6)], "vaults", count)


def floor(mesh, holes, niches):
    outline = []
    for side, plan in ((1, niches[0]), (-1, niches[1])):
        half = [(0, RADIUS), (0.5, RADIUS), (0.5, AISLE_IN), (0, AISLE_IN), (0, AISLE_OUT),
                (WEST_OF_CROSSING, AISLE_OUT), (WEST_OF_CROSSING, TRANSEPT), (EAST_OF_CROSSING, TRANSEPT)]
        half = [(x, side * y) for x, y in half] + (plan[::-1] if side == 1 else plan)
        half.append((EAST_OF_CROSSING, side * RADIUS))
        outline += half if side == 1 else half[::-1]
    for side in (1, -1):
        holes.append(rectangle(BAY * BAYS - 0.5, side * RADIUS, WEST_OF_CROSSING, side * AISLE_IN))
        for x0, x1 in ((4.0, 15.5), (17.0, 28.0)):
            block = rectangle(x0, side * 0.9, x1, side * 4.3)
            mesh.prism(at_z(0, block), at_z(0.85, block), "pews", cap="pews")
            holes.append(block)
    font, _ = lathe(mesh, (2.5, -8.5), ((0.5, 0), (0.5, 0.2), (0.22, 0.3), (0.22, 0.7), (0.55, 0.85), (0.55, 1.05),
                                        (0.4, 1.05), (0.2, 0.85), (0, 0.85)), "altar", 12)
    mesh.polygon(at_z(0, outline), "floor", [at_z(0, hole) for hole in holes] + [font])


def build():
    mesh = Mesh()
    plinths = nave_and_aisles(mesh, 1) + nave_and_aisles(mesh, -1)
    west_front_and_nave_vault(mesh)
    niches = [transept(mesh, side) for side in (1, -1)]
    choir_and_apse(mesh)
    dome(mesh)
    floor(mesh, plinths, niches)
    return mesh
