/* SPDX-License-Identifier: MIT */
#include "room/grid/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase_timer.h"
#include "base/text.h"
#include "dsp/space/field_stencil.h"
#include "room/grid/absorption.h"
#include "room/grid/air.h"
#include "room/grid/ears.h"
#include "room/grid/mapped_errors.h"
#include "room/grid/neighbours.h"
#include "room/grid/placement.h"
#include "room/grid/receivers.h"
#include "room/grid/sources.h"
#include "room/grid/voxel_notes.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/leapfrog/rows.h"

/* A note for coefficients up to 1, which published tables contain; a warning above 1, which is
 * unphysical. */
static int say_clamping(struct model *m, const struct material *material, struct error *e)
{
    char where[512];
    size_t max = 0;
    size_t more = 0;
    char others[64] = "";
    for (size_t b = 0; b < m->bands; b++) {
        max = material->absorption[b] > material->absorption[max] ? b : max;
        more += material->absorption[b] > ABSORPTION_MAX;
    }
    if (!more)
        return 0;
    if (more > 1)
        snprintf(others, sizeof others, " (%zu octaves exceed the limit)", more);
    const bool tabulated = material->absorption[max] <= 1.0;
    return lines_add(tabulated ? &m->notes : &m->warnings, tabulated ? &m->note_count : &m->warning_count, e,
                     "%s: %s absorbs %.3g in the %g Hz octave%s; a locally reacting wall absorbs at most %.2f at "
                     "random incidence, and this value is simulated",
                     origin_text(&material->origin, m->room->path, where, sizeof where), material->name,
                     material->absorption[max], octave_band_centre[max], others, ABSORPTION_MAX);
}

static int warn_between_centres(struct model *m, const struct material *material, const struct wall_model *wall,
                                struct error *e)
{
    char where[512];
    if (wall->overshoot <= FIT_OVERSHOOT && wall->worst_linear <= FIT_GOOD)
        return 0;
    return lines_add(
        &m->warnings, &m->warning_count, e,
        "%s: %s changes too fast between octaves for a passive wall: it absorbs up to %.3f more between band centres "
        "than at either, and its means over linear frequency are off by up to %.3f; smooth its absorption",
        origin_text(&material->origin, m->room->path, where, sizeof where), material->name, fmax(wall->overshoot, 0.0),
        wall->worst_linear);
}

static int warn_of_fit(struct model *m, const struct material *material, const struct wall_model *wall, struct error *e)
{
    char where[512];
    const size_t b = wall->worst_band;
    if (wall_misfit(wall, b) <= FIT_GOOD)
        return warn_between_centres(m, material, wall, e);
    return lines_add(&m->warnings, &m->warning_count, e,
                     "%s: %s absorbs %.3f instead of %.3f in the %g Hz octave, the closest fit of a passive wall; "
                     "smooth its absorption",
                     origin_text(&material->origin, m->room->path, where, sizeof where), material->name,
                     wall->fitted[b], wall->target[b], octave_band_centre[b]);
}

/* Octaves in which a layered wall absorbs otherwise if sound propagates along its layers. */
static int warn_of_local_reaction(struct model *m, const struct material *material, struct error *e)
{
    char where[512], octaves[128] = "";
    double most = 0.0;
    for (size_t b = 0, at = 0; b < OCTAVE_BANDS && !material->partitioned; b++) {
        const double local = layers_octave_absorption(&material->layered, octave_band_centre[b], M_PI_2, true);
        const double along = layers_octave_absorption(&material->layered, octave_band_centre[b], M_PI_2, false);
        if (fabs(along - local) <= LOCAL_GOOD)
            continue;
        most = fabs(along - local) > fabs(most) ? along - local : most;
        at += (size_t)snprintf(octaves + at, sizeof octaves - at, "%s%g", at ? ", " : "", octave_band_centre[b]);
    }
    if (!*octaves)
        return 0;
    return lines_add(
        &m->warnings, &m->warning_count, e,
        "%s: %s: sound that propagates along its layers would change the absorption at random incidence by "
        "up to %+.2f (octaves %s Hz), but walls react locally; divide its gaps and set partitioned = true, "
        "or expect this difference",
        origin_text(&material->origin, m->room->path, where, sizeof where), material->name, most, octaves);
}

static int warn_of_layers(struct model *m, const struct material *material, const struct wall_model *wall,
                          struct error *e)
{
    char where[512];
    if (material->kind != MATERIAL_LAYERS)
        return 0;
    if (!(wall->worst_reflection <= LAYERS_GOOD) &&
        lines_add(
            &m->warnings, &m->warning_count, e,
            "%s: %s: the wall that the grid steps reflects otherwise than its layers by up to %.3f, near %.0f Hz; "
            "lower grid.max_frequency",
            origin_text(&material->origin, m->room->path, where, sizeof where), material->name, wall->worst_reflection,
            wall->worst_frequency))
        return -1;
    return warn_of_local_reaction(m, material, e);
}

static int make_walls(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    size_t fitted = 0, max = 0;
    m->bands = walls_bands(&m->grid);
    if (room->material_count > CELL_CODES - CELL_SOLID)
        return fail(e, ERROR_INPUT, "%s: %zu materials exceed the %d that a voxel map holds; merge some", room->path,
                    room->material_count, CELL_CODES - CELL_SOLID);
    const struct wall_discretization clock = walls_clock(&m->grid);
    if (walls_make(&m->walls, room, m->bands, &clock, e))
        return -1;
    for (size_t i = 0; i < room->material_count; i++) {
        const struct material *material = &room->materials[i];
        if (warn_of_layers(m, material, &m->walls[i], e))
            return -1;
        if (!boundary_kind_of(material)->has_absorption)
            continue;
        fitted++;
        max = m->walls[i].branch_count > max ? m->walls[i].branch_count : max;
        if (say_clamping(m, material, e) || warn_of_fit(m, material, &m->walls[i], e))
            return -1;
    }
    if (!fitted)
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "the absorption of %zu material%s is fitted over all octaves, identically for every grid and for "
                     "rays, with up to %zu branches on this grid; aula info --materials lists them",
                     fitted, fitted == 1 ? "" : "s", max);
}

/* Notes a Courant number that air absorption in the scheme has lowered. */
static int note_courant(struct model *m, struct error *e)
{
    const double asked = m->room->grid.courant, given = sqrt(m->grid.courant_squared);
    if (!(asked > 0.0 && given < asked - 1e-6))
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "the Courant number is lowered from %.6g to %.6g to keep the scheme stable with air absorption",
                     asked, given);
}

char *model_air_note(const struct model *m, enum air_method method)
{
    const struct grid *g = &m->grid;
    const struct air_conditions air = air_conditions(m->room);
    if (method == AIR_NONE)
        return text_format("air: lossless");
    if (method == AIR_FILTER)
        return text_format(
            "air: %g °C, %g %%, %g kPa; ISO 9613-1 absorption is applied to impulse responses as a time-varying filter",
            air.temperature, air.humidity, air.pressure);
    const double time = g->viscosity / g->courant_squared / g->rate, omega = 2.0 * M_PI * octave_band_centre[0];
    return text_format("air: the scheme includes absorption with τ = %.3g s; it equals ISO 9613-1 at %g Hz and %.2g "
                       "times its value at %g Hz",
                       time, g->matched,
                       omega * omega * time / (2.0 * g->sound_speed) / air_absorption(octave_band_centre[0], &air),
                       octave_band_centre[0]);
}

/* Notes the errors of the mapped 19-point scheme at the edge of its band, or the reason for the
 * 7-point scheme if max_frequency is set. */
static int note_scheme(struct model *m, struct error *e)
{
    const struct grid *g = &m->grid;
    struct mapped_errors left;
    if (g->mapped) {
        mapped_errors_at(&left, g->valid_frequency / g->rate);
        return lines_add(
            &m->notes, &m->note_count, e,
            "19-point scheme with frequency mapping; at %.0f Hz (%.3g points per wavelength) errors are up to %.2g %% "
            "in phase velocity, %.2g in wall reflection, and %+.2f to %+.2f dB in direct sound",
            g->valid_frequency, g->sound_speed / (g->valid_frequency * g->spacing), 100.0 * left.phase, left.wall,
            left.level[0], left.level[1]);
    }
    if (g->stencil == STENCIL_19_POINT)
        return lines_add(
            &m->notes, &m->note_count, e,
            "19-point scheme without frequency mapping, because output.filter = \"none\" selects the raw field");
    if (m->room->grid.scheme != GRID_SCHEME_AUTO || !(m->room->grid.max_frequency > 0.0))
        return 0;
    const bool fewer = !m->room->sized_by_points && !(m->room->grid.points_per_wavelength > 0.0);
    const char *const saving = fewer ? "; the 19-point scheme would need a seventh of the points" : "";
    return lines_add(&m->notes, &m->note_count, e, "7-point scheme, because %s%s", g->scheme_reason, saving);
}

/* Warns of objects that no line through the centres of cells meets. Grids too large to step have no
 * voxels to check. */
static int warn_of_objects(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    const struct voxel_report *report = &m->voxels.report;
    char where[512], name[OBJECT_NAME];
    for (size_t i = 0; m->voxels.set && i < room->object_count && i < report->solid_count; i++)
        if (!report->solids[i] && lines_add(&m->warnings, &m->warning_count, e,
                                            "%s: %s falls between the grid points (spacing %.4g m) and is missing from "
                                            "the simulation; make it thicker, or use a finer grid",
                                            origin_text(&room->objects[i].origin, room->path, where, sizeof where),
                                            room_object_name(room, i, name), m->grid.spacing))
            return -1;
    return 0;
}

static int add_notes(struct model *m, struct error *e)
{
    const struct grid *g = &m->grid;
    bool rounded = false;
    if (size_notes(m, e) || note_scheme(m, e))
        return -1;
    for (int axis = 0; axis < 3 && room_form(m->room) == ROOM_BOX; axis++)
        rounded = rounded || fabs(g->rounding[axis]) > 1e-9 * g->size[axis];
    if (rounded &&
        lines_add(&m->notes, &m->note_count, e,
                  "the size is rounded to whole cells of %.4g m: %.6g x %.6g x %.6g m (%+.2g, %+.2g, %+.2g m)",
                  g->spacing, g->size[0], g->size[1], g->size[2], g->rounding[0], g->rounding[1], g->rounding[2]))
        return -1;
    if (note_courant(m, e))
        return -1;
    return voxel_notes(m, e) || warn_of_objects(m, e) || partitions_note(m, e) ? -1 : 0;
}

/* Warns of receivers that the direct sound does not reach within the duration; names the first. */
static int warn_of_late_receivers(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    for (size_t s = 0; s < room->source_count && room->duration > 0.0; s++) {
        const double *from = room->sources[s].position;
        size_t late = 0, first = 0;
        double seconds = 0.0;
        for (size_t r = 0; r < room->receiver_count; r++) {
            const double *to = receiver_place(&room->receivers[r], 0);
            const double way = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]) / m->grid.sound_speed;
            if (way < room->duration)
                continue;
            first = late++ ? first : r;
            seconds = fmax(seconds, way);
        }
        char others[64] = "";
        if (late > 1)
            snprintf(others, sizeof others, " and %zu more", late - 1);
        if (late && lines_add(&m->warnings, &m->warning_count, e,
                              "time.duration of %g s ends before the direct sound of source %s reaches receiver %s%s; "
                              "use more than %.4g s",
                              room->duration, room->sources[s].name, room->receivers[first].name, others, seconds))
            return -1;
    }
    return 0;
}

/* The volume of a box of the requested size, less the voxels of objects on the grid. */
static double box_volume(const struct model *m)
{
    const struct grid *g = &m->grid;
    double asked = 1.0, given = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        asked *= g->size[axis] - g->rounding[axis];
        given *= g->size[axis];
    }
    return m->space.volume + asked - given;
}

int model_make(struct model **m, const struct room *room, struct error *e)
{
    return model_make_for(m, room, NULL, e);
}

int model_make_for(struct model **out, const struct room *room, const struct grid_use *use, struct error *e)
{
    *out = NULL;
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return fail(e, ERROR_MEMORY, "out of memory");
    m->room = room;
    m->sources = calloc(room_drive_count(room) + 1, sizeof *m->sources);
    m->orders = calloc(room->source_count + 1, sizeof *m->orders);
    m->receivers = calloc(room_tap_count(room) + 1, sizeof *m->receivers);
    m->rows = calloc(1, sizeof *m->rows);
    if (!m->sources || !m->orders || !m->receivers || !m->rows) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    if (grid_make_for(&m->grid, room, use, e))
        goto fail;
    phase_begin("voxelizing the room");
    int status = placement_check(m, e) ||
                 room_voxels_make_in_parts(&m->voxels, &m->grid, room, use ? use->transport : NULL, e) ||
                 room_measures_make(&m->space, &m->voxels.report, e) || partitions_make(m, e);
    phase_end();
    if (status)
        goto fail;
    m->rows->voxels = m->voxels.set;
    if (room_form(room) == ROOM_BOX)
        m->space.model_volume = box_volume(m);
    phase_begin("fitting the walls");
    status = make_walls(m, e) || add_notes(m, e) || warn_of_late_receivers(m, e);
    phase_end();
    if (status)
        goto fail;
    status = sources_place(m, e) || receivers_place(m, e);
    field_lattices_free(&m->lattices);
    if (status || ears_note(m, e) || neighbours_note(&m->notes, &m->note_count, room, &m->grid, e))
        goto fail;
    *out = m;
    return 0;
fail:
    model_free(m);
    return -1;
}

int model_remake_walls(struct model *m, struct error *e)
{
    const struct wall_discretization clock = walls_clock(&m->grid);
    struct kept_rows *rows = calloc(1, sizeof *rows); /* they hold the weights of the walls */
    struct wall_model *walls;
    if (!rows)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (walls_make(&walls, m->room, m->bands, &clock, e)) {
        free(rows);
        return -1;
    }
    rows->voxels = m->voxels.set;
    free(m->walls);
    kept_rows_free(m->rows);
    m->walls = walls;
    m->rows = rows;
    return 0;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    for (size_t i = 0; m->sources && i < room_drive_count(m->room); i++)
        free(m->sources[i].channel.entries);
    for (size_t i = 0; m->receivers && i < room_tap_count(m->room); i++)
        free(m->receivers[i].channel.entries);
    free(m->sources);
    free(m->orders);
    free(m->receivers);
    field_lattices_free(&m->lattices);
    free(m->walls);
    kept_rows_free(m->rows);
    partitions_free(&m->partitions);
    room_measures_free(&m->space);
    room_voxels_free(&m->voxels);
    lines_free(m->notes, m->note_count);
    lines_free(m->warnings, m->warning_count);
    free(m);
}

static const struct scheme *scheme_of(enum air_stencil stencil)
{
    return stencil == STENCIL_19_POINT ? &isotropic19_scheme : &cartesian7_scheme;
}

int model_problem(struct problem *p, struct leapfrog_problem *l, const struct model *m, size_t first, size_t count,
                  struct error *e)
{
    const size_t begin = room_first_drive(m->room, first),
                 drive_count = room_first_drive(m->room, first + count) - begin;
    struct channel *drives = calloc(drive_count + 1, sizeof *drives);
    const size_t tap_count = room_tap_count(m->room);
    struct channel *taps = calloc(tap_count + 1, sizeof *taps);
    memset(p, 0, sizeof *p);
    memset(l, 0, sizeof *l);
    if (!drives || !taps) {
        free(drives);
        free(taps);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < drive_count; i++)
        drives[i] = m->sources[begin + i].channel;
    for (size_t i = 0; i < tap_count; i++)
        taps[i] = m->receivers[i].channel;
    p->scheme = scheme_of(m->grid.stencil);
    p->parameters = l;
    memcpy(p->points, m->grid.points, sizeof p->points);
    p->precision = m->room->grid.precision;
    p->drives = drives;
    p->drive_count = drive_count;
    p->taps = taps;
    p->tap_count = tap_count;
    l->stencil = m->grid.stencil;
    l->slabs = m->voxels.slabs;
    l->voxels = l->slabs ? NULL : m->voxels.set;
    l->kept_rows = l->slabs ? NULL : m->rows;
    l->courant_squared = m->grid.courant_squared;
    l->viscosity = air_method(m->room, first, count) == AIR_SCHEME ? m->grid.viscosity : 0.0;
    for (size_t i = 0; i < m->room->material_count; i++) {
        l->admittance[CELL_SOLID + i] = m->walls[i].admittance;
        l->branches[CELL_SOLID + i] = m->walls[i].branches;
        l->branch_count[CELL_SOLID + i] = (uint8_t)m->walls[i].branch_count;
        l->transmission[CELL_SOLID + i] = partition_transmission(m, i);
    }
    return 0;
}

void model_problem_free(struct problem *p)
{
    free((void *)p->drives);
    free((void *)p->taps);
    memset(p, 0, sizeof *p);
}
