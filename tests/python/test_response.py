# SPDX-License-Identifier: MIT
"""Responses, figures, sounds; stopping."""

import gc
import importlib.util
import os
import signal
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import aula
from aula import _library
from support import main, small

LONG = small(room={"size": [8, 7, 4]}, grid={"rate": 16000}, time={"duration": 60.0})  # minutes of work


class Samples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = aula.Room(small())
        cls.response = cls.room.render(threads=1)

    def test_samples_are_those_of_the_library(self):
        r = self.response
        self.assertEqual(r.samples.shape, (2, r.frames))
        self.assertEqual(r.samples.dtype, np.float64)
        self.assertEqual((r.rate, r.is_filter, r.channels), (8000.0, True, ["left", "right"]))
        self.assertIn("ends at a decay of only", r.warnings[0])
        self.assertTrue(r.band[0] == 10.0 and abs(r.band[1] - 500.0) <= 1e-9)
        self.assertTrue(np.abs(r.samples).max() > 1e-3)
        self.assertTrue(np.array_equal(r["right"], r.samples[1]))
        self.assertTrue(np.array_equal(np.asarray(r), r.samples))
        self.assertEqual(np.array(r, dtype=np.float32).dtype, np.float32)
        self.assertEqual(len(r.times), r.frames)
        with self.assertRaises(KeyError):
            r["middle"]

    def test_samples_are_not_copied_and_outlive_the_response(self):
        response = aula.Room(small()).render(threads=1)
        first, second = response.samples, np.asarray(response)
        self.assertEqual(first.__array_interface__["data"], second.__array_interface__["data"])
        self.assertFalse(first.flags.owndata or first.flags.writeable)
        with self.assertRaises(ValueError):
            first[0, 0] = 1.0
        expected, part = first.copy(), first[1, 10:]
        del response, second, first
        gc.collect()
        rooms = [aula.Room(small()).render(threads=1) for _ in range(3)]  # would reuse memory that was freed
        self.assertTrue(np.array_equal(part, expected[1, 10:]))
        del rooms

    def test_threads_give_the_same_bits(self):
        self.assertTrue(np.array_equal(self.room.render(threads=2).samples, self.response.samples))

    def test_the_direct_sound_is_where_and_as_loud_as_it_should(self):
        room = aula.Room(
            small(
                room={"size": [6, 6, 6]},
                grid={"max_frequency": 1000},
                time={"duration": 0.03},
                sources=[{"position": [3, 3, 3]}],
                receivers=[{"position": [4, 3, 3]}],
                output={"rate": 48000, "filter": "linear-phase"},
            )
        )
        samples = room.render().samples[0]
        at = int(np.abs(samples).argmax())
        self.assertLessEqual(abs(at - 48000 / room.grid.sound_speed), 3.0)
        direct = samples[at - 200 if at > 200 else 0 : at + 200]
        level = abs(np.sum(direct * np.exp(-2j * np.pi * 500 * np.arange(len(direct)) / 48000))) / 48000
        self.assertGreater(level, 0)

    def test_figures(self):
        t, rate = np.arange(16000) / 16000, 16000
        noise = np.random.default_rng(3).standard_normal((2, 16000)) * np.exp(-t / 0.1)  # 60 dB in 0.69 s
        metrics = aula.measure(noise, rate)
        self.assertLessEqual(np.abs(metrics["T20"][:, -1] - 0.6908).max(), 0.05)
        self.assertEqual(metrics["T30"].shape, (2, 9))
        self.assertTrue(np.isnan(metrics["G"]).all())
        self.assertIn("not calibrated", metrics.missing("G", 0, 500))
        self.assertEqual(metrics.missing("T20", 0), "")
        self.assertIn("not calibrated", metrics.note)
        self.assertEqual(metrics.to_dict()["0"]["bands"]["500"]["T20"], metrics["T20"][0, 3])
        self.assertIsNone(metrics.to_dict()["0"]["bands"]["500"]["G"])
        self.assertIn("T20, s", metrics._repr_html_())
        self.assertEqual(aula.measure(noise[0], rate)["T20"][0, -1], metrics["T20"][0, -1])
        with self.assertRaises(KeyError):
            metrics["T40"]
        with self.assertRaises(KeyError):
            metrics.missing("T20", 0, 300)
        with self.assertRaises(IndexError):
            metrics.missing("T20", 2)
        for wrong in (np.zeros((3, 2, 5)), noise.T, [np.nan, 1.0]):
            with self.assertRaises(aula.InputError):
                aula.measure(wrong, rate)

    def test_figures_are_those_of_the_header(self):
        self.assertEqual(
            {f"AULA_{name.upper()}": number for name, (number, _, _) in aula.METRICS.items()},
            _library.ffi.typeof("enum aula_metric").relements,
        )
        self.assertEqual(aula.METRICS["T30"][1:], ("s", "reverberation time from -5 to -35 dB"))

    def test_speech(self):
        noise = np.random.default_rng(3).standard_normal(48000) * np.exp(-np.arange(48000) / 48000 / 0.05)
        metrics = aula.measure(noise, 48000)
        self.assertGreater(metrics.sti[0], 0.6)
        quiet, loud = metrics.speech(60.0), metrics.speech(60.0, noise=[60.0] * 7)
        self.assertGreater(quiet, loud + 0.1)
        with self.assertRaises(ValueError):
            metrics.speech(60.0, noise=[1.0, 2.0])
        with self.assertRaises(aula.InputError):
            metrics.speech(500.0)
        self.assertIn("60", repr(aula.measure(noise, 16000).sti_missing()) + "60")

    def test_judge(self):
        noise = np.random.default_rng(3).standard_normal(48000) * np.exp(-np.arange(48000) / 48000 / 0.05)
        metrics = aula.measure(noise, 48000)  # T = 0.05 s ln 10^6 / 2 = 0.345 s
        verdict = metrics.judge("din18041_a3", volume=180.0)
        self.assertEqual(verdict.verdict, "fail")
        self.assertAlmostEqual(verdict.time, 0.5516872, 6)
        self.assertEqual(len(verdict.octaves), 8)
        self.assertLess(verdict.octaves[4].to_target, verdict.octaves[4].to_limit)
        self.assertEqual(metrics.judge("ansi_s12_60", volume=180.0).verdict, "pass")
        self.assertFalse(metrics.judge("din18041_a4", volume=900.0).volume_in_range)
        self.assertIn(metrics.judge("iec_60268_16").grade, ("A", "A+", "B"))
        with self.assertRaisesRegex(aula.InputError, "did you mean din18041_a3"):
            metrics.judge("din18041_a33", volume=180.0)
        with self.assertRaisesRegex(aula.InputError, "volume is 0"):
            metrics.judge("din18041_a3")

    def test_differences(self):
        rate = 24000
        noise = np.random.default_rng(5).standard_normal((2, 2 * rate)) * 10.0 ** (-3.0 * np.arange(2 * rate) / rate)
        first = aula.measure(noise, rate)
        second = aula.measure(noise * 10.0 ** (-0.5 * np.arange(2 * rate) / rate), rate)
        self.assertEqual(aula.JND_SOURCES["T30"].split()[0], "taken")
        self.assertNotIn("range", aula.JND_SOURCES)
        self.assertTrue((first.compare(first)["C80"] == 0.0).all())
        comparison = aula.compare(first, second)
        np.testing.assert_allclose(comparison["C80"], second["C80"][:, :8] - first["C80"][:, :8], rtol=1e-12)
        np.testing.assert_allclose(comparison["T30"], 20.0 * (second["T30"] / first["T30"] - 1.0)[:, :8], rtol=1e-9)
        t30 = first["T30"][:, 3:5].mean(axis=1), second["T30"][:, 3:5].mean(axis=1)
        np.testing.assert_allclose(comparison.single("T30"), 20.0 * (t30[1] / t30[0] - 1.0), rtol=1e-9)
        np.testing.assert_allclose(comparison.sti, (second.sti - first.sti) / 0.03, rtol=1e-9)
        self.assertTrue(np.isnan(comparison["G"]).all())
        self.assertIn("not calibrated", comparison.missing("G"))
        self.assertEqual(comparison.missing("C80", 1, 500), "")
        self.assertEqual(aula.compare(first, second, [(1, 0)])["D50"].shape, (1, 8))
        with self.assertRaises(ValueError):
            aula.compare(first, aula.measure(noise[0], rate))
        with self.assertRaises(KeyError):
            comparison["range"]
        with self.assertRaises(KeyError):
            comparison.missing("C80", 0, "broad")
        with self.assertRaises(IndexError):
            aula.compare(first, second, [(0, 2)])

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_a_frame_of_pandas(self):
        frame = self.response.metrics().to_frame()
        self.assertEqual(frame.shape, (18, 1 + len(aula.METRICS)))
        self.assertEqual(frame.loc[("left", "250"), "validity"], "valid")

    def test_without_pandas_it_says_so(self):
        kept = sys.modules.get("pandas")
        sys.modules["pandas"] = None
        try:
            with self.assertRaisesRegex(ImportError, "pip install pandas"):
                self.response.metrics().to_frame()
        finally:
            del sys.modules["pandas"]
            if kept is not None:
                sys.modules["pandas"] = kept

    def test_a_click_is_heard_as_the_response(self):
        click = np.zeros(100)
        click[0] = 1.0
        wet = self.response.auralize(click, 8000.0)
        self.assertEqual(wet.samples.shape, (2, 100 + self.response.frames - 1))
        self.assertLessEqual(np.abs(wet.samples[:, : self.response.frames] - self.response.samples).max(), 1e-7)
        self.assertEqual(np.asarray(aula.auralize([self.response], click[np.newaxis], 8000)).shape, wet.samples.shape)
        self.assertIn("data:audio/wav;base64,UklGR", wet._repr_html_())
        self.assertIn("silent", self.response.auralize(np.zeros(10), 8000).warnings[0])
        for wrong in (np.zeros((2, 10)), [np.inf]):
            with self.assertRaises(aula.InputError):
                self.response.auralize(wrong, 8000)
        with self.assertRaises(aula.InputError):
            self.response.auralize(click, 0.0)

    def test_files_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.wav")
            self.response.write(path)
            self.assertEqual(sorted(os.listdir(folder)), ["r.json", "r.wav"])
            there, here = aula.measure_file(path), self.response.metrics()
            self.assertTrue(np.allclose(there["C80"], here["C80"], atol=1e-3, equal_nan=True))
            again = aula.Room(os.path.join(folder, "r.json")).render(threads=1)
            self.assertTrue(np.array_equal(again.samples, self.response.samples))
            with self.assertRaises(aula.AulaError):
                self.response.write(os.path.join(folder, "no such folder", "r.wav"))
            with self.assertRaises(aula.AulaError):
                aula.measure_file(os.path.join(folder, "none.wav"))
            with self.assertRaisesRegex(aula.InputError, "NUL"):
                self.response.write(os.path.join(folder, "good.wav\0junk"))
            self.assertFalse(os.path.exists(os.path.join(folder, "good.wav")))
            own = os.path.join(folder, "own.json")
            with open(own, "w") as file:
                file.write('{"mine": 1}')
            with self.assertRaises(aula.InputError) as caught:
                self.response.write(os.path.join(folder, "own.wav"))
            self.assertEqual(caught.exception.file, own)

    def test_two_files_of_one_name_are_refused(self):
        room = aula.Room(
            small(
                sources=[{"name": n, "position": [0.4, 0.5, 0.6]} for n in ("a", "a_F")],
                receivers=[
                    {"name": "x", "position": [1.1, 0.8, 0.5]},
                    {"name": "F", "type": "ambisonic", "order": 1, "position": [0.8, 0.6, 0.5]},
                ],
                grid={"max_frequency": 1000},
                time={"duration": 0.01},
            )
        )
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(
                aula.InputError, "a_F.wav: is the name of two files, of source a at receiver F"
            ):
                aula.write(room.render_all(threads=1), os.path.join(folder, "r.wav"))
            self.assertEqual(os.listdir(folder), [])

    def test_numbers_of_threads_that_cannot_be(self):
        room = aula.Room(small())
        for threads in (10**12, -1, 2**31, 5000):
            with self.assertRaisesRegex(aula.InputError, "4096"):
                room.render(threads=threads)

    def test_html_has_a_drawing(self):
        html = self.response._repr_html_()
        self.assertIn("left", html)
        self.assertEqual(html.count("<svg"), 4)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_plots(self):
        from matplotlib import pyplot
        import aula.plot

        room = aula.Room(
            small(room={"size": [3, 2, 2], "objects": [aula.Wedge([1, 1, 0], [2, 2, 1], "y_max", "wood")]})
        )
        for axes in (
            room.plot(),
            self.response.plot(),
            aula.plot.spectrum(self.response),
            aula.plot.spectrogram(self.response, "left"),
            self.response.metrics().plot(),
        ):
            figure = np.atleast_1d(axes)[0].figure
            figure.canvas.draw()
            pyplot.close(figure)


class Stopping(unittest.TestCase):
    def setUp(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs beside it
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def test_progress_rises_and_is_called_by_the_caller(self):
        shares, threads = [], set()

        def look(share):
            shares.append(share)
            threads.add(threading.current_thread())

        aula.Room(small()).render(progress=look)
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(shares and 0.0 <= shares[0] and shares[-1] == 1.0)
        self.assertEqual(threads, {threading.main_thread()})

    def test_what_progress_raises_stops_the_work(self):
        def refuse(_share):
            raise LookupError("enough")

        room = aula.Room(LONG)
        with self.assertRaisesRegex(LookupError, "enough"):
            room.render(progress=refuse)
        found = []

        def elsewhere():
            try:
                room.render(progress=refuse)
            except LookupError as error:
                found.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        self.assertEqual(len(found), 1)

    def test_an_interrupt_ends_the_work_and_the_room_goes_on(self):
        room = aula.Room(LONG)
        sent = []

        def interrupt():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.4, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            room.render()
        took = time.monotonic() - sent[0]
        print(f"KeyboardInterrupt after {took:.3f} s")
        short = aula.Room(small())
        self.assertTrue(np.isfinite(short.render().samples).all())
        with self.assertRaisesRegex(LookupError, "again"):
            room.render(progress=lambda share: (_ for _ in ()).throw(LookupError("again")))

    def test_an_interrupt_does_not_wait_for_work_that_goes_on(self):
        gate, begun = threading.Event(), threading.Event()

        def work(_callback):  # as a function of the library that looks at no stop
            begun.set()
            gate.wait()

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)
            if not done.wait(60.0):
                gate.set()  # or the test would never end

        done = threading.Event()
        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            _library.run(work)
        waited = gate.is_set()
        done.set()
        gate.set()
        thread.join()
        self.assertFalse(waited)
        self.assertLessEqual(_library._PATIENCE + 2 * _library._WAIT, 0.3)  # all that it waits

    def test_other_threads_run_while_the_library_works(self):
        room, count, done = (
            aula.Room(small(grid={"max_frequency": 2000}, time={"duration": 0.4})),
            [0],
            threading.Event(),
        )

        def turn():
            while not done.is_set():
                count[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=turn)
        thread.start()
        room.render(threads=1)
        done.set()
        thread.join()
        self.assertGreater(count[0], 5)

    def test_rooms_in_several_threads_give_what_they_give_alone(self):
        alone = aula.Room(small()).render(threads=1).samples
        shared, found = aula.Room(small()), []

        def work(room):
            found.append(room.render(threads=1).samples)

        threads = [
            threading.Thread(target=work, args=[room])
            for room in (shared, shared, aula.Room(small()), aula.Room(small()))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([np.array_equal(f, alone) for f in found], [True] * 4)


if __name__ == "__main__":
    main()
