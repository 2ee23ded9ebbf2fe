/* SPDX-License-Identifier: MIT */
/* A sequence of ever finer grids of one room, for a preview that plays during the computation.
 *
 * If the room is hybrid, its geometric part comes first, within two seconds on two cores. The first
 * grid takes about a second on this machine, and each further one a few times the work of the
 * previous one, up to the rate in the room file. Levels are those of the room: a finer stage adds
 * the band above the previous one's. In a hybrid room each stage has image sources and rays above
 * its wave solver's band: few in early stages, as many as the room asks for in the last one. */
#ifndef AULA_RENDER_PREVIEW_STAGES_H
#define AULA_RENDER_PREVIEW_STAGES_H

#include "dsp/convolve.h"
#include "render/preview/monitor.h"
#include "render/render.h"

enum { STAGES_MAX = 16 };

/* The response of a stage with all receivers of the room, which its taker may change. */
struct stage_response {
    const struct model *model;
    struct rendering *rendering;        /* its response; `waves` false: nothing else of it is set */
    bool waves;                         /* false: image sources and rays alone */
    double valid_frequency, band, gain; /* as of struct stage */
};

/* Receives responses in place of a convolver. */
struct stage_taker {
    int (*take)(void *context, const struct stage_response *response, struct error *e);
    void *context;
};

struct stages {
    const struct room *room;  /* must outlive the stages */
    struct stage_taker taker; /* take NULL: each stage makes a convolver for `monitor` */
    struct monitor monitor;
    const struct ear_filters *ears; /* of the head, to find its level; NULL without one */
    size_t source;                  /* index of the source; rendered as an impulse whatever its signal */
    const struct solver_options *choice;
    double out_rate;  /* Hz, of the sound card */
    size_t block;     /* of the convolvers */
    const float *dry; /* [dry_frames] at out_rate: the looped sound, to find its level */
    size_t dry_frames;
    struct grid own;          /* as in the room file */
    double rates[STAGES_MAX]; /* Hz of the grids */
    size_t count;
};

/* Measures the speed of this machine and plans the stages: fills in `own` and the members after it.
 * `first`, s: time for the first stage. */
int stages_plan(struct stages *s, double first, struct error *e);

struct stage {
    struct convolver
        *convolver; /* 1 input, the signals of `monitor` as outputs; owned by the caller; NULL with a taker */
    double grid_rate, valid_frequency, band; /* Hz: of the grid; end of the wave solver's band, and of the whole band */
    double gain;                             /* for the dry sound: render/preview/level.h */
    double seconds;
};

/* Renders the geometric part of few reflections and rays, before all stages and without a plan.
 * band 0: the room is not hybrid. Same bits on every machine. */
int stages_first(struct stage *stage, const struct stages *s, struct error *e);

/* Renders stage `index`. watch may stop it (ERROR_STOPPED). */
int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch,
                  struct error *e);

#endif
