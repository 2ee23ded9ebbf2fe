/* SPDX-License-Identifier: MIT */
/* Small pictures of few colours: PNG with a palette. */
#ifndef AULA_IO_DRAWING_PNG_INDEXED_H
#define AULA_IO_DRAWING_PNG_INDEXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* pixels[rows][columns], the first row on top, each the number of a colour: palette[colours], 0xRRGGBB, 256 at most.
 * clear: its first colour is transparent. */
int png_indexed(FILE *stream, const uint8_t *pixels, size_t columns, size_t rows, const uint32_t *palette,
                size_t colours, bool clear, struct error *e);

#endif
