/* SPDX-License-Identifier: MIT */
/* Warnings of a rendering to its user. Each function may add lines to rendering.warnings.
 * ERROR_MEMORY. */
#ifndef AULA_RENDER_WARNINGS_H
#define AULA_RENDER_WARNINGS_H

#include "render/render.h"

int warn_of_silence(struct rendering *r, const struct model *m, struct error *e);

/* Linear-phase filters ring ahead of arrivals; the ringing of the direct sound before t = 0 is
 * lost. */
int warn_of_cut_ringing(struct rendering *r, const struct model *m, const struct response_settings *s, struct error *e);

/* A low output rate carries less than the valid band. */
int warn_of_narrow_file(struct rendering *r, const struct model *m, struct error *e);

/* The response is too short for reverberation parameters. filtered: limited to a valid band. */
int warn_of_short_decay(struct rendering *r, const struct length *length, bool filtered, struct error *e);

/* Rays and wave solver disagree in the octave below the crossover. */
int warn_of_decays(struct rendering *r, struct error *e);

/* Rays escaped through a gap. */
int warn_of_lost_rays(struct rendering *r, struct error *e);

#endif
