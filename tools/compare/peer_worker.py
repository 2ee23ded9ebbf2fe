#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One step of one program in a process of its own, so that its time and memory are its own.

peer_worker.py pyroomacoustics|rir_generator|pffdtd ROOM TOP FOLDER [MORE ...]"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from box_field import RATE  # noqa: E402
from peer_programs import OCTAVES, write_wav  # noqa: E402
from peer_rooms import SPEED, Room, paris, room_of  # noqa: E402

ORDERS = 75  # of image sources, where no rays follow


def fitted(responses, room: Room):
    """[receiver][sample] of the room's length, cut or filled with silence."""
    count = int(round(room.seconds * RATE))
    return numpy.array([numpy.pad(h[:count], (0, max(0, count - len(h)))) for h in responses])


def run_pyroomacoustics(room: Room, top: float, folder: Path, way: str) -> None:
    import pyroomacoustics

    for name, value in (("c", SPEED), ("rir_hpf_enable", False), ("num_threads", int(os.environ["OMP_NUM_THREADS"]))):
        pyroomacoustics.constants.set(name, value)
    numpy.random.seed(1)
    bands = [float(f) for f in OCTAVES]
    materials = {
        name: pyroomacoustics.Material(
            {"coeffs": [paris(y)] * len(bands), "center_freqs": bands},
            {"coeffs": [room.scattering] * len(bands), "center_freqs": bands},
        )
        for name, y in room.admittances.items()
    }
    if way == "images":  # no bands: reflection is the same at all frequencies, and each image one pulse
        materials = {name: pyroomacoustics.Material(paris(y)) for name, y in room.admittances.items()}
    options = dict(fs=RATE, air_absorption=False, max_order=3 if way == "rays" else ORDERS, ray_tracing=way == "rays")
    if room.box:
        wall, floor = materials["wall"], materials["floor"]
        sides = dict(east=wall, west=wall, north=wall, south=wall, ceiling=wall, floor=floor)
        made = pyroomacoustics.ShoeBox(list(room.box), materials=sides, **options)
    else:  # its normals point out of the air
        walls = [
            pyroomacoustics.wall_factory(
                numpy.array(s.corners[::-1]).T,
                materials[s.material].energy_absorption["coeffs"],
                materials[s.material].scattering["coeffs"],
            )
            for s in room.surfaces()
        ]
        made = pyroomacoustics.Room(walls, **options)
    if way == "rays":
        made.set_ray_tracing(n_rays=100000, receiver_radius=0.3, hist_bin_size=0.002, time_thres=room.seconds)
    made.add_source(list(room.source))
    made.add_microphone_array(numpy.array(room.receivers).T)
    made.compute_rir()
    delay = pyroomacoustics.constants.get("frac_delay_length") // 2
    responses = [made.rir[r][0][delay:] / (4 * math.pi) for r in range(len(room.receivers))]  # 1 at 1 m
    write_wav(folder / "response.wav", fitted(responses, room))


def run_rir_generator(room: Room, top: float, folder: Path) -> None:
    import rir_generator

    assert room.box
    beta = [(1 - paris(y)) ** 0.5 for y in (room.walls,) * 4 + (room.floor, room.walls)]
    responses = rir_generator.generate(
        c=SPEED,
        fs=RATE,
        r=[list(p) for p in room.receivers],
        s=list(room.source),
        L=list(room.box),
        beta=beta,
        nsample=int(room.seconds * RATE),
        hp_filter=False,
    )
    write_wav(folder / "response.wav", fitted(responses.T, room))


def run_pffdtd(room: Room, top: float, folder: Path, place: str, grid: str, ppw: str, threads: str) -> None:
    sys.path.insert(0, os.path.join(place, "python"))
    import multiprocessing.shared_memory

    import h5py

    close = multiprocessing.shared_memory.SharedMemory.close

    def close_or_leave(memory) -> None:  # its arrays are still about, which Python since 3.10 or so does not forgive
        try:
            close(memory)
        except BufferError:
            pass

    setattr(multiprocessing.shared_memory.SharedMemory, "close", close_or_leave)
    from sim_setup import sim_setup  # type: ignore[import-not-found]

    files = {}
    for name, y in room.admittances.items():
        if y and any(s.material == name for s in room.surfaces()):
            files[name] = f"{name}.h5"
            with h5py.File(folder / files[name], "w") as file:
                file.create_dataset("DEF", data=numpy.array([[0.0, 1 / y, 0.0]]))
    sim_setup(
        insig_type="impulse",
        diff_source=True,  # as its authors advise for single precision
        fmax=top,
        PPW=float(ppw),
        fcc_flag=grid == "fcc",
        save_folder=str(folder),
        save_folder_gpu=str(folder),
        model_json_file=str(folder / "model.json"),
        mat_folder=str(folder),
        mat_files_dict=files,
        duration=room.seconds,
        Tc=20,
        rh=50,
        Nprocs=int(threads),
        compress=0,
    )


if __name__ == "__main__":
    step, name, top, folder, *more = sys.argv[1:]
    steps = {"pyroomacoustics": run_pyroomacoustics, "rir_generator": run_rir_generator, "pffdtd": run_pffdtd}
    steps[step](room_of(name), float(top), Path(folder), *more)
