/* SPDX-License-Identifier: MIT */
/* Parameters of decays of ray energies, and how they follow from absorption by the audit of the walls. */
#ifndef AULA_RENDER_CALIBRATE_RAYS_H
#define AULA_RENDER_CALIBRATE_RAYS_H

#include "render/calibrate/calibrate.h"
#include "render/hybrid/late_rays.h"

/* s: reverberation time by a regression of the backward integrated energy from -from to -(from + range) dB; NaN: the
 * decay does not reach that far. span[2], may be NULL: s, where the line begins and ends. */
double calibrate_time(double span[2], const struct late_histogram *h, size_t place, size_t band, double from,
                      double range);

/* C80, dB, from the bin of the arrival on; NaN: no energy on either side. */
double calibrate_clarity(const struct late_histogram *h, size_t place, size_t band);

/* What walls and the air take of the energy that decays. */
struct calibrate_shares {
    double mean;        /* of the energy that arrives at walls */
    double air;         /* of all that leaves */
    const double *wall; /* [walls] of all that leaves; in the caller's buffer */
};

/* From span[0] to span[1] s, of a band, with the decay time of that span; air: NULL: lossless. wall [audit->walls],
 * filled. */
struct calibrate_shares calibrate_shares_of(double *wall, const struct late_audit *audit,
                                            const struct late_histogram *h, size_t band, const double span[2],
                                            double time, const struct air_conditions *air, double sound_speed);

/* The rays of one room, as the forward model of some of a task's octaves. */
struct calibrate_rays {
    const struct late_histogram *h;
    const struct late_audit *audit;
    const struct air_conditions *air; /* NULL: lossless */
    double sound_speed;
    const size_t *material; /* [task->materials]: index of each free material among the walls */
    const size_t *place;    /* [task->receivers]: position of each receiver in the histogram */
};

/* Fills the prediction of an octave at ln a [materials] from what was traced there. */
void calibrate_of_rays(struct calibrate_prediction *p, const struct calibrate_rays *rays,
                       const struct calibrate_task *task, size_t k, const double *at);

#endif
