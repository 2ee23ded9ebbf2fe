/* Links of the air that bodies, shells and baffles cut, gathered one by one. */
#ifndef AULA_SYNTH_CUT_LIST_H
#define AULA_SYNTH_CUT_LIST_H

#include "model/model.h"
#include "scheme/bodies.h"

struct cut_list {
    struct cut *cuts;
    size_t count, room;
};

/* Cuts the link of a cell (x, y, z) across a face (enum wall), for the neighbour too. Fails when either is no air (with
 * `what` in the message) or memory is out. */
int cut_link(struct cut_list *l, const struct model *m, const size_t cell[3], int face, const char *what,
             struct error *e);

/* Sorts, merges what was said of one point, and refuses points that touch an absorbing wall: bodies mend the air after
 * the walls' step. */
int cut_list_finish(struct cut_list *l, const struct model *m, struct error *e);
void cut_list_free(struct cut_list *l);

#endif
