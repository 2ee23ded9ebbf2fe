# SPDX-License-Identifier: MIT
"""Ears and SOFA files, as the commands make them."""

import os
import tempfile
import unittest

import numpy as np

import aula
from support import bytes_of, command, main, small, wave

KEMAR = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"
FIELD = [
    {"name": "left", "position": [1.1, 0.8, 0.5]},
    {"name": "head", "type": "ambisonic", "order": 1, "position": [1.1, 0.8, 0.6]},
]


def needs_sofa(error):
    """Skips the test of a library without netCDF."""
    if "netCDF" in str(error):
        raise unittest.SkipTest(str(error))
    raise error


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "room.cfg")
        sources = [{"name": "A", "position": [0.4, 0.5, 0.6]}, {"name": "B", "position": [0.8, 0.5, 0.6]}]
        aula.Room(small(receivers=FIELD, sources=sources, output={"rate": 8000, "format": "double"})).save(cls.path)
        cls.room = aula.Room(cls.path)
        cls.responses = cls.room.render_all(threads=1)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def at(self, *names):
        return os.path.join(self.folder.name, *names)

    def test_ears_hear_what_the_command_writes(self):
        if not os.path.exists(KEMAR):
            self.skipTest(f"{KEMAR} is missing; it comes with libmysofa")
        try:
            ears = self.responses[0].binaural(KEMAR, yaw=30, pitch=-10)
        except aula.AulaError as error:
            needs_sofa(error)
        self.responses[0].write(self.at("one.wav"))
        turned = ["--yaw", "30", "--pitch=-10"]
        command(
            "binaural",
            self.at("one_head.wav"),
            "--hrtf",
            KEMAR,
            *turned,
            "--format",
            "double",
            "-o",
            self.at("ears.wav"),
        )
        self.assertEqual((ears.channels, ears.rate), (["left", "right"], 8000.0))
        self.assertTrue(np.array_equal(ears.samples, wave(self.at("ears.wav"))))
        again = aula.binaural(self.responses[0].samples[1:5], 8000, KEMAR, yaw=30, pitch=-10)
        self.assertTrue(np.array_equal(again.samples, ears.samples))
        self.assertTrue(any("elevation" in line for line in ears.warnings) or not ears.warnings)

    def test_files_of_sounds_are_read(self):
        self.responses[0].write(self.at("read.wav"))
        sound = aula.read(self.at("read.wav"))
        self.assertTrue(np.array_equal(sound.samples, self.responses[0].samples[:1]))
        self.assertEqual((sound.rate, sound.channels), (8000.0, ["0"]))
        self.assertTrue(aula.read(aula.data_path("sounds/voice.flac")).samples.shape[1] > 48000)
        with self.assertRaisesRegex(aula.InputError, "none.wav"):
            aula.read(self.at("none.wav"))

    def test_mistakes_about_ears_are_told(self):
        field = self.responses[0].samples[1:5]
        for arguments, options, why in (
            ((field[:3], 8000, "x.sofa"), {}, "has 3 channels; an AmbiX field"),
            ((field, 8000, "none.sofa"), {}, "none.sofa"),
            ((field, 8000, "x.sofa"), {"yaw": float("nan")}, "yaw"),
            ((field, 8000, "x.sofa"), {"distance": -1}, "^distance is -1 m"),
            ((field, 0, "x.sofa"), {}, "rate is 0"),
        ):
            with self.subTest(why), self.assertRaisesRegex(aula.AulaError, why):
                aula.binaural(*arguments, **options)
        with self.assertRaisesRegex(aula.InputError, "not in the room; use head"):
            self.responses[0].binaural(KEMAR, "nobody")

    def test_sofa_files_are_those_of_the_command(self):
        try:
            aula.write(self.responses, self.at("here.sofa"))
        except aula.AulaError as error:
            needs_sofa(error)
        os.mkdir(self.at("there"))
        command("render", self.path, "--sofa", "--threads", "1", "-o", self.at("there", "here.wav"))
        for name in ("here.sofa", "here_head.sofa"):
            self.assertEqual(bytes_of(self.at(name)), bytes_of(self.at("there", name)))
        self.responses[1].write(self.at("one.sofa"))
        with self.assertRaisesRegex(aula.InputError, "all sources together"):
            self.room.render(aula.TOGETHER, threads=1).write(self.at("all.sofa"))
        with self.assertRaisesRegex(aula.InputError, "in their order"):
            aula.write(self.responses[::-1], self.at("all.sofa"))
        self.assertFalse(os.path.exists(self.at("all.sofa")))


if __name__ == "__main__":
    main()
