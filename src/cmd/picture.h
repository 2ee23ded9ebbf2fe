/* The picture of a response: its waveform, and the decay of its energy. */
#ifndef AULA_CMD_PICTURE_H
#define AULA_CMD_PICTURE_H

#include "render/render.h"

int picture_of_response(const char *path, const struct model *m, const struct rendering *r, struct error *e);

#endif
