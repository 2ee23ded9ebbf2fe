/* SPDX-License-Identifier: MIT */
/* Rooms of random instruments for checks: a drum, and a plate that two strings and a bar drive, at random
 * positions in a small box. */
#ifndef AULA_VALIDATE_BODIES_SYNTH_ROOM_H
#define AULA_VALIDATE_BODIES_SYNTH_ROOM_H

#include "base/random.h"
#include "validate/bodies/synth_rig.h"

/* Spacing h of a surface's nodes relative to X of the air's points. */
enum fit { NODES_ALIKE, NODES_APART, NODES_CLOSE, FITS };
enum walls_kind { WALLS_RIGID, WALLS_IMPEDANCE, WALLS_OCTAVES };

struct room_plan {
    enum fit fit;
    enum walls_kind walls;
    bool lossy;   /* instruments have losses */
    bool touched; /* mallets, a hammer and a bow play them; a string and the drum stretch */
    int number;   /* number of the case, which selects among alternatives */
};

/* To be built by rig_build. */
int room_make(struct rig *rig, const struct room_plan *p, struct random *r, struct error *e);

/* Fills a drive of the problem that is the input of a port: mallets and bows set in and end at random.
 * Returns whether it is one. */
bool room_touch(double *drive, const struct rig *rig, size_t number, size_t steps, struct random *r);

#endif
