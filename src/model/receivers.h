/* How each kind of receiver hears the grid. */
#ifndef AULA_MODEL_RECEIVERS_H
#define AULA_MODEL_RECEIVERS_H

#include "model/model.h"

/* placed[room_channel_count(room)]: the channels of each receiver in turn, in Pa. Fails as placement_make; what was placed
 * until then is the caller's to free. */
int receivers_place(struct placed *placed, const struct room *room, const struct voxels *v, const struct grid *g,
                    struct error *e);

#endif
