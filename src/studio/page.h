/* SPDX-License-Identifier: MIT */
/* The files of the page, which the program contains. */
#ifndef AULA_STUDIO_PAGE_H
#define AULA_STUDIO_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct page_file {
    const char *name;
    const uint8_t *bytes; /* [length] */
    size_t length;
};

extern const struct page_file page_files[]; /* ends with a name NULL */

#endif
