/* SPDX-License-Identifier: MIT */
/* The text of a room file with other absorption coefficients; everything else stays, comments as well. */
#ifndef AULA_RENDER_CALIBRATE_ROOM_TEXT_H
#define AULA_RENDER_CALIBRATE_ROOM_TEXT_H

#include "room/room.h"

/* A definition to be changed, or added where the file takes the material from the library. */
struct calibrate_definition {
    const struct material *material; /* with the new absorption, and all else that a definition has */
    const char *remark;              /* one line that stands as a comment beside it, without the # */
};

/* Fresh text; NULL with *e. A definition in the file has its `absorption` replaced and, where it has them, its `bands`.
 * A material of the library gets a definition of its own in the group `materials`, which is added at the end if the file
 * has none. ERROR_INPUT if the text has no group that ends; ERROR_MEMORY. Check the result by room_read_text: a
 * definition in an included file is not found. */
char *calibrate_room_text(const char *text, const struct calibrate_definition *definitions, size_t count,
                          struct error *e);

#endif
