/* SPDX-License-Identifier: MIT */
#include "render/synth/ensemble.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"

enum { VOICES_MAX = 4096 };

int instrument_refused(const struct room *room, const struct instrument *i, struct error *e, const char *why)
{
    char where[512];
    return fail(e, ERROR_INPUT, "%s: instrument %s: %s", origin_text(&i->origin, room->path, where, sizeof where),
                i->name, why);
}

/* ---- voices */

static int add_voice(struct ensemble *s, struct voice voice, struct error *e)
{
    struct voice *more = realloc(s->voices, (s->voice_count + 1) * sizeof *more);
    if (!more)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->voices = more;
    more[s->voice_count++] = voice;
    return 0;
}

static int need_voice(struct ensemble *s, const struct room *room, size_t instrument, double pitch, struct error *e)
{
    if (s->voice_count == VOICES_MAX)
        return instrument_refused(room, &room->instruments[instrument], e,
                                  "too many different pitches for an ensemble; use fewer, or split the piece");
    for (size_t i = 0; i < s->voice_count; i++)
        if (s->voices[i].instrument == instrument && s->voices[i].pitch == pitch)
            return 0;
    return add_voice(s, (struct voice){.instrument = instrument, .pitch = pitch, .body_voice = SIZE_MAX}, e);
}

/* Surfaces come first, so that a line finds the one it drives. An instrument whose notes all have pitches has no voice
 * at its own pitch. */
static int list_voices(struct ensemble *s, const struct room *room, const struct score *score, struct error *e)
{
    for (int lines = 0; lines < 2; lines++)
        for (size_t i = 0; i < room->instrument_count; i++) {
            if (instrument_is_line(&room->instruments[i]) != lines)
                continue;
            const size_t before = s->voice_count;
            for (size_t k = 0; k < score->count && room->instruments[i].type != INSTRUMENT_WIND; k++)
                if (score->events[k].instrument == i && need_voice(s, room, i, score->events[k].pitch, e))
                    return -1;
            if (s->voice_count == before && need_voice(s, room, i, 0.0, e))
                return -1;
            if (!lines && s->voice_count > before + 1)
                return instrument_refused(
                    room, &room->instruments[i], e,
                    "a membrane or plate has a single pitch; add an instrument for each of its notes");
        }
    return 0;
}

/* The snare wires of each head, after all other voices. */
static int list_wires(struct ensemble *s, const struct room *room, struct error *e)
{
    const size_t voices = s->voice_count;
    for (size_t i = 0; i < voices; i++) {
        const size_t instrument = s->voices[i].instrument;
        for (size_t k = 0; k < room->instruments[instrument].snares; k++)
            if (add_voice(s, (struct voice){.instrument = instrument, .body_voice = i, .is_wire = true}, e))
                return -1;
    }
    return 0;
}

size_t ensemble_voice(const struct ensemble *s, size_t instrument, double pitch)
{
    size_t any = SIZE_MAX;
    for (size_t i = 0; i < s->voice_count; i++)
        if (s->voices[i].instrument == instrument && !s->voices[i].is_wire) {
            if (s->voices[i].pitch == pitch)
                return i;
            any = any == SIZE_MAX ? i : any;
        }
    return any;
}

/* ---- lines and wind instruments */

static int describe_line(struct ensemble *s, const struct voice *v, const struct room *room, struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    const size_t modes = voice_transverse_modes(v);
    char torsion[64] = "";
    if (v->torsion.count)
        snprintf(torsion, sizeof torsion, ", %zu of torsion from %.5g Hz", v->torsion.count, v->torsion.frequency[0]);
    return lines_add(&s->notes, &s->note_count, e, "%s: %zu mode%s from %.5g to %.5g Hz%s%s%s", i->name, modes,
                     modes == 1 ? "" : "s", v->lowest, v->modes.frequency[v->first_mode + modes - 1], torsion,
                     v->body_voice != SIZE_MAX ? ", on " : ", heard through pickups only",
                     v->body_voice != SIZE_MAX ? room->instruments[i->body_index].name : "");
}

/* Warns of events whose breath does not make the reed sound. */
static int describe_breath(struct ensemble *s, const struct voice *v, const struct room *room,
                           const struct score *score, struct error *e)
{
    const char *name = room->instruments[v->instrument].name;
    size_t silent = 0;
    double needs = 0.0;
    for (size_t k = 0; k < score->count; k++) {
        const struct event *event = &score->events[k];
        double most = event->breath_curve.count ? 0.0 : event->breath;
        if (event->instrument != v->instrument)
            continue;
        for (size_t i = 0; i < event->breath_curve.count; i++)
            most = fmax(most, event->breath_curve.points[i][1]);
        const double here = wind_voice_needs(v->wind, event->pitch);
        silent += here > most;
        needs = here > most ? fmax(needs, here) : needs;
    }
    return silent ? lines_add(&s->warnings, &s->warning_count, e,
                              "%s: %zu note%s hardly sound, as the breath is below %.3g Pa, where the reed or the lips "
                              "start to vibrate; raise breath",
                              name, silent, silent == 1 ? "" : "s", needs)
                  : 0;
}

static int make_wind(struct ensemble *s, struct voice *v, const struct room *room, const struct score *score,
                     const struct model *m, double rate, struct error *e)
{
    if (wind_voice_make(&v->wind, room, v->instrument, score, m, rate, e))
        return -1;
    const struct wind *w = &v->wind->wind;
    return lines_add(&s->notes, &s->note_count, e,
                     "%s: %zu cells of %.3g mm along its bore, %zu tone holes, %zu points of the air%s",
                     room->instruments[v->instrument].name, w->bore.cells, 1e3 * w->bore.grid.spacing,
                     w->opening_count - 1, wind_points(w), m ? "" : ", without air") ||
                   describe_breath(s, v, room, score, e)
               ? -1
               : 0;
}

/* ---- bodies */

/* Assigns a voice to part `part` of a body, and its state array. */
static void put_voice(struct voice *v, size_t body, size_t part, size_t *arrays)
{
    v->body = body;
    v->part = part;
    v->array = (uint16_t)(*arrays)++;
}

/* Numbers the ports of a body, whose inputs are one more array. */
static void number_ports(struct ensemble *s, struct body *body, size_t index, size_t *arrays)
{
    for (size_t i = 0; i < s->touch_count; i++)
        if (s->voices[s->touches[i].voice].body == index) {
            s->touches[i].body = index;
            s->touches[i].port = body->port_count++;
            s->touches[i].array = (uint16_t)*arrays;
        }
    *arrays += body->port_count > 0;
}

static int collect_bodies(struct ensemble *s, const struct room *room, const struct model *m, double k, struct error *e)
{
    size_t arrays = BODY_ARRAYS, lines = 0, count = 0;
    s->body = calloc(s->voice_count, sizeof *s->body);
    s->lines = calloc(s->voice_count, sizeof *s->lines);
    if (!s->body || !s->lines)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->voice_count; i++)
        s->voices[i].body = SIZE_MAX;
    for (size_t i = 0; i < s->voice_count; i++) {
        struct voice *v = &s->voices[i];
        if (v->body_voice != SIZE_MAX)
            continue;
        struct body *body = &s->body[count];
        put_voice(v, count, 0, &arrays);
        body->lines = s->lines + lines;
        body->surface = v->surface;
        body->wind = v->wind ? &v->wind->wind : NULL;
        if (!v->surface && !v->wind) {
            s->lines[lines++] = v->line;
            body->line_count = 1;
        }
        for (size_t j = 0; j < s->voice_count && v->surface; j++)
            if (s->voices[j].body_voice == i) {
                put_voice(&s->voices[j], count, 1 + body->line_count, &arrays);
                s->lines[lines++] = s->voices[j].line;
                body->line_count++;
            }
        number_ports(s, body, count++, &arrays);
        if (body->port_count > PORTS_MAX)
            return instrument_refused(room, &room->instruments[v->instrument], e,
                                      "has more than 128 contacts; use fewer frets, snares, notes or places");
    }
    s->bodies = (struct bodies){.body = s->body,
                                .count = count,
                                .array_count = arrays - BODY_ARRAYS,
                                .cuts = s->cuts.cuts,
                                .cut_count = s->cuts.count,
                                .time_step = k,
                                .joules_to_field = 1.0};
    if (m) {
        const struct air_conditions air = air_conditions(room);
        const double c = m->grid.sound_speed;
        s->bodies.joules_to_field = c * c * k * k / (air_density(&air) * pow(m->grid.spacing, 3.0));
    }
    return 0;
}

/* ---- the ensemble */

static int make_voice(struct ensemble *s, struct voice *v, const struct room *room, const struct score *score,
                      const struct model *m, double k, struct error *e)
{
    if (room->instruments[v->instrument].type == INSTRUMENT_WIND)
        return make_wind(s, v, room, score, m, 1.0 / k, e);
    if (v->is_wire)
        return voice_wire_make(v, room, k, e);
    if (instrument_is_line(&room->instruments[v->instrument]))
        return voice_line_make(v, s, room, k, e) || describe_line(s, v, room, e) ? -1 : 0;
    return voice_surface_make(s, v, room, m, k, e);
}

int ensemble_make(struct ensemble **out, const struct room *room, const struct score *score, const struct model *m,
                  double rate, struct error *e)
{
    const double k = 1.0 / (m ? m->grid.rate : rate);
    struct ensemble *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (list_voices(s, room, score, e) || list_wires(s, room, e) || touches_list(s, room, score, e))
        goto fail;
    for (size_t i = 0; i < s->voice_count; i++) {
        struct voice *v = &s->voices[i];
        if (make_voice(s, v, room, score, m, k, e))
            goto fail;
    }
    if ((m && (ensemble_check_overlap(s, room, m, e) || cut_list_finish(&s->cuts, m, e))) ||
        collect_bodies(s, room, m, k, e) || touches_make(s, room, score, 1.0 / k, e))
        goto fail;
    *out = s;
    return 0;
fail:
    ensemble_free(s);
    return -1;
}

void ensemble_free(struct ensemble *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->voice_count; i++) {
        surface_free(s->voices[i].surface);
        line_modes_free(&s->voices[i].modes);
        line_modes_free(&s->voices[i].torsion);
        wind_voice_free(s->voices[i].wind);
        free(s->voices[i].line.now);
    }
    lines_free(s->notes, s->note_count);
    lines_free(s->warnings, s->warning_count);
    touches_free(s);
    free(s->voices);
    free(s->body);
    free(s->lines);
    cut_list_free(&s->cuts);
    free(s);
}
