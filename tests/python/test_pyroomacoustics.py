# SPDX-License-Identifier: MIT
"""Rooms of pyroomacoustics by waves."""

import importlib.util
import types
import unittest
import warnings

import numpy as np

import aula
import aula.pra
from support import main

THERE = importlib.util.find_spec("pyroomacoustics") is not None
WHY = "pyroomacoustics is not installed"


def wall(name, corners, absorption=(0.2,), scatter=(0.0,)):
    return types.SimpleNamespace(
        name=name,
        corners=np.array(corners, dtype=np.float32).T,
        absorption=np.array(absorption, dtype=np.float32),
        scatter=np.array(scatter),
    )


def stand_in(walls, **more):
    """What the adapter reads of a room, for a machine without pyroomacoustics."""
    room = types.SimpleNamespace(
        dim=3,
        fs=8000,
        c=343.0,
        air_absorption=None,
        walls=walls,
        shoebox_dim=None,
        octave_bands=types.SimpleNamespace(centers=[125.0 * 2**i for i in range(7)]),
        sources=[types.SimpleNamespace(position=np.array([1, 1, 1]), directivity=None)],
        mic_array=types.SimpleNamespace(R=np.array([[2.0], [1.5], [1.2]]), directivity=[None]),
    )
    vars(room).update(more)
    return room


BOX = {
    "x_min": [[0, 0, 0], [0, 2, 0], [0, 2, 2], [0, 0, 2]],
    "x_max": [[3, 0, 0], [3, 2, 0], [3, 2, 2], [3, 0, 2]],
    "y_min": [[0, 0, 0], [3, 0, 0], [3, 0, 2], [0, 0, 2]],
    "y_max": [[0, 2, 0], [3, 2, 0], [3, 2, 2], [0, 2, 2]],
    "z_min": [[0, 0, 0], [3, 0, 0], [3, 2, 0], [0, 2, 0]],
    "z_max": [[0, 0, 2], [3, 0, 2], [3, 2, 2], [0, 2, 2]],
}


class Converting(unittest.TestCase):
    def test_walls_become_a_mesh_with_their_materials(self):
        walls = [
            wall(n, c, [0.4] if n == "z_min" else [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0.1]) for n, c in BOX.items()
        ]
        made = aula.pra.convert(stand_in(walls))
        room = aula.Room(made, {"grid.max_frequency": 500})
        self.assertEqual(len(room.walls), 2)
        asked = sorted(float(w.asked[1]) for w in room.walls)
        self.assertTrue(np.allclose(asked, [0.1, 0.4], atol=1e-6))
        self.assertTrue(all(w.scattering[2] == 0.1 for w in room.walls))
        self.assertAlmostEqual(room.grid.sound_speed, 343.0, delta=1e-6)
        self.assertAlmostEqual(room.volume, 12.0, delta=1.5)

    def test_directions(self):
        cardioid = types.SimpleNamespace(_p=0.5, _orientation=types.SimpleNamespace(unit_vector=[0.0, 1.0, 1.0]))
        made = aula.pra.convert(
            stand_in(
                [wall(n, c) for n, c in BOX.items()],
                sources=[types.SimpleNamespace(position=[1, 1, 1], directivity=cardioid)],
            )
        )
        source = made["sources"][0]
        self.assertEqual(source["directivity"], "cardioid")
        self.assertTrue(np.allclose(source["orientation"], [90.0, -45.0, 0.0]))

    def test_any_pattern_of_first_order_is_a_sum(self):
        ahead = types.SimpleNamespace(unit_vector=[1.0, 0.0, 0.0])
        sub, cardioid, omni = (
            types.SimpleNamespace(_p=p, _gain=gain, _orientation=ahead)
            for p, gain in ((0.75, 2.0), (0.5, 1.0), (1.0, 1.0))
        )
        places = np.array([[2.0, 2.0, 2.0], [1.5, 1.5, 1.5], [1.2, 1.2, 1.2]])
        room = stand_in(
            [wall(n, c) for n, c in BOX.items()],
            mic_array=types.SimpleNamespace(R=places, directivity=[sub, cardioid, omni]),
        )
        made = aula.pra.convert(room)
        self.assertEqual([r["name"] for r in made["receivers"]], ["R1", "R1_eight", "R2", "R3"])
        settings = {"hybrid.full": False, "time.duration": 0.05}
        found = [m[0] for m in aula.pra.render(room, 400, settings)]
        self.assertTrue(
            np.allclose(found[0], 2 * (0.5 * found[2] + 0.5 * found[1]), atol=2e-3 * np.abs(found[0]).max())
        )
        swapped = stand_in(
            room.walls,
            mic_array=types.SimpleNamespace(R=places[:, :1], directivity=[None]),
            sources=[types.SimpleNamespace(position=[1, 1, 1], directivity=d) for d in (sub, cardioid, omni)],
        )
        found = aula.pra.render(swapped, 400, settings)[0]
        self.assertTrue(np.allclose(found[0], found[1] + found[2], atol=2e-3 * np.abs(found[0]).max()))

    def test_scattering_keeps_its_octaves(self):
        octaves = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
        for absorption in ([0.4], octaves):
            made = aula.pra.convert(stand_in([wall(n, c, absorption, octaves) for n, c in BOX.items()]))
            (material,) = made["materials"].values()
            self.assertEqual((material["scattering"], len(material["absorption"])), (octaves, 7))

    def test_an_anechoic_room_has_the_direct_sound_alone(self):
        class AnechoicRoom(types.SimpleNamespace):
            pass

        room = AnechoicRoom(**vars(stand_in([])))
        room.sources[0].position = np.array([-1.0, 0.0, 0.0])
        samples = aula.pra.render(room, 1000, aligned=False)[0][0]
        distance = np.linalg.norm([3.0, 1.5, 1.2])
        arrival = distance / 343.0 * 8000
        self.assertTrue(abs(np.argmax(np.abs(samples)) - arrival) <= 1.0)
        spectrum = np.abs(np.fft.rfft(samples, 8000))[200:2000] * 4 * np.pi * distance
        self.assertTrue(np.all(abs(20 * np.log10(spectrum)) <= 0.5), (spectrum.min(), spectrum.max()))

    def test_what_has_no_counterpart_is_refused(self):
        walls = [wall(n, c) for n, c in BOX.items()]
        odd = types.SimpleNamespace(_p=1.33)
        for room in (
            stand_in(walls, dim=2),
            stand_in(walls, sources=[]),
            stand_in(walls, mic_array=None),
            stand_in([wall("a", BOX["x_min"], [0.1, 0.2])]),
            stand_in(walls, sources=[types.SimpleNamespace(position=[1, 1, 1], directivity=odd)]),
        ):
            with self.assertRaises(aula.InputError):
                aula.pra.convert(room)

    def test_walls_that_absorb_nothing_are_refused_before_any_work(self):
        def of(absorption):
            return stand_in([wall(n, c, [absorption]) for n, c in BOX.items()])

        with self.assertRaisesRegex(aula.InputError, r"materials=pyroomacoustics.Material\(0.2\), or .*time.duration"):
            aula.pra.render(of(0.0), 400)
        short = {"hybrid.full": False, "time.duration": 0.02}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertTrue(aula.pra.render(of(0.0), 400, short)[0][0].any())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with self.assertRaises(StopIteration):  # the warning comes before the long work
                aula.pra.render(of(0.001), 400, {"hybrid.full": False}, progress=lambda share: next(iter(())))
        self.assertIn("decays in about 60 s", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)

    def test_what_is_no_room_of_the_package_is_a_type_error(self):
        walls = [wall(n, c) for n, c in BOX.items()]
        for odd, said in ((3, "int; expected a room of pyroomacoustics"), ("studio", "str"), ({}, "dict")):
            for function in (aula.pra.convert, aula.pra.render):
                with self.subTest(odd), self.assertRaisesRegex(TypeError, said):
                    function(odd)
        with self.assertRaisesRegex(TypeError, "room.render"):
            aula.pra.render(aula.Room(aula.pra.convert(stand_in(walls)), {"grid.max_frequency": 400}))


@unittest.skipUnless(THERE, WHY)
class WithThePackage(unittest.TestCase):
    def test_a_shoebox_has_the_level_and_the_direct_sound_of_the_package(self):
        import pyroomacoustics

        room = pyroomacoustics.ShoeBox([4, 3, 2.5], fs=8000, materials=pyroomacoustics.Material(0.6, 0.1), max_order=8)
        room.add_source([1, 1, 1])
        room.add_microphone([3, 2, 1.2])
        room.add_microphone([2, 2.2, 1.6])
        room.compute_rir()
        waves = aula.pra.render(room, 800, {"hybrid.full": False, "time.duration": 0.2})
        self.assertEqual((len(waves), len(waves[0])), (2, 1))
        for m in range(2):
            ours, theirs = waves[m][0], room.rir[m][0]
            spectra = [np.fft.rfft(x[:2048], 2048) for x in (ours, theirs)]
            f = np.fft.rfftfreq(2048, 1 / 8000)
            energy = [(np.abs(s[(f > 150) & (f < 700)]) ** 2).sum() for s in spectra]
            self.assertLessEqual(abs(10 * np.log10(energy[0] / energy[1])), 2.5)
            first = np.linalg.norm(room.mic_array.R[:, m] - [1, 1, 1]) / room.c * room.fs + aula.pra.DELAY
            self.assertLessEqual(np.abs(ours[: int(first) - 20]).max(), 0.1 * np.abs(ours).max())
            bands = [np.fft.irfft(np.where((f > 150) & (f < 700), s, 0)) for s in spectra]
            window = slice(int(first) - 12, int(first) + 13)
            self.assertGreaterEqual(np.corrcoef(bands[0][window], bands[1][window])[0, 1], 0.9)

    def test_a_room_of_triangles_as_from_stl(self):
        import pyroomacoustics

        triangles = [[c[a] for a in corners] for c in BOX.values() for corners in ((0, 1, 2), (0, 2, 3))]
        walls = [
            pyroomacoustics.wall_factory(np.array(t, dtype=float).T, np.array([0.3]), np.array([0.1]), str(i))
            for i, t in enumerate(triangles)
        ]
        room = pyroomacoustics.Room(walls, fs=8000, max_order=1)
        room.add_source([1, 1, 1])
        room.add_microphone([2, 1.5, 1.2])
        found = aula.pra.render(room, 400, {"hybrid.full": False, "time.duration": 0.1}, aligned=False)
        self.assertTrue(np.isfinite(found[0][0]).all() and np.abs(found[0][0]).max() > 1e-3)

    def test_a_floor_plan(self):
        import pyroomacoustics

        room = pyroomacoustics.Room.from_corners(
            np.array([[0, 0], [3, 0], [3, 2], [1.5, 2], [1.5, 3], [0, 3.0]]).T,
            fs=8000,
            materials=pyroomacoustics.Material(0.2),
        )
        room.extrude(2.2, materials=pyroomacoustics.Material(0.4))
        room.add_source([1, 1, 1])
        room.add_microphone([0.7, 2.5, 1.2])
        made = aula.Room(aula.pra.convert(room), {"grid.max_frequency": 500})
        self.assertAlmostEqual(made.volume, (3 * 2 + 1.5) * 2.2, delta=2.0)


if __name__ == "__main__":
    main()
