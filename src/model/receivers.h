/* Channels of each kind of receiver on the grid. */
#ifndef AULA_MODEL_RECEIVERS_H
#define AULA_MODEL_RECEIVERS_H

#include "model/model.h"

/* Fills m->receivers: the channels of each receiver in turn, in Pa. Fails as placement_make; the caller frees those
 * placed before. */
int receivers_place(struct model *m, struct error *e);

#endif
