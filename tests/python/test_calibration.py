# SPDX-License-Identifier: MIT
"""A room whose hidden absorption is found, as the command finds it."""

import json
import os
import tempfile
import unittest

import numpy as np

import aula
from support import command, copies, main, same

ROOM = """
room: { size = [3.0, 2.4, 2.2]; walls: { default = "wall"; z_min = "rug"; x_min = "rigid"; }; };
materials: {
  wall = { absorption = [A, A, A, A, A, A, A, A]; scattering = 0.3; }; # painted
  rug = { absorption = [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]; scattering = 0.3; };
};
grid: { max_frequency = 120.0; }; hybrid: { full = true; rays = 2000; order = 1; };
time: { duration = 0.5; };
sources: ( { name = "A"; position = [0.9, 1.0, 1.2]; } );
receivers: ( { name = "L"; position = [2.2, 1.7, 1.2]; }, { name = "R"; position = [1.6, 1.2, 1.6]; } );
output: { rate = 6000; };
"""
OCTAVES = [500, 1000]


class Calibrations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.wav, cls.path = (os.path.join(cls.folder.name, name) for name in ("m.wav", "room.cfg"))
        aula.Room.from_text(ROOM.replace("A,", "0.16,").replace("A]", "0.16]")).render().write(cls.wav)
        with open(cls.path, "w") as file:
            file.write(ROOM.replace("A,", "0.08,").replace("A]", "0.08]"))
        cls.room = aula.Room(cls.path)
        cls.measured = aula.measure_file(cls.wav)
        cls.shares = []
        cls.found = aula.calibrate(
            cls.room,
            {"L": (cls.measured, 0), "R": (cls.measured, 1)},
            hold_out=["R"],
            octaves=OCTAVES,
            threads=1,
            progress=cls.shares.append,
        )

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_hidden_absorption_is_in_the_interval(self):
        found, wall = self.found, self.found.materials.index("wall")
        self.assertTrue(found.settled and not found.by_waves.any())
        self.assertTrue(np.all((found.low[:, wall] < 0.16) & (found.high[:, wall] > 0.16)), found.low)
        self.assertTrue(np.all(found.told[:, wall]) and np.all(found.remaining[:, wall] < 0.6))
        self.assertEqual(found.prior[:, wall].round(9).tolist(), [0.08, 0.08])
        self.assertEqual((found.receivers, found.held_out.tolist()), (["L", "R"], [False, True]))
        self.assertEqual(list(found.residuals), ["T20"])
        t20 = found.residuals["T20"]
        left = abs(t20.calibrated - t20.measured) / abs(t20.prior - t20.measured)
        self.assertTrue(np.all(left <= 0.4), left)  # also where it was held out
        told = found.combinations(1)
        self.assertTrue(told[0].remaining <= told[1].remaining and abs((told[0].weights ** 2).sum() - 1) <= 1e-9)

    def test_the_numbers_are_those_of_the_command(self):
        there = os.path.join(self.folder.name, "there.cfg")
        here = os.path.join(self.folder.name, "here.cfg")
        words = ["--octaves", "500,1000", "--hold-out", "R", "--threads", "1", "--json", "-o", there]
        said, found = json.loads(command("calibrate", self.path, self.wav, *words)), self.found
        for k, octave in enumerate(said["octaves"]):
            for m, material in enumerate(octave["materials"]):
                given = [found.absorption, found.low, found.high, found.prior, found.prior_low, found.prior_high]
                told = [material[a][b] for a in ("absorption", "prior") for b in ("value", "low", "high")]
                self.assertTrue(same([a[k, m] for a in given], told), material)
                self.assertTrue(same(found.remaining[k, m], material["remaining"]))
                self.assertEqual((found.materials[m], found.told[k, m]), (material["name"], material["told"]))
            for i, receiver in enumerate(octave["receivers"]):
                r = found.residuals["T20"]
                given = [r.measured[k, i], r.prior[k, i], r.calibrated[k, i], r.jnd[k, i]]
                self.assertTrue(same(given, [receiver["t20"][n] for n in ("measured", "prior", "calibrated", "jnd")]))
            combinations = [(c.remaining, *c.weights) for c in found.combinations(k)]
            self.assertTrue(same(combinations, [[c["remaining"], *c["weights"]] for c in octave["combinations"]]))
        self.assertTrue(same(found.octaves, [o["centre"] for o in said["octaves"]]))
        self.assertTrue(same(found.chi_squared, [o["chi_squared"] for o in said["octaves"]]))
        self.assertEqual(found.data.tolist(), [o["data"] for o in said["octaves"]])
        self.assertEqual((found.evaluations, found.settled), (said["evaluations"], said["settled"]))
        self.assertEqual(found.warnings, said["warnings"])
        found.write(here)
        with open(here) as one, open(there) as other:
            self.assertEqual(one.read(), other.read())

    def test_the_calibrated_room_can_be_rendered(self):
        room, wall = self.found.room(), self.found.materials.index("wall")
        asked = next(w for w in room.walls if w.name == "wall").asked
        self.assertEqual(asked[3:5].tolist(), self.found.absorption[:, wall].tolist())
        self.assertTrue(np.all(asked[[0, 1, 2, 5, 6, 7]] == 0.08))
        self.assertEqual(room.grid, self.room.grid)
        again = aula.Room(room.description)
        self.assertEqual(next(w for w in again.walls if w.name == "wall").asked.tolist(), asked.tolist())
        path = os.path.join(self.folder.name, "written.cfg")
        self.found.write(path)
        here, there = (r.render(threads=1).metrics()["T20"][:, 3:5] for r in (room, aula.Room(path)))
        self.assertTrue(np.all(abs(here / there - 1) <= 1e-3), (here, there))  # coefficients have four decimals there
        with self.assertRaisesRegex(aula.InputError, "is calibrated"):
            aula.calibrate(room, self.measured)
        with self.assertRaisesRegex(aula.InputError, "calibrated room"):
            room.with_settings({"grid.max_frequency": 100})

    def test_copies_are_the_same(self):
        here = os.path.join(self.folder.name, "here.cfg")
        self.found.write(here)
        for again in copies(self.found)[3:]:
            self.assertEqual(again.absorption.tolist(), self.found.absorption.tolist())
            self.assertEqual(*(repr(c.combinations(0)) for c in (again, self.found)))
            self.assertEqual(repr(again.room().walls), repr(self.found.room().walls))
            there = os.path.join(self.folder.name, "there.cfg")
            again.write(there)
            with open(here) as one, open(there) as other:
                self.assertEqual(one.read(), other.read())

    def test_progress_rises_with_rays_alone(self):
        self.assertTrue(len(self.shares) >= self.found.evaluations and self.shares == sorted(self.shares))
        self.assertTrue(0 <= self.shares[0] < self.shares[-1] <= 1, self.shares)

    def test_channels_belong_to_receivers_by_name_or_order(self):
        options = {"hold_out": ["R"], "octaves": OCTAVES, "threads": 1}
        self.assertEqual(
            aula.calibrate(self.room, self.measured, **options).absorption.tolist(), self.found.absorption.tolist()
        )

    def test_mistakes_are_told(self):
        m = self.measured
        for arguments, said in (
            ((self.room, {"X": m}), "only the receivers L, R"),
            ((self.room, {"L": 3}), "expected Metrics"),
            ((self.room, {"L": (m, 2)}), "channel 2 of only 2"),
            ((self.room, {}), "nothing was measured"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.calibrate(*arguments)
            self.assertIn(said, str(caught.exception))
        for options, said in (
            ({"hold_out": ["L", "R"]}, "leaves no receiver to fit"),
            ({"hold_out": ["X"]}, "nothing was measured there"),
            ({"materials": ["walls"]}, "did you mean wall?"),
            ({"parameters": ["G"]}, "parameters"),
            ({"octaves": [600]}, "octaves 600"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.calibrate(self.room, m, **options)
            self.assertIn(said, str(caught.exception))
        with self.assertRaisesRegex(aula.InputError, "room file itself"):
            self.found.write(self.path)

    def test_a_room_file_that_has_changed_is_refused(self):
        path = os.path.join(self.folder.name, "changing.cfg")
        with open(self.path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text)
        room = aula.Room(path)
        with open(path, "w") as file:
            file.write(text.replace("3.0, 2.4", "3.1, 2.4"))
        with self.assertRaisesRegex(aula.InputError, "has changed since"):
            aula.calibrate(room, self.measured)


if __name__ == "__main__":
    main()
