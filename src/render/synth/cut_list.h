/* SPDX-License-Identifier: MIT */
/* List of the links between air cells that surfaces and shells cut. */
#ifndef AULA_RENDER_SYNTH_CUT_LIST_H
#define AULA_RENDER_SYNTH_CUT_LIST_H

#include "room/grid/model.h"
#include "solver/schemes/bodies/bodies.h"

struct cut_list {
    struct cut *cuts;
    const char **owners; /* [count] names of the instruments */
    size_t count, room;
    struct enclosed { /* cells of air inside shells */
        uint64_t point;
        const char *owner;
    } * inside;
    size_t inside_count, inside_room;
};

/* Cuts the link of a cell (x, y, z) across a face (enum face), for both cells. owner: name of the instrument, which
 * outlives the list; part of it, for messages: "", "the shell of ". ERROR_INPUT unless
 * both cells are air. */
int cut_link(struct cut_list *l, const struct model *m, const size_t cell[3], int face, const char *part,
             const char *owner, struct error *e);

/* Records that the cell lies inside a shell. */
int cut_list_enclose(struct cut_list *l, const struct model *m, const size_t cell[3], const char *owner,
                     struct error *e);

/* The neighbour of a point across a face, for points given to cut_link. */
uint64_t cut_neighbour(const struct model *m, uint64_t point, int face);

/* Sorts the list and merges the cuts of each point; owners become invalid. Refuses points at an absorbing wall, because
 * the cuts are applied after the step of the walls. */
int cut_list_finish(struct cut_list *l, const struct model *m, struct error *e);
void cut_list_free(struct cut_list *l);

#endif
