/* A score played on an ensemble: in the air of a room, or by the instruments alone. */
#ifndef AULA_SYNTH_PERFORM_H
#define AULA_SYNTH_PERFORM_H

#include "render/blocks.h"
#include "signal/response.h"
#include "synth/ensemble.h"

/* What is played. */
struct piece {
    const struct room *room;
    const struct model *model; /* of that room; NULL: the instruments alone */
    const struct ensemble *ensemble;
    const struct score *score;
    double rate;  /* Hz: steps a second */
    size_t steps; /* to run */
    size_t source_count;
    const double *sources; /* [source_count][steps]: what the room's own sources emit, Pa m; none in no air */
    size_t onset;          /* steps before time 0 of the score */
};

struct performance {
    struct traces air;     /* [receivers][steps] Pa */
    struct traces pickups; /* [pickups][steps] m/s: velocity, along the normal of a surface or across a line */
    struct requirement requirement;
    struct block_outcome outcome;
};

/* Solves the piece. Inside, the air is stepped as velocity potential ψ: a source's x becomes y⁺ = y⁻ + 2k x/ρ, a receiver's
 * ψ becomes p = ρ(ψ⁺ - ψ⁻)/(2k) (PHYSICS section 3), both without error. Free with performance_free. */
int perform(struct performance *p, const struct piece *piece, const struct choice *choice, const struct watch *watch,
            struct error *e);
void performance_free(struct performance *p);

/* The problem that perform solves, for checks and measurements; drives: [sources], then one for each voice and place that
 * the score plays. Free with performance_problem_free. */
struct performance_problem {
    struct leapfrog_problem leapfrog;
    struct problem problem; /* its parameters are `leapfrog`: not to be moved */
    struct voice_drive {
        size_t voice;
        double place[2];
    } * played; /* [played_count] */
    size_t played_count;
    struct channel *drives, *taps;
};
int performance_problem_make(struct performance_problem *p, const struct piece *piece, struct error *e);
void performance_problem_free(struct performance_problem *p);

#endif
