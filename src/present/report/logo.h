/* SPDX-License-Identifier: MIT */
/* The logo of a report: a PNG, JPEG or SVG picture inside the page. */
#ifndef AULA_PRESENT_REPORT_LOGO_H
#define AULA_PRESENT_REPORT_LOGO_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { LOGO_MAX = 1 << 20 }; /* bytes */

struct logo {
    const char *type; /* "image/png", "image/jpeg" or "image/svg+xml": by its content */
    uint8_t *bytes;   /* [count] */
    size_t count;
};

/* The type of these bytes. NULL: refused, and *why says why in words that follow the name of the file. An SVG file with
 * scripts, event handlers, entities, or references to other files is refused. A browser would neither run nor load them
 * in an <img>, so this keeps logos whole, and is no part of the page's safety. */
const char *logo_type(const char **why, const uint8_t *bytes, size_t count);

/* ERROR_INPUT for an unreadable file, a larger one, and one that is refused. On failure *logo is zero. */
int logo_read(struct logo *logo, const char *path, struct error *e);
void logo_free(struct logo *logo); /* safe on a zeroed struct */

#endif
