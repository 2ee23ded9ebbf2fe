/* SPDX-License-Identifier: MIT */
/* Warnings and notes about a page, which the caller prints or returns. */
#ifndef AULA_PRESENT_PAGE_REMARKS_H
#define AULA_PRESENT_PAGE_REMARKS_H

#include <stddef.h>

/* Zero it first. */
struct remarks {
    char **warnings, **notes;
    size_t warning_count, note_count;
};

/* Without memory, the remark is lost. */
void remarks_warn(struct remarks *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void remarks_note(struct remarks *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void remarks_free(struct remarks *r);

#endif
