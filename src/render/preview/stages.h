/* SPDX-License-Identifier: MIT */
/* A sequence of ever finer grids of one room, for a preview that is heard while it is computed.
 *
 * Where the room asks for the whole band, its geometric half comes first, alone, within two seconds on two cores. The
 * first grid takes about a second on this machine; each takes a few times the work of the one before, up to the rate
 * that the room file asks for. Levels are those of the room: a finer stage adds what lies above the valid band of the
 * one before. Each has image sources and rays above its waves, where wanted: few before the last stage, as many as the
 * room asks for there. */
#ifndef AULA_RENDER_PREVIEW_STAGES_H
#define AULA_RENDER_PREVIEW_STAGES_H

#include "dsp/convolve.h"
#include "render/preview/monitor.h"
#include "render/render.h"

enum { STAGES_MAX = 16 };

struct stages {
    const struct room *room; /* outlives the stages */
    struct monitor monitor;
    const struct ear_filters *ears; /* of the head, for its level; NULL without one */
    size_t source;                  /* index of the source; rendered as an impulse whatever its signal */
    const struct solver_options *choice;
    double out_rate;  /* Hz, of the sound card */
    size_t block;     /* of the convolvers */
    const float *dry; /* [dry_frames] at out_rate: the looped sound, for its level */
    size_t dry_frames;
    struct grid own;          /* as the room file asks for */
    double rates[STAGES_MAX]; /* Hz of the grids */
    size_t count;
};

/* Measures the speed of this machine and plans the stages: fills in `own` and the members after it. `first`, s:
 * time for the first stage. */
int stages_plan(struct stages *s, double first, struct error *e);

struct stage {
    struct convolver *convolver;             /* 1 input, the signals of `monitor` as outputs; owned by the caller */
    double grid_rate, valid_frequency, band; /* Hz: of the grid; ends of the waves and of what is heard */
    double gain;                             /* for the dry sound: render/preview/level.h */
    double seconds;
};

/* Before all of them, and without a plan: the geometric half alone, of few reflections and rays; convolver NULL: the
 * room does not ask for it. The same bits on every machine. */
int stages_first(struct stage *stage, const struct stages *s, struct error *e);

/* Renders stage `index`. watch may stop it (ERROR_STOPPED). */
int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch,
                  struct error *e);

#endif
