/* SPDX-License-Identifier: MIT */
/* From a model to a response: excitation, simulation, response. */
#ifndef AULA_RENDER_RENDER_H
#define AULA_RENDER_RENDER_H

#include "render/hybrid_response.h"
#include "render/response_parts.h"
#include "render/simulate.h"

struct rendering {
    size_t first, count;      /* of the room's sources */
    const struct room *whole; /* of one file of several: the room with the receivers of all; NULL: this is all */
    struct response response;
    struct simulation simulation; /* without traces, which are freed */
    struct traces mapped;         /* the record of `mapped_steps` steps, mapped in frequency, while it is rendered */
    size_t mapped_steps;
    struct excitation excitation; /* of the source, or of the first of several */
    struct hybrid_halves halves;  /* that the response is made of */
    struct length length;         /* of the response */
    double decay; /* dB: decay_level of the slowest receiver, with "auto" of rays, too; NaN: not available */
    char **warnings;
    size_t warning_count;
};

/* Whether the room has sources and receivers; ERROR_INPUT when only instruments play. */
int render_is_possible(const struct room *room, struct error *e);

/* The first length for rendering sources first .. first + count - 1; time.duration = "auto" may extend it. */
int render_length(struct length *length, const struct model *m, size_t first, size_t count, struct error *e);

/* Checks sound files, sweeps, engine, kernel and memory before any work is done. */
int render_check(const struct model *m, size_t first, size_t count, const struct solver_options *choice,
                 struct error *e);

/* Renders one source (count 1), or several at once; these must not be sweeps, which cannot be removed one by one. */
int render_sources(struct rendering *r, const struct model *m, size_t first, size_t count,
                   const struct solver_options *choice, const struct watch *watch, struct error *e);
/* As render_sources with one source, but the taker gets the responses, and r->response keeps none of them where waves
 * alone sound. Without time.duration = "auto" r->decay is not measured. */
int render_for(struct rendering *r, const struct model *m, size_t source, const struct solver_options *choice,
               const struct watch *watch, const struct response_taker *taker, struct error *e);
void rendering_free(struct rendering *r);

/* Excitations of the sources first .. first + count - 1, excitations[count] in fresh memory, and the sample to which
 * their onsets are aligned. Refuses sweeps among several sources. */
int render_excitations(struct excitation **excitations, size_t *onset, const struct model *m, size_t first,
                       size_t count, struct error *e);
void render_excitations_free(struct excitation *excitations, size_t count);

struct response_settings render_response_settings(const struct model *m, double seconds);

#endif
