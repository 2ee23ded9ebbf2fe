# SPDX-License-Identifier: MIT
"""Moving listeners, SOFA files of positions and tables of materials, as the commands make them."""

import os
import tempfile
import unittest

import numpy as np

import aula
from support import bytes_of, command, copies, main, small, wave

LINE = [{"name": f"r{i}", "position": [0.6 + 0.2 * i, 0.8, 0.5]} for i in range(4)]
FIELD = [{"type": "ambisonic", "order": 1, **receiver} for receiver in LINE]
WALK = [[0.0, 0.6, 0.8, 0.5], [0.1, 1.2, 0.8, 0.5]]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def at(self, *names):
        return os.path.join(self.folder.name, *names)

    def room(self, receivers, **groups):
        path = self.at("room.cfg")
        aula.Room(small(receivers=receivers, **groups)).save(path)
        return aula.Room(path)

    def text(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.at(name)


class Paths(Folder):
    def setUp(self):
        super().setUp()
        self.dry = np.random.default_rng(1).standard_normal(900)
        rows = "".join(",".join(map(repr, row)) + "\n" for row in WALK)
        self.walk = self.text("walk.csv", "time,x,y,z\n" + rows)

    def there(self, responses, *options):
        command("auralize", *responses, self.at("dry.wav"), "--path", self.walk, "-o", self.at("wet.wav"), *options)
        return wave(self.at("wet.wav"))

    def dry_file(self):
        self.room(LINE[:1], time={"duration": 0.1}).render(threads=1).write(self.at("dry.wav"))
        return self.at("dry.wav")

    def test_a_path_through_files_is_that_of_the_command(self):
        self.room(LINE).render(threads=1).write(self.at("line.wav"))
        dry = self.dry_file()
        for moves in ("listener", "source"):
            here = aula.auralize_path(self.at("line.wav"), dry, self.walk, moves=moves)
            there = self.there([self.at("line.wav")], "--moves", moves, "--format", "double")
            self.assertTrue(here.samples.any())
            self.assertTrue(np.array_equal(here.samples, there), moves)
            self.assertEqual((here.channels, here.rate), (["0"], 8000.0))

    def test_responses_rows_and_samples_in_memory_are_those_of_files(self):
        room = self.room(FIELD, output={"rate": 8000, "format": "double"})
        response = room.render(threads=1)
        response.write(self.at("field.wav"))
        files = [self.at(f"field_r{i}.wav") for i in range(4)]
        turned = [[*row, 30.0 * k] for k, row in enumerate(WALK)]
        text = self.text("turned.csv", "time,x,y,z,yaw\n" + "".join(f"{','.join(map(repr, r))}\n" for r in turned))
        dry = self.dry_file()
        samples = wave(dry).astype(float)
        here = aula.auralize_path(response, samples, turned, 8000)
        there = aula.auralize_path(files, dry, text)
        self.assertEqual(here.samples.shape[0], 4)
        self.assertTrue(here.samples.any() and np.array_equal(here.samples, there.samples))
        self.assertEqual(here.channels[3], "listener ACN 3")
        self.assertTrue(np.array_equal(copies(here)[0].samples, here.samples))
        self.assertTrue(any("lasts" in w or "ends" in w for w in here.warnings) or len(samples[0]) == 800)

    def test_paths_and_sounds_that_cannot_be_are_refused(self):
        response = self.room(LINE).render(threads=1)
        for message, words in {
            "rate is missing": (response, self.dry, WALK),
            "moves is 'both'": (response, self.dry, WALK, 8000),
            "path has the shape": (response, self.dry, [1.0, 2.0], 8000),
            "a whole number of Hz": (response, self.dry, WALK, 44100.5),
            "is outside the room": (response, self.dry, [[0, 9.0, 9.0, 9.0]], 8000),
            "responses[0] is a int": ([1], self.dry, WALK, 8000),
            "there are 0 responses": ([], self.dry, WALK, 8000),
            "no such": (["no such.wav"], self.dry, WALK, 8000),
        }.items():
            with self.assertRaises(aula.AulaError) as caught:
                aula.auralize_path(*words, moves="both" if "both" in message else "listener")
            self.assertIn(message, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))


class Positions(Folder):
    def test_files_of_positions_are_those_of_the_command(self):
        sources = [{"name": "a", "position": [0.4, 0.5, 0.6]}, {"name": "b", "position": [0.5, 0.9, 0.6]}]
        room = self.room(FIELD, sources=sources, output={"rate": 8000, "normalise": "peak"})
        responses = room.render_all(threads=1)
        try:
            aula.write(responses, self.at("here.sofa"), positions=True)
        except aula.AulaError as error:
            if "netcdf" in str(error).lower():
                self.skipTest(str(error))
            raise
        command("render", self.at("room.cfg"), "--sofa-positions", "--sofa", "--threads", "1", "-o", self.at("x.wav"))
        for name in "ab":
            self.assertEqual(bytes_of(self.at(f"here_{name}.sofa")), bytes_of(self.at(f"x_{name}_positions.sofa")))
        aula.write(responses, self.at("each.sofa"))
        self.assertEqual(bytes_of(self.at("each_r1.sofa")), bytes_of(self.at("x_r1.sofa")))
        responses[0].write(self.at("alone.sofa"), positions=True)
        self.assertTrue(os.path.exists(self.at("alone.sofa")))
        mixed = aula.Room(small(receivers=[LINE[0], FIELD[1]])).render(threads=1)
        with self.assertRaises(aula.InputError) as caught:
            mixed.write(self.at("no.sofa"), positions=True)
        self.assertTrue(str(caught.exception).startswith("receivers r0 and r1 differ"), caught.exception)
        with self.assertRaises(aula.InputError):
            mixed.write(self.at("no.wav"), positions=True)


class Tables(Folder):
    def test_a_table_is_that_of_the_command_and_makes_a_room(self):
        table = self.text("t.csv", "name;125;250;500\nOld brick;0.03;0.03;0.03\nWool;0.5;0.8;1.05\n")
        said = 'Author, "Title", 2020'
        here = aula.import_materials(table, said)
        self.assertEqual(here.text, command("materials", "import", table, "--source", said))
        self.assertEqual(list(here), ["old_brick", "wool"])
        self.assertTrue(np.array_equal(here["wool"].absorption, [0.5, 0.5, 0.8, 1.05, 1.05, 1.05, 1.05, 1.05]))
        self.assertEqual(here["wool"].source, said)
        self.assertEqual(len(here.notes), 2, here.notes)
        here.write(self.at("m.cfg"))
        self.assertEqual(bytes_of(self.at("m.cfg")).decode(), here.text)
        walls = {"size": [1.6, 1.3, 1.1], "walls": {"default": "old_brick", "z_max": "wool"}}
        a = aula.Room(small(room=walls, materials={**here})).render(threads=1)
        rest = small(room=walls)
        del rest["materials"]
        room = self.text("r.cfg", '@include "m.cfg"\n' + aula.room_text(rest))
        self.assertTrue(np.array_equal(a.samples, aula.Room(room).render(threads=1).samples))
        self.assertEqual(list(copies(here)[0]), list(here))

    def test_tables_that_cannot_be_read_are_refused(self):
        table = self.text("t.csv", "Brick;0.1;0.1\n")
        for message, words in {
            "t.csv:1": (table, "x"),
            "source: expected one line": (table, " "),
            "format tsv: expected csv": (table, "x", "tsv"),
        }.items():
            with self.assertRaises(aula.InputError) as caught:
                aula.import_materials(*words[:2], format=(*words, None)[2])
            self.assertIn(message, str(caught.exception))


class Messages(unittest.TestCase):
    """Refusals name arguments of Python, not structs of C or options of the program, and say what to do."""

    def test_messages_name_the_arguments_of_python(self):
        room = aula.Room(small())
        silence, field = np.zeros((1, 0)), np.zeros((4, 8))
        response = room.render(threads=1)
        for said, call in (
            ("spacing and band must be", lambda: room.map(spacing=-1)),
            ("band 77:", lambda: room.map(band=77)),
            ("dynamic_range applies only to levels; set levels", lambda: room.film("x.gif", dynamic_range=3)),
            ("size: columns and rows must be even", lambda: room.film("x.gif", size=(3, 3))),
            ("band 3,2:", lambda: aula.place(room, 1, band=(3, 2))),
            ("delay is 0.2 s; must be from 0 to 0.1 s", lambda: aula.place(room, 1, delay=0.2)),
            ("use a lower frequency", lambda: aula.modes(room, 1e9)),
            ("engine is empty; expected", lambda: room.render(engine="")),
            ("name that as dry", lambda: aula.report(["x.wav"], match_level=True)),
            ("rate is 1 Hz", lambda: aula.Preview(room, 1.0)),
            ("dry has 0 frames; pass", lambda: aula.Preview(room, 48000, dry=[])),
            ("field is empty; pass one sample or more", lambda: aula.binaural(field[:, :0], 48000, "x.sofa")),
            ("field[0][0] is not a finite number; remove", lambda: aula.binaural(field * np.nan, 48000, "x.sofa")),
            ("use all channels of one ambisonic", lambda: aula.binaural(field[:3], 48000, "x.sofa")),
            ('render one with type = "ambisonic"', lambda: response.binaural("x.sofa")),
            ("dry is empty; pass one sample or more", lambda: aula.auralize(response, silence, 48000)),
            ("aula.read(path).samples reads", lambda: aula.auralize(response, "voice.wav", 48000)),
            ("pass one for each channel of dry", lambda: aula.auralize([], [1.0], 48000)),
            ("such as x.wav", lambda: response.write("x.mp3")),
            ("add the name of a file", lambda: response.write(tempfile.gettempdir())),
            ("each to a path of its own", lambda: aula.write([response, response], "x.wav")),
            ("shard and rooms both choose", lambda: aula.DataSet("x.cfg", "x").render(shard="0/2", rooms="1")),
        ):
            with self.subTest(said), self.assertRaises(aula.AulaError) as caught:
                call()
            message = str(caught.exception)
            if "built without" in message or "cannot be loaded" in message:
                continue
            self.assertIn(said, message)
            self.assertNotRegex(message, r"what\.|options\.|head\.|recording\.|NULL| --?[a-z]")


if __name__ == "__main__":
    main()
