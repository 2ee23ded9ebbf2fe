# SPDX-License-Identifier: MIT
"""Materials by themselves: layers in words, and materials of a room file."""

import os
import tempfile
import unittest

import numpy as np

import aula
from support import main

PANEL = "perforated 0.2 mm 0.2 mm 2.5 mm, air 60 mm"


class Layers(unittest.TestCase):
    def test_microperforated_panel_of_maa(self):
        """Maa 1998, figure 5: 0.96 near 677 Hz; 2 % higher by the neighbours of a hole."""
        panel = aula.material(PANEL)
        found = panel.absorption(np.geomspace(300, 1500, 200))
        best = np.argmax(found[:, 0])
        self.assertTrue(abs(found[best, 0] - 0.957) <= 0.003)
        self.assertTrue(abs(np.geomspace(300, 1500, 200)[best] - 688) <= 8)
        self.assertTrue(np.min(np.abs(panel.resonances[:, 0] - 688)) <= 20)
        self.assertEqual((panel.layers, round(panel.depth, 6)), (2, 0.0602))
        self.assertEqual(panel.normal.shape, panel.random.shape)
        self.assertTrue(any("along the layers" in line for line in panel.warnings))
        self.assertIn("MaterialAcoustics", repr(panel))

    def test_absorption_follows_from_the_admittance(self):
        f = [100.0, 1000.0, 5000.0]
        panel = aula.material(PANEL)
        y = panel.admittance(f)
        self.assertEqual(y.dtype, np.complex128)
        self.assertTrue(np.all(np.abs(1 - np.abs((1 - y) / (1 + y)) ** 2 - panel.absorption(f)[:, 0]) <= 1e-12))

    def test_a_material_of_the_library_has_its_table(self):
        brick = aula.material("brick")
        self.assertTrue(np.all(np.abs(brick.random - aula.materials["brick"].absorption) <= 0.02))
        self.assertTrue(np.all(np.isnan(brick.random_along)) and brick.layers == 0 and np.isnan(brick.depth))

    def test_a_room_file_defines_its_materials(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "room.cfg")
            with open(path, "w") as file:
                file.write(
                    'materials: { trap = { layers = ( { kind = "porous"; thickness = 0.05; '
                    "flow_resistivity = 1e4; } ); }; };\n"
                    'room: { size = [3.0, 2.0, 2.0]; walls: { default = "brick"; }; };\n'
                    "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                    "receivers: ( { position = [2.0, 1.0, 1.0]; } );\n"
                )
            trap, same = aula.material("trap", path), aula.material("porous 50 mm 10000")
            np.testing.assert_array_equal(trap.normal, same.normal)
            warm = aula.material("trap", path, {"air.temperature": 30})
            self.assertTrue(np.max(np.abs(warm.normal - trap.normal)) >= 1e-4)
            with self.assertRaisesRegex(aula.InputError, "needs no room"):
                aula.material(PANEL, path)

    def test_mistakes_are_named(self):
        with self.assertRaisesRegex(aula.InputError, "layer 2: THICKNESS 100 needs a unit"):
            aula.material("cloth 300, air 100")
        with self.assertRaisesRegex(aula.InputError, "unknown material"):
            aula.material("brickk")
        with self.assertRaisesRegex(aula.InputError, "must be from 1 to 100000 Hz"):
            aula.material("brick").admittance([100.0, float("nan")])


if __name__ == "__main__":
    main()
