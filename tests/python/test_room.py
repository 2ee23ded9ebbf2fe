# SPDX-License-Identifier: MIT
"""Rooms from dicts, files, texts and meshes."""

import json
import os
import pathlib
import re
import resource
import signal
import tempfile
import unittest

import numpy as np

import aula
from support import main, small


class Rooms(unittest.TestCase):
    def test_a_dict_is_read(self):
        room = aula.Room(small())
        self.assertEqual([s.name for s in room.sources], ["loudspeaker"])
        self.assertEqual(
            [(r.name, r.position, r.channels) for r in room.receivers],
            [("left", (1.1, 0.8, 0.5), 1), ("right", (1.2, 0.9, 0.5), 1)],
        )
        self.assertEqual(room.channels, ["left", "right"])
        self.assertEqual(room.grid.valid_frequency, 500.0)
        self.assertAlmostEqual(room.volume, 1.6 * 1.3 * 1.1, delta=0.15 * 1.6 * 1.3 * 1.1)
        walls = {w.name: w for w in room.walls}
        self.assertEqual(set(walls), {"gypsum_board", "carpet_on_felt"})
        self.assertEqual(walls["carpet_on_felt"].scattering[3], 0.1)
        self.assertAlmostEqual(walls["carpet_on_felt"].asked[2], 0.24)
        self.assertLess(abs(walls["carpet_on_felt"].fitted[2] - 0.24), 0.05)
        self.assertTrue(all(len(w.branches) > 0 for w in room.walls))
        self.assertIn("waves valid up to 500 Hz", repr(room))

    def test_what_is_understood_gives_the_same_room(self):
        room = aula.Room(small())
        again = aula.Room(room.description)
        self.assertEqual(again.grid, room.grid)
        self.assertEqual(again.description, room.description)
        self.assertTrue(np.array_equal(again.render().samples, room.render().samples))
        third = aula.Room.from_text(json.dumps(room.description))
        self.assertEqual(third.grid, room.grid)

    def test_files_and_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "small.cfg")
            aula.Room(small()).save(path)
            room = aula.Room(path, {"grid.max_frequency": 400, "sources[0].position": [0.5, 0.5, 0.5]})
            self.assertEqual(room.grid.valid_frequency, 400.0)
            self.assertEqual(room.sources[0].position, (0.5, 0.5, 0.5))
            finer = room.with_settings({"grid.max_frequency": 600})
            self.assertEqual((finer.grid.valid_frequency, finer.sources[0].position), (600.0, (0.5, 0.5, 0.5)))
            with self.assertRaises(aula.InputError):
                room.save(path)

    def test_keys_by_their_former_names_are_read_and_remarked(self):
        room = aula.Room(small(hybrid={"rays": 2000}))
        former = small(band={"rays": 2000})
        del former["hybrid"]
        again = aula.Room(former)
        self.assertEqual(again.description, room.description)
        remark = "the keys band.* have been renamed to hybrid.*"
        self.assertEqual([remark in r for r in again.remarks].count(True), 1)
        self.assertFalse(any(remark in r for r in room.remarks))
        self.assertEqual(aula.Room(small(), {"band.full": True, "band.rays": 2000}).description, room.description)

    def test_rooms_that_ship_are_found_by_name(self):
        room = aula.Room("studio", {"grid.max_frequency": 200})
        self.assertEqual(len(room.receivers), 2)

    def test_shapes_are_groups_of_a_room_file(self):
        room = small()
        room["room"]["size"] = [3, 3, 2.5]
        room["sources"] = [{"position": [0.3, 0.3, 2.2]}]
        room["receivers"] = [{"position": [2.7, 0.3, 2.2]}]
        room["room"]["objects"] = [
            aula.Box([0.5, 0.5, 0], [1.0, 1.0, 0.8], "wood", rotation=[30, 0, 0], name="desk"),
            aula.Cylinder([2.0, 2.0, 0], [2.0, 2.0, 2.0], 0.3, "concrete"),
            aula.Sphere([1.5, 0.8, 1.5], 0.3, "brick"),
            aula.Wedge([0, 2, 0], [0.8, 3, 1], "x_min", "wood"),
            aula.Prism([[2.2, 0.6], [2.9, 0.6], [2.2, 1.3]], 0.0, 1.0, "wood"),
        ]
        made = aula.Room(room)
        shapes = [o["shape"] for o in made.description["room"]["objects"]]
        self.assertEqual(shapes, ["box", "cylinder", "sphere", "wedge", "polygon"])
        self.assertIn("<svg", made._repr_html_())

    def test_a_source_is_chosen_by_name_or_number(self):
        room = aula.Room(
            small(sources=[{"name": "a", "position": [0.4, 0.5, 0.6]}, {"name": "b", "position": [0.5, 0.5, 0.6]}])
        )
        by_name, by_number = room.render("b"), room.render(1)
        self.assertTrue(np.array_equal(by_name.samples, by_number.samples))
        self.assertEqual([r.source for r in room.render_all()], ["a", "b"])
        self.assertIsNone(room.render(aula.TOGETHER).source)
        for wrong in ("c", 2, -3):
            with self.assertRaises(aula.InputError):
                room.render(wrong)

    def test_html_says_what_the_room_is(self):
        html = aula.Room(small(), name="<b>&room")._repr_html_()
        for part in ("&lt;b&gt;&amp;room", "carpet_on_felt", "loudspeaker", "valid up to 500 Hz", "<svg"):
            self.assertIn(part, html)
        self.assertEqual(len(re.findall("<table", html)), len(re.findall("</table", html)))


class Meshes(unittest.TestCase):
    def test_a_box_as_a_mesh_is_the_box(self):
        mesh = aula.box_mesh([1.6, 1.3, 1.1], {"default": "gypsum_board", "z_min": "carpet_on_felt"})
        room, box = aula.Room(small(room={"geometry": mesh})), aula.Room(small())
        self.assertEqual([w.name for w in room.walls if w.name == "carpet_on_felt"], ["carpet_on_felt"])
        self.assertAlmostEqual(room.volume, box.volume, delta=0.25 * box.volume)
        self.assertAlmostEqual(sum(w.area for w in room.walls), 2 * (1.6 * 1.3 + 1.6 * 1.1 + 1.3 * 1.1), delta=0.6)
        self.assertTrue(np.isfinite(room.render().samples).all())
        self.assertIn("<svg", room._repr_html_())

    def test_a_saved_room_has_its_mesh_beside_it(self):
        mesh = aula.box_mesh([1.6, 1.3, 1.1], "gypsum_board")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "boxed.cfg")
            room = aula.Room(small(room={"geometry": mesh}))
            room.save(path)
            again = aula.Room(path)
            self.assertEqual(again.grid, room.grid)
            self.assertTrue(np.array_equal(again.render().samples, room.render().samples))

    def test_saving_replaces_no_file_of_others(self):
        room = aula.Room(small(room={"geometry": aula.box_mesh([1.6, 1.3, 1.1], "gypsum_board")}))
        with tempfile.TemporaryDirectory() as folder:
            for name, of_other in (("mm.cfg", "mm.obj"), ("e.json", "e.json"), ("e.wav", "e.wav")):
                other = os.path.join(folder, of_other)
                with open(other, "w") as file:
                    file.write("# mine")
                with self.assertRaises(aula.InputError) as caught:
                    room.save(os.path.join(folder, name))
                self.assertEqual(caught.exception.file, other)
                with open(other) as file:
                    self.assertEqual(file.read(), "# mine")
            self.assertEqual(sorted(os.listdir(folder)), ["e.json", "e.wav", "mm.obj"])
            for _ in range(2):  # what aula wrote is replaced
                room.save(os.path.join(folder, "again.cfg"))

    def test_a_file_that_is_replaced_keeps_its_permissions(self):
        room = aula.Room(small())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "room.cfg")
            room.save(path)
            os.chmod(path, 0o640)
            room.save(path)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)

    def test_saving_that_fails_leaves_the_older_files(self):
        class Mesh(aula.Mesh):
            def text(self):
                return super().text() + "\ud800"  # which is no UTF-8: writing fails after the begin

        box = aula.box_mesh([1.6, 1.3, 1.1], "gypsum_board")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.cfg")
            aula.Room(small(room={"geometry": box})).save(path)
            before = {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()}
            room = aula.Room(small(room={"geometry": box}, time={"duration": 0.2}))
            room.meshes = [Mesh(box.vertices, box.faces, box.materials)]
            with self.assertRaises(UnicodeEncodeError):
                room.save(path)
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)
            before_signal = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, limit[1]))
            try:
                with self.assertRaises(OSError):
                    aula.Room(small(time={"duration": 0.2})).save(path)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limit)
                signal.signal(signal.SIGXFSZ, before_signal)
            after = {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()}
            self.assertEqual(after, before)

    def test_arrays_keep_their_bits(self):
        vertices = np.random.default_rng(1).uniform(-1, 1, (20, 3))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.obj")
            aula.Mesh(vertices, [[0, 1, 2]], "wood").save(path)
            with open(path, encoding="utf-8") as file:
                read = [[float(x) for x in line.split()[1:]] for line in file if line.startswith("v ")]
        self.assertEqual(read, vertices.tolist())

    def test_what_is_no_mesh_is_refused(self):
        corners = np.zeros((4, 3))
        for vertices, faces, materials in (
            (np.zeros((4, 2)), [[0, 1, 2]], "wood"),
            (corners, [[0, 1]], "wood"),
            (corners, [[0, 1, 4]], "wood"),
            (corners, [[0, 1, -1]], "wood"),
            (corners, [[0, 1, 2]], ["wood", "brick"]),
            (corners, [[0, 1, 2]], "a\nb"),
            (corners * np.nan, [[0, 1, 2]], "wood"),
        ):
            with self.assertRaises(aula.InputError):
                aula.Mesh(vertices, faces, materials)
        with self.assertRaises(aula.InputError):
            aula.box_mesh([1, 1, 1], {"north": "wood"})


class Library(unittest.TestCase):
    def test_materials_that_ship(self):
        self.assertGreater(len(aula.materials), 100)
        brick = aula.materials["brick"]
        self.assertEqual(brick.absorption.shape, (8,))
        self.assertTrue(brick.source)
        self.assertEqual(aula.OCTAVES[0], 63.0)
        room = aula.Room(small(materials={"carpet_on_felt": brick}))
        self.assertTrue(
            np.array_equal({w.name: w for w in room.walls}["carpet_on_felt"].asked[:4], brick.absorption[:4])
        )
        self.assertIn("<table", aula.materials._repr_html_())
        with self.assertRaises(KeyError):
            aula.materials["bricks"]


class Batches(unittest.TestCase):
    def test_grids_and_draws(self):
        self.assertEqual(
            aula.grid({"a": [1, 2], "b": "xy"}),
            [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}],
        )
        wanted = {
            "p": ([0, 0, 0], [1, 2, 3]),
            "m": ["brick", "wood"],
            "s": (1, 2),
            "f": lambda random, drawn: drawn["s"],
        }
        first, second = list(aula.draws(20, wanted, seed=5)), list(aula.draws(20, wanted, seed=5))
        for a, b in zip(first, second):
            self.assertTrue(
                np.array_equal(a["p"], b["p"]) and (a["p"] <= [1, 2, 3]).all() and a["f"] == a["s"] == b["s"]
            )
        self.assertEqual({d["m"] for d in first}, {"brick", "wood"})

    def test_a_room_that_fails_does_not_stop_the_others(self):
        found = list(aula.batch(small(), aula.grid({"room.walls.z_min": ["parquet", "no such", "brick"]}), threads=1))
        self.assertEqual([v.error is None for v in found], [True, False, True])
        self.assertEqual(found[1].error.key, "room.walls.z_min")
        self.assertFalse(np.array_equal(found[0].response.samples, found[2].response.samples))
        with self.assertRaises(aula.InputError):
            _ = found[1].response
        with self.assertRaises(aula.InputError):
            list(aula.batch(aula.Room(small()), [{"grid.rat": 1}], stop_at_errors=True))

    def test_a_function_that_raises_does_not_stop_the_others(self):
        def build(parameters):
            return small(materials={"carpet_on_felt": aula.materials[parameters["m"]]})

        found = list(aula.batch(build, [{"m": "brick"}, {"m": "brik"}, {}, {"m": "wood"}], threads=1))
        self.assertEqual([v.error is None for v in found], [True, False, False, True])
        self.assertIsInstance(found[1].error, KeyError)
        self.assertEqual(str(found[1].error), "brik: unknown material; did you mean brick?")
        self.assertIsInstance(found[2].error, KeyError)
        with self.assertRaises(KeyError):
            list(aula.batch(build, [{}], stop_at_errors=True))

        def enough(_share):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            list(aula.batch(small(), [{}], progress=enough))

    def test_a_function_makes_rooms(self):
        made = list(aula.batch(lambda p: small(room={"size": [p["x"], 1.3, 1.1]}), [{"x": 1.4}, {"x": 2.0}]))
        self.assertLess(made[0].room.volume, made[1].room.volume)


if __name__ == "__main__":
    main()
