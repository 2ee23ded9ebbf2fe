/* A sequence of ever finer grids of one room, for a preview that is heard while it is computed.
 *
 * The first stage takes about half a second on this machine; each takes a few times the work of the one before, up to
 * the rate that the room file asks for. Levels are those of the room: a finer stage adds what lies above the valid band
 * of the one before. */
#ifndef AULA_PREVIEW_STAGES_H
#define AULA_PREVIEW_STAGES_H

#include "render/render.h"
#include "signal/convolve.h"

enum { STAGES_MAX = 16 };

struct stages {
    const struct room *room; /* outlives the stages */
    size_t source;           /* index of the source; rendered as an impulse whatever its signal */
    const struct choice *choice;
    double out_rate;  /* Hz, of the sound card */
    size_t block;     /* of the convolvers */
    const float *dry; /* [dry_frames] at out_rate: the looped sound, for its level */
    size_t dry_frames;
    size_t receivers;         /* number used: the room's, at most MIXER_RECEIVERS_MAX */
    struct grid own;          /* as the room file asks for */
    double rates[STAGES_MAX]; /* Hz of the grids */
    size_t count;
};

/* Measures the speed of this machine and plans the stages: fills in `receivers` and the members after it. `first`, s:
 * time for the first stage. */
int stages_plan(struct stages *s, double first, struct error *e);

struct stage {
    struct convolver *convolver; /* 1 input, stages.receivers outputs; owned by the caller */
    double grid_rate, valid_frequency;
    double gain; /* for the dry sound: preview/level.h */
    double seconds;
};

/* Renders stage `index`. watch may stop it (ERROR_STOPPED). */
int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch,
                  struct error *e);

#endif
