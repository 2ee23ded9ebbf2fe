# SPDX-License-Identifier: MIT
"""Sweeps through known systems, and what deconvolution says of them."""

import unittest

import numpy as np

import aula
from support import main

RATE = 16000.0


def decay(seed=7, seconds=0.5):
    """A direct sound at 10 ms, and noise that decays by 60 dB in 0.3 s."""
    times = np.arange(int(seconds * RATE)) / RATE
    response = 0.05 * np.random.default_rng(seed).standard_normal(len(times)) * np.exp(-6.9078 * times / 0.3)
    response[: int(0.01 * RATE)] = 0.0
    response[int(0.01 * RATE)] = 1.0
    return response


def played(sweep, repeats, pause, before=0.5):
    """The sweeps with silence around them."""
    gap = np.zeros(int(round(pause * sweep.rate)))
    return np.concatenate([np.zeros(int(before * sweep.rate))] + [np.concatenate([sweep.samples, gap])] * repeats)


def through(signal, response):
    length = len(signal) + len(response)
    return np.fft.irfft(np.fft.rfft(signal, length) * np.fft.rfft(response, length), length)[: len(signal)]


def below(frequency, samples):
    """Without what lies beyond `frequency`, where the sweep has no energy."""
    spectrum = np.fft.rfft(samples)
    spectrum[np.fft.rfftfreq(len(samples), 1.0 / RATE) > frequency] = 0.0
    return np.fft.irfft(spectrum, len(samples))


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sweep = aula.sweep(50, 7000, 2.0, RATE, level=-6.0)
        cls.response = decay()
        cls.signal = played(cls.sweep, 2, 1.0)
        cls.recorded = through(cls.signal, cls.response)

    def test_a_sweep_has_its_length_and_level(self):
        self.assertEqual(self.sweep.samples.shape, (int(2 * RATE),))
        self.assertTrue(abs(20 * np.log10(np.abs(self.sweep.samples).max()) + 6.0) <= 0.01)
        self.assertFalse(self.sweep.samples.flags.writeable)
        self.assertTrue(np.asarray(self.sweep) is self.sweep.samples)
        self.assertIn("50 to 7000 Hz in 2 s at -6 dB", repr(self.sweep))

    def test_the_response_is_that_of_the_system(self):
        d = aula.deconvolve(self.recorded, self.sweep, repeats=2, pause=1.0, delay=0.5)
        self.assertEqual((d.rate, d.band, d.start, d.samples.shape[0]), (RATE, (50.0, 7000.0), -0.05, 1))
        self.assertTrue(abs(d.times[int(0.05 * RATE)]) <= 1e-12)
        known = np.zeros(d.samples.shape[1])
        first = int(0.05 * RATE)
        known[first : first + len(self.response)] = self.response[: len(known) - first]
        error = below(6000, d.samples[0]) - below(6000, known)
        below_low = below(80, d.samples[0]) - below(80, known)  # fades of the sweep
        error -= below_low
        self.assertTrue(10 * np.log10(np.sum(error**2) / np.sum(known**2)) <= -50.0)
        self.assertTrue(d.difference <= -100.0 and d.drift == 0.0)
        self.assertTrue(np.all(d.distortion[:, 0] <= -60.0))
        metrics = d.metrics()
        self.assertTrue(abs(metrics.arrival[0] - 0.01) <= 1e-4)
        self.assertTrue(abs(metrics["T20"][0, 4] - 0.3) <= 0.05)
        self.assertTrue(np.isnan(metrics["G"][0, 4]))
        self.assertIn("valid from 50 to 7000 Hz", repr(d))

    def test_samples_of_a_sweep_do_as_well(self):
        a = aula.deconvolve(self.recorded, self.sweep, repeats=2, pause=1.0)
        b = aula.deconvolve(self.recorded, played(self.sweep, 1, 0.5), RATE, repeats=2, pause=1.0)
        self.assertTrue(abs(b.band[0] - 50) <= 2 and abs(b.band[1] - 7000) <= 100)
        n = int(0.2 * RATE)
        error = below(5000, b.samples[0, :n]) - below(5000, a.samples[0, :n])
        self.assertTrue(np.sum(error**2) <= 0.01 * np.sum(a.samples[0, :n] ** 2))

    def test_a_loopback_sets_the_emission_and_is_left_out(self):
        both = np.stack([self.signal, self.recorded])
        d = aula.deconvolve(both, self.sweep, repeats=2, pause=1.0, loopback=0)
        self.assertEqual(d.samples.shape[0], 1)
        self.assertTrue(abs(d.times[np.argmax(np.abs(d.samples[0]))] - 0.01) <= 1.5 / RATE)
        direct = aula.deconvolve(self.recorded, self.sweep, repeats=2, pause=1.0)
        self.assertTrue(abs(direct.times[np.argmax(np.abs(direct.samples[0]))]) <= 1e-12)

    def test_distortion_is_told_by_order(self):
        signal = played(self.sweep, 1, 1.0)
        amplitude = 10 ** (-6 / 20)
        d = aula.deconvolve(through(signal + 0.02 * signal**2, self.response), self.sweep)
        expected = 20 * np.log10(0.02 * amplitude / 2)
        self.assertTrue(abs(d.distortion[0, 0] - expected) <= 0.5)
        self.assertTrue(d.distortion[0, 1] <= expected - 20.0)
        self.assertTrue(np.isnan(d.difference))

    def test_overload_is_warned_of(self):
        signal = played(self.sweep, 1, 1.0)
        d = aula.deconvolve(through(signal + 0.6 * signal**2, self.response), self.sweep)
        self.assertTrue(any("distortion of order 2" in w for w in d.warnings), d.warnings)

    def test_mistakes_are_told(self):
        for arguments, keywords, said in (
            ((self.recorded, self.sweep), {"loopback": 0, "delay": 0.1}, "both set t = 0"),
            ((self.recorded, self.sweep), {"loopback": 0}, "only channel is the loopback"),
            ((np.stack([self.recorded] * 2), self.sweep), {"loopback": 2}, "loopback is 2"),
            ((self.recorded, self.sweep, 44100.0), {}, "resample one of them"),
            ((self.recorded, self.sweep.samples), {}, "rate is missing"),
            ((self.recorded, self.sweep), {"repeats": 0}, "repeats is 0"),
            ((self.recorded, self.sweep), {"repeats": 2, "pause": 0.1}, "pause"),
            ((self.recorded, self.sweep), {"repeats": 2, "pause": 1.0, "delay": 2.0}, "before it is emitted"),
            ((np.zeros(100000), self.sweep), {}, "does not contain this sweep"),
            ((self.recorded, aula.sweep(50, 7000, 1.5, RATE)), {}, "does not contain this sweep"),
            ((self.recorded[:30000], self.sweep), {}, "too short for 1 sweep"),
            ((np.full(100000, np.nan), self.sweep), {}, "is not a finite number"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.deconvolve(*arguments, **keywords)
            self.assertIn(said, str(caught.exception))
        for arguments, said in (
            ((50, 60), "60"),
            ((50, 9000, 1, RATE), "9000"),
            ((50, 7000, 1, RATE, 3), "level"),
        ):
            with self.subTest(said), self.assertRaises(aula.InputError) as caught:
                aula.sweep(*arguments)
            self.assertIn(said, str(caught.exception))


if __name__ == "__main__":
    main()
