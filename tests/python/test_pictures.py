# SPDX-License-Identifier: MIT
"""Maps, films and reports, as the commands make them."""

import csv
import os
import re
import shutil
import tempfile
import unittest

import numpy as np

import aula
from support import bytes_of, command, copies, interrupted, main, small


def unnumbered(page):
    """A page without the numbers by which cairo counts the drawings of a process."""
    return re.sub(rb"(surface|image|source-|clip-|glyph-|pattern-)[0-9-]+", rb"\1", page)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "room.cfg")
        aula.Room(small()).save(cls.path)
        cls.room = aula.Room(cls.path)
        try:
            cls.map = cls.room.map("z=0.5", spacing=0.3, band=250, threads=1)
        except aula.AulaError as error:
            if "built without" in str(error):
                raise unittest.SkipTest(str(error)) from None
            raise

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def at(self, *names):
        return os.path.join(self.folder.name, *names)

    def test_maps_are_those_of_the_command(self):
        options = ["--plane", "z=0.5", "--spacing", "0.3", "--band", "250", "--threads", "1"]
        command("map", self.path, *options, "-o", self.at("there.png"), "--csv", self.at("there.csv"))
        self.map.write(self.at("here.png"), self.at("here.csv"))
        for name in ("csv", "png"):
            self.assertEqual(bytes_of(self.at("here." + name)), bytes_of(self.at("there." + name)), name)
        with open(self.at("there.csv")) as file:
            rows = [r for r in csv.DictReader(line for line in file if not line.startswith("#")) if r["band"] == "250"]
        self.assertEqual(len(rows), self.map.is_air.sum())
        said = np.array([float(r["c80"] or "nan") for r in rows])
        here = self.map["C80"][..., aula.BANDS.index("250")][self.map.is_air]
        self.assertTrue(np.allclose(here, said, rtol=1e-7, equal_nan=True), (here, said))

    def test_places_lie_on_a_lattice(self):
        m = self.map
        self.assertEqual((m.axis, m.at, m.band), ("z", 0.5, 250.0))
        self.assertEqual(m["T30"].shape, (len(m.up), len(m.across), 9))
        self.assertTrue(
            np.all(m.positions[..., 2] == 0.5) and np.allclose(np.diff(m.across), m.across[1] - m.across[0])
        )
        self.assertTrue(m.is_air.any() and np.isnan(m["C80"][~m.is_air]).all())
        *pickled, deep = copies(m)
        for again in (*pickled, deep):
            self.assertTrue(np.array_equal(again["C80"], m["C80"], equal_nan=True))
        with self.assertRaisesRegex(aula.InputError, "was pickled .* in the process that computed it"):
            pickled[0].write(self.at("copy.png"))
        deep.write(csv=self.at("deep.csv"))
        m.write(csv=self.at("itself.csv"))
        self.assertEqual(bytes_of(self.at("deep.csv")), bytes_of(self.at("itself.csv")))
        deep.positions[...] = 0.0
        self.assertTrue(m.positions.any())

    def test_films_are_those_of_the_command(self):
        self.room.film(self.at("here.png"), "z=0.5", frames=2, size=(320, 240), threads=1)
        command(
            "film",
            self.path,
            "--plane",
            "z=0.5",
            "--frames",
            "2",
            "--size",
            "320x240",
            "--threads",
            "1",
            "-o",
            self.at("there.png"),
        )
        self.assertEqual(bytes_of(self.at("here.png")), bytes_of(self.at("there.png")))
        shares = []
        self.room.film(self.at("film.png"), seconds=0.002, size=(320, 240), progress=shares.append, threads=1)
        self.assertTrue(os.path.exists(self.at("film_0000.png")) and shares == sorted(shares))
        if shutil.which("ffmpeg"):
            self.room.film(self.at("film.gif"), seconds=0.002, rate=5, speed=0.001, threads=1)
            self.assertTrue(bytes_of(self.at("film.gif")).startswith(b"GIF8"))

    def test_reports_are_those_of_the_command(self):
        for name, ceiling in (("one", "plaster"), ("two", "acoustic_tile")):
            settings = {"room.walls.z_max": ceiling, "time.duration": 0.3}
            self.room.with_settings(settings).render(threads=1).write(self.at(name + ".wav"))
        files = [self.at("one.wav"), self.at("two.wav")]
        dry = aula.data_path("sounds/clicks.flac")
        page = aula.report(files, title="Two ceilings", locale="de", targets=["din18041_a3"], dry=dry)
        words = ["--title", "Two ceilings", "--locale", "de", "--target", "din18041_a3", "--listen", dry]
        command("report", *files, *words, "-o", self.at("there.html"))
        page.write(self.at("here.html"))
        self.assertEqual(unnumbered(bytes_of(self.at("here.html"))), unnumbered(bytes_of(self.at("there.html"))))
        self.assertIn("Two ceilings", page.html)
        self.assertTrue(page.html.lower().startswith("<!doctype html>") and page.warnings, page.warnings)
        for call, why in (
            (lambda: aula.report(self.at("none.wav")), "none.wav"),
            (lambda: aula.report([]), "responses: there are 0"),
            (lambda: aula.report(files[0], dry=files[1]), "two responses"),
            (lambda: aula.report(files, targets=["din"]), "targets"),
            (lambda: aula.report(files, locale="xx9"), "locale"),
            (lambda: aula.report(files, volume=-1), "volume"),
        ):
            with self.subTest(why), self.assertRaisesRegex(aula.InputError, why):
                call()

    def test_ctrl_c_stops_them(self):
        large = small(room={"size": [8, 7, 4]}, grid={"rate": 16000}, time={"duration": 60.0})  # minutes of work
        room = aula.Room(large)
        for what, call in (
            ("map", lambda: room.map("z=1", spacing=2.0)),
            ("film", lambda: room.film(self.at("never.png"), seconds=10.0, rate=1, speed=1.0)),
        ):
            took = interrupted(self, call)
            print(f"{what}: KeyboardInterrupt after {took:.3f} s")
        for name in os.listdir(self.folder.name):  # stills that a fast machine has finished by then are whole
            if name.startswith("never"):
                self.assertRegex(name, r"^never_\d{4}\.png$")
                self.assertTrue(bytes_of(self.at(name)).endswith(b"IEND\xaeB`\x82"), name)
        self.assertTrue(np.isfinite(aula.Room(small()).render(threads=1).samples).all())  # and the next call works

    def test_mistakes_are_told(self):
        for call, why in (
            (lambda: self.room.map("q=1"), "plane"),
            (lambda: self.room.map(parameters="t3"), "parameters t3"),
            (lambda: self.room.map(spacing=-1), "spacing"),
            (lambda: self.room.map(source="nobody"), "nobody"),
            (lambda: self.map.write(self.at("x.jpg")), "ends in .png"),
            (lambda: self.map.write(), "name a picture, a csv or both"),
            (lambda: self.room.film(self.at("x.avi")), "x.avi"),
            (lambda: self.room.film(self.at("x.png"), frames=40), "frames is 40"),
            (lambda: self.room.film(self.at("x.png"), "z=0.5", walls=True), "walls"),
            (lambda: self.room.film(self.at("x.png"), size=(321, 240)), "even"),
        ):
            with self.subTest(why), self.assertRaisesRegex(aula.InputError, why):
                call()
        self.assertFalse(any(name.startswith("x") for name in os.listdir(self.folder.name)))


if __name__ == "__main__":
    main()
