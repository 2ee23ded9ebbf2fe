# SPDX-License-Identifier: MIT
"""The summary of a data set, as the command makes it."""

import csv
import json
import os
import shutil
import tempfile
import unittest

import numpy as np

import aula
from support import command, copies, main

BASE = """
room: { size = [1.4, 1.2, 1.0]; walls: { default = "plaster"; z_min = "carpet"; }; };
grid: { max_frequency = 400.0; }; hybrid: { full = false; };
time: { duration = 0.2; };
sources: ( { name = "A"; position = [0.3, 0.4, 0.5]; } );
receivers: ( { name = "L"; position = [1.1, 0.8, 0.4]; } );
"""
PLAN = """
base = "base.cfg"; seed = 2; repeat = 3;
vary: (
  { key = "room.walls.default"; values = ("wood", "carpet"); },
  { key = "room.walls.z_min"; values = ("wood", "carpet"); },
  { key = "air.temperature"; uniform = [19.0, 21.0]; },
  { key = "air.humidity"; choice = (50.0); }
);
"""


def short(value):
    """A number as the files of the command print it."""
    return None if np.isnan(value) else float(f"{value:.6g}")


class Summaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.plan, cls.set = (os.path.join(cls.folder.name, name) for name in ("plan.cfg", "set"))
        for name, content in (("base.cfg", BASE), ("plan.cfg", PLAN)):
            with open(os.path.join(cls.folder.name, name), "w") as file:
                file.write(content)
        command("batch", cls.plan, "-o", cls.set, "--summary", "--workers", "2")
        with open(os.path.join(cls.set, "summary.json")) as file:
            cls.said = json.load(file)
        cls.found = aula.summarize(cls.plan, cls.set)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_numbers_are_those_of_the_command(self):
        self.assertEqual((self.found.rooms, self.found.done), (self.said["rooms"], self.said["done"]))
        self.assertEqual(self.found.done, 12)
        self.assertEqual(self.found.keys, [k["key"] for k in self.said["keys"]])
        self.assertEqual(self.found.varies, [k["varies"] for k in self.said["keys"]])
        self.assertEqual(list(self.found.parameters), [p["parameter"] for p in self.said["parameters"]])
        for said in self.said["parameters"]:
            one = self.found[said["parameter"]]
            self.assertEqual((one.unit, one.line), (said["unit"], said["line"]))
            cells = said.get("octaves", said.get("response"))
            self.assertEqual(len(cells), len(one.mean))
            for b, cell in enumerate(cells):
                given = {
                    "rooms": int(one.rooms[b]),
                    "partly_valid": int(one.partly_valid[b]),
                    "unmeasured": int(one.unmeasured[b]),
                    "incomplete": int(one.incomplete[b]),
                    "mean": short(one.mean[b]),
                    "standard_deviation": short(one.deviation[b]),
                    "percentile_2.5": short(one.low[b]),
                    "percentile_97.5": short(one.high[b]),
                    "minimum": short(one.minimum[b]),
                    "maximum": short(one.maximum[b]),
                }
                self.assertEqual(given, {name: cell[name] for name in given}, said["parameter"])
                for k, key in enumerate(cell["keys"]):
                    effect = (short(one.correlation[k, b]), short(one.share[k, b]), short(one.chance[k, b]))
                    told = (key.get("rank_correlation"), key["share"], key["chance"])
                    self.assertEqual(effect, told, key)
                    self.assertEqual(bool(one.stands_out[k, b]), key["stands_out"])
                    self.assertEqual(one.missing[k][b], key.get("missing", ""))
        pairs = [([a, b], short(x)) for a, b, x in self.found.together]
        self.assertEqual(pairs, [(p["keys"], p["association"]) for p in self.said["vary_together"]])

    def test_the_mean_is_that_of_the_manifest(self):
        with open(os.path.join(self.set, "manifest.jsonl")) as file:
            rooms = [json.loads(line) for line in file]
        self.assertEqual(len(rooms), 12)
        c50 = [room["metrics"][0]["c50"][2] for room in rooms]  # 250 Hz ends at 354 Hz, below the valid 400 Hz
        self.assertEqual(self.found["c50"].rooms[2], 12)
        self.assertTrue(abs(self.found["c50"].mean[2] - np.mean(c50)) <= 1e-6)
        self.assertTrue(abs(self.found["c50"].deviation[2] - np.std(c50, ddof=1)) <= 1e-6)
        self.assertIn("C50 at 250 Hz: ", str(self.found))

    def test_it_needs_no_right_to_write(self):
        with open(os.path.join(self.set, "manifest.csv")) as file:
            before = list(csv.reader(file))
        names = sorted(os.listdir(self.set))
        os.chmod(os.path.join(self.set, "manifest.jsonl"), 0o444)
        os.chmod(self.set, 0o555)
        try:
            self.assertEqual(str(aula.summarize(self.plan, self.set)), str(self.found))
        finally:
            os.chmod(self.set, 0o755)
        with open(os.path.join(self.set, "manifest.csv")) as file:
            self.assertEqual((list(csv.reader(file)), sorted(os.listdir(self.set))), (before, names))

    def test_a_data_set_without_a_manifest_stays_without(self):
        other = os.path.join(self.folder.name, "empty")
        os.mkdir(other)
        shutil.copy(os.path.join(self.set, "batch.json"), other)
        with self.assertRaisesRegex(aula.InputError, "manifest.jsonl: cannot read"):
            aula.summarize(self.plan, other)
        self.assertEqual(os.listdir(other), ["batch.json"])

    def test_copies_are_the_same(self):
        for again in copies(self.found):
            self.assertEqual((str(again), again.keys), (str(self.found), self.found.keys))

    def test_mistakes_are_told(self):
        other = os.path.join(self.folder.name, "other.cfg")
        with open(other, "w") as file:
            file.write(PLAN.replace("seed = 2", "seed = 3"))
        for arguments, said in (
            ((other, self.set), "another `seed`"),
            ((self.plan, self.folder.name), "is no data set"),
            ((os.path.join(self.folder.name, "none.cfg"), self.set), "none.cfg"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.summarize(*arguments)
            self.assertIn(said, str(caught.exception))
        with self.assertRaises(KeyError):
            self.found["t31"]


if __name__ == "__main__":
    main()
