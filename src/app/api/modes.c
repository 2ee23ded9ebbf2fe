/* SPDX-License-Identifier: MIT */
/* The modes of a room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "render/modes/room_modes.h"

static const double TO = 200.0; /* Hz */

struct aula_modes {
    struct aula_room *room; /* that `found` refers to */
    struct room_modes found;
    char **warnings;
    size_t warning_count;
};

void aula_modes_close(struct aula_modes *modes)
{
    if (!modes)
        return;
    lines_free(modes->warnings, modes->warning_count);
    room_modes_free(&modes->found);
    room_release(modes->room);
    free(modes);
}

static int warn(struct aula_modes *modes, struct error *e)
{
    const struct model *m = modes->found.model;
    for (size_t i = 0; i < m->warning_count; i++)
        if (lines_add(&modes->warnings, &modes->warning_count, e, "%s", m->warnings[i]))
            return -1;
    return room_modes_doubts(&modes->warnings, &modes->warning_count, &modes->found, e);
}

static int make(struct call *call, struct aula_modes **out, const struct aula_room *room, double to,
                const struct aula_options *options)
{
    struct call_options given;
    if (!out)
        return call_refuse_null(call, "modes", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (!(to >= 0.0 && isfinite(to)))
        return fail(&call->error, ERROR_USAGE, "to is %g; must be a frequency in Hz, or 0 for %g", to, TO);
    if (call_take_options(&given, call, options))
        return -1;
    struct aula_modes *modes = calloc(1, sizeof *modes);
    if (!modes)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    modes->room = room_hold(room);
    if (room_modes_find(&modes->found, room->room, to > 0.0 ? to : TO, &given.choice, &given.watch, &call->error) ||
        warn(modes, &call->error)) {
        aula_modes_close(modes);
        return -1;
    }
    *out = modes;
    return 0;
}

int aula_modes_make(struct aula_modes **modes, const struct aula_room *room, double to,
                    const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, modes, room, to, options));
}

const char *aula_modes_warning(const struct aula_modes *modes, size_t index)
{
    return modes && index < modes->warning_count ? modes->warnings[index] : NULL;
}

int aula_modes_range(const struct aula_modes *modes, struct aula_mode_range *range)
{
    if (!range)
        return -1;
    memset(range, 0, sizeof *range);
    range->low = range->high = range->expected = range->schroeder = range->spacing = range->size_error =
        range->seconds = NAN;
    if (!modes)
        return -1;
    const struct room_modes *r = &modes->found;
    range->low = r->low;
    range->high = r->to;
    range->expected = r->expected;
    range->schroeder = r->schroeder;
    range->spacing = r->spacing.metres;
    range->size_error = r->size_error;
    range->seconds = r->seconds;
    return 0;
}

size_t aula_modes_count(const struct aula_modes *modes)
{
    return modes ? modes->found.count : 0;
}

int aula_modes_mode(const struct aula_modes *modes, size_t index, struct aula_mode *mode)
{
    if (!mode)
        return -1;
    memset(mode, 0, sizeof *mode);
    mode->frequency = mode->t60 = mode->level = NAN;
    if (index >= aula_modes_count(modes))
        return -1;
    const struct room_mode *m = &modes->found.modes[index];
    mode->frequency = m->frequency;
    mode->t60 = m->t60;
    mode->level = m->level;
    mode->resolved = m->resolved;
    mode->has_order = m->has_order;
    for (int axis = 0; axis < 3 && m->has_order; axis++)
        mode->order[axis] = m->order[axis];
    return 0;
}

size_t aula_modes_place_count(const struct aula_modes *modes)
{
    return modes ? modes->found.named : 0;
}

const char *aula_modes_place_name(const struct aula_modes *modes, size_t place)
{
    return place < aula_modes_place_count(modes) ? modes->found.places[place].name : NULL;
}

double aula_modes_level(const struct aula_modes *modes, size_t mode, size_t place)
{
    return mode < aula_modes_count(modes) && place < aula_modes_place_count(modes)
               ? modes->found.modes[mode].heard[place]
               : NAN;
}

size_t aula_modes_band_count(const struct aula_modes *modes)
{
    return modes ? modes->found.band_count : 0;
}

int aula_modes_band(const struct aula_modes *modes, size_t index, struct aula_mode_band *band)
{
    if (!band)
        return -1;
    memset(band, 0, sizeof *band);
    band->low = band->high = band->expected = band->residual = NAN;
    if (index >= aula_modes_band_count(modes))
        return -1;
    const struct mode_band *b = &modes->found.bands[index];
    band->low = b->low;
    band->high = b->high;
    band->expected = b->expected;
    band->residual = b->residual;
    band->found = b->found;
    band->resolved = b->resolved;
    return 0;
}
