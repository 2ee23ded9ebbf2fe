# SPDX-License-Identifier: MIT
"""Closed surfaces of triangles with materials: points on whole millimetres, so that neighbours share them exactly."""
import math

from polygons import triangulate


def millimetres(value):
    """Whole millimetres; halves upwards, so that the last bit of a sine decides nothing."""
    return math.floor(1000 * value + 0.500001)


def arc(centre, radius, first, last, count):
    """count + 1 points of an arc in a plane, angles in degrees."""
    angles = [math.radians(first + (last - first) * k / count) for k in range(count + 1)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def circle(centre, radius, count, first=0.0):
    return arc(centre, radius, first, first + 360.0, count)[:-1]


def rectangle(u0, v0, u1, v1):
    return [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]


def at_x(x, outline):
    return [(x, y, z) for y, z in outline]


def at_y(y, outline):
    return [(x, y, z) for x, z in outline]


def at_z(z, outline):
    return [(x, y, z) for x, y in outline]


def opened(outline):
    """Outline without points that repeat the one before."""
    return [p for i, p in enumerate(outline) if p != outline[i - 1]]


class Mesh:
    def __init__(self):
        self.points = {}  # (x, y, z) in mm -> index
        self.triangles = []  # (index, index, index)
        self.materials = []  # of each triangle

    def point(self, p):
        return self.points.setdefault(tuple(millimetres(c) for c in p), len(self.points))

    def triangle(self, a, b, c, material):
        """Corners by their index; triangles that have collapsed to an edge are left out."""
        if len({a, b, c}) == 3:
            self.triangles.append((a, b, c))
            self.materials.append(material)

    def bridge(self, p, q, material, closed=False):
        """The strip between two rows of points, which may have different numbers of points."""
        p, q = [self.point(a) for a in p], [self.point(a) for a in q]
        if closed:
            p, q = p + p[:1], q + q[:1]
        i = k = 0
        while i + 1 < len(p) or k + 1 < len(q):
            if k + 1 == len(q) or (i + 1 < len(p) and (i + 1) * (len(q) - 1) <= (k + 1) * (len(p) - 1)):
                self.triangle(p[i], p[i + 1], q[k], material)
                i += 1
            else:
                self.triangle(p[i], q[k + 1], q[k], material)
                k += 1

    def rows(self, rows, material, closed=False):
        for p, q in zip(rows, rows[1:]):
            self.bridge(p, q, material, closed)

    def polygon(self, outline, material, holes=()):
        """A plane polygon with holes, in space."""
        rings = [[tuple(millimetres(c) for c in p) for p in ring] for ring in [outline, *holes]]
        rings = [opened(ring) for ring in rings]
        normal = [0, 0, 0]
        for p, q in zip(rings[0], rings[0][1:] + rings[0][:1]):
            for k in range(3):
                normal[k] += (p[k - 2] - q[k - 2]) * (p[k - 1] + q[k - 1])
        drop = max(range(3), key=lambda k: abs(normal[k]))
        flat = [[p[:drop] + p[drop + 1:] for p in ring] for ring in rings]
        points = [p for ring in rings for p in ring]
        for triple in triangulate(flat[0], flat[1:]):
            self.triangle(*(self.points.setdefault(points[k], len(self.points)) for k in triple), material)

    def prism(self, lower, upper, sides, cap=None, base=None):
        """Sides between two outlines, closed above by `cap` and below by `base` unless they are None."""
        self.bridge(lower, upper, sides, closed=True)
        if cap:
            self.polygon(upper, cap)
        if base:
            self.polygon(lower, base)

    def parts(self):
        """Triangles of each connected part, turned so that neighbours agree; an error where they cannot."""
        sides = {}
        for t, corners in enumerate(self.triangles):
            for k in range(3):
                a, b = corners[k - 1], corners[k]
                sides.setdefault((min(a, b), max(a, b)), []).append((t, a < b))
        for edge, users in sides.items():
            if len(users) != 2:
                ends = [p for p, i in self.points.items() if i in edge]
                raise ValueError("edge %s has %d faces: %s" % (ends, len(users), [self.materials[t] for t, _ in users]))
        flip, parts = {}, []
        for first in range(len(self.triangles)):
            if first in flip:
                continue
            flip[first], part = False, [first]
            for t in part:
                corners = self.triangles[t]
                for k in range(3):
                    a, b = corners[k - 1], corners[k]
                    (s, way), (o, other) = sides[min(a, b), max(a, b)]
                    if s != t:
                        s, way, o, other = o, other, s, way
                    wanted = flip[t] ^ (way == other)
                    if o not in flip:
                        flip[o] = wanted
                        part.append(o)
                    elif flip[o] != wanted:
                        raise ValueError("a surface with one side only")
            parts.append(part)
        self.triangles = [(a, c, b) if flip[t] else (a, b, c) for t, (a, b, c) in enumerate(self.triangles)]
        return parts

    def volume(self, part):
        """Six times the volume inside, in mm3: positive when the faces of the part look outwards."""
        points, total = list(self.points), 0
        for t in part:
            a, b, c = (points[i] for i in self.triangles[t])
            total += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + \
                a[2] * (b[0] * c[1] - b[1] * c[0])
        return total

    def orient(self):
        """Turns faces towards the air: the largest part holds the room, others stand in it. Returns m3 of air."""
        parts = sorted(self.parts(), key=lambda part: -abs(self.volume(part)))
        for number, part in enumerate(parts):
            if (self.volume(part) > 0) == (number == 0):
                for t in part:
                    a, b, c = self.triangles[t]
                    self.triangles[t] = (a, c, b)
        return -sum(self.volume(part) for part in parts) / 6e9

    def write(self, folder, name, title, colours):
        """folder/name.obj and name.mtl, the least corner at 0, faces sorted by material in the order of `colours`."""
        unknown = set(self.materials) ^ set(colours)
        if unknown:
            raise ValueError("materials without a colour or a face: %s" % sorted(unknown))
        least = [min(p[k] for p in self.points) for k in range(3)]
        lines = ["# %s" % title, "# metres, z up; written by tools/room_meshes", "mtllib %s.mtl" % name]
        lines += ["v " + " ".join("%g" % ((c - l) / 1000) for c, l in zip(p, least)) for p in self.points]
        for material in colours:
            lines += ["g " + material, "usemtl " + material]
            lines += ["f %d %d %d" % tuple(i + 1 for i in self.triangles[t])
                      for t, m in enumerate(self.materials) if m == material]
        save(folder, name + ".obj", lines)
        lines = ["# colours of %s.obj" % name]
        for material, colour in colours.items():
            lines += ["newmtl " + material, "Kd %g %g %g" % colour]
        save(folder, name + ".mtl", lines)


def save(folder, name, lines):
    with open(folder + "/" + name, "w", encoding="ascii", newline="\n") as file:
        file.write("\n".join(lines) + "\n")
