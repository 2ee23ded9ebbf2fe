/* SPDX-License-Identifier: MIT */
/* The first page of a report for a client: letterhead, verdicts in words, note. */
#ifndef AULA_PRESENT_REPORT_COVER_H
#define AULA_PRESENT_REPORT_COVER_H

#include <stdio.h>

#include "dsp/measure/target.h"
#include "present/report/logo.h"
#include "present/report/subject.h"

/* All of it belongs to the caller; each part may be missing. */
struct cover {
    const char *title, *client, *author, *note; /* NULL: not given */
    const struct logo *logo;
    const struct target *const *targets; /* [target_count] */
    size_t target_count;
    double volume; /* m3 of every room; 0: that of each response */
};

/* Whether any part is given; without one the page has no first page of its own. */
bool cover_wanted(const struct cover *c);

/* Logo and title, or the usual heading; client and author. */
void cover_letterhead(FILE *stream, const struct cover *c);

/* The section with the verdicts in words: each target for each response, then the responses against the first. Nothing
 * unless the first page is wanted. ERROR_MEMORY. */
int cover_write(FILE *stream, const struct cover *c, const struct subject *subjects, size_t count, struct error *e);

#endif
