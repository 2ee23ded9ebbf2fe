# SPDX-License-Identifier: MIT
"""aula as a method of CHORAS (tools/choras): the task that its back end writes, and what is put into it."""

import json
import os
import re
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from support import command, main

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/choras/aula_method"))
from aula_interface import geo, simulate  # noqa: E402

# A room of five corners, 2.0 m high, as CHORAS writes it: a line for each edge, negative where a face runs against it.
CORNERS = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.5), (2.0, 2.5), (0.0, 2.5)]
FREQUENCIES = [125, 250, 500, 1000, 2000]


def geo_text():
    n = len(CORNERS)
    out = ["lc = 1.0;"]
    for level, z in enumerate((0.0, 2.0)):
        out += [f"Point({level * n + i + 1}) = {{ {x}, {y}, {z}, lc }};" for i, (x, y) in enumerate(CORNERS)]
    for level in range(2):
        out += [f"Line({level * n + i + 1}) = {{ {level * n + i + 1}, {level * n + (i + 1) % n + 1} }};" for i in range(n)]
    out += [f"Line({2 * n + i + 1}) = {{ {i + 1}, {n + i + 1} }}; // upwards" for i in range(n)]
    out += ["Line Loop(1) = { " + ", ".join(str(-i) for i in range(n, 0, -1)) + " };"]
    out += ["Line Loop(2) = { " + ", ".join(str(n + i) for i in range(1, n + 1)) + " };"]
    for i in range(n):
        out += [f"Line Loop({i + 3}) = {{ {i + 1}, {2 * n + (i + 1) % n + 1}, {-(n + i + 1)}, {-(2 * n + i + 1)} }};"]
    out += [f"Plane Surface({i}) = {{ {i} }};" for i in range(1, n + 3)]
    out += [
        "Surface Loop(1) = { 1, 2, 3, 4, 5, 6, 7 };",
        'Physical Surface("037fa4d1-c674-4040-8770-0716314f1125") = { 1 };',
        'Physical Surface("ceiling") = { 2 };',
        'Physical Surface("walls") = { 3, 4, 5, 6 };',
        'Physical Surface("walls", 9) += { 7 };',
        "Volume(1) = { 1 };",
        "Mesh.Algorithm = 6;",
    ]
    return "\n".join(out) + "\n"


def task(**changes):
    """What the back end writes for a simulation with two sources and two receivers."""
    places = [(2.4, 1.2, 1.1), (0.7, 2.0, 1.2)]
    block = {"resultType": "Aula", "frequencies": FREQUENCIES, "percentage": 0}
    out = {
        "geo_path": "room.geo",
        "msh_path": "room.msh",
        "absorption_coefficients": {
            "037fa4d1-c674-4040-8770-0716314f1125": "0.05, 0.1, 0.2, 0.3, 0.4",
            "ceiling": "0.4, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5",
            "walls": "0.1, 0.1, 0.1, 0.1, 0.1",
        },
        "simulationSettings": {"aula_max_frequency": 300.0, "aula_duration": 0.5, "sampling_rate": 16000},
        "fs_auralization": 44100,
        "task_id": -1,
        "results": [
            {
                **block,
                "sourceX": x,
                "sourceY": 0.6,
                "sourceZ": 1.3,
                "responses": [
                    {"x": p[0], "y": p[1], "z": p[2], "parameters": {}, "receiverResults": []} for p in places
                ],
            }
            for x in (0.5, 1.1)
        ],
    }
    out.update(changes)
    return out


def float_wav(path, samples, rate):
    data = np.asarray(samples, dtype="<f4").tobytes()
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt ")
        file.write(struct.pack("<IHHIIHH", 16, 3, 1, rate, 4 * rate, 4, 32) + b"data" + struct.pack("<I", len(data)) + data)


class Choras(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "task.json"

    def write(self, text=None, **changes):
        (Path(self.folder.name) / "room.geo").write_text(text or geo_text())
        self.path.write_text(json.dumps(task(**changes)))

    def test_results_are_those_that_aula_metrics_finds_in_the_sound(self):
        self.write()
        said = []
        simulate(self.path, said.append)
        results = json.loads(self.path.read_text())["results"]
        volume = float(re.search(r"([0-9.]+) m3, waves to 300 Hz", "\n".join(said))[1])
        self.assertLess(abs(volume - 14.0), 1.0)  # 2 m x (7.5 - 0.5) m2, in whole cells
        self.assertEqual([block["percentage"] for block in results], [100, 100])
        self.assertFalse([name for name in os.listdir(self.folder.name) if name.endswith(".part")])
        compared = 0
        for block in results:
            for place in block["responses"]:
                sound = Path(self.folder.name) / "sound.wav"
                float_wav(sound, np.array(place["receiverResults"]), 16000)
                measured = json.loads(command("metrics", str(sound), "--json"))
                bands = {band["centre"]: band for band in measured["files"][0]["channels"][0]["octave_bands"]}
                for i, frequency in enumerate(FREQUENCIES):
                    band = bands[frequency]
                    for name, factor in (("t30", 1.0), ("c80", 1.0), ("d50", 100.0), ("ts", 1000.0)):
                        theirs = place["parameters"][name][i]
                        if theirs is not None and band[name] is not None:
                            compared += 1
                            self.assertLess(abs(theirs - factor * band[name]), 1e-3 * abs(theirs) + 2e-3, (name, frequency))
        self.assertGreater(compared, 70)
        self.assertNotEqual(results[0]["responses"][0]["parameters"], results[1]["responses"][0]["parameters"])

    def test_faces_are_those_of_the_script(self):
        self.write()
        points, faces, names = geo.read(Path(self.folder.name) / "room.geo")
        self.assertEqual(len(points), 10)
        self.assertEqual(sorted(len(face) for face in faces), [4, 4, 4, 4, 4, 5, 5])
        self.assertEqual(names.count("walls"), 5)
        corners = np.array(points)
        whole = np.zeros(3)  # of the areas of a closed surface, if all faces turn outwards
        for face in faces:
            p = corners[face]
            whole += sum(0.5 * np.cross(p[i] - p[0], p[i + 1] - p[0]) for i in range(1, len(p) - 1))
        self.assertLess(np.abs(whole).max(), 1e-12)

    def test_what_is_not_read_is_refused_by_line(self):
        for change, message in (
            (("Plane Surface(2) = { 2 };", "Plane Surface(2) = { 2, 3 };"), r"room\.geo:35: Plane Surface\(2\) has holes"),
            (("Line(1) = { 1, 2 };", "Circle(1) = { 1, 2, 3 };"), r"room\.geo:12: Circle"),
            (("Line(1) = { 1, 2 };", "Line(1) = { 1, x };"), r"room\.geo:12: Line\(1\) is not understood"),
            (("Line(1) = { 1, 2 };", "Line(1) = { 1, 3 };"), "do not join"),
            (("Line(1) = { 1, 2 };", ""), "which is not there"),
            (('Physical Surface("ceiling") = { 2 };', ""), "belongs to no Physical Surface"),
        ):
            self.write(geo_text().replace(*change))
            with self.assertRaisesRegex(geo.GeoError, message):
                simulate(self.path, lambda line: None)

    def test_tasks_that_cannot_be_answered_are_refused_before_the_render(self):
        turned = task()["results"]
        turned[1]["responses"].reverse()
        third = task()["results"]
        third[0]["frequencies"] = [125, 300]
        for changes, message in (
            ({"results": turned}, r"results\[1\]\.responses has other receivers"),
            ({"results": third}, r"results\[0\]\.frequencies has 300"),
            ({"simulationSettings": {"aula_max_frequency": "abc"}}, "aula_max_frequency is 'abc'"),
        ):
            self.write(**changes)
            with self.assertRaisesRegex(ValueError, message):
                simulate(self.path, lambda line: None)

    def test_doubtful_coefficients_are_refused_by_layer(self):
        for text, message in (("0.1, 0.2", "ceiling has 2 numbers"), ("1.1, 0, 0, 0, 0", "expected 0 to 1"), ("a", "expected numbers")):
            coefficients = {**task()["absorption_coefficients"], "ceiling": text}
            self.write(absorption_coefficients=coefficients)
            with self.assertRaisesRegex(ValueError, message):
                simulate(self.path, lambda line: None)
        self.write(absorption_coefficients={"walls": "0.1, 0.1, 0.1, 0.1, 0.1"})
        with self.assertRaisesRegex(ValueError, "has no absorption_coefficients"):
            simulate(self.path, lambda line: None)


main()
