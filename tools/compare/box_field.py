# SPDX-License-Identifier: MIT
"""The exact field of a box whose walls have real specific admittances, and responses compared with it.

Everything is done at complex frequencies w - j d: a response times exp(-d t) has that spectrum and dies away, so that
neither modes that ring for ever nor the end of a response disturb. exp(jwt); a source of 1 Pa m has exp(-jkr)/(4 pi r)
in free field."""

from __future__ import annotations

import numpy

from peer_rooms import SPEED, Room

RATE = 48000  # Hz, of all responses
DAMPING = 7.0  # nepers over a period: 61 dB
SILENCE = 0.25  # s of a period behind a response, where what filters ring ahead of t = 0 may fall


def period(room: Room) -> float:
    """s: spectra are on its multiples."""
    return room.seconds + SILENCE


def axis_roots(k, y, length, count):
    """[frequency][mode] q of cos(qx) + j k Y/q sin(qx) between two walls of Y: from the rigid ones in steps of Y, by
    Newton's method on j 2kY cos(qL) - (q + (kY)^2/q) sin(qL) = 0."""
    modes = numpy.arange(count) * numpy.pi / length
    q = numpy.broadcast_to(modes.astype(complex), (len(k), count)).copy()
    if y == 0:
        return q
    steps = int(6 + numpy.abs(k).max() * length * 2 * y * 1.5)
    for step in range(1, steps + 1):
        a = (2j * k * y * step / steps)[:, None]  # j k (Y0 + Y1)
        b = ((k * y * step / steps) ** 2)[:, None]
        if step == 1:
            q[:, 0] = numpy.sqrt(a[:, 0] / length)
        for _ in range(30):
            sine, cosine = numpy.sin(q * length), numpy.cos(q * length)
            value = a * cosine - (q + b / q) * sine
            slope = -a * length * sine - (1 - b / q**2) * sine - (q + b / q) * length * cosine
            change = value / slope
            change *= numpy.minimum(1, 0.7 / length / numpy.maximum(numpy.abs(change), 1e-300))
            q -= change
            if not (numpy.abs(change) > 1e-12 * (numpy.abs(q) + 1e-3)).any():
                break
    return numpy.where(q.real < 0, -q, q)


def axis_product(k, y, length, count, here, there):
    """[frequency][mode] phi(here) phi(there) over the mode's norm, and q."""
    q = axis_roots(k, y, length, count)
    if y == 0:
        norm = numpy.full(count, length / 2)
        norm[0] = length
        return numpy.cos(q * here) * numpy.cos(q * there) / norm, q
    ratio = 1j * k[:, None] * y / q
    twice = 2 * q * length
    norm = length / 2 * (1 + ratio**2) + numpy.sin(twice) / (4 * q) * (1 - ratio**2)
    norm += ratio * (1 - numpy.cos(twice)) / (2 * q)

    def shape(x):
        return numpy.cos(q * x) + ratio * numpy.sin(q * x)

    return shape(here) * shape(there) / norm, q


def box_spectra(room: Room, omega):
    """[receiver][frequency] exact transfer functions at complex angular frequencies. The floor may differ from the rest."""
    size, floor, other = room.box, room.floor, room.walls
    k = omega / SPEED
    found = []
    for receiver in room.receivers:
        apart = abs(receiver[2] - room.source[2])
        largest = numpy.hypot(numpy.abs(k).max(), 22 / max(apart, 0.15))
        counts = [int(largest * size[i] / numpy.pi) + 2 for i in (0, 1)]
        (px, qx), (py, qy) = (axis_product(k, other, size[i], counts[i], room.source[i], receiver[i]) for i in (0, 1))
        total = numpy.zeros(len(k), complex)
        for i in range(counts[0]):  # one x mode at a time: [frequency][y mode]
            kz = numpy.sqrt((k**2)[:, None] - qx[:, i : i + 1] ** 2 - qy**2)
            kz = numpy.where(kz.imag > 0, -kz, kz)
            low, high = ((kz - k[:, None] * y) / (kz + k[:, None] * y) for y in (floor, other))
            both = room.source[2] + receiver[2]
            field = numpy.exp(-1j * kz * apart) + low * numpy.exp(-1j * kz * both)
            field += high * numpy.exp(-1j * kz * (2 * size[2] - both))
            field += low * high * numpy.exp(-1j * kz * (2 * size[2] - apart))
            field /= 2j * kz * (1 - low * high * numpy.exp(-2j * kz * size[2]))
            total += (px[:, i : i + 1] * py * field).sum(1)
        found.append(total)
    return numpy.array(found)


def grid_of(room: Room, top: float):
    """Angular frequencies w - j d up to `top` Hz, one for each 1/period."""
    return (2 * numpy.pi * numpy.arange(int(top * period(room)) + 1) - 1j * DAMPING) / period(room)


def spectra_of(responses, rate: float, omega):
    """[receiver][frequency] of sampled responses [receiver][sample]: sums of h exp(-jwt), no more than exp(-d T) left out."""
    responses = numpy.atleast_2d(responses)
    times = numpy.arange(responses.shape[1]) / rate
    found = numpy.zeros((len(responses), len(omega)), complex)
    for start in range(0, len(omega), 64):
        part = omega[start : start + 64]
        found[:, start : start + 64] = responses @ numpy.exp(-1j * numpy.outer(times, part))
    return found


def window(frequencies, low: float, high: float):
    """1 between low and high, down to 0 smoothly a third of an octave outside; low 0: no lower edge."""
    shape = numpy.ones(len(frequencies))
    for edge, sign in ((low, -1), (high, 1)):
        if edge:
            out = numpy.clip(sign * 3 * numpy.log2(numpy.maximum(frequencies, 1e-9) / edge), 0, 1)
            shape = shape * numpy.cos(numpy.pi / 2 * numpy.sin(numpy.pi / 2 * out) ** 2) ** 2
    return shape


def band_responses(spectra, room: Room, low: float, high: float):
    """[receiver][sample] at RATE, of a band, by the spectra on grid_of(room, ..)."""
    count = int(round(period(room) * RATE))
    frequencies = numpy.arange(spectra.shape[1]) / period(room)
    full = numpy.zeros((len(spectra), count // 2 + 1), complex)
    full[:, : spectra.shape[1]] = spectra * window(frequencies, low, high)
    times = numpy.arange(int(round(room.seconds * RATE))) / RATE
    return numpy.fft.irfft(full, count)[:, : len(times)] * numpy.exp(DAMPING / period(room) * times)


def difference(here, exact, seconds: float) -> float:
    """Energy of the difference over that of the exact response, all receivers, the first `seconds`, dB."""
    count = int(seconds * RATE)
    wrong = numpy.sum((here[:, :count] - exact[:, :count]) ** 2)
    return float(10 * numpy.log10(max(wrong / numpy.sum(exact[:, :count] ** 2), 1e-20)))


def third_octaves(low: float, high: float) -> list[float]:
    centres = [1000 * 2 ** (i / 3) for i in range(-12, 14)]
    return [f for f in centres if f * 2 ** (-1 / 6) >= low * 0.999 and f * 2 ** (1 / 6) <= high * 1.001]


def level_error(spectra, exact, room: Room, low: float, high: float) -> float:
    """Rms over receivers and third octaves of the differences of level, dB, of responses that are damped as spectra are:
    what a rigid room still does after their end would count otherwise."""
    frequencies = numpy.arange(spectra.shape[1]) / period(room)
    errors = []
    for centre in third_octaves(low, high):
        inside = (frequencies >= centre * 2 ** (-1 / 6)) & (frequencies < centre * 2 ** (1 / 6))
        powers = [numpy.sum(numpy.abs(s[:, inside]) ** 2, 1) for s in (spectra, exact)]
        errors.append(10 * numpy.log10(powers[0] / powers[1]))
    return float(numpy.sqrt(numpy.mean(numpy.square(errors))))
