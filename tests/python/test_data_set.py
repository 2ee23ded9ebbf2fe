# SPDX-License-Identifier: MIT
"""Shards of a plan, as the command renders them."""

import json
import os
import tempfile
import unittest

import aula
from support import bytes_of, command, interrupted, main, small

BASE = """
room: { size = [1.4, 1.2, 1.0]; walls: { default = "plaster"; z_min = "carpet"; }; };
grid: { max_frequency = 400.0; }; hybrid: { full = false; };
time: { duration = DURATION; };
sources: ( { name = "A"; position = [0.3, 0.4, 0.5]; } );
receivers: ( { name = "L"; position = [1.1, 0.8, 0.4]; } );
"""
PLAN = """
base = "base.cfg"; seed = 2; rooms = 5;
vary: ( { key = "air.temperature"; uniform = [19.0, 21.0]; } );
"""


def files_of(folder):
    """The bytes of all files of a data set by their paths, without what shards leave."""
    found = {}
    for place, _folders, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(place, name), folder)
            if not path.startswith("parts") and not name.endswith((".lock", ".json")):
                found[path] = bytes_of(os.path.join(folder, path))
    return found


class DataSets(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.write("plan.cfg", PLAN)
        self.write("base.cfg", BASE.replace("DURATION", "0.2"))

    def tearDown(self):
        self.place.cleanup()

    def at(self, name):
        return os.path.join(self.place.name, name)

    def write(self, name, content):
        with open(self.at(name), "w") as file:
            file.write(content)

    def test_shards_make_the_files_of_one_run(self):
        aula.Room(small()).render()  # this process has threads of OpenMP
        command("batch", self.at("plan.cfg"), "-o", self.at("there"), "--workers", "2")
        here = aula.DataSet(self.at("plan.cfg"), self.at("here"))
        shares = []
        first = here.render(shard="1/2", workers=1, progress=shares.append)
        self.assertEqual((first.rooms, first.done, first.failed), (2, 2, 0))
        self.assertTrue(shares == sorted(shares) and 0 <= shares[0] <= shares[-1] <= 1)
        self.assertEqual(here.merge().missing, "0,2,4")
        here.render(rooms=[0, 2], workers=2)
        here.render(rooms="4")
        merged = here.merge()
        self.assertEqual((merged.rooms, merged.done, merged.missing), (5, 5, None))
        one, other = files_of(self.at("here")), files_of(self.at("there"))
        self.assertEqual(sorted(one), sorted(other))
        for name in one:
            if not name.startswith("manifest"):  # whose rows have the seconds of each room
                self.assertEqual(one[name], other[name], name)
        self.assertEqual([row["room"] for row in here.manifest()], list(range(5)))
        self.assertEqual(here.summary().done, 5)
        self.assertEqual(here.render().before, 5)

    def test_the_list_is_that_of_the_command(self):
        said = [json.loads(line) for line in command("batch", self.at("plan.cfg"), "--list").splitlines()]
        there = aula.DataSet(self.at("plan.cfg"), settings={"grid.max_frequency": 400}).list()
        self.assertEqual(len(there), 5)
        self.assertEqual([{**row, "seconds": 0} for row in there], [{**row, "seconds": 0} for row in said])
        self.assertEqual(len(aula.DataSet(self.at("plan.cfg")).list(shard="0/3")), 2)

    def test_ctrl_c_stops_a_run_that_goes_on_later(self):
        self.write("base.cfg", BASE.replace("DURATION", "600.0"))
        data = aula.DataSet(self.at("plan.cfg"), self.at("set"))
        took = interrupted(self, lambda: data.render(workers=1))
        print(f"KeyboardInterrupt after {took:.3f} s")
        self.assertLess(data.merge().done, 5)

    def test_mistakes_are_told(self):
        data = aula.DataSet(self.at("plan.cfg"), self.at("set"))
        for call, why in (
            (lambda: data.render(shard="3/2"), "shard"),
            (lambda: data.render(shard="0/2", rooms="1"), "both choose rooms"),
            (lambda: data.render(rooms="9"), "rooms"),
            (lambda: data.render(workers=-1), "workers"),
            (lambda: aula.DataSet(self.at("plan.cfg")).render(), "has no folder"),
            (lambda: aula.DataSet(self.at("none.cfg"), self.at("set")).render(), "none.cfg"),
            (lambda: aula.DataSet(self.at("none.cfg")).list(), "none.cfg"),
        ):
            with self.subTest(why), self.assertRaisesRegex(aula.InputError, why):
                call()


if __name__ == "__main__":
    main()
