/* SPDX-License-Identifier: MIT */
/* The late part: energy of rays from the sources of a room, rendered as signals at its receivers. */
#ifndef AULA_RENDER_LATE_PART_H
#define AULA_RENDER_LATE_PART_H

#include "render/geometric.h"
#include "render/hybrid/late_rays.h"
#include "render/image_room.h"

struct late_part {
    double rate;         /* Hz: rate of the output */
    double low;          /* Hz: bands begin with the octave that contains it */
    double top[2];       /* Hz: flat up to the first, zero from the second on */
    size_t rays, pilots; /* rays per source; pilots and variance: as of struct late_settings */
    double variance;
    bool on_device; /* a GPU traces if it can; its index */
    int device;
};

/* Adds the sound beyond the image sources of `images` to out [room_channel_count][frames], like
 * early_part_add. Directional channels have the patterns of plane waves. Same bits for any number
 * of threads. *traced is set. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int late_part_add(double *out, size_t frames, struct late_traced *traced, const struct late_part *half,
                  const struct image_room *images, const struct model *m, size_t first, size_t count,
                  const double *gains, struct error *e);

/* *level, dB: decay of ray energy after `seconds`, in the octave and at the position of any source
 * that has decayed least (late_decay_level). The rays carry the image sources' share too. */
int late_part_decay(double *level, double seconds, const struct late_part *half, const struct image_room *images,
                    const struct model *m, size_t first, size_t count, struct error *e);

/* Energies of the rays of one source and what the walls take of them, without any sound. */
struct late_energies {
    struct late_histogram h; /* at every position of the receivers in turn; octaves from half->low on */
    struct late_audit audit; /* by material of the room, in LATE_PARTS of each octave */
};

/* `steps` of the audit within `seconds`. image_order: reflections that h leaves to image sources; -1: h includes all,
 * direct sound too. The audit counts all of them in any case. Zero *l first; free with late_energies_free, after errors
 * too. Errors as above. */
int late_part_energies(struct late_energies *l, size_t steps, double seconds, int image_order,
                       const struct late_part *half, const struct image_room *images, const struct model *m,
                       size_t source, struct error *e);
void late_energies_free(struct late_energies *l);

#endif
