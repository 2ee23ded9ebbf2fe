# SPDX-License-Identifier: MIT
"""Places for subs in a small room, as the command finds them."""

import json
import os
import tempfile
import unittest

import numpy as np

import aula
from support import command, copies, main, same

ROOM = {
    "room": {"size": [2.4, 1.9, 1.5], "walls": {"default": "hard", "x_max": "soft"}},
    "materials": {"hard": {"impedance": 25.0}, "soft": {"impedance": 8.0}},
    "grid": {"max_frequency": 250},
    "hybrid": {"full": False},
    "time": {"duration": 0.2},
    "sources": [{"name": "S", "position": [1.8, 1.4, 0.4]}],
    "receivers": [{"name": "left", "position": [1.0, 0.7, 1.1]}, {"name": "right", "position": [1.1, 1.3, 1.1]}],
}
BAND = (60, 150)
CANDIDATES = [[0.4, 0.4, 0.3], [2.0, 0.4, 0.3], [1.2, 0.95, 0.3], [0.4, 1.5, 0.3]]


class Places(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = aula.Room(ROOM)
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "room.cfg")
        cls.room.save(cls.path)
        cls.found = aula.place(cls.room, 2, candidates=CANDIDATES, band=BAND, delay=0.004, walls=True, threads=1)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_numbers_are_those_of_the_command(self):
        band = f"{BAND[0]},{BAND[1]}"
        places = ";".join(",".join(map(str, at)) for at in CANDIDATES)
        words = ["--subs", "2", "--candidates", places, "--band", band, "--walls", "--delay", "4", "--threads", "1"]
        path = os.path.join(self.folder.name, "eq.txt")
        said = json.loads(command("place", self.path, *words, "--eq", path, "--json"))
        found = self.found
        self.assertTrue(same(found.candidates, [c["position"] for c in said["candidates"]]))
        self.assertTrue(same(found.least_spread, [c["least_spread"] for c in said["candidates"]]))
        self.assertTrue(same(found.seats, [s["position"] for s in said["seats"]]))
        self.assertEqual(found.seat_names, [s["name"] for s in said["seats"]])
        self.assertEqual(found.candidate_names, [c["name"] for c in said["candidates"]])
        sets = [
            [s.spread, s.spread_of_seats, s.output] + [x for k in s.subs for x in (*k.position, k.delay, k.gain)]
            for s in found.pareto
        ]
        told = [
            [s["spread"], s["spread_of_seats"], s["output"]]
            + [x for k in s["subs"] for x in (*k["position"], k["delay"], k["gain"])]
            for s in said["pareto"]
        ]
        self.assertTrue(same(sets, told))
        self.assertEqual(
            [[k.inverted for k in s.subs] for s in found.pareto],
            [[k["inverted"] for k in s["subs"]] for s in said["pareto"]],
        )
        winner = said["winner"]
        self.assertTrue(same(found.frequency, winner["frequency"]) and same(found.levels, winner["levels"]))
        self.assertTrue(same(found.mean, winner["mean"]) and same(found.difference, winner["direct_difference"]))
        filters = [(f.frequency, f.gain, f.q) for f in found.filters]
        self.assertTrue(same(filters, [[f["frequency"], f["gain"], f["q"]] for f in said["equaliser"]["filters"]]))
        self.assertTrue(same((found.preamp, found.target), [said["equaliser"][k] for k in ("preamp", "target")]))
        with open(path) as file:
            self.assertEqual(found.equaliser("apo"), file.read())
        self.assertTrue(found.equaliser("rew").count(" ON  PK ") == len(filters))
        walls = [(*w.centre, w.area, w.change, found.frequency[w.band], w.density) for w in found.walls]
        keys = ("area", "change", "strongest", "density")
        self.assertTrue(walls and same(walls, [[*w["centre"], *(w[k] for k in keys)] for w in said["walls"]]))
        self.assertEqual(
            [(w.wall, w.material) for w in found.walls], [(w["wall"], w["material"]) for w in said["walls"]]
        )
        self.assertEqual({w.material for w in found.walls}, {"hard", "soft"})
        self.assertTrue(same((found.spacing, found.duration), [said["spacing"], said["duration"]]))
        self.assertEqual((found.scored, found.exhaustive), (said["scored"], said["exhaustive"]))

    def test_sets_are_in_order_and_the_first_is_confirmed(self):
        spreads = [s.spread for s in self.found.sets]
        self.assertEqual(spreads, sorted(spreads))
        self.assertTrue(self.found.sets[0].pareto and self.found.difference <= 0.1)
        self.assertEqual((len(self.found.sets[0].subs), self.found.sets[0].seat), (2, None))
        for i, one in enumerate(self.found.pareto):
            self.assertFalse(any(o.spread < one.spread and o.output > one.output for o in self.found.sets), i)

    def test_places_are_names_or_arrays(self):
        options = {"band": BAND, "equal": True, "threads": 1}
        named = aula.place(self.room, candidates=["S"], seats=["right"], **options)
        placed = aula.place(self.room, candidates=[[1.8, 1.4, 0.4]], seats=np.array([[1.1, 1.3, 1.1]]), **options)
        self.assertEqual(named.sets[0].spread, placed.sets[0].spread)
        self.assertEqual(named.sets[0].subs[0].position, (1.8, 1.4, 0.4))

    def test_a_pair_stands_in_front_of_the_listener(self):
        pair = aula.place(self.room, facing="x", seats=[[0.8, 0.95, 0.9]], candidates="grid 0.5", band=BAND, threads=1)
        first, second = pair.sets[0].subs
        self.assertEqual(pair.sets[0].seat, 0)
        self.assertAlmostEqual(first.position[1] + second.position[1], 2 * 0.95)
        self.assertTrue(first.position[0] > 0.8 and first.position[0] == second.position[0])
        self.assertEqual(pair.levels.shape, (1, len(pair.frequency)))

    def test_copies_are_the_same(self):
        for again in copies(self.found):
            self.assertEqual((again.sets, again.equaliser("rew")), (self.found.sets, self.found.equaliser("rew")))
            self.assertTrue(np.array_equal(again.levels, self.found.levels))

    def test_mistakes_are_told(self):
        for arguments, said in (
            ({"subs": 5}, "subs 5: expected 1 to 4"),
            ({"subs": 2, "facing": "x"}, "use one of them"),
            ({"facing": "up"}, "facing"),
            ({"band": (150, 60)}, "band 150,60"),
            ({"seats": ["rigth"]}, "did you mean right?"),
            ({"seats": [[9.0, 0.3, 0.2]]}, "outside the room"),
            ({"seats": [[1.0, 2.0]]}, "[n, 3]"),
            ({"delay": 0.2}, "delay is 0.2 s"),
            ({"gain": 3.0}, "gain 3"),
            ({"boost": float("nan")}, "boost nan"),
            ({"clearance": -1.0}, "clearance -1"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.place(self.room, **{"band": BAND, **arguments})
            self.assertIn(said, str(caught.exception))
        with self.assertRaises(aula.InputError):
            self.found.equaliser("wav")


if __name__ == "__main__":
    main()
