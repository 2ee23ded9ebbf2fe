/* SPDX-License-Identifier: MIT */
/* Performs a score on an ensemble, in the air of a room or without air. */
#ifndef AULA_RENDER_SYNTH_PERFORM_H
#define AULA_RENDER_SYNTH_PERFORM_H

#include "render/blocks.h"
#include "render/response.h"
#include "render/synth/ensemble.h"

struct piece {
    const struct room *room;
    const struct model *model; /* of that room; NULL: no air */
    const struct ensemble *ensemble;
    const struct score *score;
    double rate;  /* Hz: steps per second */
    size_t steps; /* number of steps */
    size_t source_count;
    const double *sources; /* [room_first_drive(source_count)][steps]: signals of the drives of the room's sources, Pa m
                              (render/drives.h); none without air */
    size_t onset;          /* steps before time 0 of the score */
};

struct performance {
    struct traces air; /* [room_tap_count][steps] Pa, and Pa/m^n of directions */
    struct traces
        pickups; /* [pickups][steps] m/s: velocity, along the normal of a surface or across a line; Pa: wind */
    struct solver_plan plan;
    struct block_outcome outcome;
    char **warnings; /* of the run */
    size_t warning_count;
};

/* Solves the piece. The air is stepped as a velocity potential ψ: a source signal x drives y⁺ = y⁻
 * + 2k x/ρ, and a receiver's ψ yields p = ρ(ψ⁺ - ψ⁻)/(2k) (theory (69)); both are exact. Free with
 * performance_free. */
int perform(struct performance *p, const struct piece *piece, const struct solver_options *choice,
            const struct watch *watch, struct error *e);
void performance_free(struct performance *p);

/* The problem that perform solves, also for checks and benchmarks. Drives: of the sources, then one
 * for each voice and place that the score plays, or for each input of what touches it. Free with performance_problem_free. */
struct performance_problem {
    struct leapfrog_problem leapfrog;
    struct problem problem; /* points to `leapfrog`: do not move the struct */
    struct voice_drive {
        size_t voice;
        double place[2];
        size_t touch, input; /* of the ensemble: the input of a port, or of a wind instrument; touch SIZE_MAX: a force
                                at the place */
    } * played;              /* [played_count] */
    size_t played_count;
    struct channel *drives, *taps;
    struct voxel_set *no_air; /* of a piece without a room; else NULL */
};
int performance_problem_make(struct performance_problem *p, const struct piece *piece, struct error *e);
void performance_problem_free(struct performance_problem *p);

#endif
