# SPDX-License-Identifier: MIT
"""Rooms carved out of blocks, boxes of material or air, later ones in place of earlier: their surface as a mesh."""
from bisect import bisect_left, bisect_right

from mesh import millimetres

AIR = "air"


class Blocks:
    def __init__(self):
        self.boxes = []  # (from, to, material), mm
        self.cuts = []  # (axis, coordinate in mm, loop): holes for what is joined to a plane

    def box(self, x0, x1, y0, y1, z0, z1, material):
        low, high = [tuple(millimetres(c) for c in p) for p in ((x0, y0, z0), (x1, y1, z1))]
        if not all(a < b for a, b in zip(low, high)):
            raise ValueError("a box without extent: %s" % ((x0, x1, y0, y1, z0, z1),))
        self.boxes.append((low, high, material))

    def air(self, *box):
        self.box(*box, AIR)

    def cut(self, axis, loop):
        """A hole in the face at right angles to the axis that holds the loop, for a body that is joined to it."""
        self.cuts.append((axis, millimetres(loop[0][axis]), [tuple(millimetres(c) for c in p) for p in loop]))

    def paint(self):
        """Planes of the grid along x, y, z and its cells, x fastest: 0 outside, 1 air, 2 .. the materials."""
        planes = [sorted({p[axis] for low, high, _ in self.boxes for p in (low, high)}) for axis in range(3)]
        planes = [[p[0] - 1000] + p + [p[-1] + 1000] for p in planes]  # a layer outside on every side
        nx, ny, nz = (len(p) - 1 for p in planes)
        names = ["", AIR]
        cells = bytearray(nx * ny * nz)
        for low, high, material in self.boxes:
            if material not in names:
                names.append(material)
            (x0, y0, z0), (x1, y1, z1) = ([bisect_left(planes[k], p[k]) for k in range(3)] for p in (low, high))
            row = bytes([names.index(material)]) * (x1 - x0)
            for z in range(z0, z1):
                for y in range(y0, y1):
                    at = nx * (y + ny * z)
                    cells[at + x0:at + x1] = row
        return planes, cells, names

    def faces(self, planes, cells, names):
        """{(axis, plane, air above, material): cells of the plane} of every face between air and material."""
        counts = [len(p) - 1 for p in planes]
        step = [1, counts[0], counts[0] * counts[1]]
        found = {}
        for axis in range(3):
            b, c = [k for k in range(3) if k != axis]
            for layer in range(1, counts[axis]):
                for w in range(counts[c]):
                    at = layer * step[axis] + w * step[c]
                    here = cells[at:at + (counts[b] - 1) * step[b] + 1:step[b]]
                    below = cells[at - step[axis]:at - step[axis] + (counts[b] - 1) * step[b] + 1:step[b]]
                    if here == below:
                        continue
                    for v in range(counts[b]):
                        p, q = below[v], here[v]
                        if p != q and 1 in (p, q):
                            if 0 in (p, q):
                                raise ValueError("air without a wall at %s" % ([axis, planes[axis][layer],
                                                                              planes[b][v], planes[c][w]],))
                            found.setdefault((axis, layer, q == 1, names[max(p, q)]), set()).add((v, w))
        return found

    def build(self, mesh):
        planes, cells, names = self.paint()
        pieces = []  # (axis, plane, material, cells of one connected piece, its loops of cell corners)
        for (axis, layer, _, material), squares in sorted(self.faces(planes, cells, names).items()):
            for piece in connected(squares):
                pieces.append((axis, layer, material, piece, loops(piece)))

        def corner(axis, layer, v, w):
            k = [v, w]
            k.insert(axis, layer)
            return tuple(planes[a][k[a]] for a in range(3))

        kept = {corner(axis, layer, *ring[i]) for axis, layer, _, _, rings in pieces for ring in rings
                for i in range(len(ring)) if bends(ring, i)}
        waiting = list(self.cuts)
        for axis, layer, material, piece, rings in pieces:
            outlines = []
            for ring in rings:
                points = [corner(axis, layer, *p) for p in ring]
                outlines.append([p for p in points if p in kept])
            outlines.sort(key=lambda ring: -extent(ring))
            for cut in list(waiting):
                b, c = [planes[k] for k in range(3) if k != axis]
                p = cut[2][0][:axis] + cut[2][0][axis + 1:]
                if cut[:2] == (axis, planes[axis][layer]) and \
                        (bisect_right(b, p[0]) - 1, bisect_right(c, p[1]) - 1) in piece:
                    outlines.append(cut[2])
                    waiting.remove(cut)
            outlines = [[tuple(x / 1000 for x in p) for p in ring] for ring in outlines]
            mesh.polygon(outlines[0], material, outlines[1:])
        if waiting:
            raise ValueError("no face holds the loop %s" % (waiting[0],))


def connected(squares):
    """Sets of squares that hang together by their sides, in a fixed order."""
    left = set(squares)
    for first in sorted(squares):
        if first not in left:
            continue
        left.remove(first)
        piece = [first]
        for v, w in piece:
            for near in ((v + 1, w), (v - 1, w), (v, w + 1), (v, w - 1)):
                if near in left:
                    left.remove(near)
                    piece.append(near)
        yield set(piece)


def loops(piece):
    """Borders of a piece, its inside to the left, corner by corner; squares that touch at a corner keep their own."""
    after = {}
    for v, w in piece:
        for start, end, beyond in (((v, w), (v + 1, w), (v, w - 1)), ((v + 1, w), (v + 1, w + 1), (v + 1, w)),
                                   ((v + 1, w + 1), (v, w + 1), (v, w + 1)), ((v, w + 1), (v, w), (v - 1, w))):
            if beyond not in piece:
                after.setdefault(start, []).append(end)
    found = []
    for first in sorted(after):
        while after[first]:
            ring, at, way = [], first, None
            while True:
                ends = after[at]
                if way and len(ends) > 1:  # to the left
                    ends.sort(key=lambda e: way[0] * (e[1] - at[1]) - way[1] * (e[0] - at[0]))
                ring.append(at)
                end = ends.pop()
                way, at = (end[0] - at[0], end[1] - at[1]), end
                if at == first:
                    break
            found.append(ring)
    return found


def bends(ring, i):
    a, b, c = ring[i - 1], ring[i], ring[(i + 1) % len(ring)]
    return (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])


def extent(ring):
    """Of the box around a ring: the outline of a piece has the largest."""
    return sum(max(p[k] for p in ring) - min(p[k] for p in ring) for k in range(3))
