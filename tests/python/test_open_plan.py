# SPDX-License-Identifier: MIT
"""A line of places in free field, whose spatial decay is known."""

import json
import math
import os
import struct
import tempfile
import unittest

import numpy as np

import aula
from support import copies, main

RATE, FRAMES, GAIN, SPEED = 48000, 24000, 5.0, 343.2
DISTANCES = (2.0, 3.0, 4.0, 6.0, 8.0, 12.0)


def write(path, distances):
    """Responses of free field, 1/(4 pi r), with a tail that decays, and the JSON that calibrates them."""
    samples = np.zeros((FRAMES, len(distances)))
    for c, r in enumerate(distances):
        start = 480 + round(r / SPEED * RATE)
        n = np.arange(FRAMES - start)
        noise = np.random.default_rng(3).uniform(-1, 1, len(n))
        samples[start:, c] = 0.002 * noise * np.exp(-6.907755 * n / RATE / 0.4)
        samples[start, c] += 1.0
        samples[:, c] *= GAIN / (4 * math.pi * r)
    data = samples.astype("<f4").tobytes()
    frame = 4 * len(distances)
    with open(path, "wb") as file:
        form = struct.pack("<IHHIIHH", 16, 3, len(distances), RATE, frame * RATE, frame, 32)
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + form)
        file.write(b"data" + struct.pack("<I", len(data)) + data)
    content = {"rate": RATE, "frames": FRAMES, "channels": len(distances), "gain": GAIN, "format": "float"}
    with open(os.path.splitext(path)[0] + ".json", "w") as file:
        json.dump(
            {
                "output": {**content, "content": "impulse response"},
                "valid_band": {"low": 10, "high": 24000},
                "grid": {"rate": RATE, "sound_speed": SPEED},
                "space": {"volume": 300},
                "input": {"sources": [{"name": "talker", "position": [0, 0, 1.2], "gain": 1}]},
                "receivers": [{"name": f"d{r:g}", "position": [r, 0, 1.2]} for r in distances],
            },
            file,
        )


class OpenPlans(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "line.wav")
        write(path, DISTANCES)
        cls.metrics = aula.measure_file(path)
        cls.noise = [20.0] + [30.0] * 7

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_levels_of_a_free_field_fall_by_6_dB(self):
        plan = aula.open_plan(self.metrics, DISTANCES, self.noise)
        self.assertTrue(abs(plan.decay_rate - 20 * math.log10(2)) <= 0.05, plan)
        self.assertTrue(abs(plan.level_4m - (57.4 - 20 * math.log10(4))) <= 0.15, plan)
        self.assertTrue(abs(plan.comfort_distance - 10 ** ((57.4 - 45) / 20)) <= 0.1, plan)
        self.assertTrue(abs(plan.background_level - 37.0) <= 0.1, plan)
        self.assertEqual((plan.level.shape, plan.octaves.shape, plan.sti.shape), ((6,), (6, 7), (6,)))
        self.assertTrue(np.all(np.diff(plan.level) < -1.0) and np.all(np.diff(plan.sti) < 0.0))
        self.assertEqual((plan.place_missing, plan.missing("decay_rate")), ([""] * 6, ""))
        self.assertIn("OpenPlan of 6 places: D2,S 6.0 dB", repr(plan))

    def test_the_order_of_places_does_not_matter(self):
        path = os.path.join(self.folder.name, "back.wav")
        write(path, DISTANCES[::-1])
        a = aula.open_plan(self.metrics, DISTANCES, self.noise)
        b = aula.open_plan([aula.measure_file(path)], DISTANCES[::-1], self.noise)
        self.assertEqual((a.decay_rate, a.distraction_distance), (b.decay_rate, b.distraction_distance))
        self.assertTrue(np.array_equal(a.level, b.level[::-1]))

    def test_doubts_are_warnings_and_missing_values_have_reasons(self):
        path = os.path.join(self.folder.name, "short.wav")
        write(path, DISTANCES[:3])
        plan = aula.open_plan(aula.measure_file(path), DISTANCES[:3])
        self.assertTrue(math.isnan(plan.decay_rate) and math.isnan(plan.background_level))
        self.assertIn("fewer than 4 places", plan.missing("comfort_distance"))
        self.assertIn("no noise", plan.missing("background_level"))
        self.assertTrue(any("at least 4 places" in w for w in plan.warnings), plan.warnings)
        self.assertTrue(any("silent office" in w for w in plan.warnings), plan.warnings)
        self.assertTrue(any("extrapolated" in w for w in aula.open_plan(self.metrics, DISTANCES).warnings))
        with self.assertRaises(KeyError):
            plan.missing("D2S")

    def test_copies_are_the_same(self):
        plan = aula.open_plan(self.metrics, DISTANCES)
        for again in copies(plan):
            self.assertEqual(again.missing("comfort_distance"), plan.missing("comfort_distance"))
            self.assertTrue(np.array_equal(again.octaves, plan.octaves, equal_nan=True))

    def test_mistakes_are_told(self):
        loose = aula.measure(np.eye(1, 4800)[0], RATE)
        for arguments, said in (
            ((loose, [2.0]), "not calibrated"),
            ((self.metrics, [2.0]), "each of the 6 channels"),
            ((self.metrics, (0.0,) + DISTANCES[1:]), "places[0].distance is 0"),
            ((self.metrics, DISTANCES, [30.0] * 6), "noise has 6 levels"),
            ((self.metrics, DISTANCES, []), "expected 7 levels"),
            ((self.metrics, DISTANCES, [math.nan] * 7), "noise[0] is nan"),
            (([3], [2.0]), "expected Metrics"),
            (([], []), "count is 0"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.open_plan(*arguments)
            self.assertIn(said, str(caught.exception))


if __name__ == "__main__":
    main()
