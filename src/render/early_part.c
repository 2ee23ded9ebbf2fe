/* SPDX-License-Identifier: MIT */
#include "render/early_part.h"

#include <math.h>
#include <stdlib.h>

#include "dsp/band_filter.h"
#include "dsp/ears/ear_responses.h"
#include "render/hybrid/late_walls.h"
#include "render/image_channels.h"
#include "render/response.h"
#include "room/grid/air.h"

static double absorption(const void *air, double frequency)
{
    return air_absorption(frequency, air);
}

/* Admittance and scattering of the walls at the frequencies of the paths. */
static void fill_materials(struct path_sound *sound, const struct image_room *images, const struct model *m)
{
    for (size_t i = 0; i < sound->material_count; i++) {
        const struct wall_admittance *wall = &m->walls[i].material;
        double scattering[OCTAVE_BANDS];
        image_room_scattering(scattering, images, &m->room->materials[i]);
        sound->materials[i].fixed = wall->fixed;
        for (size_t k = 1; k < sound->bins; k++) {
            const double scattered = late_scattering_at(scattering, sound->frequency[k]);
            sound->materials[i].mirrored[k] = sqrt(1.0 - scattered);
            if (!wall->fixed)
                sound->materials[i].admittance[k] = wall_admittance_at(wall, sound->frequency[k]);
        }
    }
}

/* s */
static double longest_hearing(const struct room *room)
{
    double longest = 0.0;
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind == RECEIVER_BINAURAL)
            longest = fmax(longest, ear_responses_length(&room->receivers[i].ears));
    return longest;
}

int early_part_sound_make(struct path_sound *sound, const struct early_part *half, const struct image_room *images,
                          const struct model *m, struct error *e)
{
    const struct air_conditions air = air_conditions(m->room);
    const struct path_settings settings = {.rate = half->rate,
                                           .sound_speed = m->grid.sound_speed,
                                           .low = half->low,
                                           .top = {half->top[0], half->top[1]},
                                           .attenuation = m->room->air.losses ? absorption : NULL,
                                           .air = &air,
                                           .material_count = m->room->material_count,
                                           .hearing = longest_hearing(m->room)};
    if (path_sound_make(sound, &settings, e))
        return -1;
    fill_materials(sound, images, m);
    return 0;
}

int early_part_add(double *out, size_t frames, size_t *ways, const struct early_part *half,
                   const struct image_room *images, const struct model *m, size_t first, size_t count,
                   const double *gains, struct error *e)
{
    struct path_sound sound = {.rate = 0.0};
    int status = early_part_sound_make(&sound, half, images, m, e);
    for (size_t i = 0; i < count && !status; i++)
        status = image_channels_add(out, frames, ways, &sound, images, m, first + i, gains[i], half->edge, e);
    for (size_t c = 0; c < room_channel_count(m->room) && !status; c++) /* phase as in the wave solver */
        high_pass(out + c * frames, frames, RESPONSE_HIGH_PASS, half->rate);
    path_sound_free(&sound);
    return status;
}
