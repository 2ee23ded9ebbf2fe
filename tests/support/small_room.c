/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/small_room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void small_room_set_up(struct small_room *f)
{
    memset(f, 0, sizeof *f);
    f->materials[0] = (struct material){.name = "soft", .kind = MATERIAL_ABSORPTION};
    for (int b = 0; b < OCTAVE_BANDS; b++)
        f->materials[0].absorption[b] = 0.1 * (b + 1);
    f->materials[1] = (struct material){.name = "rigid", .kind = MATERIAL_RIGID};
    f->materials[2] = (struct material){.name = "fixed", .kind = MATERIAL_FIXED};
    f->source = (struct source){.name = "S", .gain = 1.0, .position = {0.5, 0.6, 0.7}};
    f->receiver = (struct receiver){.name = "R", .position = {1.5, 0.9, 0.4}};
    f->room = (struct room){.path = "test.cfg",
                            .size = {2.0, 1.5, 1.2},
                            .materials = f->materials,
                            .material_count = 3,
                            .objects = &f->object,
                            .duration = 1.0,
                            .sources = &f->source,
                            .source_count = 1,
                            .receivers = &f->receiver,
                            .receiver_count = 1};
    f->room.air.temperature = 20.0;
    f->room.grid.rate = 8000.0;
    f->room.output.dispersion = 0.02;
    for (int wall = 0; wall < FACES; wall++)
        f->room.walls[wall] = 1;
}

struct model *small_room_model(struct small_room *f)
{
    struct model *m;
    struct error e = {0};
    if (model_make(&m, &f->room, &e))
        print_error("%s\n", e.message);
    return m;
}
