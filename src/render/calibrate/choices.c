/* SPDX-License-Identifier: MIT */
/* What a calibration fits: parameters, materials, octaves and data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/calibrate/room_calibration.h"

static const double least_area = 0.01; /* of the surface: smaller materials are free only by --free */

int calibrate_parse_use(bool use[CALIBRATE_PARAMETERS], const char *list, struct error *e)
{
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, ",");
        size_t p = 0;
        char safe[QUOTED];
        while (p < CALIBRATE_PARAMETERS &&
               !(strlen(calibrate_kinds[p].name) == length && !strncmp(calibrate_kinds[p].name, at, length)))
            p++;
        if (p == CALIBRATE_PARAMETERS)
            return fail(e, ERROR_USAGE, "--use %s: expected a list of t20, t30, edt and c80", quoted(safe, list));
        use[p] = true;
        at += length + (at[length] == ',');
    }
    return 0;
}

static int refuse_material(const struct room *room, const char *name, const char *why, struct error *e)
{
    const char **names = calloc(room->material_count + 1, sizeof *names);
    char hint[HINT];
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->material_count; i++)
        names[i] = room->materials[i].name;
    fail(e, ERROR_USAGE, "--free %s: %s%s", name, why,
         *why == 'n' ? text_hint(hint, name, names, room->material_count) : "");
    free(names);
    return -1;
}

static int take_named(struct room_calibration *c, const char *name, struct error *e)
{
    const struct room *room = c->room;
    size_t i = 0;
    while (i < room->material_count && strcmp(room->materials[i].name, name) != 0)
        i++;
    if (i == room->material_count)
        return refuse_material(room, name, "no such material in the room", e);
    if (!boundary_kind_of(&room->materials[i])->has_absorption)
        return refuse_material(room, name, "has no absorption by octave; define it by absorption = [..] first", e);
    for (size_t m = 0; m < c->task.materials; m++)
        if (c->forward.material[m] == i)
            return refuse_material(room, name, "is listed twice; name it once", e);
    if (c->task.materials == CALIBRATE_MATERIALS)
        return fail(e, ERROR_USAGE, "--free: at most %d materials are supported; name fewer", CALIBRATE_MATERIALS);
    c->forward.material[c->task.materials++] = i;
    return 0;
}

int calibrate_choose_materials(struct room_calibration *c, struct error *e)
{
    const struct room *room = c->room;
    for (const char *at = c->wish.free; at && *at;) {
        const size_t length = strcspn(at, ",");
        char *name = text_format("%.*s", (int)length, at);
        if (!name)
            return fail(e, ERROR_MEMORY, "out of memory");
        const int status = take_named(c, name, e);
        free(name);
        if (status)
            return -1;
        at += length + (at[length] == ',');
    }
    for (size_t i = 0; i < room->material_count && !c->wish.free && c->task.materials < CALIBRATE_MATERIALS; i++)
        if (boundary_kind_of(&room->materials[i])->has_absorption &&
            c->model->space.area[i] >= least_area * c->model->space.surface)
            c->forward.material[c->task.materials++] = i;
    if (c->task.materials)
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s: no free material: none that covers 1 %% of the surface has absorption by octave; give a wall such a "
        "material, or name one by --free",
        room->path);
}

/* Whether a value that counts was measured anywhere in an octave. */
static bool is_measured(const struct room_calibration *c, size_t octave)
{
    for (size_t i = 0; i < c->data.count; i++)
        for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++) {
            const struct metrics_band *band = &c->data.measured[i].metrics.band[octave];
            if (c->use[p] && !c->data.measured[i].held && band->validity == METRICS_VALID &&
                isfinite(calibrate_value(band, (enum calibrate_parameter)p)))
                return true;
        }
    return false;
}

/* The remedy where a value is missing: tables list what was measured, and responses are measured here. */
static const char *where_to_look(const struct room_calibration *c)
{
    size_t listed = 0, fitted = 0;
    for (size_t i = 0; i < c->data.count; i++)
        if (!c->data.measured[i].held) {
            fitted++;
            listed += c->data.measured[i].listed;
        }
    return listed == fitted ? "add it to the table, or choose others by --use and --octaves"
                            : "aula metrics says why of each response";
}

static int add_octave(struct room_calibration *c, size_t octave, bool asked, struct error *e)
{
    const double centre = octave_band_centre[octave];
    const bool waves = calibrate_is_of_waves(c->model, centre);
    const bool rays = (c->room->hybrid.full || !c->room->hybrid.given) && c->room->hybrid.rays > 0;
    if (!waves && !rays)
        return asked ? fail(e, ERROR_INPUT,
                            "%s: the octave of %g Hz lies beyond the grid's valid band, which ends at %.0f Hz, and the "
                            "room has no rays; set hybrid.full = true or raise --waves-to",
                            c->room->path, centre, c->model->grid.valid_frequency)
                     : 0;
    if (!is_measured(c, octave))
        return asked ? fail(e, ERROR_INPUT, "--octaves: no receiver to be fitted has %s in the octave of %g Hz; %s",
                            c->wish.use, centre, where_to_look(c))
                     : 0;
    c->task.octave[c->task.octaves] = octave;
    c->forward.waves[c->task.octaves++] = waves;
    return 0;
}

int calibrate_choose_octaves(struct room_calibration *c, struct error *e)
{
    bool asked[OCTAVE_BANDS] = {false};
    for (const char *at = c->wish.octaves; at && *at;) {
        const size_t length = strcspn(at, ",");
        char word[32];
        double value;
        size_t octave = 0;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (text_number(word, &value))
            value = 0.0;
        while (octave < OCTAVE_BANDS && !(octave_band_centre[octave] == value))
            octave++;
        if (octave == OCTAVE_BANDS)
            return fail(
                e, ERROR_USAGE,
                "--octaves %s: expected centres in Hz separated by commas: 63, 125, 250, 500, 1000, 2000, 4000, "
                "8000",
                c->wish.octaves);
        asked[octave] = true;
        at += length + (at[length] == ',');
    }
    for (size_t octave = 0; octave < OCTAVE_BANDS; octave++)
        if ((!c->wish.octaves || asked[octave]) && add_octave(c, octave, asked[octave], e))
            return -1;
    if (c->task.octaves)
        return 0;
    return fail(e, ERROR_INPUT, "no octave has a usable decay (%s) at a receiver to be fitted; %s", c->wish.use,
                where_to_look(c));
}

static void fill_receiver(struct room_calibration *c, size_t k, size_t i)
{
    const struct calibrate_measured *measured = &c->data.measured[i];
    const struct metrics_band *band = &measured->metrics.band[c->task.octave[k]];
    const double t20 = band->t20.time, t30 = band->t30.time, late = isfinite(t20) ? t20 : t30;
    const double time = isfinite(late) ? late : band->edt.time;
    size_t sharing = 0;
    for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++)
        sharing += c->use[p] && (p == CALIBRATE_T20 || p == CALIBRATE_T30) &&
                   isfinite(calibrate_value(band, (enum calibrate_parameter)p));
    for (size_t p = 0; p < CALIBRATE_PARAMETERS && band->validity == METRICS_VALID; p++) {
        const double value = calibrate_value(band, (enum calibrate_parameter)p);
        const size_t index = calibrate_index(i, (enum calibrate_parameter)p);
        if (!c->use[p] || !isfinite(value) || !isfinite(time))
            continue;
        calibrate_set_datum(&c->task, k, i, (enum calibrate_parameter)p, value, p == CALIBRATE_C80 ? time : value,
                            sharing);
        if (measured->held)
            c->task.problem[k].deviation[index] = 0.0;
    }
}

void calibrate_fill_task(struct room_calibration *c)
{
    c->task.receivers = c->data.count;
    for (size_t i = 0; i < c->data.count; i++)
        c->forward.receiver[i] = c->data.measured[i].receiver;
    for (size_t k = 0; k < c->task.octaves; k++) {
        struct calibrate_octave *o = &c->task.problem[k];
        o->materials = c->task.materials;
        o->data = c->task.receivers * CALIBRATE_PARAMETERS;
        for (size_t i = 0; i < o->data; i++)
            o->measured[i] = NAN;
        for (size_t m = 0; m < c->task.materials; m++)
            calibrate_set_prior(&c->task, k, m,
                                c->room->materials[c->forward.material[m]].absorption[c->task.octave[k]]);
        for (size_t i = 0; i < c->data.count; i++)
            fill_receiver(c, k, i);
    }
}
