/* SPDX-License-Identifier: MIT */
/* Verdicts of targets as text, CSV and JSON. */
#ifndef AULA_APP_TARGET_PRINT_H
#define AULA_APP_TARGET_PRINT_H

#include "app/target.h"
#include "io/json_build.h"

/* A line with the verdict, and a table. */
int judged_print(const struct subject_judged *subjects, size_t count, const struct target *target);
/* One row for each part of the verdict, and one for the whole. */
int judged_print_csv(const struct subject_judged *subjects, size_t count, const struct target *target);
cJSON *judged_json(const struct subject_judged *subject, const struct target *target);
int judged_print_json(const struct subject_judged *subject, const struct target *target, struct error *e);

/* Lists targets with publication and volumes. */
int targets_print(const struct target_list *list);
int targets_print_json(const struct target_list *list, struct error *e);

#endif
