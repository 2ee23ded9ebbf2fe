/* SPDX-License-Identifier: MIT */
/* The table of schemes: validate, bench, devices and completion walk it. */
#ifndef AULA_APP_SCHEMES_H
#define AULA_APP_SCHEMES_H

#include "solver/scheme.h"
#include "validate/bench/bench.h"
#include "validate/validate.h"

struct scheme_row {
    const char *name;                  /* argument of aula validate */
    const struct scheme *scheme;       /* NULL: checks of a part of the scheme of rooms */
    const struct check *const *checks; /* NULL-terminated */
    const struct benchmark *benchmark; /* of the scheme alone; NULL: none */
    const struct benchmark *renders;   /* of whole renders; NULL: none */
    const struct scenario *scenario;   /* NULL: none */
};
enum { SCHEMES_MAX = 32 };
extern const struct scheme_row schemes[];
extern const size_t scheme_count; /* at most SCHEMES_MAX */

/* Today's name of a scheme, a check "SCHEME/CHECK" or a benchmark that the previous release called otherwise: in `text`,
 * with a note unless `quiet`. `name` itself for all others. */
enum { SCHEME_NAME = 64 };
const char *scheme_present_name(char text[SCHEME_NAME], const char *name, bool quiet);

/* Benchmarks in the order that they are listed: the first scheme's, which is run when none is named, those of the
 * others from the last on, whole renders. NULL beyond the last. */
enum { BENCHMARKS_MAX = 2 * SCHEMES_MAX };
const struct benchmark *benchmark_at(size_t index);

#endif
