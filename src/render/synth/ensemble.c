/* SPDX-License-Identifier: MIT */
#include "render/synth/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/synth/air_coupling.h"
#include "render/synth/mode.h"

enum { VOICES_MAX = 4096 };
static const double PLATE_ERROR_MAX = 0.005; /* largest error of a plate's first ten modes: inaudible */

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

/* ---- surfaces */

static int plan_surface(struct voice *v, const struct room *room, double k, struct error *e)
{
    static const enum surface_edge edges[] = {SURFACE_SUPPORTED, SURFACE_CLAMPED, SURFACE_FREE};
    const struct instrument *i = &room->instruments[v->instrument];
    struct surface_plan *p = &v->plan;
    const bool plate = i->type == INSTRUMENT_PLATE;
    *p = (struct surface_plan){.outline = i->outline == OUTLINE_CIRCLE ? SURFACE_CIRCLE : SURFACE_RECTANGLE,
                               .half = {i->radius, i->radius},
                               .edge = plate ? edges[i->ends] : SURFACE_SUPPORTED,
                               .density = plate ? i->density * i->thickness : i->surface_density,
                               .poisson = i->poisson,
                               .time_step = k,
                               .cells = i->cells};
    if (p->outline == SURFACE_RECTANGLE)
        for (int axis = 0; axis < 2; axis++)
            p->half[axis] = 0.5 * i->sides[axis];
    if (plate && p->outline == SURFACE_CIRCLE && p->edge == SURFACE_SUPPORTED)
        return instrument_refused(
            room, i, e, "a square grid cannot support the edge of a disc; set ends = \"clamped\" or \"free\"");
    if (plate) {
        p->bending = i->young * pow(i->thickness, 3.0) / (12.0 * (1.0 - i->poisson * i->poisson));
    } else {
        const double pitch = v->pitch > 0.0 ? v->pitch : i->pitch;
        p->tension = i->tension;
        if (pitch > 0.0) { /* the lowest mode is proportional to the root of the tension */
            p->tension = 1.0;
            const double at_one = membrane_pitch(p);
            p->tension = pitch * pitch / (at_one * at_one);
        }
    }
    struct line_decay decay;
    struct error why;
    if (decay_from_times(&decay, p->tension / p->density, p->bending / p->density, i->decay_at, i->decay, &why))
        return instrument_refused(room, i, e, why.message);
    p->sigma0 = decay.sigma0;
    p->sigma1 = decay.sigma1;
    return 0;
}

static int describe_surface(struct ensemble *s, const struct voice *v, const struct room *room, const struct model *m,
                            struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    const bool circle = v->plan.outline == SURFACE_CIRCLE, plate = v->plan.bending > 0.0;
    const char *along = circle ? "radius" : "longer side";
    const size_t good = circle ? 16 : 32; /* of a membrane */
    char modes[64] = "";
    if (plate)
        snprintf(modes, sizeof modes, ", its first ten modes within %.2g %%", 100.0 * v->grid.worst);
    if (lines_add(&s->notes, &s->note_count, e,
                  "%s: %zu cells of %.3g mm along its %s, lowest mode %.5g Hz in vacuo%s%s", i->name, v->grid.cells,
                  1e3 * v->grid.spacing[v->plan.half[1] > v->plan.half[0]], along, v->lowest, modes,
                  m ? "" : ", without air"))
        return -1;
    if (plate && !(v->grid.worst <= PLATE_ERROR_MAX) &&
        lines_add(&s->warnings, &s->warning_count, e,
                  "%s: %zu cells along its %s are too coarse%s: the lowest mode is exact, but the first ten are off by "
                  "up to %.2g %%; at %.6g steps per second %zu cells are stable",
                  i->name, v->grid.cells, along,
                  v->grid.cells == v->grid.cells_max ? ", although no more are stable" : "", 100.0 * v->grid.worst,
                  1.0 / v->plan.time_step, v->grid.cells_max))
        return -1;
    if (!plate && v->grid.cells < good &&
        lines_add(
            &s->warnings, &s->warning_count, e,
            "%s: %zu cells along its %s are too coarse%s: the lowest mode is exact, but the overtones are off by about "
            "%.2g %% of their distance from it; %zu cells suffice, and at %.6g steps per second %zu are stable",
            i->name, v->grid.cells, along, v->grid.cells == v->grid.cells_max ? ", although no more are stable" : "",
            100.0 * 0.14 / (double)v->grid.cells, good, 1.0 / v->plan.time_step, v->grid.cells_max))
        return -1;
    if (m && i->shell > 0.0 &&
        lines_add(&s->notes, &s->note_count, e, "%s: its shell is %.3g m deep on the grid, %.0f cells", i->name,
                  round(i->shell / m->grid.spacing) * m->grid.spacing, round(i->shell / m->grid.spacing)))
        return -1;
    if (m && v->surface->cells < 12 &&
        lines_add(
            &s->warnings, &s->warning_count, e,
            "%s moves only %zu cells of the air's grid (%.3g m each), and its level is inaccurate; raise grid.rate",
            i->name, v->surface->cells, m->grid.spacing))
        return -1;
    return 0;
}

static int make_surface(struct ensemble *s, struct voice *v, const struct room *room, const struct model *m, double k,
                        struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    const struct surface_site site = {.centre = {i->position[0], i->position[1], i->position[2]},
                                      .normal = (int)i->normal,
                                      .shell = i->shell,
                                      .closed = i->bottom == SHELL_CLOSED};
    struct error why;
    char where[512];
    if (plan_surface(v, room, k, e))
        return -1;
    int status =
        surface_make(&v->surface, &v->grid, &v->plan, i->name, &why) ||
        (m && surface_couple_air(v->surface, &v->grid, &v->plan, &site, m, &s->cuts, &v->plane, i->name, &why));
    if (status)
        return fail(e, why.code, "%s: %.900s", origin_text(&i->origin, room->path, where, sizeof where), why.message);
    v->lowest = v->grid.lowest;
    return describe_surface(s, v, room, m, e);
}

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

/* ---- no two instruments may share or cross a cell of the air */

/* A cell of the air that a surface moves, or that an opening of a wind instrument flows into. */
struct moved {
    uint64_t point;
    const char *owner;
    bool shared; /* several openings of its owner may */
};

static int by_place(const void *a, const void *b)
{
    const struct moved *p = a, *q = b;
    return (p->point > q->point) - (p->point < q->point);
}

static const char *owner_of(const struct moved *moved, size_t count, uint64_t point)
{
    const struct moved wanted = {.point = point};
    const struct moved *found = count ? bsearch(&wanted, moved, count, sizeof *moved, by_place) : NULL;
    return found ? found->owner : NULL;
}

static int too_close(const struct room *room, const char *one, const char *other, struct error *e)
{
    return fail(
        e, ERROR_INPUT,
        "%s: instruments %s and %s cross or share a cell of the air; move them apart by at least two cells of the grid",
        room->path, one, other);
}

/* Refuses a cell that two surfaces move, since each would undo the other's correction, a surface that another's shell
 * cuts through, and a cell inside two shells. A drumhead inside a shell is allowed. */
static int compare_places(const struct ensemble *s, const struct room *room, const struct model *m, struct moved *moved,
                          size_t count, struct error *e)
{
    qsort(moved, count, sizeof *moved, by_place);
    for (size_t i = 1; i < count; i++)
        if (moved[i].point == moved[i - 1].point && !(moved[i].shared && moved[i].owner == moved[i - 1].owner))
            return too_close(room, moved[i - 1].owner, moved[i].owner, e);
    for (size_t i = 0; i < s->cuts.count; i++) {
        int face = 0;
        while (!(s->cuts.cuts[i].faces >> face & 1))
            face++;
        const char *one = owner_of(moved, count, s->cuts.cuts[i].point);
        const char *other = owner_of(moved, count, cut_neighbour(m, s->cuts.cuts[i].point, face));
        if (one && one == other && one != s->cuts.owners[i])
            return too_close(room, s->cuts.owners[i], one, e);
    }
    struct moved *inside = calloc(s->cuts.inside_count + 1, sizeof *inside);
    if (!inside)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->cuts.inside_count; i++)
        inside[i] = (struct moved){s->cuts.inside[i].point, s->cuts.inside[i].owner, false};
    qsort(inside, s->cuts.inside_count, sizeof *inside, by_place);
    int status = 0;
    for (size_t i = 1; i < s->cuts.inside_count && !status; i++)
        if (inside[i].point == inside[i - 1].point && inside[i].owner != inside[i - 1].owner)
            status = too_close(room, inside[i - 1].owner, inside[i].owner, e);
    free(inside);
    return status;
}

/* ERROR_INPUT, naming both, when two instruments cross or share a cell of the air. Call before cut_list_finish. */
static int check_overlap(const struct ensemble *s, const struct room *room, const struct model *m, struct error *e)
{
    size_t total = 0, n = 0;
    for (size_t i = 0; i < s->voice_count; i++)
        total += s->voices[i].surface ? 2 * s->voices[i].surface->cells
                 : s->voices[i].wind  ? wind_points(&s->voices[i].wind->wind)
                                      : 0;
    struct moved *moved = calloc(total + 1, sizeof *moved);
    if (!moved)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->voice_count; i++) {
        const struct surface *surface = s->voices[i].surface;
        const char *name = room->instruments[s->voices[i].instrument].name;
        for (size_t k = 0; surface && k < surface->cells; k++) {
            moved[n++] = (struct moved){surface->below[k], name, false};
            moved[n++] = (struct moved){surface->above[k], name, false};
        }
        const struct wind *wind = s->voices[i].wind ? &s->voices[i].wind->wind : NULL;
        for (size_t k = 0; wind && k < wind_points(wind); k++)
            moved[n++] = (struct moved){wind->points[k], name, true};
    }
    const int status = compare_places(s, room, m, moved, n, e);
    free(moved);
    return status;
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
    return make_surface(s, v, room, m, k, e);
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
    if ((m && (check_overlap(s, room, m, e) || cut_list_finish(&s->cuts, m, e))) || collect_bodies(s, room, m, k, e) ||
        touches_make(s, room, score, 1.0 / k, e))
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

/* ---- drives and taps */

static void surface_entries(struct channel *c, const struct voice *v, const double place[2])
{
    uint32_t node[4];
    double weight[4];
    surface_place(node, weight, v->surface, &v->grid, &v->plan, place);
    for (int i = 0; i < 4; i++)
        if (weight[i] != 0.0)
            c->entries[c->count++] = (struct channel_entry){node[i], weight[i], v->array, 1};
}

/* p = ρ/4π d(Σ ū)/dt at 1 m, for wavelengths that are long compared with the instrument. */
static void wind_entries(struct channel *c, const struct voice *v, double place)
{
    const struct wind *w = &v->wind->wind;
    if (place == 0.0)
        c->entries[c->count++] = (struct channel_entry){WIND_MOUTHPIECE, 1.0, v->array, 1};
    for (size_t i = 0; i < w->opening_count && place != 0.0; i++)
        c->entries[c->count++] =
            (struct channel_entry){WIND_FLOWS + i, w->bore.grid.density / (4.0 * M_PI), v->array, 1};
}

/* ωk/sin ωk: the velocity of a mode over the central difference of its displacement. */
static double velocity_factor(const struct voice *v, size_t mode, double k)
{
    const double angle = 2.0 * M_PI * v->modes.frequency[v->first_mode + mode] * k;
    return angle > 0.0 ? angle / sin(angle) : 1.0;
}

int ensemble_channel(struct channel *c, const struct ensemble *s, size_t voice, const double place[2],
                     enum channel_use use, struct error *e)
{
    const struct voice *v = &s->voices[voice];
    *c = (struct channel){calloc(v->line.modes + OPENINGS_MAX + 5, sizeof *c->entries), 0};
    if (!c->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (v->wind)
        wind_entries(c, v, place[0]);
    if (v->surface)
        surface_entries(c, v, place);
    const size_t transverse = voice_transverse_modes(v);
    for (size_t m = 0; m < v->torsion.count && use == CHANNEL_SURFACE; m++)
        c->entries[c->count++] =
            (struct channel_entry){transverse + m, line_shape(&v->torsion, m, place[0]), v->array, 1};
    for (size_t m = 0; m < transverse; m++) {
        const double shape = line_shape(&v->modes, v->first_mode + m, place[0]);
        const double factor = use == CHANNEL_VELOCITY ? velocity_factor(v, m, s->bodies.time_step) : 1.0;
        c->entries[c->count++] = (struct channel_entry){m, factor * shape, v->array, 1};
    }
    /* a moving end displaces the whole line */
    const struct connection *connection = &v->line.connection;
    const double end = connection->kind == CONNECTION_END || connection->kind == CONNECTION_BRIDGE
                           ? line_end_shape(&v->modes.line, place[0])
                           : 0.0;
    if (connection->kind == CONNECTION_BRIDGE)
        c->entries[c->count++] = (struct channel_entry){v->line.modes, end, v->array, 1};
    for (int i = 0; i < CONNECTION_NODES_MAX && connection->kind == CONNECTION_END; i++)
        if (connection->weight[i] != 0.0)
            c->entries[c->count++] = (struct channel_entry){connection->node[i], end * connection->weight[i],
                                                            s->voices[v->body_voice].array, 1};
    return 0;
}
