# SPDX-License-Identifier: MIT
"""What tests/command_line/models asks of meshes; prints a line for each thing that is wrong.

models.py model FILE.obj SOURCES: closed, faces towards the air, figures of rooms/README.md, names of the room file
models.py boxes ROOM.json PLAIN.obj TURNED.obj: what tools/box_mesh made of a room"""
import collections
import fnmatch
import json
import pathlib
import re
import sys


def read(name):
    points, faces = [], []  # (x, y, z), m; (group, material, three corners)
    group = material = ""
    with open(name, encoding="ascii") as file:
        for line in file:
            word, *rest = line.split()
            if word == "v":
                points.append(tuple(map(float, rest)))
            elif word == "g":
                group = rest[0]
            elif word == "usemtl":
                material = rest[0]
            elif word == "f":
                faces.append((group, material, tuple(points[int(i) - 1] for i in rest)))
    return faces


def volume(faces):
    return sum(a[k] * (b[k - 2] * c[k - 1] - b[k - 1] * c[k - 2]) for _, _, (a, b, c) in faces for k in range(3)) / 6


def area(corners):
    a, b, c = corners
    u, v = [[q - p for p, q in zip(a, x)] for x in (b, c)]
    return sum((u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2]) ** 2 for k in range(3)) ** 0.5 / 2


def model(name, sources):
    path, sources = pathlib.Path(name), pathlib.Path(sources)
    faces = read(name)
    edges = collections.Counter((t[k - 1], t[k]) for _, _, t in faces for k in range(3))
    lone = [e for e, n in edges.items() if n != 1 or edges[e[::-1]] != 1]
    if lone:
        print("%d edges of one face, or with faces turned against each other, such as %s" % (len(lone), lone[0]))
    if not min(area(t) for _, _, t in faces) > 1e-7:
        print("a triangle without area")
    if not volume(faces) < 0:
        print("faces look away from the air")
    least = [min(p[k] for _, _, t in faces for p in t) for k in range(3)]
    if least != [0, 0, 0]:
        print("the least corner is at %s" % least)
    row = "| `rooms/%s.cfg` | " % path.stem
    rows = [r for r in (sources / "rooms/README.md").read_text("utf-8").splitlines() if r.startswith(row)]
    air = -volume(faces)
    wanted = ["{:,}".format(len(faces)), "{:,.0f}".format(air) if air > 1000 else "%.1f" % air]
    if not rows or not set(wanted) <= {c.strip() for c in rows[0].split("|")}:
        print("rooms/README.md has no row with %s" % ", ".join(wanted))
    room = sources / "rooms" / (path.stem + ".cfg")
    if room.exists():
        pairs = re.findall(r'name = "(\S+)"; *material = "(\w+)"', room.read_text("utf-8"))
        names = {m for _, m, _ in faces}
        for material in sorted(names):
            if not any(fnmatch.fnmatchcase(material, pattern) for pattern, _ in pairs):
                print("%s: %s has no material" % (room, material))
        for pattern, material in pairs:
            if not any(fnmatch.fnmatchcase(n, pattern) for n in names):
                print("%s: nothing is called %s" % (room, pattern))
            if not re.search("^  %s =$" % material, (sources / "rooms/materials.cfg").read_text("utf-8"), re.M):
                print("%s: the library has no %s" % (room, material))


def boxes(room, plain, turned):
    with open(room, encoding="utf-8") as file:
        data = json.load(file)["input"]["room"]
    one, other = read(plain), read(turned)
    as_set = [collections.Counter((g, m, frozenset(t)) for g, m, t in faces) for faces in (one, other)]
    if as_set[0] != as_set[1]:
        print("turned faces are other faces")
    if [t for _, _, t in one] == [t for _, _, t in other]:
        print("no face was turned")
    x, y, z = data["size"]
    sizes = {"x_min": y * z, "x_max": y * z, "y_min": x * z, "y_max": x * z, "z_min": x * y, "z_max": x * y}
    materials = dict(data["walls"])
    for k, o in enumerate(data["objects"]):
        u, v, w = (b - a for a, b in zip(o["from"], o["to"]))
        sizes["object_%d" % k] = 2 * (u * v + v * w + w * u) if o["shape"] == "box" else \
            2 * 3.14159265 * o["radius"] * (o["radius"] + (u * u + v * v + w * w) ** 0.5)
        materials["object_%d" % k] = o["material"]
    for group, wanted in sizes.items():
        mine = [f for f in one if f[0] == group]
        if not abs(sum(area(t) for _, _, t in mine) - wanted) <= 1e-4 * wanted:
            print("%s: its area is not %g m2" % (group, wanted))
        if {m for _, m, _ in mine} != {materials[group]}:
            print("%s is not of %s" % (group, materials[group]))
        edges = collections.Counter(frozenset((t[k - 1], t[k])) for _, _, t in mine for k in range(3))
        if group.startswith("object") and set(edges.values()) != {2}:
            print("%s is not closed" % group)
    if {g for g, _, _ in one} != set(sizes):
        print("other walls or objects than those of the room")


if __name__ == "__main__":
    {"model": model, "boxes": boxes}[sys.argv[1]](*sys.argv[2:])
