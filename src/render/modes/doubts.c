/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/text.h"
#include "render/modes/room_modes.h"

/* "72-95, 130-200 Hz" */
static char *unresolved_text(const struct room_modes *r)
{
    char *text = NULL;
    for (size_t i = 0; i < r->band_count; i++) {
        size_t last = i;
        if (r->bands[i].resolved)
            continue;
        while (last + 1 < r->band_count && !r->bands[last + 1].resolved)
            last++;
        char *longer =
            text_format("%s%s%.0f-%.0f", text ? text : "", text ? ", " : "", r->bands[i].low, r->bands[last].high);
        free(text);
        text = longer;
        i = last;
    }
    return text;
}

int room_modes_doubts(char ***lines, size_t *count, const struct room_modes *r, struct error *e)
{
    char *bands = unresolved_text(r);
    int status = 0;
    if (!(r->size_error <= SPACING_ERROR))
        status = lines_add(lines, count, e,
                           "the grid misses a size of the room by %.2f %%, and with it the frequencies of modes "
                           "without an order; raise --to for a finer grid",
                           100.0 * r->size_error);
    if (!status && bands)
        status = lines_add(lines, count, e,
                           "modes in %s Hz are not resolved: too many overlap; those listed there may be wrong or "
                           "incomplete, so use a lower --to",
                           bands);
    free(bands);
    return status;
}
