# SPDX-License-Identifier: MIT
"""The folder of a data set in a DataLoader of torch, whose worker processes read it and render rooms themselves. Other loaders:
tests/command_line/loaders."""

import importlib.util
import os
import sys
import tempfile

import numpy as np

import aula
from support import command, main, small, wave

if importlib.util.find_spec("torch") is None:
    print("skipped: the package torch is not installed: pip install torch")
    sys.exit(77)

import unittest  # noqa: E402

PLAN = """
base = "base.cfg"; seed = 5; rooms = 6;
vary: ( { key = "air.temperature"; uniform = [ 15.0, 25.0 ]; } );
"""


class Responses:
    """The rows of a data set: samples [channels, frames], the number of the room, a label."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = aula.DataSet(os.path.join(folder, "..", "plan.cfg"), folder).manifest()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index]
        sound = aula.read(os.path.join(self.folder, row["files"][0]["file"]))
        return sound.samples.astype(np.float32), row["room"], os.getpid()


class Rendered:
    """Rooms that the workers render: a room travels to them by its description."""

    temperatures = (16.0, 18.0, 20.0, 22.0)

    def __init__(self, room):
        self.room = room

    def __len__(self):
        return len(self.temperatures)

    def __getitem__(self, index):
        room = self.room.with_settings({"air.temperature": self.temperatures[index]})
        return np.array(room.render(threads=1).samples), os.getpid()


class Loaders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.place.name, "set")
        aula.Room(small(time={"duration": 0.05})).save(os.path.join(cls.place.name, "base.cfg"))
        with open(os.path.join(cls.place.name, "plan.cfg"), "w", encoding="utf-8") as file:
            file.write(PLAN)
        command("batch", os.path.join(cls.place.name, "plan.cfg"), "-o", cls.folder, "--workers", "2")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def loader(self, data, workers, **options):
        from torch.utils.data import DataLoader

        return DataLoader(data, num_workers=workers, multiprocessing_context="spawn", **options)

    def test_workers_read_every_room_as_its_file_has_it(self):
        data = Responses(self.folder)
        found, workers = {}, set()
        for samples, rooms, processes in self.loader(data, 2, batch_size=3):
            self.assertEqual(tuple(samples.shape), (3, 2, 400))  # a fixed duration: batches without padding
            found.update(zip(rooms.tolist(), samples.numpy()))
            workers.update(processes.tolist())
        self.assertEqual(sorted(found), list(range(6)))
        for row in data.rows:
            wanted = wave(os.path.join(self.folder, row["files"][0]["file"]))
            self.assertTrue(wanted.any() and np.array_equal(found[row["room"]], wanted), row["room"])
        self.assertTrue(len(workers) == 2 and os.getpid() not in workers, workers)

    def test_workers_render_the_bits_of_this_process(self):
        data = Rendered(aula.Room(small(time={"duration": 0.05})))
        for index, (samples, process) in enumerate(self.loader(data, 1, batch_size=None)):
            self.assertNotEqual(process, os.getpid())
            self.assertTrue(np.array_equal(samples.numpy(), data[index][0]), index)


if __name__ == "__main__":
    main()
