#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an installed Python package aula has to do at least, wherever it came from."""

import aula

room = aula.Room("studio", {"grid.max_frequency": 400, "hybrid.rays": 1000, "time.duration": 0.4})
response = room.render()
print(aula.__version__, aula.__file__, repr(room), repr(response))
assert abs(response.samples).max() > 1e-3, "the response is silent"
assert len(aula.materials) > 100, "materials are missing"
assert response.metrics()["T30"].shape[0] == 2, "figures are missing"
print("the module works")
