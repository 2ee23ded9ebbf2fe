# SPDX-License-Identifier: MIT
"""What docs/guide/python.md shows runs as it stands there."""

import importlib.util
import os
import shutil
import tempfile
import unittest

import numpy as np

import aula
from support import main, small

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "guide", "python.md")


KEMAR = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"


def blocks():
    """The indented blocks of the page that are Python, by their first line."""
    with open(PAGE, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, block = {}, []
    for line in [*lines, "end"]:
        if line.startswith("    ") or (not line and block):
            block.append(line[4:])
        elif block:
            found[block[0].split(" #")[0].strip()] = "\n".join(block)
            block = []
    return found


class Page(unittest.TestCase):
    def run_block(self, first, changes=None, prepare=None, **names):
        text = next(text for begin, text in blocks().items() if begin.startswith(first))
        for old, new in (changes or {}).items():
            text = text.replace(old, new)
        if not importlib.util.find_spec("pandas"):
            text = text.replace(", metrics.to_frame()", "")
        names.update(aula=aula)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                if prepare is not None:
                    prepare()
                if "measured.wav" in text:
                    names["room"].render().write("measured.wav")
                exec(compile(text, "docs/guide/python.md", "exec"), names)
            finally:
                os.chdir(before)
        return names

    def test_a_room(self):
        names = self.run_block("import aula")
        self.assertEqual(names["room"].channels, ["left", "right"])

    def test_a_response(self):
        settings = {
            "hybrid.full": True,
            "hybrid.rays": 1000,
            "hybrid.order": 1,
            "output.rate": 48000,
            "time.duration": 0.2,
        }
        names = self.run_block(
            "response = room.render()",
            room=aula.Room(small(), settings),
            dry=np.ones(100),
            samples=np.random.default_rng(1).standard_normal(8000) * np.exp(-np.arange(8000) / 800),
            rate=8000,
        )
        self.assertEqual(names["wet"].rate, 48000)

    def test_ears_and_pictures(self):
        missing = [
            what for what, there in (("ffmpeg", shutil.which("ffmpeg")), (KEMAR, os.path.exists(KEMAR))) if not there
        ]
        if missing:
            self.skipTest(f"{missing[0]} is missing")
        head = [{"name": "head", "type": "ambisonic", "position": [1.1, 0.8, 0.6]}]
        room = aula.Room(small(receivers=head, time={"duration": 0.2}))
        places = [{"name": f"place{i}", "position": [0.5 + 0.3 * i, 0.8, 0.6]} for i in range(3)]
        line = aula.Room(small(receivers=places, time={"duration": 0.2})).render(threads=1)
        changes = {
            "hrtf.sofa": KEMAR,
            "z=1.2": "z=0.5",
            '"marimba_phrase"': '"marimba_phrase", {"time.duration": 0.02, "grid.rate": 4000}',
            "48000, dry": "8000, dry",
            "[[0, 1, 2, 1.6], [4, 3, 2, 1.6]], 48000": "[[0, 0.5, 0.8, 0.6], [0.1, 1.1, 0.8, 0.6]], 8000",
        }

        def prepare():
            omni = aula.Room(small(time={"duration": 0.4}))
            for name in ("one.wav", "two.wav"):
                omni.render(threads=1).write(name)

        try:
            names = self.run_block(
                "ears = response.binaural",
                changes,
                prepare,
                room=room,
                response=room.render(threads=1),
                line=line,
                field=np.zeros((4, 100)),
                rate=8000,
                dry=np.ones(1000),
            )
        except aula.AulaError as error:
            if "built without" in str(error):
                self.skipTest(str(error))
            raise
        self.assertEqual(names["ears"].channels, ["left", "right"])

    def test_many_rooms(self):
        self.run_block("for v in aula.batch", room=aula.Room(small()))

    @unittest.skipUnless(importlib.util.find_spec("pyroomacoustics"), "pyroomacoustics is not installed")
    def test_rooms_of_pyroomacoustics(self):
        render = aula.pra.render
        aula.pra.render = lambda room, max_frequency: render(room, 150, {"hybrid.full": False, "time.duration": 0.1})
        try:
            names = self.run_block("import pyroomacoustics")
        finally:
            aula.pra.render = render
        self.assertTrue(np.isfinite(names["room"].rir[0][0]).all())


if __name__ == "__main__":
    import aula.pra

    main()
