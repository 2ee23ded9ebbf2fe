# SPDX-License-Identifier: MIT
"""Random small rooms, pieces, settings and plans, most of which are right (tools/soak)."""

import json
import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DIRECTIVITIES = ["omni", "cardioid", "supercardioid", "hypercardioid", "figure_of_eight"]
KEMAR = Path("/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa")
# Keys that set the cost of a room, or name a file, are never drawn from the whole of their range.
COSTLY = re.compile(
    r"grid|time|hybrid\.(rays|order)|size|points|corners|height|file|count|spacing|geometry|cells|output.rate|length|hrtf"
)


def cfg(value):
    """A value as libconfig writes it: numbers in [ ], all else in ( )."""
    if isinstance(value, dict):
        return "{ " + " ".join(f"{key} = {cfg(item)};" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        numbers = value and all(isinstance(item, (int, float)) for item in value)
        return ("[%s]" if numbers else "(%s)") % ", ".join(cfg(item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return (
        json.dumps(value) if isinstance(value, str) else f"{value:.9g}" if isinstance(value, int) else f"{value:#.9g}"
    )


def text(groups):
    """A file of such groups."""
    return "\n".join(f"{key} = {cfg(value)};" for key, value in groups.items()) + "\n"


class Rooms:
    """Draws rooms: `r` is a random.Random, `size` where sources and receivers of the room at work are, from 0 on, m."""

    def __init__(self, r):
        library = (ROOT / "rooms/materials.cfg").read_text().split("scattering_classes")[0]
        instruments = (ROOT / "rooms/instruments.cfg").read_text()
        self.r, self.library = r, re.findall(r"^  (\w+) *=", library, re.MULTILINE)
        self.presets = re.findall(r'^  (\w+) *=\s*\{\s*type = "(\w+)"', instruments, re.MULTILINE)

    def some(self, share):
        return self.r.random() < share

    def log(self, low, high):
        return math.exp(self.r.uniform(math.log(low), math.log(high)))

    def place(self, margin=0.1):
        return [round(self.r.uniform(margin, 1 - margin) * side, 4) for side in self.size]

    def angles(self):
        return [self.r.uniform(-180, 180), self.r.uniform(-90, 90), self.r.uniform(-180, 180)]

    def material(self):
        return self.r.choice(["rigid", "fixed", "m0", "m1", "plaster"] + self.r.sample(self.library, 3))

    def materials(self):
        r = self.r
        kinds = [
            lambda: {"absorption": [round(r.uniform(0, 1), 3)] * 8},
            lambda: {
                "bands": [250.0, 500.0, 1000.0],
                "absorption": [round(r.uniform(0.01, 0.9), 2) for _ in range(3)],
                "scattering": r.random(),
            },
            lambda: {"impedance": self.log(0.1, 1e4), "scattering": self.r.choice(["audience", "auto"])},
            lambda: {
                "branches": [
                    [self.log(1e-6, 1e-2), self.log(0.1, 100), self.log(1, 1e5)] for _ in range(r.randint(1, 4))
                ]
            },
        ]
        kinds.append(lambda: {"layers": self.layers(), "partitioned": self.some(0.5)})
        made = {name: r.choice(kinds)() for name in ("m0", "m1")}
        for material in made.values():
            if self.some(0.2):
                material["transmission"] = {"mass": self.log(0.5, 500), "resistance": self.r.choice([0.0, 200.0])}
        return made

    def layers(self):
        r = self.r
        porous = {"kind": "porous", "thickness": r.uniform(0.01, 0.1), "flow_resistivity": self.log(3e3, 1e5)}
        gap = {"kind": "air", "thickness": r.uniform(0.02, 0.3)}
        front = [
            {"kind": "cloth", "flow_resistance": self.log(50, 2000)},
            {"kind": "membrane", "mass": self.log(0.5, 15), "loss": r.uniform(0.0, 0.2)},
            {"kind": "perforated", "thickness": r.uniform(0.003, 0.02), "hole": 0.006, "spacing": r.uniform(0.01, 0.05)},
            {"kind": "slotted", "thickness": r.uniform(0.003, 0.02), "slot": 0.004, "spacing": r.uniform(0.01, 0.05)},
        ]
        return r.sample(front, r.randint(0, 1)) + r.choice([[porous], [gap], [porous, gap]])

    def body(self):
        r, corner = self.r, self.place(0.0)
        far = [a + r.uniform(0.05, 0.5) * side for a, side in zip(corner, self.size)]
        turned = {"rotation": self.angles()} if self.some(0.3) else {}
        polygon = [
            [corner[0] + 0.3 * math.cos(a), corner[1] + 0.3 * math.sin(a)]
            for a in sorted(r.uniform(0, 6.28) for _ in range(r.randint(3, 6)))
        ]
        return r.choice(
            [
                {"shape": "box", "from": corner, "to": far, **turned},
                {
                    "shape": "wedge",
                    "from": corner,
                    "to": far,
                    "rises": r.choice(["x_min", "x_max", "y_min", "y_max"]),
                    **turned,
                },
                {"shape": "cylinder", "from": corner, "to": far, "radius": self.log(0.01, 0.5)},
                {"shape": "sphere", "position": corner, "radius": self.log(0.01, 0.5)},
                {"shape": "polygon", "corners": polygon, "bottom": corner[2], "top": far[2]},
            ]
        ) | {"material": self.material()}

    def shape(self):
        r = self.r
        self.size = [round(self.log(0.5, 4), 3) for _ in range(3)]
        x, y, z = self.size
        walls = {"default": self.material(), r.choice(["z_min", "z_max"]): self.material()}
        kind = r.choices(["box", "corners", "model"], [6, 3, 2])[0]
        if kind == "box":
            return {"size": self.size, "walls": walls | ({"x_max": self.material()} if self.some(0.3) else {})}
        if kind == "corners":
            a, b = x * r.uniform(0.3, 0.9), y * r.uniform(0.3, 0.9)
            plan = r.choice(
                [[[0, 0], [x, 0], [x, b], [a, b], [a, y], [0, y]], [[0, 0], [x, 0], [x, y], [a, y], [0, b]]]
            )
            self.size = [a, b, z]  # sources and receivers are there
            return {"corners": [[float(c) for c in corner] for corner in plan], "height": z, "walls": walls}
        name, self.size = r.choice([("living_room", [6.7, 4.6, 2.5]), ("recording_studio", [6.9, 6.2, 2.8])])
        up = {"up": r.choice(["y", "file"])} if self.some(0.1) else {}
        return {"geometry": {"file": f"{ROOT}/rooms/{name}.obj", "unit": "m", "default": self.material(), **up}}

    def source(self, n):
        r = self.r
        played = r.choices(["impulse", "raised_cosine", "gaussian", "sweep", "file"], [8, 1, 1, 1, 1])[0]
        more = {
            "raised_cosine": {"width": self.log(1e-4, 1e-2)},
            "gaussian": {"width": self.log(1e-4, 1e-2)},
            "sweep": {"length": self.log(0.01, 0.3)},
            "file": {"file": f"{ROOT}/share/sounds/clicks.flac"},
        }
        source = {
            "name": r.choice([f"S{n}", f"Source {n}"]),
            "position": self.place(),
            "signal": played,
            **more.get(played, {}),
        }
        if self.some(0.2):
            source["position"] = self.place(0.4)  # it needs air around it
            files = [f"{ROOT}/share/directivities/{name}.sofa" for name in ("talker", "loudspeaker")]
            source |= {"directivity": r.choice(DIRECTIVITIES + files), "orientation": self.angles()}
        return source | ({"gain": r.choice([-1.0, 1e-3, 30.0])} if self.some(0.2) else {})

    def receiver(self, n):
        r = self.r
        kind = r.choices(
            ["omni", "ambisonic", "velocity", "array", "binaural", *DIRECTIVITIES[1:]], [8, 3, 1, 2, 2, 1, 1, 1, 1]
        )[0]
        receiver = {"name": f"R{n}", "type": kind, "position": self.place(0.1 if kind in ("omni", "array") else 0.4)}
        if kind == "array":
            near = 0.1 * min(self.size)
            receiver |= r.choice(
                [
                    {"shape": "circle", "radius": near, "count": r.randint(1, 12)},
                    {"shape": "sphere", "radius": near, "count": r.randint(1, 20)},
                    {"shape": "line", "from": [0.0, 0.0, 0.0], "to": [near, near, 0.0], "count": r.randint(2, 9)},
                    {"positions": [[0.0, 0.0, 0.0], [near, 0.0, near]]},
                ]
            )
        if kind == "binaural":
            receiver |= {"hrtf": str(KEMAR)} if KEMAR.exists() or self.some(0.1) else {"type": "omni"}
        elif kind != "omni" and kind != "array":
            receiver |= {"orientation": self.angles()}
        return receiver | ({"order": r.choice([1, 1, 1, 2, 2, 3, 4])} if kind == "ambisonic" else {})

    def instruments(self):
        r = self.r
        names = [f"I{n}" for n in range(r.randint(1, 3))]
        instruments = []
        for name in names:
            preset, kind = r.choice(self.presets)
            instrument = {"name": name, "preset": preset}
            if kind in ("membrane", "plate"):
                instrument |= {"position": self.place(0.3), "normal": r.choice("xyz")}
                if self.some(0.5):
                    instrument["radius"] = self.log(0.05, 0.4)
            elif instruments and self.some(0.6):
                instrument["body"] = r.choice(instruments)["name"]
            instruments.append(instrument)
        events = [
            {"time": r.uniform(0, 0.05), "instrument": r.choice(names), "force": self.log(0.1, 100)}
            for _ in range(r.randint(1, 5))
        ]
        pickups = [
            {"instrument": n["name"], "place": [0.4, 0.1] if "position" in n else 0.4}
            for n in instruments
            if self.some(0.4)
        ]
        return {"instruments": instruments, "score": {"events": events}, **({"pickups": pickups} if pickups else {})}

    def room(self, piece):
        r, room = self.r, {"room": self.shape()}
        if self.some(0.4):
            room["room"]["objects"] = [self.body() for _ in range(r.randint(1, 3))]
        # As many points and steps as some seconds hold, with the sanitizers and the slowest kernel.
        sources, points = r.choice([1, 1, 1, 2, 3]), self.log(2000, 40000)
        top = max(12.0, 343 / 7.6 * (points / math.prod(self.size)) ** (1 / 3))  # of the 7-point scheme
        grid = r.choices([{"max_frequency": top}, {"rate": max(110.0, 13 * top)}], [4, 1])[0]
        grid |= {"scheme": "7-point"} if self.some(0.3) else {}
        room["grid"] = grid | ({"precision": "double"} if self.some(0.2) else {})
        length = max(0.005, min(0.8, 2e7 / (points * sources * 13 * top)))
        room["time"] = {"max_duration": length} if self.some(0.2) else {"duration": self.log(0.004, length)}
        room["hybrid"] = {"full": self.some(0.3), "rays": r.choice([0, 1000, 3000]), "order": r.randint(1, 3)}
        room["air"] = {"temperature": r.uniform(-20, 40), "humidity": r.uniform(0, 100), "losses": self.some(0.7)}
        room["output"] = {
            "rate": r.choice([8000, 44100, 48000, "grid"]),
            "format": r.choice(["float", "double", "pcm24", "pcm16"]),
            "filter": r.choices(["valid", "linear-phase", "none"], [6, 1, 1])[0],
            "normalise": r.choice(["none", "peak"]),
        }
        room["materials"] = self.materials()
        room |= self.instruments() if piece else {"sources": [self.source(n) for n in range(sources)]}
        return room | {"receivers": [self.receiver(n) for n in range(r.choice([1, 1, 2, 3]))]}

    def setting(self, keys, room):
        """--set of any key: a value of its range, at its edge, or none of it."""
        keys = [key for key in keys if key["key"].split(".")[0].split("[")[0] in room and not COSTLY.search(key["key"])]
        r, key = self.r, self.r.choice(keys)
        low, high = key.get("least", key.get("above", 0)), key.get("most", 1)
        number = r.choice(
            [low, high, r.uniform(low, high), low + (high - low) * self.log(1e-6, 1), "nan", "1e999", -1, ""]
        )
        values = {
            "choice": key.get("choices", []),
            "material": ["rigid", "plaster", "", "m1"],
            "logical": ["true", "false"],
        }
        value = r.choice(
            values.get(key["type"]) or [number, f"[{number}]", f"[{number}, {number}, {number}]", "( )", 'a"b']
        )
        return ["--set", re.sub("NAME", "m0", key["key"]).replace("[]", "[0]") + f"={value}"]

    def plan(self, base):
        r = self.r
        vary = [
            {"key": "air.temperature", "uniform": [10.0, 30.0]},
            {"key": "room.walls.default", "choice": ("plaster", "brick", "m0")},
        ]
        vary += [{"key": "receivers[0].position", "place": "room"}] if self.some(0.5) else []
        files = r.choice(["wav", "sofa", "netcdf", "hdf5", "webdataset", "parquet"])
        return {"base": base, "seed": 1, "rooms": r.randint(1, 3), "vary": vary, "output": {"files": files}}
