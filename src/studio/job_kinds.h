/* SPDX-License-Identifier: MIT */
/* Which command lines of aula answer a request of the page. */
#ifndef AULA_STUDIO_JOB_KINDS_H
#define AULA_STUDIO_JOB_KINDS_H

#include <stdbool.h>

#include "base/error.h"

struct cJSON;

enum { JOB_WORDS = 48, JOB_COMMANDS = 24 };

struct job_command {
    char *words[JOB_WORDS + 1]; /* fresh, NULL-terminated, after "aula" */
    char *shown;                /* as the user would write it; fresh */
    bool takes_room;            /* its standard input is the room */
    bool stages;                /* its lines are stages (aula preview --stages) */
    bool last;                  /* it writes the response of the room file itself */
    bool json;                  /* its standard output is JSON, the result of the job */
    bool inside;                /* its current folder is that of the job */
};

struct job_plan {
    struct job_command commands[JOB_COMMANDS];
    size_t count;
    bool is_long;   /* runs in the lane of long jobs */
    double seconds; /* limit of a command */
};

/* Files of earlier jobs are named "files/NUMBER/NAME" in requests; `root` is the folder that has them, `folder` the one of
 * this job, which must exist, `room` the name of the room file. ERROR_INPUT names the member that is missing or wrong. Free with job_plan_free,
 * also after an error. */
int job_plan_make(struct job_plan *plan, const struct cJSON *request, const char *root, const char *folder,
                  const char *room, struct error *e);
void job_plan_free(struct job_plan *plan);

#endif
