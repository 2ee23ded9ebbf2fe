/* SPDX-License-Identifier: MIT */
/* Paths of direct sound and first reflections: in closed form in an empty box, else by the faces of the room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "render/hybrid/image_paths.h"
#include "render/image_room.h"
#include "render/moving/responses.h"
#include "render/moving/split.h"
#include "room/grid/model.h"

enum { FIRST_ORDER = 1 };
static const double OCTAVE = 1000.0; /* Hz: whose reflection factors weigh arrivals that coincide */
static const double UNKNOWN = 0.7;   /* reflection factor of walls that are given by branches or layers */

static double reflection_of(const struct material *m)
{
    size_t octave = 0;
    while (octave + 1 < OCTAVE_BANDS && octave_band_centre[octave] < OCTAVE)
        octave++;
    switch (m->kind) {
    case MATERIAL_ABSORPTION:
        return sqrt(fmax(0.0, 1.0 - m->absorption[octave]));
    case MATERIAL_IMPEDANCE:
        return fabs((m->impedance - 1.0) / (m->impedance + 1.0));
    case MATERIAL_RIGID:
    case MATERIAL_FIXED:
        return 1.0;
    default:
        return UNKNOWN;
    }
}

/* The paths as arrivals of a place. */
static int take_paths(struct moving_place *place, const struct image_paths *paths, const struct room *room,
                      struct error *e)
{
    static const double least = 1e-3; /* of a reflection: it has a share even where its wall absorbs all at one angle */
    place->arrivals = calloc(paths->count + 1, sizeof *place->arrivals);
    if (!place->arrivals)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < paths->count; i++) {
        const struct image_path *path = &paths->list[i];
        struct moving_arrival *arrival = &place->arrivals[place->arrival_count++];
        double factor = 1.0;
        for (uint32_t w = 0; w < path->wall_count; w++)
            factor *= pow(reflection_of(&room->materials[path->walls[w].material]), path->walls[w].count);
        arrival->strength = fmax(factor, least) / fmax(path->distance, 0.1);
        for (int k = 0; k < 3; k++)
            arrival->image[k] = place->position[k] + path->distance * path->arrival[k];
    }
    return 0;
}

static int find_in_box(struct moving_responses *r, double longest, struct error *e)
{
    struct image_box box;
    int status = 0;
    memcpy(box.size, r->size, sizeof box.size);
    for (int wall = 0; wall < FACES; wall++)
        box.materials[wall] = (uint32_t)r->room->walls[wall];
    for (size_t i = 0; i < r->places.count && !status; i++) {
        struct image_paths paths = {.list = NULL};
        struct moving_place *place = &r->places.list[i];
        status = box_images_find(&paths, &box, r->fixed, place->position, FIRST_ORDER, longest, e) ||
                 take_paths(place, &paths, r->room, e);
        image_paths_free(&paths);
    }
    return status;
}

static int find_by_faces(struct moving_responses *r, double longest, struct error *e)
{
    struct model *model = NULL;
    struct image_room images = {.order = 0};
    const struct mirror_sequences none = {.list = NULL};
    r->room->hybrid.order = FIRST_ORDER;
    int status = model_make(&model, r->room, e);
    status = status || image_room_make(&images, model, 0, 0.0, e);
    for (size_t i = 0; i < r->places.count && !status; i++) {
        struct image_paths paths = {.list = NULL};
        struct moving_place *place = &r->places.list[i];
        status = image_room_paths(&paths, &images, &none, r->fixed, place->position, longest, e) ||
                 take_paths(place, &paths, r->room, e);
        image_paths_free(&paths);
    }
    image_room_free(&images);
    model_free(model);
    return status;
}

int moving_arrivals_find(struct moving_responses *r, struct error *e)
{
    const double longest = SPLIT_LONGEST * r->places.sound_speed;
    const bool empty_box = room_form(r->room) == ROOM_BOX && !r->room->object_count;
    return (empty_box ? find_in_box(r, longest, e) : find_by_faces(r, longest, e)) ? -1 : 0;
}
