# SPDX-License-Identifier: MIT
"""The programs that are compared: why one is missing, what is run for a room, and the responses that come of it.

A program is a row of PROGRAMS. Its commands run one after the other in a folder of their own, each in a process of its
own; `spectra` then gives [receiver][frequency] on box_field.grid_of, a source being 1/(4 pi r) in free field."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy

from box_field import RATE, grid_of, spectra_of
from peer_rooms import Room, paris

HERE = Path(__file__).resolve().parent
OCTAVES = [125, 250, 500, 1000, 2000, 4000, 8000]


@dataclass(frozen=True)
class Setting:
    """Where programs are, and what is asked of them."""

    top: float  # Hz: edge of the band that waves have to be right in
    threads: int
    aula: str
    pffdtd: str | None  # its folder, c_cuda and python inside
    pffdtd_python: str = sys.executable  # its set-up takes a numpy before 1.24

    def environment(self) -> dict[str, str]:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "PRA_NUM_THREADS")
        return {**os.environ, **dict.fromkeys(names, str(self.threads))}


@dataclass(frozen=True)
class Program:
    name: str
    kind: str  # what it computes, for the page
    missing: Callable[[Setting], str | None]
    fits: Callable[[Room], bool]
    commands: Callable[[Room, Setting, Path], list[tuple[str, list[str]]]]  # (step, words)
    spectra: Callable[[Room, Setting, Path], numpy.ndarray]
    size: Callable[[Room, Setting, Path], tuple[float, ...] | None]  # m, of a box on the program's grid
    points_per_wavelength: float | None = None


def worker(step: str, room: Room, setting: Setting, folder: Path, *more: str) -> list[str]:
    return [sys.executable, str(HERE / "peer_worker.py"), step, room.name, str(setting.top), str(folder), *more]


def module_missing(*names: str) -> Callable[[Setting], str | None]:
    def missing(_: Setting) -> str | None:
        lacking = [name for name in names if importlib.util.find_spec(name) is None]
        return f"{sys.executable} has no {', '.join(lacking)}" if lacking else None

    return missing


def read_wav(path: Path) -> tuple[numpy.ndarray, int]:
    """[channel][sample] of a WAV file of 32 bit floats, and its rate."""
    data, at, kind, channels, rate = path.read_bytes(), 12, (0, 0), 1, 0
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        part = data[at + 8 : at + 8 + size]
        if name == b"fmt ":
            code = int.from_bytes(part[24:26] if part[:2] == b"\xfe\xff" else part[:2], "little")
            kind = (code, int.from_bytes(part[14:16], "little"))
            channels, rate = int.from_bytes(part[2:4], "little"), int.from_bytes(part[4:8], "little")
        if name == b"data":
            if kind != (3, 32):
                raise ValueError(f"{path} is not of 32 bit floats")
            return numpy.frombuffer(part[: size // (4 * channels) * 4 * channels], "<f4").reshape(
                -1, channels
            ).T.astype(float), rate
        at += 8 + size + size % 2
    raise ValueError(f"{path} is no WAV file")


def write_wav(path: Path, channels: numpy.ndarray) -> None:
    """32 bit floats at RATE."""
    count, data = len(channels), numpy.ascontiguousarray(channels.T, "<f4").tobytes()
    form = b"".join(
        n.to_bytes(size, "little")
        for n, size in ((3, 2), (count, 2), (RATE, 4), (RATE * count * 4, 4), (count * 4, 2), (32, 2))
    )
    chunks = b"WAVEfmt " + len(form).to_bytes(4, "little") + form + b"data" + len(data).to_bytes(4, "little") + data
    path.write_bytes(b"RIFF" + len(chunks).to_bytes(4, "little") + chunks)


def no_size(_: Room, __: Setting, ___: Path) -> None:
    return None


# aula


def aula_missing(setting: Setting) -> str | None:
    return None if shutil.which(setting.aula) else f"{setting.aula} is not there: build it, or set AULA"


def aula_file(room: Room, setting: Setting, top: float | None, scheme: str) -> str:
    """top: where waves end and images and rays begin; None: waves alone, to the edge that all are compared to."""

    def vector(point: tuple[float, ...]) -> str:
        return "[" + ", ".join(f"{x:.4f}" for x in point) + "]"

    def wall(name: str) -> str:
        return "rigid" if room.admittances[name] == 0 else name

    shape = (
        f"size = {vector((*room.plan[2], room.height))};"
        if len(room.plan) == 4
        else f"corners = ({', '.join(vector(c) for c in room.plan)}); height = {room.height:.4f};"
    )
    blocks = ", ".join(
        f'{{ shape = "box"; from = {vector(b.start)}; to = {vector(b.end)}; material = "{wall(b.material)}"; }}'
        for b in room.blocks
    )
    materials = " ".join(
        f"{name} = {{ impedance = {1 / y:.6f}; scattering = {room.scattering:.3f}; }};"
        for name, y in room.admittances.items()
        if y
    )
    output = "" if top else 'filter = "linear-phase"; '
    return f"""# {room.title}
room: {{ {shape} walls: {{ default = "{wall("wall")}"; z_min = "{wall("floor")}"; }};
        objects: ( {blocks} ); }};
materials: {{ {materials} }};
air: {{ losses = false; }};
grid: {{ max_frequency = {top or setting.top:.1f}; scheme = "{scheme}"; }};
hybrid: {{ full = {"true" if top else "false"}; }};
time: {{ duration = {room.seconds}; }};
sources: ( {{ position = {vector(room.source)}; }} );
receivers: ( {", ".join(f"{{ position = {vector(r)}; }}" for r in room.receivers)} );
output: {{ rate = {RATE}; format = "float"; {output}}};
"""


def aula_commands(
    scheme: str, top: float | None = None
) -> Callable[[Room, Setting, Path], list[tuple[str, list[str]]]]:
    def commands(room: Room, setting: Setting, folder: Path) -> list[tuple[str, list[str]]]:
        file = folder / "room.cfg"
        file.write_text(aula_file(room, setting, top, scheme))
        words = [setting.aula, "render", str(file), "-o", str(folder / "response.wav"), "-q"]
        return [("whole", [*words, "--engine", "cpu", "--threads", str(setting.threads)])]

    return commands


def aula_spectra(room: Room, setting: Setting, folder: Path) -> numpy.ndarray:
    """Without the two one-pole filters at 10 Hz that take out an offset: the others have none."""
    s = 1j * grid_of(room, 1.3 * setting.top)
    return wav_spectra(room, setting, folder) * ((s + 2 * math.pi * 10) / s) ** 2


def wav_spectra(room: Room, setting: Setting, folder: Path) -> numpy.ndarray:
    responses, rate = read_wav(folder / "response.wav")
    return spectra_of(responses[:, : int(room.seconds * rate)], rate, grid_of(room, 1.3 * setting.top))


def aula_size(room: Room, _: Setting, folder: Path) -> tuple[float, ...]:
    grid = json.loads((folder / "response.json").read_text())["grid"]
    return tuple(grid["size"])


# PFFDTD (B. Hamilton 2021, MIT): set up by its Python, stepped by its C program


def pffdtd_missing(setting: Setting) -> str | None:
    if setting.pffdtd is None:
        return "no folder was named: --pffdtd FOLDER, or PFFDTD"
    for file in ("python/sim_setup.py", "c_cuda/fdtd_main_cpu_single.x"):
        if not (Path(setting.pffdtd) / file).exists():
            return f"{setting.pffdtd}/{file} is not there (make cpu in c_cuda)"
    # the names of types that numpy 1.24 took out are what its set-up asks for
    modules = "h5py, numba, numpy, psutil, scipy, tqdm, memory_profiler"
    asked = subprocess.run(
        [setting.pffdtd_python, "-c", f"import {modules}; numpy.finfo(numpy.float)"], capture_output=True, text=True
    )
    if asked.returncode:
        return f"{setting.pffdtd_python}: {asked.stderr.strip().splitlines()[-1][:120]} (numpy before 1.24, --pffdtd-python)"
    return module_missing("h5py")(setting)


def pffdtd_json(room: Room) -> dict[str, object]:
    """Its exchange format: triangles of each material, which sound meets on the side of their normal (2); rigid: 0."""
    found: dict[str, object] = {}
    for material in {s.material for s in room.surfaces()}:
        triangles = [t for s in room.surfaces() if s.material == material for t in s.triangles()]
        rigid = room.admittances[material] == 0
        part = found.setdefault(
            "_RIGID" if rigid else material, {"tris": [], "pts": [], "color": [128, 128, 128], "sides": []}
        )
        assert isinstance(part, dict)
        for triangle in triangles:
            first = len(part["pts"])
            part["pts"] += [list(c) for c in triangle]
            part["tris"].append([first, first + 1, first + 2])
            part["sides"].append(0 if rigid else 2)
    return {
        "mats_hash": found,
        "sources": [{"name": "S1", "xyz": list(room.source)}],
        "receivers": [{"name": f"R{i + 1}", "xyz": list(r)} for i, r in enumerate(room.receivers)],
    }


def pffdtd_commands(grid: str, ppw: float) -> Callable[[Room, Setting, Path], list[tuple[str, list[str]]]]:
    def commands(room: Room, setting: Setting, folder: Path) -> list[tuple[str, list[str]]]:
        assert setting.pffdtd is not None
        (folder / "model.json").write_text(json.dumps(pffdtd_json(room)))
        setup = [
            setting.pffdtd_python,
            *worker("pffdtd", room, setting, folder, setting.pffdtd, grid, str(ppw), str(setting.threads))[1:],
        ]
        program = os.path.abspath(os.path.join(setting.pffdtd, "c_cuda/fdtd_main_cpu_single.x"))
        return [("set-up", setup), ("steps", [program])]

    return commands


def pffdtd_spectra(room: Room, setting: Setting, folder: Path) -> numpy.ndarray:
    import h5py

    with h5py.File(folder / "sim_outs.h5") as file:
        taps = file["u_out"][()]
    with h5py.File(folder / "comms_out.h5") as file:
        weights, differentiated, order = file["out_alpha"][()], bool(file["diff"][()]), file["out_reorder"][()]
    with h5py.File(folder / "sim_consts.h5") as file:
        rate = 1 / float(file["Ts"][()])
    assert sorted(order) == list(range(len(order)))
    responses = (taps * weights.reshape(-1)[:, None]).reshape(*weights.shape, -1).sum(1)
    omega = grid_of(room, 1.3 * setting.top)
    found = spectra_of(responses, rate, omega)
    if differentiated:  # by the bilinear transform
        found /= 2j * rate * numpy.tan(omega / (2 * rate))
    return found


def pffdtd_size(room: Room, _: Setting, folder: Path) -> tuple[float, ...] | None:
    """Points lie half a spacing from the lower walls, and walls half a spacing from the last points inside."""
    import h5py

    with h5py.File(folder / "sim_consts.h5") as file:
        spacing = float(file["h"][()])
    return tuple(round(x / spacing) * spacing for x in room.box) if room.box else None


# pyroomacoustics (Scheibler, Bezzam, Dokmanic 2018, MIT) and rir-generator (Habets, MIT)


def worker_commands(step: str, *more: str) -> Callable[[Room, Setting, Path], list[tuple[str, list[str]]]]:
    def commands(room: Room, setting: Setting, folder: Path) -> list[tuple[str, list[str]]]:
        return [("whole", worker(step, room, setting, folder, *more))]

    return commands


# acoustic-spaces (GPL): only run, by its own command


def spaces_missing(_: Setting) -> str | None:
    return None if spaces_command() else "there is no acoustic-spaces beside this Python, nor in PATH"


def spaces_command() -> str | None:
    beside = os.path.join(os.path.dirname(sys.executable), "acoustic-spaces")
    return beside if os.access(beside, os.X_OK) else shutil.which("acoustic-spaces")


def spaces_commands(room: Room, setting: Setting, folder: Path) -> list[tuple[str, list[str]]]:
    lines, count = ["# m"], 0
    for surface in room.surfaces():
        lines.append(f"usemtl {surface.material}")
        for triangle in surface.triangles():
            lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in triangle]
            lines.append(f"f {count + 1} {count + 2} {count + 3}")
            count += 3
    (folder / "room.obj").write_text("\n".join(lines) + "\n")
    materials = {
        name: {"absorption": [round(paris(y), 5)] * 8, "scattering": room.scattering}
        for name, y in room.admittances.items()
    }
    places = [{"name": f"R{i + 1:02d}", "position": list(r)} for i, r in enumerate(room.receivers)]
    scene = {
        "name": room.name,
        "geometry": {"file": "room.obj", "units": "m", "up_axis": "z"},
        "materials": materials,
        "assignments": {name: name for name in materials},
        "sources": [{"name": "S1", "position": list(room.source)}],
        "listeners": places,
        "simulation": {
            "early": {"method": "image_sources" if room.box else "ray_tracing", "max_order": 3},
            "wave": {"enabled": True, "max_band_hz": 500, "device": "cpu"},
            "late": {"rays": 100000, "device": "cpu"},
            "performance": {"threads": setting.threads},
            "ir_length_s": room.seconds,
            "sample_rate": RATE,
            "seed": 1,
        },
        "outputs": ["mono"],
    }
    (folder / "scene.yaml").write_text(json.dumps(scene, indent=1))  # JSON is YAML
    command = spaces_command()
    assert command
    return [("whole", [command, "simulate", str(folder / "scene.yaml"), "--out", str(folder / "results")])]


def spaces_spectra(room: Room, setting: Setting, folder: Path) -> numpy.ndarray:
    files = sorted((folder / "results").rglob("*.wav"))
    if len(files) != len(room.receivers):
        raise ValueError(f"{folder}/results has {len(files)} sounds for {len(room.receivers)} receivers")
    responses = [read_wav(f) for f in files]
    count = min(h.shape[1] for h, _ in responses)
    stacked = numpy.vstack([h[:1, :count] for h, _ in responses]) / (4 * math.pi)  # 1 at 1 m
    return spectra_of(stacked[:, : int(room.seconds * RATE)], RATE, grid_of(room, 1.3 * setting.top))


def everywhere(_: Room) -> bool:
    return True


PROGRAMS = (
    Program(
        "aula", "waves: 19-point, mapped", aula_missing, everywhere, aula_commands("auto"), aula_spectra, aula_size, 4.0
    ),
    Program(
        "aula, 7-point",
        "waves: 7-point",
        aula_missing,
        everywhere,
        aula_commands("7-point"),
        aula_spectra,
        aula_size,
        7.6,
    ),
    Program(
        "aula, rays",
        "waves to 180 Hz, images and 100,000 rays above",
        aula_missing,
        everywhere,
        aula_commands("auto", 180.0),
        aula_spectra,
        aula_size,
    ),
    Program(
        "PFFDTD, 7-point",
        "waves: 7-point",
        pffdtd_missing,
        everywhere,
        pffdtd_commands("cart", 7.6),
        pffdtd_spectra,
        pffdtd_size,
        7.6,
    ),
    Program(
        "PFFDTD, FCC",
        "waves: 13-point FCC",
        pffdtd_missing,
        everywhere,
        pffdtd_commands("fcc", 5.7),
        pffdtd_spectra,
        pffdtd_size,
        5.7,
    ),
    Program(
        "pyroomacoustics, images",
        "image sources",
        module_missing("pyroomacoustics"),
        lambda room: room.box is not None,
        worker_commands("pyroomacoustics", "images"),
        wav_spectra,
        no_size,
    ),
    Program(
        "pyroomacoustics, rays",
        "image sources to order 3, 100,000 rays",
        module_missing("pyroomacoustics"),
        everywhere,
        worker_commands("pyroomacoustics", "rays"),
        wav_spectra,
        no_size,
    ),
    Program(
        "rir-generator",
        "image sources",
        module_missing("rir_generator"),
        lambda room: room.box is not None,
        worker_commands("rir_generator"),
        wav_spectra,
        no_size,
    ),
    Program(
        "acoustic-spaces",
        "waves to the octave of 500 Hz, images and rays above",
        spaces_missing,
        everywhere,
        spaces_commands,
        spaces_spectra,
        no_size,
    ),
)
