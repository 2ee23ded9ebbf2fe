#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the module aula._interface, the cffi declarations of libaula in ABI mode, from src/app/api/aula.h.

make_interface.py AULA_H OUTPUT
"""

import re
import sys

import cffi


def declarations(header):
    """The declarations of the header for cffi: without comments, guards, and macros other than whole numbers."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    lines = []
    for line in text.splitlines():
        if line.startswith("#") and not re.fullmatch(r"#define \w+ \w+\s*", line):
            continue
        if line.startswith("#define AULA_BROAD_BAND"):  # expands to a name; cffi accepts only numbers
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
