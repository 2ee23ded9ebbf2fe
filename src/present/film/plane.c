/* SPDX-License-Identifier: MIT */
/* Parsers of --plane and --size. */
#include "present/film/plane.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "present/film/canvas.h"

enum { SMALLEST = 160 };

int plane_parse(int *axis, double *at, const char *text, struct error *e)
{
    char given[QUOTED];
    const int letter = text[0] | 0x20;
    *axis = letter - 'x';
    *at = NAN;
    if (letter >= 'x' && letter <= 'z' && (!text[1] || (text[1] == '=' && !text_number(text + 2, at))))
        return 0;
    return fail(e, ERROR_USAGE, "--plane %s: expected an axis and a position in metres, such as z=1.2",
                quoted(given, text));
}

int picture_size_parse(size_t size[2], const char *text, struct error *e)
{
    char given[QUOTED];
    int used = 0;
    unsigned columns = 0, rows = 0;
    if (sscanf(text, "%5ux%5u%n", &columns, &rows, &used) != 2 || text[used] || columns < SMALLEST || rows < SMALLEST ||
        columns > PAPER_SIZE_MAX || rows > PAPER_SIZE_MAX || columns % 2 || rows % 2)
        return fail(e, ERROR_USAGE, "--size %s: expected columns x rows, even numbers from %d to %d, such as 960x540",
                    quoted(given, text), SMALLEST, PAPER_SIZE_MAX);
    size[0] = columns;
    size[1] = rows;
    return 0;
}
