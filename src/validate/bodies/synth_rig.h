/* SPDX-License-Identifier: MIT */
/* Rooms with instruments for checks: made in memory, driven by any signals. */
#ifndef AULA_VALIDATE_BODIES_SYNTH_RIG_H
#define AULA_VALIDATE_BODIES_SYNTH_RIG_H

#include "render/synth/perform.h"

enum { RIG_INSTRUMENTS = 8, RIG_PLACES = 12, RIG_ENDS = 4, RIG_MATERIALS = 3 };

struct rig {
    struct room room; /* its lists are the arrays below: do not move the struct */
    struct material materials[RIG_MATERIALS];
    struct instrument instruments[RIG_INSTRUMENTS];
    struct pickup pickups[RIG_PLACES];
    struct event events[RIG_PLACES];
    struct source sources[RIG_ENDS];
    struct receiver receivers[RIG_ENDS];
    struct score score;
    struct model *model; /* NULL: no air */
    struct ensemble *ensemble;
    struct performance_problem problem; /* drives: sources, then playing positions; taps: receivers, pickups */
};

/* An empty box of dry, lossless air at 20 °C with rigid walls, double precision, `rate` steps per second. */
void rig_begin(struct rig *r, double rate);
void rig_end(struct rig *r);

/* Adds an instrument of this type without losses; the caller sets every other key. */
struct instrument *rig_instrument(struct rig *r, enum instrument_type type);
struct instrument *rig_copy(struct rig *r, const struct instrument *instrument);

/* Adds a playing position, or a pickup. */
void rig_play(struct rig *r, const struct instrument *instrument, double u, double v);
void rig_hear(struct rig *r, const struct instrument *instrument, double u, double v);
struct source *rig_source(struct rig *r, double x, double y, double z);
void rig_receiver(struct rig *r, double x, double y, double z);

/* All walls of one real impedance, or of absorption by octave. */
void rig_impedance(struct rig *r, double impedance);
void rig_absorption(struct rig *r, const double absorption[OCTAVE_BANDS]);

/* Builds the model (in_air), the bodies and the problem. */
int rig_build(struct rig *r, bool in_air, struct error *e);
/* Replaces a pickup of a built rig by one entry of a state array: a mode, or the force of a port. */
int rig_tap(struct rig *r, size_t pickup, uint16_t array, size_t point, struct error *e);
struct piece rig_piece(const struct rig *r);

/* Runs the problem in one block; drive [drives][steps], taps [taps][steps]. */
int rig_run(const struct rig *r, const struct solver_options *choice, size_t steps, const double *drive, double *taps,
            struct error *e);

/* Runs another problem of the rig's bodies, such as one with other taps. */
int rig_run_problem(const struct rig *r, const struct problem *problem, const struct solver_options *choice,
                    size_t steps, const double *drive, double *taps, struct error *e);

/* Weights of a channel over a whole surface: at(x, y) for every node that is not fixed, x and y
 * in m from its centre. Entries are newly allocated. */
struct pattern {
    double (*at)(const struct pattern *p, double x, double y);
    double radius, sides[2]; /* m */
    double order, number;    /* number of the mode */
    double zero;
    bool turned; /* the other mode of a degenerate pair */
};
int rig_pattern(struct channel *c, const struct voice *voice, const struct pattern *pattern, struct error *e);

#endif
