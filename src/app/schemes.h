/* SPDX-License-Identifier: MIT */
/* The table of schemes, which validate, bench, devices and completion walk. */
#ifndef AULA_APP_SCHEMES_H
#define AULA_APP_SCHEMES_H

#include "solver/scheme.h"
#include "validate/bench/bench.h"
#include "validate/validate.h"

struct scheme_row {
    const char *name;                  /* argument of aula validate */
    const struct scheme *scheme;       /* NULL: the checks cover a component, not a scheme */
    const struct check *const *checks; /* NULL-terminated */
    const struct benchmark *benchmark; /* runs the scheme only; NULL: none */
    const struct benchmark *renders;   /* runs whole renders; NULL: none */
    const struct scenario *scenario;   /* NULL: none */
};
enum { SCHEMES_MAX = 32 };
extern const struct scheme_row schemes[];
extern const size_t scheme_count; /* at most SCHEMES_MAX */

/* Translates a name of the previous release for a scheme, a check "SCHEME/CHECK" or a benchmark, into `text`, with a
 * note unless `quiet`. Returns other names unchanged. */
enum { SCHEME_NAME = 64 };
const char *scheme_present_name(char text[SCHEME_NAME], const char *name, bool quiet);

/* Benchmarks in the order of --help: the first scheme's, which is the default, those of the other schemes from the last
 * one on, then whole renders. NULL beyond the last. */
enum { BENCHMARKS_MAX = 2 * SCHEMES_MAX };
const struct benchmark *benchmark_at(size_t index);

#endif
