/* SPDX-License-Identifier: MIT */
/* From a model to a response: excitation, simulation, post-processing. */
#ifndef AULA_RENDER_RENDER_H
#define AULA_RENDER_RENDER_H

#include "render/hybrid_response.h"
#include "render/response_parts.h"
#include "render/simulate.h"

struct rendering {
    size_t first, count;      /* of the room's sources */
    const struct room *whole; /* for one of several files: the room with all receivers; NULL: this is the only one */
    struct response response;
    struct simulation simulation; /* its traces are freed */
    struct traces mapped;         /* the record of `mapped_steps` steps, mapped in frequency; during the render only */
    size_t mapped_steps;
    struct excitation excitation; /* of the source, or the first of several */
    struct hybrid_halves halves;  /* composition of the response */
    struct length length;         /* of the response */
    double decay; /* dB: decay_level of the slowest receiver, and with "auto" of the rays; NaN: not available */
    char **warnings;
    size_t warning_count;
};

/* Fails with ERROR_INPUT unless the room has sources and receivers. */
int render_is_possible(const struct room *room, struct error *e);

/* The first length for sources first .. first + count - 1; time.duration = "auto" may extend it. */
int render_length(struct length *length, const struct model *m, size_t first, size_t count, struct error *e);

/* Checks sound files, sweeps, engine, kernel and memory before any work starts. */
int render_check(const struct model *m, size_t first, size_t count, const struct solver_options *choice,
                 struct error *e);

/* Renders one source (count 1), or several at the same time; the latter must not be sweeps, which
 * cannot be removed one by one. */
int render_sources(struct rendering *r, const struct model *m, size_t first, size_t count,
                   const struct solver_options *choice, const struct watch *watch, struct error *e);
/* Like render_sources for one source, but the taker receives the responses. r->response stays empty
 * unless image sources and rays or directions need all of it. Without time.duration = "auto"
 * r->decay is not measured. */
int render_for(struct rendering *r, const struct model *m, size_t source, const struct solver_options *choice,
               const struct watch *watch, const struct response_taker *taker, struct error *e);
void rendering_free(struct rendering *r);

/* Excitations of the sources first .. first + count - 1, excitations[count] in fresh memory, and
 * the sample on which their onsets are aligned. Refuses sweeps among several sources. */
int render_excitations(struct excitation **excitations, size_t *onset, const struct model *m, size_t first,
                       size_t count, struct error *e);
void render_excitations_free(struct excitation *excitations, size_t count);

struct response_settings render_response_settings(const struct model *m, double seconds);

#endif
