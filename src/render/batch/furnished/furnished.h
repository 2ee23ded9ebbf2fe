/* SPDX-License-Identifier: MIT */
/* Furnished rooms by rules: the text of a room file from a seed and the number of a room.
 *
 * An outline of one to three rectangles gets doors and windows, furniture by the use of the room,
 * materials by class, one source and two receivers. Every room keeps these rules:
 *
 * - Sides and pieces lie on a lattice of 50 mm, heights on one of 10 mm.
 * - Doors are 0.7 to 1.1 m wide and 1.95 to 2.2 m high. Nothing stands within 0.8 m before one.
 * - Tables are 0.72 to 0.76 m high, pupils' desks from 0.64 m, low tables 0.38 to 0.48 m.
 * - Pieces do not overlap, and a square of 0.6 m can be moved along the floor from every door to
 *   every other door and to every seat, bed and front of a cupboard.
 * - Source and receivers are 0.3 m or more from every surface. */
#ifndef AULA_RENDER_BATCH_FURNISHED_FURNISHED_H
#define AULA_RENDER_BATCH_FURNISHED_FURNISHED_H

#include <stdint.h>

#include "base/error.h"

enum room_use { USE_BEDROOM, USE_OFFICE, USE_CLASSROOM, USE_LIVING_ROOM, USE_CORRIDOR, ROOM_USES };
extern const char *const room_use_names[ROOM_USES];

/* Floor area in m² that rooms of a use have, [lowest, highest]. */
extern const double room_use_area[ROOM_USES][2];

struct furnished_wishes {
    double weights[ROOM_USES]; /* probabilities of the uses, sum 1 */
    double area[2];            /* m²: limits of the floor area; they overlap those of every use drawn */
};

/* The use of room `room`. */
enum room_use furnished_use(uint64_t seed, uint64_t room, const struct furnished_wishes *wishes);

/* Text of the room file, fresh. It depends on the three arguments alone. NULL: ERROR_MEMORY, or
 * ERROR_INPUT if the rules leave no place for source and receivers. */
char *furnished_room_text(uint64_t seed, uint64_t room, const struct furnished_wishes *wishes, struct error *e);

#endif
