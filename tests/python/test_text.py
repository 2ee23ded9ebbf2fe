# SPDX-License-Identifier: MIT
"""The writer of room files."""

import math
import os
import pathlib
import random
import unittest

import numpy as np

import aula
from aula.errors import _mistake
from aula.text import setting_text, value_text
from support import main, small

CASES = int(os.environ.get("CASES", "40"))


class Writer(unittest.TestCase):
    def test_numbers_keep_their_bits(self):
        seed = int(os.environ.get("SEED", random.SystemRandom().randrange(10**9)))
        print(f"SEED={seed}")
        draw = random.Random(seed)
        positions = [[draw.uniform(0.1, 1.0) for _ in range(3)] for _ in range(CASES)]
        room = aula.Room(small(receivers=[{"position": p} for p in positions]))
        self.assertEqual([list(r.position) for r in room.receivers], positions)

    def test_every_kind_of_value(self):
        self.assertEqual(value_text(True), "true")
        self.assertEqual(value_text(np.bool_(False)), "false")
        self.assertEqual(value_text(np.float32(0.5)), "0.5")
        self.assertEqual(value_text(np.int64(7)), "7")
        self.assertEqual(value_text(2**40), "1099511627776.0")  # libconfig has 32 bits for whole numbers
        self.assertEqual(value_text(1e-300), "1e-300")
        self.assertEqual(value_text(np.array([[1.0, 2.0], [3.0, 4.5]])), "( ( 1.0, 2.0 ), ( 3.0, 4.5 ) )")
        self.assertEqual(value_text('a "b"\\\n'), '"a \\"b\\"\\\\\\n"')
        self.assertEqual(value_text(pathlib.Path("a/b.obj")), '"a/b.obj"')
        self.assertEqual(value_text([]), "( )")
        self.assertEqual(setting_text("sources[0].position", [1, 2, 1.5]), "sources[0].position=( 1, 2, 1.5 )")
        self.assertEqual(setting_text("a", {"b": None, "c": {"d": 1}}), "a={ c = { d = 1; }; }")

    def test_what_cannot_be_written_is_refused_by_its_key(self):
        for value, culprit in (
            (math.nan, "nan"),
            (math.inf, "inf"),
            (object(), "object"),
            ("a\0", "control"),
            (b"abc", "bytes"),
        ):
            with self.assertRaises(aula.InputError) as caught:
                aula.room_text({"room": {"objects": [{"radius": value}]}})
            self.assertIn("room.objects[0].radius", str(caught.exception))
            self.assertIn(culprit, str(caught.exception))
            self.assertEqual(caught.exception.key, "room.objects[0].radius")
        with self.assertRaises(aula.InputError):
            aula.room_text({"no key": 1})
        with self.assertRaises(aula.InputError):
            setting_text("a; b", 1)

    def test_texts_of_any_letters_come_back(self):
        names = ["Zürich", 'say "a"', "back\\slash", "日本", "two\nlines"]
        for name in names:
            room = {"room": {"size": [1, 1, 1]}, "objects": name}
            self.assertIn("objects", aula.room_text(room))
        room = aula.Room(
            small(materials={"carpet_on_felt": {"absorption": [0.1] * 8, "source": 'H. "Müller" \\ 1999'}})
        )
        self.assertEqual([w.source for w in room.walls if w.name == "carpet_on_felt"], ['H. "Müller" \\ 1999'])


class Errors(unittest.TestCase):
    def refused(self, room, settings=None, **options):
        with self.assertRaises(aula.InputError) as caught:
            aula.Room(room, settings, **options)
        return caught.exception

    def test_a_mistake_carries_file_line_and_key(self):
        error = self.refused(small(grid={"max_frequency": 500, "precison": "double"}), name="my room")
        self.assertEqual((error.file, error.key, error.exit_status), ("my room", "grid.precison", 2))
        lines = aula.room_text(small(grid={"max_frequency": 500, "precison": "double"})).split("\n")
        self.assertIn("precison", lines[error.line - 1])
        self.assertIsInstance(error, ValueError)

    def test_several_mistakes_are_all_there(self):
        error = self.refused(small(grid={"rat": 1}, air={"humidity": 500}))
        self.assertEqual([m.key for m in error.mistakes], ["grid.rat", "air.humidity"])

    def test_a_setting_is_named(self):
        error = self.refused(small(), {"grid.rate": -5.0})
        self.assertEqual((error.file, error.key), (None, "grid.rate"))

    def test_a_material_is_named(self):
        error = self.refused(small(materials={"carpet_on_felt": {"absorption": [2.0] * 8}}))
        self.assertEqual(error.key, "materials.carpet_on_felt.absorption[0]")

    def test_files_and_names_that_are_not_there(self):
        self.assertIn("no_such.cfg", str(self.refused("no_such.cfg")))
        self.assertIn("did you mean studio?", str(self.refused("studoi")))
        self.assertIn("expected a dict", str(self.refused(3)))

    def test_a_file_that_is_not_there_is_the_file_of_the_error(self):
        self.assertEqual(self.refused("no_such.cfg").file, "no_such.cfg")
        self.assertEqual(self.refused("/no/such: folder/a.cfg").file, "/no/such: folder/a.cfg")
        with self.assertRaises(aula.InputError) as caught:
            aula.measure_file("no_such.wav")
        self.assertEqual(caught.exception.file, "no_such.wav")

    def test_a_nul_cuts_nothing(self):
        self.assertIn("NUL", str(self.refused("studio\0.cfg")))
        self.assertIn("NUL", str(self.refused(small(), name="a\0b")))
        with self.assertRaisesRegex(aula.InputError, "NUL"):
            aula.Room.from_text(aula.room_text(small()) + "\0 more")
        with self.assertRaisesRegex(aula.InputError, "NUL"):
            aula.measure_file(b"a\0b.wav")

    def test_messages_are_taken_apart(self):
        for line, expected in (
            ("a/b.cfg:12: grid.rate: is wrong", ("a/b.cfg", 12, "grid.rate", "is wrong")),
            ("a:b.cfg:3: sources[1].position: no", ("a:b.cfg", 3, "sources[1].position", "no")),
            ("x.cfg:3: syntax error; look", ("x.cfg", 3, None, "syntax error; look")),
            ("room: sources: is missing", ("room", None, "sources", "is missing")),
            ("setting grid.rate=3: grid.rate: no", (None, None, "grid.rate", "no")),
            ("x.cfg:3: material felt: absorption: 1: 2", ("x.cfg", 3, "materials.felt.absorption", "1: 2")),
            ("out of memory", (None, None, None, "out of memory")),
        ):
            self.assertEqual(tuple(_mistake(line)), expected)


if __name__ == "__main__":
    main()
