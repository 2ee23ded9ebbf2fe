#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a Dockerfile without Docker: each stage in a folder that begins as an archive of a Debian system, each RUN by chroot.

    dockerfile.py CONTEXT ARCHIVE WORK [NAME=VALUE ...] [-- ARGUMENT ...]

builds CONTEXT/packaging/Dockerfile with these build arguments below WORK, on the files of the tar archive ARCHIVE in the place of debian:12-slim,
and starts the image's entry point with the arguments. Knows what that Dockerfile uses: ARG, ENV, FROM, COPY, RUN, WORKDIR, ENTRYPOINT, CMD.
Stages that the last one does not need are left out. Wants root.
"""

import json
import os
import re
import shutil
import subprocess
import sys

BASE = "debian:12-slim"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def instructions(path):
    """Pairs of a word and its text, continued lines joined."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, text = line.strip().partition(" ")
            yield word.upper(), text.strip()


def expanded(text, values):
    return re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], ""), text)


def in_root(root, folder, environment, command):
    settings = [f"{name}={value}" for name, value in environment.items()]
    change = 'cd "$0" && exec "$@"'
    subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc", "chroot", root, "env", "-i"]
        + [f"PATH={PATH}", "HOME=/root", "DEBIAN_FRONTEND=noninteractive", *settings, "sh", "-c", change, folder, *command],
        check=True,
    )


class Stage:
    """A root, and what its instructions have set."""

    def __init__(self, root, origin, archive):
        self.root, self.folder, self.entry, self.command = root, "/", [], []
        self.environment, self.arguments = {}, {}
        if isinstance(origin, Stage):
            subprocess.run(["cp", "-a", origin.root, root], check=True)
            self.environment.update(origin.environment)
            self.arguments.update(origin.arguments)
        elif origin == BASE:
            os.makedirs(root)
            subprocess.run(["tar", "-xf", archive, "-C", root], check=True)
            shutil.copy("/etc/resolv.conf", root + "/etc/resolv.conf")
        else:
            sys.exit(f"dockerfile.py: FROM {origin}: {BASE} alone can be had here")

    def path(self, name):
        return os.path.normpath(self.root + os.path.join(self.folder, name))

    def copy(self, origin, names):
        """COPY, of files and of the content of folders."""
        *sources, target = names
        into = self.path(target)
        for source in sources:
            source = os.path.join(origin, source.lstrip("/"))
            if os.path.isdir(source):
                os.makedirs(into, exist_ok=True)
                subprocess.run(["cp", "-a", os.path.join(source, "."), into], check=True)
            else:
                os.makedirs(os.path.dirname(into), exist_ok=True)
                shutil.copy(source, into)


def main(context, archive, work, *rest):
    rest = list(rest)
    cut = rest.index("--") if "--" in rest else len(rest)
    given = dict(setting.split("=", 1) for setting in rest[:cut])
    chosen, declared, parts = {}, {}, []
    for word, text in instructions(os.path.join(context, "packaging/Dockerfile")):
        if word == "FROM":
            origin, _, name = expanded(text, chosen).partition(" AS ")
            parts.append((origin, name or "the last", []))
        elif parts:
            parts[-1][2].append((word, text))
        elif word == "ARG":
            name, _, value = text.partition("=")
            declared[name] = value
            chosen[name] = given.get(name, value)
    unknown = set(given) - set(declared)
    if unknown:
        sys.exit(f"dockerfile.py: no ARG {', '.join(sorted(unknown))}")

    needed = {parts[-1][1]}
    for origin, name, steps in reversed(parts):
        if name in needed:
            needed.add(origin)
            needed.update(match[1] for word, text in steps if word == "COPY" and (match := re.match(r"--from=(\S+)", text)))
    stages = {}
    for origin, name, steps in parts:
        if name not in needed:
            continue
        stage = stages[name] = Stage(os.path.join(work, name.replace(" ", "-")), stages.get(origin, origin), archive)
        for word, text in steps:
            print(f"== {name}: {word} {text}", flush=True)
            values = {**stage.environment, **stage.arguments}
            if word == "ARG":
                key, _, value = text.partition("=")
                stage.arguments[key] = value or chosen.get(key, "")
            elif word == "ENV":
                key, _, value = text.partition("=")
                stage.environment[key] = value
            elif word == "WORKDIR":
                stage.folder = text
                os.makedirs(stage.path("."), exist_ok=True)
            elif word == "COPY":
                match = re.match(r"--from=(\S+) +", text)
                stage.copy(stages[match[1]].root if match else context, text[match.end() if match else 0 :].split())
            elif word == "RUN":
                in_root(stage.root, stage.folder, values, ["sh", "-e", "-c", text])
            elif word in ("ENTRYPOINT", "CMD"):
                setattr(stage, "entry" if word == "ENTRYPOINT" else "command", json.loads(text))
            else:
                sys.exit(f"dockerfile.py: {word}: not known here")
    image = stages[parts[-1][1]]
    in_root(image.root, image.folder, image.environment, image.entry + (rest[cut + 1 :] or image.command))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
