/* SPDX-License-Identifier: MIT */
/* The content of a SOFA file (Spatially Oriented Format for Acoustics, AES69-2022): texts and arrays of numbers by
 * name. Reading produces such a document, and writing starts from one. */
#ifndef AULA_IO_SOFA_DOCUMENT_H
#define AULA_IO_SOFA_DOCUMENT_H

#include <stddef.h>

#include "base/error.h"

enum { SOFA_RANK_MAX = 4, SOFA_ITEMS_MAX = 1024, SOFA_TEXT_MAX = 1 << 16 };
#define SOFA_VALUES_MAX ((size_t)1 << 28) /* of all arrays: 2 GB */

struct sofa_attribute {
    char *name, *text;
};

struct sofa_attributes {
    struct sofa_attribute *list;
    size_t count;
};

/* An array whose last dimension is the fastest. */
struct sofa_variable {
    char *name;
    struct sofa_attributes attributes;
    int rank;
    char letters[SOFA_RANK_MAX + 1]; /* of its dimensions, such as "MRN" */
    size_t extent[SOFA_RANK_MAX];
    double *values;
};

struct sofa_document {
    struct sofa_attributes attributes;
    struct sofa_variable *variables;
    size_t variable_count, value_count;
};

void sofa_document_free(struct sofa_document *d);

/* Copies both texts. ERROR_MEMORY; ERROR_INPUT beyond the limits above. */
int sofa_add_attribute(struct sofa_attributes *a, const char *name, const char *text, struct error *e);

/* A variable with values of 0 in *v, valid until the next is added. Errors likewise. */
int sofa_add_variable(struct sofa_document *d, struct sofa_variable **v, const char *name, const char *letters,
                      const size_t *extent, struct error *e);

/* NULL: it is not there. */
const char *sofa_text(const struct sofa_attributes *a, const char *name);
const struct sofa_variable *sofa_variable(const struct sofa_document *d, const char *name);

/* ERROR_INPUT, naming the file, unless the document has an attribute with the text `wanted`. */
int sofa_need_text(const struct sofa_document *d, const char *path, const char *name, const char *wanted,
                   struct error *e);

size_t sofa_variable_size(const struct sofa_variable *v);

#endif
