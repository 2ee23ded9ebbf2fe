# SPDX-License-Identifier: MIT
"""The control room of a recording studio: splayed walls, a rising ceiling, absorbers, diffusers, bass traps.

The room is the same on both sides of y = 0, but for door and rack."""
from mesh import Mesh, at_y, at_z, rectangle
from walls import Wall, at, lathe

TITLE = "Control room of a recording studio, 7.2 x 6.2 x 3.4 m"
COLOURS = {
    "walls": (0.85, 0.83, 0.78), "stone_front": (0.55, 0.50, 0.45), "front_ceiling": (0.92, 0.92, 0.90),
    "rear_ceiling": (0.80, 0.82, 0.84), "floor": (0.60, 0.43, 0.27), "rug": (0.30, 0.34, 0.42),
    "control_window": (0.60, 0.76, 0.84), "absorbers": (0.25, 0.38, 0.48), "cloud": (0.30, 0.45, 0.55),
    "bass_traps": (0.42, 0.30, 0.22), "diffusers": (0.76, 0.58, 0.36), "loudspeakers": (0.14, 0.14, 0.16),
    "console": (0.28, 0.28, 0.31), "sofa": (0.50, 0.20, 0.16), "door": (0.50, 0.35, 0.22), "rack": (0.20, 0.20, 0.22),
}
# half of the plan, from the window at the front to the back wall
PLAN = ((0.0, 1.5), (1.1, 2.5), (4.0, 3.1), (6.2, 3.1), (7.2, 2.1))
QUADRATIC_RESIDUES = (0, 1, 4, 2, 2, 4, 1)  # of 7


def height(x):
    return min(2.6 + 0.2 * x, 3.4)


def wall(mesh, p, q, material):
    length = ((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2) ** 0.5
    return Wall(mesh, p, q, [(0, 0), (length, 0), (length, height(q[0])), (0, height(p[0]))], material)


def side(mesh, sign):
    """The four walls of one side. sign -1: from front to back, the room to the left; 1: from back to front."""
    for k, ends in enumerate(zip(PLAN, PLAN[1:])):
        p, q = [(x, sign * y) for x, y in (ends if sign < 0 else ends[::-1])]
        material = ("stone_front", "walls", "walls", "bass_traps")[k]
        plane = wall(mesh, p, q, material)

        def span(a, b, z0, z1):  # lengths counted from the end that is nearer to the front
            return rectangle(a, z0, b, z1) if sign < 0 else rectangle(plane.length - b, z0, plane.length - a, z1)

        if k == 0:
            plane.recess(span(0.45, 1.05, 0.95, 1.85), -0.04, "loudspeakers", "loudspeakers")
        elif k == 1:
            for a in (0.15, 1.1, 2.05):
                plane.recess(span(a, a + 0.8, 0.5, 2.3), -0.1, "absorbers", "absorbers")
        elif k == 2 and sign > 0:
            plane.recess(span(1.0, 2.0, 0.04, 2.1), 0.12, "walls", "door")
        elif k == 2:
            plane.steps(span(0.2, 2.0, 0.8, 2.2), [-0.16 + 0.03 * r for r in QUADRATIC_RESIDUES + (0,)], "diffusers",
                        "diffusers")
        else:
            plane.recess(span(0.15, plane.length - 0.15, 0.15, 3.1), -0.12, "bass_traps", "bass_traps")
        plane.finish()


def front_and_back(mesh):
    front = wall(mesh, (0, PLAN[0][1]), (0, -PLAN[0][1]), "stone_front")
    front.recess(rectangle(0.35, 1.0, 2.65, 2.15), 0.3, "walls", "control_window")
    front.finish()
    back = wall(mesh, (PLAN[-1][0], -PLAN[-1][1]), (PLAN[-1][0], PLAN[-1][1]), "walls")
    depths = [-0.26 + 0.05 * r for r in QUADRATIC_RESIDUES * 3 + (0,)]
    back.steps(rectangle(0.24, 0.9, 3.96, 2.5), depths, "diffusers", "diffusers")
    back.finish()


def ceilings(mesh):
    half = {x: y for x, y in PLAN}
    for xs, material in (((0.0, 1.1, 4.0), "front_ceiling"), ((4.0, 6.2, 7.2), "rear_ceiling")):
        mesh.polygon([(x, -half[x], height(x)) for x in xs] + [(x, half[x], height(x)) for x in reversed(xs)], material)
    cloud = rectangle(1.6, -1.3, 4.2, 1.3)
    mesh.prism(*([(x, y, 2.2 + 0.2 * x + up) for x, y in cloud] for up in (0, 0.1)), "cloud", cap="cloud", base="cloud")


def console(mesh):
    """A desk with a bridge of instruments on two legs. Returns the outlines of the legs."""
    outline = [(2.85, 0.7), (2.85, 0.76), (2.3, 0.84), (2.2, 1.02), (1.95, 1.02), (1.95, 0.7)]
    legs = [rectangle(2.05, y, 2.7, y + 0.12) for y in (-1.1, 0.98)]
    mesh.bridge(at_y(-1.25, outline), at_y(1.25, outline), "console")
    for y in (-1.25, 1.25):
        mesh.polygon(at_y(y, outline), "console")
    mesh.polygon(at_z(0.7, rectangle(1.95, -1.25, 2.85, 1.25)), "console", [at_z(0.7, leg) for leg in legs])
    for leg in legs:
        mesh.prism(at_z(0, leg), at_z(0.7, leg), "console")
    return legs


def sofa(mesh):
    outline = [(5.55, 0), (5.55, 0.42), (6.1, 0.4), (6.2, 0.85), (6.4, 0.85), (6.4, 0)]
    mesh.bridge(at_y(-1.1, outline), at_y(1.1, outline), "sofa")
    for y in (-1.1, 1.1):
        mesh.polygon(at_y(y, outline), "sofa")
    return rectangle(5.55, -1.1, 6.4, 1.1)


def build():
    mesh = Mesh()
    for sign in (-1, 1):
        side(mesh, sign)
    front_and_back(mesh)
    ceilings(mesh)
    holes = console(mesh) + [sofa(mesh)]
    rug = rectangle(4.2, -1.2, 5.4, 1.2)
    mesh.polygon(at_z(0, rug), "rug")
    rack = at((4.75, -2.6), 0, rectangle(-0.45, -0.3, 0.45, 0.3))
    mesh.prism(at_z(0, rack), at_z(0.75, rack), "rack", cap="rack")
    stool, _ = lathe(mesh, (3.35, 0), ((0.3, 0), (0.3, 0.05), (0.04, 0.09), (0.04, 0.42), (0.24, 0.43), (0.26, 0.5),
                                       (0, 0.53)), "sofa", 16)
    holes += [rug, rack]
    plan = [(x, -y) for x, y in PLAN] + list(reversed(PLAN))
    mesh.polygon(at_z(0, plan), "floor", [at_z(0, hole) for hole in holes] + [stool])
    return mesh
