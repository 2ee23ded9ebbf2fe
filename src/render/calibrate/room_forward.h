/* SPDX-License-Identifier: MIT */
/* The forward model of a room: the wave solver in the octaves that its grid holds, image sources and rays above. */
#ifndef AULA_RENDER_CALIBRATE_ROOM_FORWARD_H
#define AULA_RENDER_CALIBRATE_ROOM_FORWARD_H

#include "render/calibrate/calibrate.h"
#include "render/image_room.h"
#include "render/simulate.h"
#include "room/grid/model.h"

struct calibrate_room {
    struct room *room;   /* its free materials and its duration change */
    struct model *model; /* of that room */
    size_t source;
    const struct calibrate_task *task;
    size_t material[CALIBRATE_MATERIALS]; /* index in the room of each free material */
    size_t receiver[CALIBRATE_RECEIVERS]; /* index in the room of each receiver of the task */
    bool waves[OCTAVE_BANDS];             /* by octave of the task: the wave solver computes it */
    size_t rays;
    const struct solver_options *choice;
    const struct watch *watch; /* of all runs; NULL: none */
    /* its own */
    struct image_room faces;
    bool has_faces, has_shares;
    double seconds;                                                  /* of every response */
    double share[OCTAVE_BANDS][CALIBRATE_DATA][CALIBRATE_MATERIALS]; /* of waves: -∂ ln T/∂ ln a, or ∂ C80 */
    double shared_at[OCTAVE_BANDS][CALIBRATE_MATERIALS];             /* ln a there */
    size_t wave_runs, ray_runs;
};

/* Prepares faces and lengths: `longest`, s, is the longest reverberation time to expect. The caller has set all members
 * but its own; free with calibrate_room_free, after errors too. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int calibrate_room_open(struct calibrate_room *c, double longest, struct error *e);
void calibrate_room_free(struct calibrate_room *c);

/* Whether the wave solver holds the whole octave. */
bool calibrate_is_of_waves(const struct model *m, double centre);

/* A calibrate_forward; context: a struct calibrate_room. Slopes: of rays by the energy that each wall takes; of waves by
 * one more run for each free material, whose absorption is raised in all octaves of waves at once, in the first call
 * alone; later calls scale its shares (calibrate_scale_shares). */
int calibrate_room_forward(void *context, struct calibrate_prediction *predictions,
                           const double (*at)[CALIBRATE_MATERIALS], struct error *e);

/* Writes α of every octave of the task into the room and its walls. */
int calibrate_room_set(struct calibrate_room *c, const double (*at)[CALIBRATE_MATERIALS], struct error *e);

#endif
