/* The energy of a room from one look to the next. */
#ifndef AULA_VALIDATE_BALANCE_H
#define AULA_VALIDATE_BALANCE_H

#include "scene/scene.h"
#include "validate/validate.h"

struct balance {
    double error;  /* largest |stored + absorbed - supplied - start|, over the most that was stored */
    double growth; /* largest stored energy over its start, minus 1 */
    double rise;   /* largest growth from one look to the next, over the start */
    double left;   /* stored at the end over its start */
};

/* A room of 41 x 33 x 22 points with a corner taken out, a different wall (codes CELL_SOLID to CELL_SOLID + 6) on each
 * side and on the block; all rigid. Free with scene_free. */
int balance_l_room(struct scene *s, enum precision precision, struct error *e);

/* From noise, `steps` steps with a look every `part` of them; drive [drive_count][steps], NULL: silence. All NaN when the
 * energy is no number any more. */
int balance_follow(struct balance *b, const struct scene *s, struct validation *v, size_t steps, size_t part,
                   const double *drive, struct error *e);

#endif
