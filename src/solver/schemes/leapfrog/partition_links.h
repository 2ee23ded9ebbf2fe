/* SPDX-License-Identifier: MIT */
/* Partitions that let sound through, theory (37a) to (37d): links between the faces of air on both
 * sides of a run of solid voxels.
 *
 * A link carries the specific velocity v of a limp sheet between two faces of the area s. With the
 * mean pressures p_1 and p_2 over the n points of each face (7-point: 1, 19-point: 4), the Courant
 * number λ and the masses m_i of the points, a step from p is
 *
 *     A   = (d - E v)/(D + E/2),   d = p_1 - p_2
 *     v⁺  = v + A
 *     p⁺ += ∓ λ s/(n m_i) A        at the points of face 1 (-) and face 2 (+), inside the wall's bracket
 *
 * A link is from the voxel of air on its lower side. Both faces must have codes that transmit; if
 * these differ, their inertances add up, and so do their resistances. The runs are those of
 * geometry/voxels/solid_runs.h. The faces keep their admittances. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_PARTITION_LINKS_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_PARTITION_LINKS_H

#include "base/device.h"
#include "solver/schemes/leapfrog/rows.h"

enum { FACE_POINTS_MAX = 4 };

struct partition_link {
    uint64_t face[2];             /* canonical index of the lowest point of each face, the lower face first */
    uint64_t row;                 /* of the points whose indices are those of the lower voxel: y + points[1] z */
    uint8_t axis;                 /* of its normal */
    double inertance, resistance; /* D, E; D with the inertance of the air that lies between the points */
    double coupling;              /* λ s */
};

/* v and A of the last step; NaN: the link has not started, so that its states follow from the field. */
struct partition_state {
    double velocity, flow;
};

/* By ascending row; those of a row in an order that does not depend on the voxels around them. */
struct partition_links {
    struct partition_link *list;
    size_t count;
    size_t face_points; /* n */
};

/* Smallest inertance of a transmission that keeps the scheme stable for any resistance, theory (37d): 4 λ with the
 * 19-point stencil; 0 with the 7-point stencil, where a link has the inertance 1/λ of the air between its points too. */
double transmission_least_inertance(const struct leapfrog_problem *l);

/* Refuses transmissions that are not passive or have less than the least inertance. ERROR_ENGINE. */
int transmission_check(const struct leapfrog_problem *l, struct error *e);

/* Whether any code transmits. */
bool transmission_any(const struct leapfrog_problem *l);

/* Finds the links of the problem's voxels; none without any. Links of faces of more than whole area have at least the
 * inertance that keeps these stable. Must be freed in any case. ERROR_MEMORY, ERROR_STOPPED. */
int partition_links_make(struct partition_links *links, const struct problem *p, struct error *e);
void partition_links_free(struct partition_links *links);

/* The points of both faces, in canonical order, those of the lower face first: returns n, their number per face. */
int partition_link_points(const struct partition_link *link, const struct problem *p,
                          uint64_t points[2 * FACE_POINTS_MAX]);

/* The links of planes z0 .. z0 + nz - 1 of points, for the states that belong to planes: those that begin there, own
 * .. end - 1 of the list, and of first .. own - 1, which begin in the plane below, those that reach up. So two
 * neighbouring planes have links in common. */
struct link_range {
    size_t first, own, end;
};
struct link_range partition_links_of(const struct partition_links *links, const struct problem *p, size_t z0,
                                     size_t nz);
static inline bool link_range_has(const struct link_range *range, const struct partition_links *links, size_t link)
{
    return link >= range->own || (links->face_points > 1 && links->list[link].axis != 2);
}
size_t link_range_count(const struct link_range *range, const struct partition_links *links);

/* The share of a link that a point receives: weight times A. */
struct flow_term {
    uint64_t point; /* canonical index */
    uint64_t link;
    double weight;
};
/* (*terms)[*count], by point, then by link, without points where p = 0 for ever. The sum over the links of a point is
 * taken in double precision in this order. To be freed; ERROR_MEMORY. */
int partition_terms_make(struct flow_term **terms, size_t *count, const struct partition_links *links,
                         const struct problem *p, const struct rows *rows, struct error *e);

/* touched [planes]: sets the planes that a grid in parts must keep together, from the lower to the upper face of
 * links along z, and where a run along z decides that there is no link along another axis. ERROR_MEMORY,
 * ERROR_STOPPED. */
int partition_planes(bool *touched, const struct problem *p, struct error *e);

/* The next v or A of a link. d: difference of the mean pressures, v: its velocity before. */
ON_BOTH double partition_flow(const struct partition_link *l, double d, double v)
{
    return (d - l->resistance * v) / (l->inertance + 0.5 * l->resistance);
}

/* Energy after a step that made the flow `now`, theory (37c); `next`: the flow of the step to come. */
ON_BOTH double partition_stored(const struct partition_link *l, double next, double now)
{
    return 0.5 * l->coupling * (l->inertance * next * now - 0.25 * l->resistance * (next * next - now * now));
}

/* Half of the energy lost between the steps that make two consecutive flows. */
ON_BOTH double partition_lost(const struct partition_link *l, double next, double now)
{
    return 0.125 * l->coupling * l->resistance * (next + now) * (next + now);
}

#endif
