/* SPDX-License-Identifier: MIT */
/* One material as a table, JSON, CSV and a picture. */
#ifndef AULA_APP_MATERIAL_PRINT_H
#define AULA_APP_MATERIAL_PRINT_H

#include "base/error.h"
#include "present/materials/material_acoustics.h"

struct material_shown {
    const char *title; /* the name, or the description as it was typed */
    const struct material *material;
    struct material_acoustics acoustics;
};

void material_print(const struct material_shown *m); /* on stdout */
int material_print_json(const struct material_shown *m, char *const *notes, size_t note_count, struct error *e);

/* In fresh memory; NULL when that is out. CSV: frequency, absorption and admittance in a line each. */
char *material_csv(const struct material_shown *m);
char *material_svg(const struct material_shown *m);

#endif
