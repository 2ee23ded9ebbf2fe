/* SPDX-License-Identifier: MIT */
/* The options of aula report that make its first page. */
#ifndef AULA_APP_REPORT_COVER_H
#define AULA_APP_REPORT_COVER_H

#include "app/options.h"
#include "app/target.h"
#include "present/report/report.h"

struct cover_options {
    const char *title, *client, *author, *logo, *note, *locale;
};

/* Zero it first; free it also on failure. */
struct report_cover {
    struct cover cover; /* of the members below */
    char decimal_sign;
    struct logo logo;
    struct target_list list;
    struct target **targets; /* [cover.target_count] copies, for targets_find may change its target */
};

/* Reads the logo and finds the targets. ERROR_USAGE, ERROR_INPUT. */
int report_cover_open(struct report_cover *c, const struct cover_options *o, const struct target_options *t,
                      const struct common_options *common, struct error *e);
void report_cover_free(struct report_cover *c);

/* ERROR_USAGE: a target depends on the volume, which is not known. Prints warnings about it. */
int report_cover_check(const struct report_cover *c, const struct subject *s, struct error *e);

#endif
