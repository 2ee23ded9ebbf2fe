# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: a small room, and an end that ctest understands."""

import copy
import sys
import unittest

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


def main():
    """Runs the tests of the calling file; 77 where all of them were skipped."""
    program = unittest.main(exit=False, verbosity=2)
    count = program.test.countTestCases()  # testsRun leaves skipped ones out in some versions
    if count and len(program.result.skipped) == count:
        sys.exit(77)
    sys.exit(not program.result.wasSuccessful() or not count)
