/* SPDX-License-Identifier: MIT */
/* What aula open-plan prints. */
#ifndef AULA_APP_OPEN_PLAN_H
#define AULA_APP_OPEN_PLAN_H

#include "dsp/measure/open_plan.h"

/* A place with the file and channel of its response. */
struct desk {
    const char *path;
    size_t channel;
    char *receiver, *source; /* names, or NULL */
};

struct open_plan_result {
    struct desk *desks;             /* [count], in order of distance */
    struct open_plan_place *places; /* [count] */
    size_t count;
    double noise[SPEECH_BANDS];
    double noise_63;   /* dB; NaN: not given */
    double background; /* L_p,A,B, dB(A); -INFINITY: none is given */
    struct open_plan values;
    char **warnings;
    size_t warning_count;
};

int open_plan_print(const struct open_plan_result *r);
int open_plan_print_csv(const struct open_plan_result *r);
int open_plan_print_json(const struct open_plan_result *r, struct error *e);
int open_plan_draw(const struct open_plan_result *r, const char *path, struct error *e);

#endif
