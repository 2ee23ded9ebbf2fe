#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an installed Python package aula has to do at least, wherever it came from."""

import os
import tempfile

import aula

room = aula.Room("studio", {"grid.max_frequency": 400, "hybrid.rays": 1000, "time.duration": 0.4})
response = room.render()
print(aula.__version__, aula.__file__, repr(room), repr(response))
assert abs(response.samples).max() > 1e-3, "the response is silent"
assert len(aula.materials) > 100, "materials are missing"
assert response.metrics()["T30"].shape[0] == 2, "figures are missing"
with tempfile.TemporaryDirectory() as folder:
    written = os.path.join(folder, "response.sofa")
    aula.write(response, written)
    with open(written, "rb") as file:
        assert file.read(4) == b"\x89HDF", "a SOFA file is not HDF5"
talker = {"sources[0].directivity": "talker.sofa", "sources[0].position": [1.8, 1.6, 1.4]}
spoken = aula.Room("studio", {"grid.max_frequency": 1000, "hybrid.rays": 1000, "time.duration": 0.05, **talker}).render()
assert abs(spoken.samples).max() > 1e-3, "the talker is silent"
modes = aula.modes(room, 60)
assert 20 < modes.frequency[0] < 60, "the lowest mode is wrong"
print("the module works")
