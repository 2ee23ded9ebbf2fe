/* SPDX-License-Identifier: MIT */
/* Sources for tests, and responses made from records. */
#ifndef AULA_TESTS_RESPONSES_H
#define AULA_TESTS_RESPONSES_H

#include "render/excitation.h"
#include "render/response.h"

/* Of one signal, gain 1. */
struct source source_of(enum signal_kind kind);

/* The response of one channel; the caller frees it. */
struct response respond(double *samples, size_t frames, double rate, const struct excitation *x,
                        const struct response_settings *s);

#endif
