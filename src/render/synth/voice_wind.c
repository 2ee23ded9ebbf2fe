/* SPDX-License-Identifier: MIT */
#include "render/synth/voice_wind.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/voxels/voxel_set.h"
#include "render/synth/gesture.h"
#include "room/notes.h"
#include "solver/schemes/bodies/wind_impedance.h"

static const double BREATH_RAMP = 0.02, FINGER_RAMP = 0.01; /* s */
static const double LIPS = 150.0;                           /* Hz: at which their damping is that of the publication */
static const double QUARTER_TONE = 1.0 / 24.0;              /* octaves */

/* ---- the notes of the score */

static int refuse_note(const struct event *event, const struct room *room, double low, double high, struct error *e)
{
    char where[512];
    const char *at = origin_text(&event->origin, room->path, where, sizeof where);
    const char *name = room->instruments[event->instrument].name;
    if (!(event->pitch > 0.0))
        return fail(e, ERROR_INPUT, "%s: note: is missing for %s at %.6g s; add it", at, name, event->time);
    if (!(low > 0.0))
        return fail(e, ERROR_INPUT, "%s: note: %s has no resonance for lips at %.6g Hz; use another note, or bore", at,
                    name, event->pitch);
    return fail(e, ERROR_INPUT,
                "%s: note: %.6g Hz is none of the pitches of %s, from %.6g to %.6g Hz; use a note in that range, or "
                "add a hole for it",
                at, event->pitch, name, low, high);
}

static bool is_near(double pitch, double other)
{
    return other > 0.0 && fabs(log2(pitch / other)) < QUARTER_TONE;
}

/* The threshold and the lips of a pitch. NAN lips: it cannot be played. */
static void make_note(struct wind_note *note, const struct wind_voice *v)
{
    double conductance[OPENINGS_MAX] = {0.0}, sounds;
    if (v->plan.reed.sign < 0.0) {
        note->lips = wind_lips(&v->wind, note->pitch, &note->needs);
        return;
    }
    bool known = is_near(note->pitch, v->lowest);
    for (size_t i = 0; i < v->plan.hole_count; i++)
        known = known || is_near(note->pitch, v->holes[i].pitch);
    note->lips = known ? 0.0 : NAN;
    wind_fingering(&v->plan, note->pitch, conductance);
    note->needs = wind_threshold(&v->wind, 0.0, conductance, 0.8 * note->pitch, 1.25 * note->pitch, &sounds);
}

static const struct wind_note *note_of(const struct wind_voice *v, double pitch)
{
    size_t i = 0;
    while (i < v->note_count && v->notes[i].pitch != pitch)
        i++;
    return i < v->note_count ? &v->notes[i] : NULL;
}

static int make_notes(struct wind_voice *v, const struct room *room, size_t instrument, const struct score *score,
                      struct error *e)
{
    v->notes = calloc(score->count + 1, sizeof *v->notes);
    if (!v->notes)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < score->count; i++) {
        const struct event *event = &score->events[i];
        if (event->instrument != instrument || note_of(v, event->pitch))
            continue;
        struct wind_note note = {.pitch = event->pitch, .lips = NAN};
        if (event->pitch > 0.0)
            make_note(&note, v);
        if (isnan(note.lips))
            return refuse_note(event, room, v->lowest, v->plan.hole_count ? v->holes[0].pitch : v->lowest, e);
        v->notes[v->note_count++] = note;
    }
    return 0;
}

/* ---- the bore and its openings */

/* Openings add to the field after its walls: no cell of theirs may lie at a wall. */
static int check_openings(const struct wind_voice *v, const struct model *m, struct error *e)
{
    const size_t nx = m->grid.points[0], ny = m->grid.points[1], count = wind_points(&v->wind);
    for (size_t i = 0; i < count && m->voxels.set; i++) {
        const size_t point = v->wind.points[i], x = point % nx, y = point / nx % ny, z = point / nx / ny;
        bool air = voxel_set_is_air(m->voxels.set, x, y, z);
        for (int face = 0; face < 6 && air; face++)
            air = !voxel_set_face(m->voxels.set, x, y, z, face);
        if (!air)
            return fail(e, ERROR_INPUT,
                        "position: an opening lies in or at a wall or an object near [%.3g, %.3g, %.3g]; move the "
                        "instrument",
                        m->grid.origin[0] + ((double)x + 0.5) * m->grid.spacing,
                        m->grid.origin[1] + ((double)y + 0.5) * m->grid.spacing,
                        m->grid.origin[2] + ((double)z + 0.5) * m->grid.spacing);
    }
    return 0;
}

static int make_wind(struct wind_voice *v, const struct room *room, const struct instrument *i, const struct model *m,
                     double rate, struct error *e)
{
    const struct air_conditions conditions = air_conditions(room);
    const struct wind_air air = {.density = air_density(&conditions),
                                 .sound_speed = m ? m->grid.sound_speed : sound_speed(room->air.temperature),
                                 .rate = m ? m->grid.rate : rate};
    if (i->hole_count >= OPENINGS_MAX)
        return fail(e, ERROR_INPUT, "holes: %zu are given; use at most %d", i->hole_count, OPENINGS_MAX - 1);
    for (size_t k = 0; k < i->hole_count; k++)
        v->holes[k] = (struct wind_hole){i->holes[k][0], i->holes[k][1], i->holes[k][2], i->holes[k][3]};
    v->plan = (struct wind_plan){.bore = (const double(*)[2])i->bore,
                                 .bore_count = i->bore_count,
                                 .holes = v->holes,
                                 .hole_count = i->hole_count,
                                 .reed = i->reed == REED_LIPS ? reed_lips(LIPS) : reed_clarinet()};
    for (int axis = 0; axis < 3; axis++) {
        v->plan.mouth[axis] = i->mouth[axis];
        v->plan.end[axis] = i->position[axis];
    }
    v->lowest = i->pitch;
    return wind_begin(&v->wind, &v->plan, m ? &m->grid : NULL, &air, e) || (m && check_openings(v, m, e)) ? -1 : 0;
}

int wind_voice_make(struct wind_voice **out, const struct room *room, size_t instrument, const struct score *score,
                    const struct model *m, double rate, struct error *e)
{
    const struct instrument *i = &room->instruments[instrument];
    char where[512];
    struct error why;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (make_wind(*out, room, i, m, rate, &why))
        return fail(e, why.code, "%s: instrument %s: %.900s", origin_text(&i->origin, room->path, where, sizeof where),
                    i->name, why.message);
    return make_notes(*out, room, instrument, score, e);
}

void wind_voice_free(struct wind_voice *v)
{
    if (!v)
        return;
    wind_end(&v->wind);
    free(v->notes);
    free(v);
}

double wind_voice_needs(const struct wind_voice *v, double pitch)
{
    const struct wind_note *note = note_of(v, pitch);
    return note ? note->needs : NAN;
}

/* ---- over time */

size_t wind_voice_inputs(const struct wind_voice *v)
{
    return WIND_HOLES + v->plan.hole_count;
}

static double own_breath(const struct event *event, double seconds)
{
    const double ramp = fmin(BREATH_RAMP, 0.25 * event->duration);
    const double breath = event->breath_curve.count ? curve_at(&event->breath_curve, seconds) : event->breath;
    return breath * fmax(0.0, fmin(fmin(seconds / ramp, (event->duration - seconds) / ramp), 1.0));
}

static double breath_at(const struct event *event, const struct event *before, double seconds)
{
    if (seconds >= event->duration)
        return 0.0;
    if (!before || seconds >= BREATH_RAMP || !(before->time + before->duration > event->time))
        return own_breath(event, seconds);
    const double old = own_breath(before, event->time - before->time);
    return old + seconds / BREATH_RAMP * (own_breath(event, BREATH_RAMP) - old);
}

static bool is_open(const struct wind_hole *hole, const struct event *event)
{
    return hole->pitch <= event->pitch * exp2(QUARTER_TONE);
}

double wind_voice_input(const struct wind_voice *v, const struct event *event, const struct event *before, size_t input,
                        double seconds)
{
    const double share = before ? fmin(1.0, seconds / FINGER_RAMP) : 1.0;
    if (input == WIND_BLOWING)
        return breath_at(event, before, seconds);
    if (input == WIND_LIPS) {
        const double lips = note_of(v, event->pitch)->lips;
        const double old = before ? note_of(v, before->pitch)->lips : lips;
        return old + share * (lips - old);
    }
    const struct wind_hole *hole = &v->holes[input - WIND_HOLES];
    const double open = is_open(hole, event), was = before ? is_open(hole, before) : open;
    return wind_hole_conductance(was + share * (open - was));
}
