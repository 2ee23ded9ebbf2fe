# SPDX-License-Identifier: MIT
"""The modes of a lossy box, and those that the command finds."""

import json
import os
import tempfile
import unittest

import numpy as np

import aula
from support import command, copies, main, same

BOX = {
    "room": {"size": [3.0, 2.4, 2.0], "walls": {"default": "wall"}},
    "materials": {"wall": {"impedance": 60.0}},
    "air": {"losses": False, "temperature": 20.0},
    "grid": {"max_frequency": 500},
    "time": {"duration": 0.5},
    "sources": [{"name": "S", "position": [0.8, 0.7, 0.9]}],
    "receivers": [{"name": "R", "position": [1.5, 1.2, 1.0]}],
}


class Modes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = aula.Room(BOX)
        try:
            cls.shares = []
            cls.modes = aula.modes(cls.room, 130, progress=cls.shares.append, threads=1)
        except aula.AulaError as error:
            if "LAPACK" in str(error):
                raise unittest.SkipTest(str(error)) from None
            raise

    def test_frequencies_are_those_of_a_box(self):
        order = self.modes.order
        exact = 171.6 * np.sqrt(((order / np.array(BOX["room"]["size"])) ** 2).sum(axis=1))
        self.assertEqual(len(self.modes), 8)
        self.assertTrue(np.all(order.max(axis=1) > 0) and np.all(self.modes.resolved))
        self.assertTrue(np.all(abs(self.modes.frequency / exact - 1) <= 2e-3), self.modes.frequency)
        self.assertTrue(np.all((self.modes.t60 > 0.2) & (self.modes.t60 < 2)))
        self.assertEqual((self.modes.places, self.modes.levels.shape), (["S", "R"], (8, 2)))
        odd = (order % 2).any(axis=1)  # R stands in the middle, in a node of all odd modes
        self.assertTrue(np.all(self.modes.levels[odd, 1] < -40) and np.all(self.modes.levels[~odd, 1] > -1))

    def test_the_numbers_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "box.cfg")
            self.room.save(path)
            said = json.loads(command("modes", path, "--to", "130", "--json", "--threads", "1"))
        self.assertTrue(same(self.modes.frequency, [m["frequency"] for m in said["modes"]]))
        self.assertTrue(same(self.modes.t60, [m["t60"] for m in said["modes"]]))
        self.assertTrue(same(self.modes.level, [m["level"] for m in said["modes"]]))
        self.assertTrue(same(self.modes.levels, [[m["levels"][p] for p in ("S", "R")] for m in said["modes"]]))
        self.assertEqual(self.modes.order.tolist(), [m["order"] for m in said["modes"]])
        span = (self.modes.low, self.modes.high, self.modes.expected, self.modes.spacing, self.modes.size_error)
        self.assertTrue(same(span, [said[k] for k in ("from", "to", "expected", "spacing", "size_error")]))
        self.assertTrue(same(self.modes.schroeder_frequency, said["schroeder_frequency"]))
        bands = [(b.low, b.high, b.expected, b.found, b.residual) for b in self.modes.bands]
        self.assertTrue(
            same(bands, [[b[k] for k in ("low", "high", "expected", "modes", "residual")] for b in said["bands"]])
        )

    def test_progress_rises_and_its_exception_stops_the_work(self):
        self.assertTrue(self.shares and 0 < self.shares[-1] <= 1 and self.shares == sorted(self.shares))

        def refuse(_share):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            aula.modes(self.room, 130, progress=refuse)

    def test_copies_are_the_same(self):
        for again in copies(self.modes):
            self.assertTrue(np.array_equal(again.levels, self.modes.levels))
            self.assertEqual(
                (again.bands, again.places, repr(again)), (self.modes.bands, self.modes.places, repr(self.modes))
            )

    def test_doubts_are_warnings_and_mistakes_are_told(self):
        found = aula.modes(aula.Room({**BOX, "materials": {"wall": {"impedance": 6.0}}}), 200, threads=1)
        self.assertFalse(found.resolved.all())
        self.assertTrue(any("not resolved" in w for w in found.warnings), found.warnings)
        for to, said in ((20.0, "to 20: no mode lies so low"), (3000.0, "at most 400"), (float("nan"), "to is nan")):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.modes(self.room, to)
            self.assertIn(said, str(caught.exception))


if __name__ == "__main__":
    main()
