#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the module aula._interface from src/app/api/aula.h: what cffi has to know of libaula, in its ABI mode.

make_interface.py AULA_H OUTPUT
"""

import re
import sys

import cffi


def declarations(header):
    """The declarations of the header as cffi takes them: without comments, guards and macros that are no whole
    numbers."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    lines = []
    for line in text.splitlines():
        if line.startswith("#") and not re.fullmatch(r"#define \w+ \w+\s*", line):
            continue
        if line.startswith("#define AULA_BROAD_BAND"):  # a name; cffi takes numbers
            continue
        lines.append(line)
    return "\n".join(lines).replace("AULA_API ", "")


def main(header_path, output):
    with open(header_path, encoding="utf-8") as file:
        header = file.read()
    maker = cffi.FFI()
    maker.cdef(declarations(header))
    maker.set_source("aula._interface", None)
    maker.emit_python_code(output)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
