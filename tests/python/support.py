# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: a small room, and an end that ctest understands."""

import copy
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import aula

SMALL = {
    "room": {"size": [1.6, 1.3, 1.1], "walls": {"default": "gypsum_board", "z_min": "carpet_on_felt"}},
    "materials": {
        "carpet_on_felt": {"absorption": [0.08, 0.08, 0.24, 0.57, 0.69, 0.71, 0.73, 0.73], "scattering": 0.1}
    },
    "grid": {"max_frequency": 500},
    "hybrid": {"full": False},
    "time": {"duration": 0.1},
    "sources": [{"name": "loudspeaker", "position": [0.4, 0.5, 0.6]}],
    "receivers": [{"name": "left", "position": [1.1, 0.8, 0.5]}, {"name": "right", "position": [1.2, 0.9, 0.5]}],
    "output": {"rate": 8000},
}


def small(**groups):
    """SMALL with other groups: small(grid={"rate": 4000})."""
    room = copy.deepcopy(SMALL)
    room.update(groups)
    return room


def command(*words):
    """The standard output of the program aula beside the package of the build folder; skips the test without it."""
    program = os.path.join(os.path.dirname(aula.__file__), os.pardir, os.pardir, "aula")
    if not os.path.exists(program):
        raise unittest.SkipTest("this needs the program aula of the build folder")
    return subprocess.run([program, *words, "-q"], check=True, capture_output=True, text=True).stdout


def same(given, said):
    """Whether numbers are those of JSON or CSV, to as many digits as `said` has: 15, in which NaN is null or empty."""
    a = np.asarray(given, dtype=float).ravel()
    b = np.array([np.nan if x in (None, "") else float(x) for x in np.asarray(said, dtype=object).ravel()])
    return a.shape == b.shape and bool(np.all((abs(a - b) <= 1e-15 * abs(b)) | (np.isnan(a) & np.isnan(b))))


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def wave(path):
    """The samples [channels, frames] of a WAV file of doubles or floats."""
    data = bytes_of(path)
    at = data.index(b"fmt ") + 8
    channels, bits = struct.unpack_from("<H", data, at + 2)[0], struct.unpack_from("<H", data, at + 14)[0]
    at = data.index(b"data", at)
    count = struct.unpack_from("<I", data, at + 4)[0]
    return np.frombuffer(data, f"<f{bits // 8}", count * 8 // bits, at + 8).reshape(-1, channels).T


def interrupted(test, call, after=0.5):
    """Seconds from Ctrl-C, `after` seconds from the begin of a call, to the KeyboardInterrupt that it must raise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs beside it
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    timer.start()
    try:
        with test.assertRaises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def copies(value):
    """Copies of a value by each protocol of pickle from 2 on, and by copy.deepcopy."""
    return [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, 6)] + [copy.deepcopy(value)]


def main():
    """Runs the tests of the calling file; 77 where all of them were skipped."""
    program = unittest.main(exit=False, verbosity=2)
    count = program.test.countTestCases()  # testsRun leaves skipped ones out in some versions
    if count and len(program.result.skipped) == count:
        sys.exit(77)
    sys.exit(not program.result.wasSuccessful() or not count)
