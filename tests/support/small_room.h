/* SPDX-License-Identifier: MIT */
/* A small room for tests to change before it is put on its grid. */
#ifndef AULA_TESTS_SMALL_ROOM_H
#define AULA_TESTS_SMALL_ROOM_H

#include "room/grid/model.h"

/* A room of 2 x 1.5 x 1.2 m at 8 kHz with one source and one receiver. */
struct small_room {
    struct material materials[3];
    struct object object;
    struct source source;
    struct receiver receiver;
    struct room room;
};

void small_room_set_up(struct small_room *f);

/* NULL: refused; the message was printed. */
struct model *small_room_model(struct small_room *f);

#endif
