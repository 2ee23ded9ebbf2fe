# SPDX-License-Identifier: MIT
"""A score, as the command plays it."""

import copy
import os
import tempfile
import unittest

import numpy as np

import aula
from support import bytes_of, command, copies, main, small, wave

SETTINGS = {
    "time.duration": 0.05,
    "grid.rate": 6000,
    "output.rate": 8000,
    "output.format": "double",
    "output.normalise": "none",
}


class Scores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.room = aula.Room("marimba_phrase", SETTINGS)
        cls.shares = []
        cls.take = cls.room.synth(threads=1, progress=cls.shares.append)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_samples_are_those_of_the_command(self):
        there, here = (os.path.join(self.folder.name, name) for name in ("there.wav", "here.wav"))
        words = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
        command("synth", self.room.name, *words, "--threads", "1", "-o", there)
        self.take.write(here)
        self.assertEqual(bytes_of(here), bytes_of(there))
        both = np.concatenate([self.take.air, self.take.pickups])
        self.assertTrue(np.array_equal(both, wave(there)))
        self.assertTrue(np.abs(self.take.air).max() > 0 and self.shares == sorted(self.shares))
        self.assertEqual((self.take.rate, set(self.take.units)), (8000.0, {"Pa"}))
        self.assertEqual(self.take.channels, self.room.channels)

    def test_dry_instruments_have_no_air(self):
        room = aula.Room("bowed_quartet", {"time.duration": 0.3})
        take = room.synth(dry=True, threads=1)
        self.assertEqual((take.air.shape[0], take.channels), (0, []))
        self.assertTrue(len(take.pickup_names) == take.pickups.shape[0] > 0 and set(take.pickup_units) == {"m/s"})
        self.assertTrue(np.abs(take.pickups).max() > 0)

    def test_copies_are_the_same(self):
        *pickled, deep = copies(self.take)
        for again in (*pickled, deep, copy.copy(self.take)):
            self.assertTrue(np.array_equal(again.air, self.take.air))
        with self.assertRaisesRegex(aula.InputError, "was pickled .* in the process that played it"):
            pickled[0].write("copy.wav")
        deep.write(os.path.join(self.folder.name, "deep.wav"))
        self.take.write(os.path.join(self.folder.name, "played.wav"))
        self.assertTrue(np.array_equal(*(wave(os.path.join(self.folder.name, n)) for n in ("deep.wav", "played.wav"))))
        deep.warnings.append("of the copy")
        self.assertNotIn("of the copy", self.take.warnings)

    def test_a_room_without_instruments_is_refused(self):
        with self.assertRaisesRegex(aula.InputError, "instruments"):
            aula.Room(small()).synth()
        with self.assertRaisesRegex(aula.InputError, "ends in .wav"):
            self.take.write(os.path.join(self.folder.name, "x.ogg"))


if __name__ == "__main__":
    main()
