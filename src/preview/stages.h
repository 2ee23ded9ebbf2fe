/* The same room coarser at first and finer as time goes on: what a preview listens through while it is computed.
 *
 * Stages begin with a grid that is rendered in about half a second here and grow, each a few times the work of the one
 * before, up to the rate that the room file asks for. Levels are those of the room: a finer stage adds what lies above
 * the valid band of the one before. */
#ifndef AULA_PREVIEW_STAGES_H
#define AULA_PREVIEW_STAGES_H

#include "render/render.h"
#include "signal/convolve.h"

enum { STAGES_MAX = 16 };

struct stages {
    const struct room *room; /* outlives the stages */
    size_t source;           /* which one is heard, as an impulse whatever the file says of its signal */
    const struct choice *choice;
    double out_rate;  /* Hz, of the sound card */
    size_t block;     /* of the convolvers */
    const float *dry; /* [dry_frames] at out_rate: what loops in the room, for its level */
    size_t dry_frames;
    size_t receivers;         /* heard: the room's, at most MIXER_RECEIVERS_MAX */
    struct grid own;          /* what the room asks for */
    double rates[STAGES_MAX]; /* Hz of the grids */
    size_t count;
};

/* Tries how fast this machine steps the room, and plans: fills in receivers and what follows. `first` (s): what the first
 * stage may take. */
int stages_plan(struct stages *s, double first, struct error *e);

struct stage {
    struct convolver *convolver; /* 1 input, stages.receivers outputs; the caller's */
    double grid_rate, valid_frequency;
    double gain; /* for the dry sound: preview/level.h */
    double seconds;
};

/* Renders stage `index`. watch may stop it (ERROR_STOPPED). */
int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch,
                  struct error *e);

#endif
