# SPDX-License-Identifier: MIT
"""Sounds and pictures of the site: made by the commands of the pages themselves, and small.

A page whose blocks say what they show (blocks.py) is run in a folder of its own: each of those blocks and, in
tutorials, all others. What comes out is kept in a folder by a checksum of the commands and the program, so that
a second build takes none of that time."""

from __future__ import annotations

import hashlib
import html
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from .blocks import Block, blocks
from .reference import presets

SHIPPED = ("rooms", "share", "tools", "docs", "src", "python")
SECONDS_OF_PRESETS = {"string": 4.0, "bar": 3.0, "membrane": 2.5, "plate": 4.0}


def workplace(root: Path, aula: Path, folder: Path) -> dict[str, str]:
    """A folder in which commands of pages run as they do in that of the source, and their environment."""
    for name in SHIPPED:
        (folder / name).symlink_to(root / name)
    (folder / "impulses").mkdir()
    (folder / "build/release").mkdir(parents=True)
    (folder / "build/release/aula").symlink_to(aula)
    path = f"{folder / 'build/release'}:{os.environ.get('PATH', '/usr/bin:/bin')}"
    return {**os.environ, "PATH": path, "AULA_DATA": str(root), "OMP_WAIT_POLICY": "passive", "LC_ALL": "C.UTF-8"}


def lacking(block: Block) -> str:
    """What this machine lacks of what a block needs, or ""."""
    for need in block.needs:
        if not (Path(need).exists() if "/" in need else shutil.which(need)):
            return need
    return ""


def run(block: Block, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def encoded(source: Path, target: Path) -> str:
    """A sound as Opus, its first two channels, or as it is where there is no ffmpeg; the name it has then."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if shutil.which("ffmpeg"):
        made = target.with_suffix(".ogg")
        chosen = [] if channels(source) == 1 else ["-af", "pan=stereo|c0=c0|c1=c1"]
        done = subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", str(source), *chosen, "-c:a", "libopus", "-b:a", "56k"]
            + ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1", str(made)],
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return made.name
        made.unlink(missing_ok=True)
    made = target.with_suffix(source.suffix)
    shutil.copy(source, made)
    return made.name


def channels(source: Path) -> int:
    asked = ["ffprobe", "-v", "error", "-show_entries", "stream=channels", "-of", "csv=p=0", str(source)]
    shown = subprocess.run(asked, capture_output=True, text=True).stdout.split()
    return int(shown[0]) if shown and shown[0].isdigit() else 1


def player(address: str, title: str) -> str:
    name = html.escape(title)
    audio = f'<audio controls preload="none" src="{address}" title="{name}"></audio>'
    return f'<figure class="sound"><figcaption>{name}</figcaption>{audio}</figure>'


def picture(address: str, title: str) -> str:
    name = html.escape(title)
    return f'<figure><img src="{address}" alt="{name}" loading="lazy"><figcaption>{name}</figcaption></figure>'


class Studio:
    """kept: folder of what was made before. staged: where pages and their files go. say: for messages."""

    def __init__(self, root: Path, aula: Path, kept: Path, staged: Path, say: Callable[[str], None]) -> None:
        self.root, self.aula, self.kept, self.staged, self.say = root, aula, kept, staged, say
        self.program = hashlib.sha256(aula.read_bytes()).hexdigest()

    def shelf(self, *texts: str) -> Path:
        return self.kept / hashlib.sha256("\0".join([self.program, *texts]).encode()).hexdigest()[:24]

    def made(self, page: Path, chosen: list[Block]) -> Path:
        """The folder of what the blocks show, made now or before. A block that fails is an error."""
        names = [name for block in chosen for _, name, _ in block.shows]
        shelf = self.shelf(*(block.text for block in chosen), *names)
        if shelf.is_dir():
            return shelf
        self.say(f"sounds and pictures of {page.relative_to(self.root)}")
        with tempfile.TemporaryDirectory(prefix="aula-site-") as place:
            folder = Path(place)
            environment = workplace(self.root, self.aula, folder)
            missing = ""
            for block in chosen:
                missing = missing or lacking(block)
                if lacking(block):
                    self.say(f"{block.place}: left out: there is no {lacking(block)} here")
                    continue
                done = run(block, folder, environment)
                if done.returncode:
                    raise ValueError(f"{block.place} failed: {done.stderr.strip()}")
            fresh = shelf.with_suffix(".part")
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            for block in chosen:
                for kind, name, _ in block.shows:
                    if lacking(block):
                        continue
                    if kind == "sound":
                        encoded(folder / name, fresh / Path(name).name)
                    else:
                        shutil.copy(folder / name, fresh / Path(name).name)
            if missing:
                shelf = shelf.with_suffix(".incomplete")
                shutil.rmtree(shelf, ignore_errors=True)
            fresh.rename(shelf)
        return shelf

    def of_page(self, page: str) -> dict[int, str]:
        """HTML that follows the lines of a page at which blocks end that show something."""
        found = [block for block in blocks(self.root / page) if not block.left_out]
        if not any(block.shows for block in found):
            return {}
        chosen = found if "/tutorials/" in page else [block for block in found if block.shows]
        shelf = self.made(self.root / page, chosen)
        out: dict[int, str] = {}
        for block in chosen:
            shown = []
            for kind, name, title in block.shows:
                names = [Path(name).with_suffix(".ogg").name, Path(name).name] if kind == "sound" else [Path(name).name]
                file = next((shelf / each for each in names if (shelf / each).exists()), None)
                if file:
                    address = self.put(file, Path(page).parent / "media" / file.name)
                    shown.append(player(address, title) if kind == "sound" else picture(address, title))
            if shown:
                out[block.last - 1] = '<div class="shown">' + "".join(shown) + "</div>"
        return out

    def put(self, file: Path, place: Path) -> str:
        """A file of the site; its address from a page in the folder above `media`."""
        (self.staged / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, self.staged / place)
        return f"media/{place.name}"

    def of_presets(self) -> dict[str, str]:
        """A player for each preset: one blow, alone, heard by a pickup."""
        out: dict[str, str] = {}
        for entry in presets(self.root):
            name, kind = entry["name"], entry["type"]
            surface = kind in ("membrane", "plate")
            where, place = ("position = [2.0, 2.0, 1.5];", "[0.5, 0.3]") if surface else ("", "0.3")
            piece = f"""room: {{ size = [4.0, 4.0, 3.0]; }};
grid: {{ rate = 48000.0; }};
time: {{ duration = {SECONDS_OF_PRESETS.get(kind, 3.0)}; }};
instruments: ( {{ name = "one"; preset = "{name}"; {where} }} );
pickups: ( {{ instrument = "one"; place = {place}; }} );
score: {{ events: ( {{ time = 0.05; instrument = "one"; }} ); }};
output: {{ normalise = "peak"; rate = 48000; }};
"""
            shelf = self.shelf(piece)
            if not shelf.is_dir():
                self.say(f"sound of the preset {name}")
                with tempfile.TemporaryDirectory(prefix="aula-site-") as folder:
                    work = Path(folder)
                    (work / "one.cfg").write_text(piece, encoding="utf-8")
                    done = subprocess.run(
                        [str(self.aula), "synth", "one.cfg", "--dry", "-q", "-o", f"{name}.wav"],
                        cwd=work,
                        env={**os.environ, "AULA_DATA": str(self.root)},
                        capture_output=True,
                        text=True,
                        stdin=subprocess.DEVNULL,
                    )
                    if done.returncode:
                        raise ValueError(f"the preset {name} does not sound: {done.stderr.strip()}")
                    encoded(work / f"{name}.wav", shelf.with_suffix(".part") / f"{name}.wav")
                shelf.with_suffix(".part").rename(shelf)
            file = next(iter(shelf.iterdir()))
            out[name] = player(self.put(file, Path("reference/media") / file.name), name)
        return out
