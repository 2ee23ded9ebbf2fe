/* From a model to a response: excitation, simulation, response. */
#ifndef AULA_RENDER_RENDER_H
#define AULA_RENDER_RENDER_H

#include "render/simulate.h"

struct rendering {
    size_t first, count; /* of the room's sources */
    struct response response;
    struct simulation simulation; /* its traces are freed: the response is what remains */
    struct excitation excitation; /* of the source, or of the first of several */
    struct length length;         /* of the response */
    double decay;                 /* dB: where the slowest receiver's decay_level ends; NaN: not to be had */
    char **warnings;
    size_t warning_count;
};

/* Whether the room has what a response is between; ERROR_INPUT when it is played by instruments only. */
int render_is_possible(const struct room *room, struct error *e);

/* How long rendering sources first .. first + count - 1 takes, at first: time.duration = "auto" may make it longer. */
int render_length(struct length *length, const struct model *m, size_t first, size_t count, struct error *e);

/* Looks for everything that can be wrong before any work is done: sound files, sweeps, engine, kernel, memory. */
int render_check(const struct model *m, size_t first, size_t count, const struct choice *choice, struct error *e);

/* Renders one source (count 1), or several at once (sweeps, which could not be taken out one by one, are refused then).
 */
int render_sources(struct rendering *r, const struct model *m, size_t first, size_t count, const struct choice *choice,
                   const struct watch *watch, struct error *e);
void rendering_free(struct rendering *r);

/* What the sources first .. first + count - 1 emit, excitations[count] in fresh memory, and the sample on which their
 * onsets fall together. Sweeps are taken out one by one, so several sources with one among them are refused. */
int render_excitations(struct excitation **excitations, size_t *onset, const struct model *m, size_t first,
                       size_t count, struct error *e);
void render_excitations_free(struct excitation *excitations, size_t count);

struct response_settings render_response_settings(const struct model *m, double seconds);

#endif
