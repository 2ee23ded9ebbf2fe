# SPDX-License-Identifier: MIT
"""Triangles of plane polygons with holes, by clipping ears. Coordinates are whole numbers: all decisions are exact."""


def turn(a, b, c):
    """Twice the area of a triangle, positive when a, b, c go round to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def area(ring):
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(ring, ring[1:] + ring[:1]))


def in_cone(before, at, after, p):
    """Whether p lies to the inner side of the corner `at` of a ring whose inside is to the left."""
    if turn(before, at, after) >= 0:
        return turn(at, p, before) > 0 and turn(p, at, after) > 0
    return not (turn(at, p, after) >= 0 and turn(p, at, before) >= 0)


def between(a, b, p):
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def meet(a, b, c, d):
    """Whether the segments a b and c d have a point in common that is no end of both."""
    if {a, b} & {c, d}:
        shared = ({a, b} & {c, d}).pop()
        p, q = b if a == shared else a, d if c == shared else c
        return turn(shared, p, q) == 0 and (between(shared, p, q) or between(shared, q, p))
    s, t, u, v = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if ((s > 0 > t) or (s < 0 < t)) and ((u > 0 > v) or (u < 0 < v)):
        return True
    return (s == 0 and between(a, b, c)) or (t == 0 and between(a, b, d)) or \
        (u == 0 and between(c, d, a)) or (v == 0 and between(c, d, b))


def join(points, outline, holes):
    """One ring of the outline and its holes, with a bridge to each that is walked both ways."""
    ring = outline
    waiting = sorted(holes, key=lambda hole: max(points[i] for i in hole), reverse=True)
    while waiting:
        hole = waiting.pop(0)
        edges = [(points[r[i - 1]], points[r[i]]) for r in [ring, hole] + waiting for i in range(len(r))]
        pairs = sorted(((points[ring[i]][0] - points[hole[k]][0]) ** 2 + (points[ring[i]][1] - points[hole[k]][1]) ** 2,
                        i, k) for i in range(len(ring)) for k in range(len(hole)))
        for _, i, k in pairs:
            p, q = points[ring[i]], points[hole[k]]
            if p != q and in_cone(points[ring[i - 1]], p, points[ring[(i + 1) % len(ring)]], q) and \
                    in_cone(points[hole[k - 1]], q, points[hole[(k + 1) % len(hole)]], p) and \
                    not any(meet(p, q, a, b) for a, b in edges):
                ring = ring[:i + 1] + hole[k:] + hole[:k + 1] + ring[i:]
                break
        else:
            raise ValueError("a hole that is not inside its polygon")
    return ring


def is_ear(points, ring, i):
    n = len(ring)
    a, b, c = points[ring[i - 1]], points[ring[i]], points[ring[(i + 1) % n]]
    if turn(a, b, c) <= 0:
        return False
    for k in ring:
        p = points[k]
        if p not in (a, b, c) and turn(a, b, p) >= 0 and turn(b, c, p) >= 0 and turn(c, a, p) >= 0:
            return False
    return True


def triangulate(outline, holes=()):
    """Triples of indices into outline + holes, whose points are pairs of whole numbers; each becomes a corner."""
    points, rings = [], []
    for number, ring in enumerate([list(outline)] + [list(hole) for hole in holes]):
        indices = list(range(len(points), len(points) + len(ring)))
        points += ring
        rings.append(indices if (area(ring) > 0) == (number == 0) else indices[::-1])
    ring = join(points, rings[0], rings[1:])
    triangles = []
    while len(ring) > 3:
        n = len(ring)

        def diagonal(i):
            a, c = points[ring[i - 1]], points[ring[(i + 1) % n]]
            return (a[0] - c[0]) ** 2 + (a[1] - c[1]) ** 2, i

        for i in sorted(range(n), key=diagonal):
            if is_ear(points, ring, i):
                triangles.append((ring[i - 1], ring[i], ring[(i + 1) % n]))
                del ring[i]
                break
        else:
            raise ValueError("a polygon that crosses itself: %s" % [points[k] for k in ring][:12])
    if turn(*(points[k] for k in ring)) <= 0:
        raise ValueError("a polygon without area is left over")
    return triangles + [tuple(ring)]
