#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes small inputs of formats of which no file ships, NAME.* for the target NAME of tools/fuzz: seeds.py FOLDER."""

import hashlib
import math
import struct
import sys
from pathlib import Path

ROOM = """\
room: { size = [4.0, 3.0, 2.5]; @include "1.cfg"
};
@include "2.cfg"
grid: { rate = 8000.0; };
\fwalls: { default = "plaster"; };
\fsources: ( { position = [1.0, 1.0, 1.0]; } );
@include "3.cfg"
\freceivers: ( { position = [2.0, 2.0, 1.0]; } );
time: { duration = 0.1; };
"""

PLAN = """\
base = "base.cfg"; seed = 5; rooms = 6;
vary: ( { key = "room.size"; uniform = ([3.0, 2.5, 2.3], [6.0, 5.0, 3.2]); },
  { key = "sources[0].position"; place = "room"; },
  { key = "grid.rate"; normal = [8000.0, 10.0]; within = [7000.0, 9000.0]; },
  { key = "room.walls.default"; choice = ("plaster", "wood"); weights = [1.0, 2.0]; } );
constraints: { from_walls = 0.5; from_each_other = 1.0; };
\froom: { size = [4.0, 3.0, 2.5]; };
sources: ( { position = [1.0, 1.0, 1.0]; } );
receivers: ( { position = [2.0, 2.0, 1.0]; } );
"""

SIDECAR = """\
{"aula": "0.1.0", "file": "sound.wav", "folder": "/tmp",
"input": {"room": {"size": [4.0, 3.0, 2.5], "walls": {"default": "plaster"}}, "grid": {"rate": 8000.0},
"time": {"duration": 0.1}, "sources": [{"name": "A", "position": [1.0, 1.0, 1.0]}],
"receivers": [{"name": "L", "type": "ambisonic", "order": 1, "position": [2.0, 2.0, 1.0]}]},
"output": {"checksum": "sha256:%s", "content": "filter", "rate": 48000.0},
"source": {"name": "A", "position": [1.0, 1.0, 1.0], "signal": "impulse"},
"receivers": [{"name": "L", "position": [2.0, 2.0, 1.0]}], "valid_band": {"low": 20.0, "high": 1000.0}}
""" % ("0" * 64)

RECORD = (
    '{"room":%d,"status":"%s","base":"small.cfg","parameters":{"room.size":[1.5,2.5,3.5]},"volume":13.1,'
    '"valid_band":{"low":20,"high":900},"rate":48000,"seconds":0.5,"runs":1,'
    '"files":[{"file":"rooms/0000/room_%07d.wav","channels":["L"],"bytes":4,"checksum":"sha256:%s"}],'
    '"metrics":[{"source":"A","receiver":"L","bands":[{"frequency":500,"edt":0.5,"t30":null}]}],"message":"a, \\"b\\""}\n'
)

OBJ = """\
v 0 0 0
v 4 0 0
v 0 3 0
v 0 0 2
usemtl Floor oak
f 1 3 2
usemtl Wall_n\u00f6rth
f 1 2 4
f 1 4 3
f 2 3 4
\fFl*k
W?ll_n?rth
*?a*
"""

COMPLETION = (
    "materials: { felt: { impedance = 2.0; }; g*: { impedance = 3.0; }; };"
    "\fhall\f$(touch ran)\fit's\f-rf\fa b\fa\nb\f\x9b;`x`\f\u00fc_1.2"
)

CALIBRATION = """\
{"aula": "0.1.0", "calibration": [
{"channel": 1, "pascals_per_unit": 12.5, "calibrator_level": 94, "frequency": 1000, "device": "card"},
{"channel": 2, "pascals_per_unit": 9.75, "calibrator_level": 114, "frequency": 250, "device": "card"}]}
"""

CANDIDATES = "x,y,z,name\n# the front wall\n0.5,0.5,0.2,left\n2.0, 0.5, 0.2\n\n3.5,0.5,0.2,right\n1e0,2.5,0.2\n"
MATERIALS_CSV = "name;125;250;500;1k\nConcrete;0,01;0.02;0.03;1.05\n\"a; \"\"b\"\"\";0;1;0;1\n"
MATERIALS_CATT = "; list\nABS wool = < 21 12 9 6 9 13 > L < 1 2 3 4 5 6 > {1 2 3}\ntile <1 2 3 4 5 6>\n"
MATERIALS_ODEON = "101 W\u00e4nde\n\t0.1\t0.1\t0.1\t0.1\t0.1\t0.1\t0.1\t0.1\nrigid\n\t0 0 0 0 0 0 0 0\n"
MEASURED = "receiver,octave,t20,t30,edt,c80\n# seats\nleft,500,0.61,,0.55,3.1\n\n\"right\", 1000,-,0.6,0.5,\n"

METRES = ["Type", "cartesian", "Units", "metre"]
HARMONICS = ["Type", "spherical harmonics", "Units", "degree, degree, metre"]
DEGREES = ["Type", "spherical", "Units", "degree, degree, metre"]


def wav(kind: int, bits: int, channels: int, frames: int, chunk: bytes = b"") -> bytes:
    frame = channels * bits // 8
    data = (bytes(range(256)) * 8)[: frames * frame]
    form = struct.pack("<HHIIHH", kind, channels, 48000, 48000 * frame, frame, bits)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + chunk + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def comment_chunk(comment: bytes) -> bytes:
    return b"LIST" + struct.pack("<I", 12 + len(comment)) + b"INFOICMT" + struct.pack("<I", len(comment)) + comment


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def variable(name: str, letters: str, extent: list[int], values: list[float], attributes: list[str]) -> bytes:
    head = struct.pack("<6Q8s", len(attributes) // 2, len(extent), *extent, *[0] * (4 - len(extent)), letters.encode())
    return head + text(name) + b"".join(map(text, attributes)) + struct.pack(f"<{len(values)}d", *values)


def sofa(convention: str, kind: str, variables: list[bytes]) -> bytes:
    """A document as src/io/sofa/wire.c puts it."""
    attributes = ["Conventions", "SOFA", "SOFAConventions", convention, "DataType", kind]
    head = struct.pack("<4Q", 0x736F6661766F7831, 0, len(attributes) // 2, len(variables))
    return head + b"".join(map(text, attributes)) + b"".join(variables)


def hrtf(places: list[float]) -> bytes:
    count = len(places) // 3
    variables = [
        variable("ListenerPosition", "IC", [1, 3], [0.0] * 3, METRES),
        variable("ReceiverPosition", "RCI", [2, 3, 1], [0.0, 0.09, 0.0, 0.0, -0.09, 0.0], METRES),
        variable("SourcePosition", "MC", [count, 3], places, DEGREES),
        variable("Data.IR", "MRN", [count, 2, 4], [0.0, 1.0, 0.5, 0.2] * 2 * count, []),
        variable("Data.SamplingRate", "I", [1], [48000.0], ["Units", "hertz"]),
    ]
    return sofa("SimpleFreeFieldHRIR", "FIR", variables)


def directivity(places: list[float], axes: list[str]) -> bytes:
    count = len(places) // 3
    variables = [
        variable("ListenerPosition", "IC", [1, 3], [0.0] * 3, METRES),
        variable("ReceiverPosition", "RCI", [count, 3, 1], places, axes),
        variable("SourcePosition", "MC", [1, 3], [0.0] * 3, METRES),
        variable("N", "N", [3], [125.0, 500.0, 2000.0], ["Units", "hertz"]),
        variable("Data.Real", "MRN", [1, count, 3], [1.0] * 3 * count, []),
        variable("Data.Imag", "MRN", [1, count, 3], [0.0] * 3 * count, []),
    ]
    return sofa("FreeFieldDirectivityTF", "TF", variables)


def main() -> None:
    folder = Path(sys.argv[1])
    sound = wav(1, 16, 2, 200)
    checksum = hashlib.sha256(b"RIFF").hexdigest()  # of the sound in tests/fuzz/targets/manifest.c
    records = [(2, "done"), (0, "failed"), (1, "done")]
    places = [
        c for n in range(20) for c in (2.399963 * n % 6.283185 * 57.29578, math.asin(n / 10.0 - 0.95) * 57.29578, 1.5)
    ]
    message = b"/head/ypr\0\0\0,fff\0\0\0\0" + struct.pack(">fff", 10.0, 20.0, 30.0)
    bundle = b"#bundle\0" + bytes(8) + (struct.pack(">I", len(message)) + message) * 2
    seeds = {
        "completion.names": COMPLETION.encode(),
        "obj.matched": OBJ.encode(),
        "room.including": ROOM.encode(),
        "plan.based": PLAN.encode(),
        "calibration.json": CALIBRATION.encode(),
        "candidates.csv": CANDIDATES.encode(),
        "material_table.csv": MATERIALS_CSV.encode("utf-8-sig"),
        "material_table.txt": MATERIALS_CATT.encode(),
        "material_table.li8": MATERIALS_ODEON.encode("latin-1"),
        "measured.csv": MEASURED.encode(),
        "walk.csv": b"# a path\n\"time\",x, y,z,yaw\r\n0,1,2,1.5,350\n\n0.5,1.5,2,1.5,10\n",
        "sidecar.json": SIDECAR.encode(),
        "response.both": sound + b"\f" + SIDECAR.encode(),
        "manifest.jsonl": "".join(RECORD % (room, status, room, checksum) for room, status in records).encode(),
        "pcm16.wav": sound,
        "pcm24.wav": wav(1, 24, 1, 200),
        "float.wav": wav(3, 32, 4, 50, comment_chunk(b"impulse response of room.cfg, valid to 1000 Hz")),
        "osc.message": message,
        "osc.bundle": bundle,
        "sofa_wire.hrtf": hrtf(places),
        "sofa_wire.directivity": directivity(places, DEGREES),
        "sofa_wire.harmonics": directivity(places[: 3 * 16], HARMONICS),
    }
    for name, content in seeds.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
