/* Links of the air that bodies, shells and baffles cut, gathered one by one. */
#ifndef AULA_SYNTH_CUT_LIST_H
#define AULA_SYNTH_CUT_LIST_H

#include "model/model.h"
#include "schemes/bodies/bodies.h"

struct cut_list {
    struct cut *cuts;
    const char **owners; /* [count] whose it is */
    size_t count, room;
    struct enclosed { /* air inside shells */
        uint64_t point;
        const char *owner;
    } * inside;
    size_t inside_count, inside_room;
};

/* Cuts the link of a cell (x, y, z) across a face (enum face), for the neighbour too. owner: the name of the instrument,
 * which outlives the list; part of it: "", "the shell of ". Fails when either cell is no air or memory is out. */
int cut_link(struct cut_list *l, const struct model *m, const size_t cell[3], int face, const char *part,
             const char *owner, struct error *e);

/* Notes that the cell lies inside a shell. */
int cut_list_enclose(struct cut_list *l, const struct model *m, const size_t cell[3], const char *owner,
                     struct error *e);

/* The neighbour of a point across a face, for points that cut_link took. */
uint64_t cut_neighbour(const struct model *m, uint64_t point, int face);

/* Sorts, merges what was said of one point (owners are gone then), and refuses points that touch an absorbing wall: bodies
 * mend the air after the walls' step. */
int cut_list_finish(struct cut_list *l, const struct model *m, struct error *e);
void cut_list_free(struct cut_list *l);

#endif
