# SPDX-License-Identifier: MIT
"""Rooms, responses and parameters go to other processes and come back."""

import copy
import gc
import multiprocessing
import os
import pickle
import tempfile
import unittest

import numpy as np

import aula
from support import bytes_of, copies, main, small


def rendered(room):
    """Runs in another process: the response, and where it was made."""
    return room.render(threads=1), os.getpid()


def reverberation(response):
    """Runs in another process."""
    return response.metrics()["EDT"]


class Rooms(unittest.TestCase):
    def test_rooms_of_dicts_keep_dict_and_settings(self):
        room = aula.Room(small(), {"grid.max_frequency": 300.0}, name="office")
        for again in copies(room):
            self.assertIsNot(again, room)
            self.assertEqual(
                (again.grid, again.volume, again.name, again.text), (room.grid, room.volume, "office", room.text)
            )
            self.assertEqual(again.settings, room.settings)
        self.assertEqual(again.with_settings({"grid.max_frequency": 400}).grid.valid_frequency, 400.0)
        self.assertTrue(np.array_equal(again.render(threads=1).samples, room.render(threads=1).samples))

    def test_rooms_of_meshes_take_them_along(self):
        mesh = aula.box_mesh([1.6, 1.3, 1.1], "gypsum_board")
        room = aula.Room(small(room={"geometry": mesh}))
        data = pickle.dumps(room)
        volume, folder = room.volume, mesh._folder
        del room, mesh
        gc.collect()
        self.assertFalse(os.path.exists(folder))
        self.assertEqual(pickle.loads(data).volume, volume)

    def test_rooms_of_files_keep_what_the_file_said(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "room.cfg")
            aula.Room(small()).save(path)
            room = aula.Room(path, {"output.rate": 6000, "sources[0].position": [1 / 3, 0.1 + 0.2, 0.6]})
            data = pickle.dumps(room)
            samples = room.render(threads=1).samples
            with open(path, "w") as file:
                file.write("no room")
            again = pickle.loads(data)
            self.assertEqual((again.name, again.grid, again.render(threads=1).rate), (path, room.grid, 6000.0))
            self.assertTrue(np.array_equal(again.render(threads=1).samples, samples))
            os.unlink(path)
            self.assertEqual(copy.deepcopy(again).grid, room.grid)

    def test_rooms_of_texts_find_the_files_of_their_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            aula.box_mesh([1.6, 1.3, 1.1]).save(os.path.join(folder, "box.obj"))
            said = aula.room_text(
                small(
                    room={
                        "geometry": {
                            "file": "box.obj",
                            "unit": "m",
                            "up": "z",
                            "materials": [{"name": "plaster", "material": "plaster"}],
                        }
                    }
                )
            )
            here = os.getcwd()
            os.chdir(folder)
            try:
                data = pickle.dumps(aula.Room.from_text(said))
            finally:
                os.chdir(here)
            self.assertTrue(pickle.loads(data).volume > 2.0)
        with self.assertRaisesRegex(aula.InputError, "box.obj"):
            pickle.loads(data)


class Responses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = aula.Room(small(hybrid={"full": True, "rays": 1000, "order": 1}))
        cls.response = cls.room.render(threads=1)

    def test_responses_are_the_same_bits(self):
        for again in copies(self.response):
            self.assertTrue(np.array_equal(again.samples, self.response.samples))
            self.assertFalse(again.samples.flags.writeable)
            for name in ("rate", "band", "channels", "source", "is_filter", "warnings"):
                self.assertEqual(getattr(again, name), getattr(self.response, name))

    def test_their_parameters_sounds_and_files_are_the_same(self):
        again = pickle.loads(pickle.dumps(self.response))
        self.assertIsNone(again._made)
        there, here = again.metrics(), self.response.metrics()
        for name in aula.METRICS:
            self.assertTrue(np.array_equal(there[name], here[name], equal_nan=True), name)
        self.assertEqual((there.note, there.validity), (here.note, here.validity))
        dry = np.random.default_rng(1).standard_normal(400)
        self.assertTrue(np.array_equal(again.auralize(dry, 8000).samples, self.response.auralize(dry, 8000).samples))
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name, "a.wav") for name in ("1", "2")]
            for path, response in zip(paths, (self.response, again)):
                os.mkdir(os.path.dirname(path))
                response.write(path)
            self.assertEqual(bytes_of(paths[0]), bytes_of(paths[1]))
            said = [bytes_of(path.replace("wav", "json")).decode() for path in paths]
            untimed = [
                [line for line in text.split("\n") if "folder" not in line and "seconds" not in line] for text in said
            ]
            cut = [
                text[: text.index('  "seconds_to_first_step"')] if "seconds_to_first_step" in text else text
                for text in map("\n".join, untimed)
            ]
            self.assertEqual(cut[0], cut[1])

    def test_responses_in_one_pickle_share_their_room(self):
        room = aula.Room(
            small(sources=[{"name": "A", "position": [0.4, 0.5, 0.6]}, {"name": "B", "position": [0.8, 0.5, 0.6]}])
        )
        first, second = pickle.loads(pickle.dumps(room.render_all(threads=1)))
        self.assertIs(first.room, second.room)
        with tempfile.TemporaryDirectory() as folder:
            aula.write([first, second], os.path.join(folder, "a.wav"))
            self.assertTrue(os.path.exists(os.path.join(folder, "a_B.wav")))
        together = room.render(aula.TOGETHER, threads=1)
        self.assertTrue(
            np.array_equal(
                pickle.loads(pickle.dumps(together)).metrics()["EDT"], together.metrics()["EDT"], equal_nan=True
            )
        )
        self.assertIs(pickle.loads(pickle.dumps(aula.TOGETHER)), aula.TOGETHER)

    def test_a_foreign_json_is_refused(self):
        again = pickle.loads(pickle.dumps(self.response))
        for wrong, why in (
            ("{}", "missing"),
            ("no json", "json"),
            (again._json.replace('"first":0', '"first":7'), "source 7"),
            (again._json.replace('"first":0', '"first":-1'), "first"),
            (again._json.replace('.frames":', '.frames":1'), "samples are"),
        ):
            other = copy.copy(again)
            other._json, other._made = wrong, None
            with self.assertRaisesRegex(aula.InputError, why):
                other.metrics()


class Results(unittest.TestCase):
    def setUp(self):
        rate = 16000
        decay = 10.0 ** (-3.0 * np.arange(rate) / rate)
        self.metrics = aula.measure(np.random.default_rng(5).standard_normal((2, rate)) * decay, rate)

    def test_parameters_are_the_same_bits(self):
        for again in copies(self.metrics):
            for name in aula.METRICS:
                self.assertTrue(np.array_equal(again[name], self.metrics[name], equal_nan=True), name)
            self.assertEqual(again.missing("G"), self.metrics.missing("G"))
            self.assertEqual(again.sti_missing(), self.metrics.sti_missing())
            self.assertEqual((again.note, again.channels), (self.metrics.note, self.metrics.channels))
            self.assertTrue((aula.compare(again, self.metrics).single("C80") == 0.0).all())
            self.assertEqual(*(repr(m.judge("din18041_a3", volume=180.0)) for m in (again, self.metrics)))

    def test_comparisons_and_sounds(self):
        comparison = self.metrics.compare(self.metrics)
        for again in copies(comparison):
            self.assertTrue(np.array_equal(again["C80"], comparison["C80"], equal_nan=True))
        sweep = aula.sweep(100, 2000, 0.3, rate=8000, level=-6)
        silence = np.zeros(2000)
        measured = aula.deconvolve(np.concatenate([silence, 0.5 * sweep.samples, silence, silence]), sweep)
        for again in copies(measured):
            self.assertTrue(np.array_equal(again.samples, measured.samples))
            self.assertTrue(np.array_equal(again.metrics()["C80"], measured.metrics()["C80"], equal_nan=True))
        for again in copies(sweep):
            self.assertTrue(np.array_equal(again.samples, sweep.samples))
        self.assertIsInstance(repr(pickle.loads(pickle.dumps(measured))), str)

    def test_materials(self):
        panel = aula.material("porous 50 mm 10000, air 100 mm")
        for again in copies(panel):
            self.assertTrue(np.array_equal(again.absorption([100, 200]), panel.absorption([100, 200]), equal_nan=True))
        brick = aula.materials["brick"]
        self.assertTrue(np.array_equal(pickle.loads(pickle.dumps(brick)).absorption, brick.absorption))


class Processes(unittest.TestCase):
    def test_multiprocessing_by_spawn(self):
        room = aula.Room(small())
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            response, process = pool.apply(rendered, (room,))
            self.assertNotEqual(process, os.getpid())
            self.assertTrue(np.array_equal(response.samples, room.render(threads=1).samples))
            there = pool.apply(reverberation, (response,))
        self.assertTrue(np.array_equal(there, response.metrics()["EDT"], equal_nan=True))

    def test_joblib(self):
        try:
            import joblib
        except ImportError:
            self.skipTest("joblib is not installed")
        room = aula.Room(small())
        response, process = joblib.Parallel(n_jobs=2)(joblib.delayed(rendered)(room) for _ in range(1))[0]
        self.assertNotEqual(process, os.getpid())
        self.assertTrue(np.array_equal(response.samples, room.render(threads=1).samples))


if __name__ == "__main__":
    main()
