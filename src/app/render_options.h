/* SPDX-License-Identifier: MIT */
/* The options of aula render, which its files read. */
#ifndef AULA_APP_RENDER_OPTIONS_H
#define AULA_APP_RENDER_OPTIONS_H

#include "app/checkpoints.h"
#include "app/options.h"

struct render_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    struct checkpoint_options checkpoint;
    const char *source;
    bool together, sofa;
};

#endif
