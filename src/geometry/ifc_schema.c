/* SPDX-License-Identifier: MIT */
#include "geometry/ifc_schema.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input_file.h"
#include "base/text.h"

enum { HEADER_MAX = 1 << 16 }; /* bytes, in which FILE_SCHEMA has to stand */

/* The header as one string: NUL bytes become spaces. Fresh memory. */
static char *header_of(const char *path, struct error *e)
{
    FILE *f = input_file_stream(path, e);
    if (!f)
        return NULL;
    char *text = calloc(1, HEADER_MAX + 1);
    const size_t length = text ? fread(text, 1, HEADER_MAX, f) : 0;
    fclose(f);
    if (!text)
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

/* The first name in FILE_SCHEMA(('IFC2X3')), cut to fit. false: there is none. */
static bool schema_of(const char *header, char schema[QUOTED])
{
    const char *at = strcasestr(header, "FILE_SCHEMA");
    const char *quote = at ? strchr(at, '\'') : NULL;
    if (!quote)
        return false;
    size_t n = strcspn(quote + 1, "'");
    n = n < QUOTED - 1 ? n : QUOTED - 1;
    memcpy(schema, quote + 1, n);
    schema[n] = '\0';
    return true;
}

int ifc_schema_check(const char *path, struct error *e)
{
    char schema[QUOTED], told[QUOTED];
    char *header = header_of(path, e);
    if (!header)
        return -1;
    const bool found = schema_of(header, schema);
    free(header);
    if (!found)
        return fail(e, ERROR_INPUT, "%s: does not say which IFC it is (FILE_SCHEMA): it is not an IFC file, or damaged",
                    path);
    if (strcasecmp(schema, "IFC2X3") != 0)
        return fail(e, ERROR_INPUT,
                    "%s: is %s, and only IFC2X3 is read: convert it with tools/ifc2obj %s, which needs IfcOpenShell "
                    "(pip install ifcopenshell)",
                    path, quoted(told, schema), path);
    return 0;
}
