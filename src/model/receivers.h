/* Channels of each kind of receiver on the grid. */
#ifndef AULA_MODEL_RECEIVERS_H
#define AULA_MODEL_RECEIVERS_H

#include "model/model.h"

/* placed[room_channel_count(room)]: the channels of each receiver in turn, in Pa. Fails as placement_make; the caller
 * frees those placed before. */
int receivers_place(struct placed *placed, const struct room *room, const struct voxels *v, const struct grid *g,
                    struct error *e);

#endif
