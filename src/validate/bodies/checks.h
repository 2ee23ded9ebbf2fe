/* SPDX-License-Identifier: MIT */
/* The checks of instruments in the air. */
#ifndef AULA_VALIDATE_BODIES_CHECKS_H
#define AULA_VALIDATE_BODIES_CHECKS_H

#include <string.h>

#include "validate/validate.h"

int check_synth_lines(struct validation *v, struct report *r, struct error *e);
int check_synth_surfaces(struct validation *v, struct report *r, struct error *e);
int check_synth_contacts(struct validation *v, struct report *r, struct error *e);
int check_synth_bows(struct validation *v, struct report *r, struct error *e);
int check_synth_winds(struct validation *v, struct report *r, struct error *e);
int check_synth_stretching(struct validation *v, struct report *r, struct error *e);
int check_synth_plates(struct validation *v, struct report *r, struct error *e);
int check_synth_crashes(struct validation *v, struct report *r, struct error *e);
int check_synth_energy(struct validation *v, struct report *r, struct error *e);
int check_synth_air(struct validation *v, struct report *r, struct error *e);
int check_synth_loading(struct validation *v, struct report *r, struct error *e);
int check_synth_guards(struct validation *v, struct report *r, struct error *e);
int check_synth_presets(struct validation *v, struct report *r, struct error *e);
int check_synth_engines(struct validation *v, struct report *r, struct error *e);
int check_synth_parts(struct validation *v, struct report *r, struct error *e);
int check_synth_resumed(struct validation *v, struct report *r, struct error *e);

/* Checks of instruments, used only by the table of schemes (app/schemes.c). */

struct check;

extern const struct check *const synth_checks[]; /* NULL-terminated */

#endif
