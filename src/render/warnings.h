/* SPDX-License-Identifier: MIT */
/* What a rendering says of itself that its user should know. Each adds lines to rendering.warnings. ERROR_MEMORY. */
#ifndef AULA_RENDER_WARNINGS_H
#define AULA_RENDER_WARNINGS_H

#include "render/render.h"

int warn_of_silence(struct rendering *r, const struct model *m, struct error *e);

/* Linear phase rings before each arrival; ringing of the direct sound before t = 0 is lost. */
int warn_of_cut_ringing(struct rendering *r, const struct model *m, const struct response_settings *s, struct error *e);

/* A file of few samples a second carries less than the valid band. */
int warn_of_narrow_file(struct rendering *r, const struct model *m, struct error *e);

/* The response is too short for reverberation metrics. filtered: to a valid band. */
int warn_of_short_decay(struct rendering *r, const struct length *length, bool filtered, struct error *e);

/* Rays follow a scattering that waves do not know. */
int warn_of_decays(struct rendering *r, struct error *e);

/* Rays that met no face left through a gap. */
int warn_of_lost_rays(struct rendering *r, struct error *e);

#endif
