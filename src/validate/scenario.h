/* A basin run to its end, for looking at. */
#ifndef AULA_VALIDATE_SCENARIO_H
#define AULA_VALIDATE_SCENARIO_H

#include "solver/solver.h"

/* Runs the basin of `path` and writes PREFIX-h.png, PREFIX-s.png and PREFIX-profile.csv; prints what became of it. */
int scenario_run(const char *path, const char *prefix, const struct choice *c, struct error *e);

#endif
