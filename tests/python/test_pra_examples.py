# SPDX-License-Identifier: MIT
"""Rooms as the documentation of pyroomacoustics describes them, by both programs. docs/guide/python.md explains the
differences, whose bounds are here."""

import importlib.util
import unittest

import numpy as np

import aula
import aula.pra
from support import main

HIGHEST = 500.0  # Hz, of the wave solver


def level(samples, rate, low, high):
    """dB: energy of a band."""
    spectrum = np.fft.rfft(samples, 1 << 17)
    f = np.fft.rfftfreq(1 << 17, 1 / rate)
    return 10 * np.log10((np.abs(spectrum[(f > low) & (f < high)]) ** 2).sum())


@unittest.skipUnless(importlib.util.find_spec("pyroomacoustics"), "pyroomacoustics is not installed")
class Examples(unittest.TestCase):
    def compare(self, name, room, settings, low_bound, high_bound, time_bound=None):
        """Level below and above the crossover in dB, and T20 at 1 kHz; the bounds are of the mean over microphones."""
        room.compute_rir()
        ours = aula.pra.render(room, HIGHEST, settings)
        found = []
        for m in range(len(ours)):
            for s in range(len(ours[m])):
                a, b = ours[m][s], np.asarray(room.rir[m][s])
                b = b[: len(a)]
                direct = np.linalg.norm(room.mic_array.R[:, m] - room.sources[s].position) / room.c * room.fs
                begin = int(direct) + aula.pra.DELAY - 30
                self.assertLessEqual(np.abs(a[: max(begin, 1)]).max(), 0.1 * np.abs(a).max(), name)
                t20 = [aula.measure(x, room.fs)["T20"][0, aula.BANDS.index("1000")] for x in (a, b)]
                found.append(
                    (
                        level(a, room.fs, 150, 400) - level(b, room.fs, 150, 400),
                        level(a, room.fs, 1000, 3000) - level(b, room.fs, 1000, 3000),
                        t20[0] / t20[1] if t20[1] > 0 else np.nan,
                    )
                )
        low, high, time = np.mean(found, axis=0)
        print(f"{name}: {low:+.1f} dB below, {high:+.1f} dB above the crossover, T20 {100 * (time - 1):+.0f} %")
        self.assertTrue(abs(low) <= low_bound and abs(high) <= high_bound, (name, found))
        if time_bound is not None:
            self.assertTrue(abs(time - 1) <= time_bound, (name, found))
        return found

    def test_a_room_by_its_reverberation_time(self):
        import pyroomacoustics as pra

        size = [10, 7.5, 3.5]
        absorption, order = pra.inverse_sabine(0.3, size)
        room = pra.ShoeBox(size, fs=16000, materials=pra.Material(absorption), max_order=order)
        room.add_source([2.5, 3.73, 1.76])
        room.add_microphone_array(np.c_[[6.3, 4.87, 1.2], [6.3, 4.93, 1.2]])
        self.compare("by RT60", room, {"time.duration": 0.4}, 1.5, 1.5)

    def test_directional_sources_and_microphones(self):
        import pyroomacoustics as pra
        from pyroomacoustics.directivities import CardioidFamily, DirectionVector

        def pattern(p, azimuth, colatitude):
            return CardioidFamily(DirectionVector(azimuth=azimuth, colatitude=colatitude, degrees=True), p=p)

        room = pra.ShoeBox([9, 7.5, 3.5], fs=16000, materials=pra.Material(0.4), max_order=12)
        room.add_source([2.5, 3.73, 1.76], directivity=pattern(0.75, 20, 80))
        room.add_microphone_array(
            np.c_[[6.3, 4.87, 1.2], [6.3, 4.93, 1.2]], directivity=[pattern(0.25, 90, 15), pattern(0.6, 180, 90)]
        )
        self.compare("directional", room, {"time.duration": 0.3}, 1.5, 1.5)

    def test_rays_that_scatter_in_air(self):
        import pyroomacoustics as pra

        room = pra.ShoeBox(
            [9, 7.5, 3.5],
            fs=16000,
            materials=pra.Material(0.3, 0.2),
            max_order=3,
            ray_tracing=True,
            air_absorption=True,
        )
        room.add_source([2.5, 3.73, 1.76])
        room.add_microphone([6.3, 4.87, 1.2])
        self.compare("rays", room, {"time.duration": 0.5}, 3.0, 3.0, 0.3)

    def test_a_floor_plan_of_six_corners(self):
        import pyroomacoustics as pra

        corners = np.array([[0, 0], [0, 3], [5, 3], [5, 1], [3, 1], [3, 0]]).T
        room = pra.Room.from_corners(corners, fs=16000, max_order=8, materials=pra.Material(0.2, 0.15))
        room.extrude(2.0, materials=pra.Material(0.2, 0.15))
        room.add_source([1.0, 1.0, 0.5])
        room.add_microphone_array(np.c_[[3.0, 2.25, 0.6], [3.5, 2.0, 0.6]])
        self.compare("floor plan", room, {"time.duration": 0.4}, 2.0, 2.0)

    def test_walls_of_materials_by_octave(self):
        import pyroomacoustics as pra

        walls = pra.make_materials(
            ceiling="hard_surface",
            floor="carpet_6mm_open_weave" if "carpet_6mm_open_weave" in str(pra.materials_data) else "carpet_hairy",
            east="brickwork",
            west="brickwork",
            north="brickwork",
            south="brickwork",
        )
        room = pra.ShoeBox([9, 7.5, 3.5], fs=16000, materials=walls, max_order=17)
        room.add_source([2.5, 3.73, 1.76])
        room.add_microphone([6.3, 4.87, 1.2])
        self.compare("materials", room, {"time.duration": 0.6}, 2.5, 2.0)

    def test_an_array_in_an_anechoic_room(self):
        import pyroomacoustics as pra

        room = pra.AnechoicRoom(3, fs=16000)
        room.add_source([1.5, 0.8, 0.0])
        circle = pra.circular_2D_array(center=[0, 0], M=6, phi0=0, radius=0.1)
        room.add_microphone_array(np.vstack([circle, np.zeros(6)]))
        for low, high, _ in self.compare("anechoic", room, {}, 0.5, 0.5):
            self.assertTrue(abs(low) <= 0.7 and abs(high) <= 0.7)


if __name__ == "__main__":
    main()
