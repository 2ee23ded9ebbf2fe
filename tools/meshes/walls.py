# SPDX-License-Identifier: MIT
"""Plane walls with windows, doors and panels, and bodies that stand on a floor."""
import math


class Wall:
    """An upright wall over the line p -> q of the plan, the room to its left; (u, z): along the line, and height."""

    def __init__(self, mesh, p, q, outline, material):
        self.mesh, self.p, self.outline, self.material, self.holes = mesh, p, outline, material, []
        self.length = math.hypot(q[0] - p[0], q[1] - p[1])
        self.along = ((q[0] - p[0]) / self.length, (q[1] - p[1]) / self.length)

    def place(self, outline, depth=0.0):
        """Points of the wall in space, moved away from the room by depth."""
        (x, y), (dx, dy) = self.p, self.along
        return [(x + u * dx + depth * dy, y + u * dy - depth * dx, z) for u, z in outline]

    def opening(self, outline):
        """A hole; what is behind it is the caller's."""
        self.holes.append(self.place(outline))
        return self.holes[-1]

    def recess(self, outline, depth, reveal, back):
        """A hole with a back that lies deeper by `depth`, or stands out of the wall where that is negative."""
        self.mesh.prism(self.opening(outline), self.place(outline, depth), reveal, cap=back)

    def steps(self, outline, depths, reveal, back):
        """Columns side by side in a rectangle, which stand out by -depths, as those of a diffuser."""
        (u0, z0), _, (u1, z1), _ = outline
        profile = [(u0, 0.0)]
        for k, depth in enumerate(depths):
            profile += [(u0 + (u1 - u0) * (k + j) / len(depths), depth) for j in (0, 1)]
        profile = [p for p, q in zip(profile + [(u1, 0.0)], [None] + profile) if p != q]
        low, high = [[self.place([(u, z)], d)[0] for u, d in profile] for z in (z0, z1)]
        self.holes.append([low[0], low[-1], high[-1], high[0]])
        for k in range(len(profile) - 1):
            self.mesh.bridge(low[k:k + 2], high[k:k + 2], reveal if profile[k][0] == profile[k + 1][0] else back)
        self.mesh.polygon(low, reveal)
        self.mesh.polygon(high, reveal)

    def finish(self):
        self.mesh.polygon(self.place(self.outline), self.material, self.holes)


def lathe(mesh, centre, profile, material, count, first=0.0):
    """A body of revolution: profile of (radius, z); radius 0 closes it. Returns its first and last ring."""
    rings = []
    for radius, z in profile:
        angles = [math.radians(first + 360.0 * k / count) for k in range(count if radius else 1)]
        rings.append([(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a), z) for a in angles])
    mesh.rows(rings, material, closed=True)
    return rings[0], rings[-1]


def at(origin, turned, outline):
    """A plan outline turned by degrees and moved to its place."""
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    return [(origin[0] + c * x - s * y, origin[1] + s * x + c * y) for x, y in outline]
