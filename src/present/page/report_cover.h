/* SPDX-License-Identifier: MIT */
/* The first page of a report. */
#ifndef AULA_PRESENT_PAGE_REPORT_COVER_H
#define AULA_PRESENT_PAGE_REPORT_COVER_H

#include "present/page/remarks.h"
#include "present/report/report.h"
#include "room/targets/targets.h"

struct cover_options {
    const char *title, *client, *author, *logo, *note, *locale;
    const char *const *targets; /* [target_count] names */
    size_t target_count;
    const char *target_file; /* further targets; NULL: none */
    double volume;           /* m3; 0: that of the render */
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
int report_cover_open(struct report_cover *c, const struct cover_options *o, struct error *e);
void report_cover_free(struct report_cover *c);

/* ERROR_USAGE: a target depends on the volume, which is not known. Warns about it. */
int report_cover_check(const struct report_cover *c, const struct subject *s, struct remarks *remarks, struct error *e);

#endif
