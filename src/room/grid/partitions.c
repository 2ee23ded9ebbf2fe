/* SPDX-License-Identifier: MIT */
#include "room/grid/partitions.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/air.h"
#include "base/text.h"
#include "room/grid/air.h"
#include "room/grid/model.h"
#include "room/grid/partition_error.h"
#include "room/grid/partition_rooms.h"
#include "room/grid/partition_walls.h"
#include "solver/schemes/leapfrog/partition_links.h"

/* ---- the sheet */

double partition_air_impedance(const struct room *room)
{
    const struct air_conditions air = air_conditions(room);
    return air_density(&air) * sound_speed(air.temperature);
}

/* |1 + z cos θ/(2ρc)|⁻² */
static double transmitted(const struct material_transmission *t, double air_impedance, double frequency, double cosine)
{
    const double half = 0.5 * cosine / air_impedance;
    const double real = 1.0 + half * t->resistance, imaginary = half * 2.0 * M_PI * frequency * t->mass;
    return 1.0 / (real * real + imaginary * imaginary);
}

double partition_reduction_at(const struct material_transmission *t, double air_impedance, double frequency,
                              double cosine)
{
    return -10.0 * log10(transmitted(t, air_impedance, frequency, cosine));
}

double partition_reduction(const struct material_transmission *t, double air_impedance, double frequency)
{
    return partition_reduction_at(t, air_impedance, frequency, 1.0);
}

double partition_field_reduction(const struct material_transmission *t, double air_impedance, double frequency)
{
    enum { POINTS = 200 };
    const double limit = cos(78.0 * M_PI / 180.0), least = limit * limit;
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) /* uniform in cos²θ: the weight is 2 cos θ sin θ dθ */
        sum += transmitted(t, air_impedance, frequency, sqrt(least + (1.0 - least) * (i + 0.5) / POINTS));
    return -10.0 * log10(sum / POINTS);
}

double partition_coincidence(const struct material_transmission *t, double sound_speed)
{
    return t->bending_stiffness > 0.0 ? sound_speed * sound_speed / (2.0 * M_PI) * sqrt(t->mass / t->bending_stiffness)
                                      : 0.0;
}

/* ---- on the grid */

/* That the scheme steps, theory (37d). */
static double least_inertance(const struct grid *g)
{
    return transmission_least_inertance(
        &(struct leapfrog_problem){.stencil = g->stencil, .courant_squared = g->courant_squared});
}

/* By which a resistance is multiplied, so that waves of a mapped grid see that of the material in the middle of the
 * band: wall_discretization.h. A mass needs no factor: theory (37e) averaged over field incidence is that of the material
 * within 0.1 dB up to 4 points per wavelength. */
static double resistance_factor(const struct grid *g)
{
    const struct wall_discretization clock = walls_clock(g);
    return g->mapped ? 1.0 / wall_discretization_view(&clock, 0.5 * g->valid_frequency).factor : 1.0;
}

/* m̂ per kg/m². */
static double inertance_of_mass(const struct model *m)
{
    return m->grid.rate / partition_air_impedance(m->room);
}

struct transmission partition_transmission(const struct model *m, size_t material)
{
    const struct material_transmission *t = &m->room->materials[material].transmission;
    if (!t->given)
        return (struct transmission){.inertance = 0.0};
    return (struct transmission){
        .inertance = fmax(t->mass * inertance_of_mass(m), least_inertance(&m->grid)),
        .resistance = resistance_factor(&m->grid) * t->resistance / partition_air_impedance(m->room),
    };
}

int partitions_make(struct model *m, struct error *e)
{
    struct partitions *p = &m->partitions;
    const size_t count = m->room->material_count;
    const double per_mass = inertance_of_mass(m), least = least_inertance(&m->grid) / per_mass;
    p->of = calloc(count + 1, sizeof *p->of);
    if (!p->of)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const struct material_transmission *t = &m->room->materials[i].transmission;
        p->any = p->any || t->given;
        p->of[i].mass = t->given ? fmax(t->mass, least) : 0.0;
    }
    p->set = p->any ? m->voxels.set : NULL;
    p->counted = p->set != NULL;
    return p->counted ? partition_rooms_find(m, e) : 0;
}

void partitions_free(struct partitions *p)
{
    free(p->of);
    free(p->rooms);
    free(p->room_of);
    memset(p, 0, sizeof *p);
}

/* ---- messages */

static int warn_of_mass(struct model *m, size_t i, const char *where, struct error *e)
{
    const struct material *material = &m->room->materials[i];
    if (!(m->partitions.of[i].mass > material->transmission.mass))
        return 0;
    return lines_add(&m->warnings, &m->warning_count, e,
                     "%s: %s: a partition of %.3g kg/m2 is too light for this grid, and %.3g kg/m2 is simulated; use a "
                     "finer grid, or leave it out",
                     where, material->name, material->transmission.mass, m->partitions.of[i].mass);
}

/* R falls below the mass law from about an octave below the coincidence frequency on. */
static int warn_of_coincidence(struct model *m, size_t i, const char *where, struct error *e)
{
    const struct material *material = &m->room->materials[i];
    const double critical = partition_coincidence(&material->transmission, m->grid.sound_speed);
    if (!(critical > 0.0 && 0.5 * critical < 20000.0))
        return 0;
    return lines_add(&m->warnings, &m->warning_count, e,
                     "%s: %s: coincidence near %.3g Hz is not modelled; above about %.3g Hz the partition lets more "
                     "sound through than simulated",
                     where, material->name, critical, 0.5 * critical);
}

/* Waves of the grid are not those of air near the edge of the band. */
static int warn_of_error(struct model *m, size_t i, const char *where, struct error *e)
{
    const struct partition_error error = partition_error_of(m, i);
    char text[PARTITION_ERROR_TEXT];
    const char *name = m->room->materials[i].name;
    if (!partition_error_is_noted(m, i, &error))
        return 0;
    partition_error_text(text, &error);
    return fabs(error.field_worst) <= partition_error_bounds[1]
               ? lines_add(&m->notes, &m->note_count, e, "%s: %s: %s", where, name, text)
               : lines_add(&m->warnings, &m->warning_count, e, "%s: %s: %s; raise grid.max_frequency to move these up",
                           where, name, text);
}

static int note_faces(struct model *m, size_t i, const char *where, struct error *e)
{
    const struct material *material = &m->room->materials[i];
    const struct partition *p = &m->partitions.of[i];
    if (!m->partitions.counted || p->faces || p->on_wall || !(m->space.area[i] > 0.0))
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "%s: %s: no surface of this material has air of the room on both sides, so that it lets no sound "
                     "through",
                     where, material->name);
}

static const double thick = 0.5; /* m: partitions are thinner */

/* Faces far apart, with whatever lies between. */
static int warn_of_depth(struct model *m, size_t i, const char *where, struct error *e)
{
    const struct partition *p = &m->partitions.of[i];
    const char *name = m->room->materials[i].name;
    if (!m->partitions.counted || !(p->deepest > thick))
        return 0;
    return lines_add(&m->warnings, &m->warning_count, e,
                     "%s: %s joins faces up to %.2g m apart as one sheet, whatever lies between them, outdoor space "
                     "too: give transmission to the walls between two rooms alone",
                     where, name, p->deepest);
}

/* Faces tell their own materials, and not what lies between them. */
static int warn_of_layers(struct model *m, size_t i, const char *where, struct error *e)
{
    static const double share = 0.05; /* of the area: less is where walls meet */
    const struct partition *p = &m->partitions.of[i];
    if (!(p->uncounted > share * p->area))
        return 0;
    return lines_add(
        &m->warnings, &m->warning_count, e,
        "%s: %.3g m2 of %s are several objects one behind the other, of which only the materials of the two "
        "faces count, and a material of both faces once; draw one object with the sum of the masses",
        where, p->uncounted, m->room->materials[i].name);
}

/* The least extent of the solid around a place, m. */
static double width_at(const struct model *m, const double place[3])
{
    const struct voxel_set *set = m->partitions.set;
    size_t at[3], least = SIZE_MAX;
    for (int k = 0; k < 3; k++) {
        const double cell = floor((place[k] - m->grid.origin[k]) / m->grid.spacing);
        if (!(cell >= 0.0 && cell < (double)voxel_set_count(set, k)))
            return 0.0;
        at[k] = (size_t)cell;
    }
    for (int k = 0; k < 3; k++) {
        size_t low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        while (low[k] < voxel_set_count(set, k) && !voxel_set_is_air(set, low[0], low[1], low[2]))
            low[k]--; /* wraps below 0 */
        while (high[k] < voxel_set_count(set, k) && !voxel_set_is_air(set, high[0], high[1], high[2]))
            high[k]++;
        least = high[k] - low[k] - 1 < least ? high[k] - low[k] - 1 : least;
    }
    return (double)least * m->grid.spacing;
}

/* Closed spaces of a model behind a partition, which are solid unless a source or receiver is in them. */
static int warn_of_spaces(struct model *m, struct error *e)
{
    const struct voxel_report *r = &m->voxels.report;
    for (size_t i = 0; i < r->component_count && i < VOXEL_COMPONENTS && m->voxels.has_mesh; i++) {
        const struct voxel_component *c = &r->components[i];
        if (c->is_room || c->is_outside || !c->is_beside || !(width_at(m, c->place) > thick))
            continue;
        if (lines_add(&m->warnings, &m->warning_count, e,
                      "the closed space of %.4g m3 around (%.2f, %.2f, %.2f) m is beside a partition, but no source or "
                      "receiver is in it, so that it counts as the inside of a wall; put a receiver into it if it is a "
                      "room",
                      c->volume, c->place[0], c->place[1], c->place[2]))
            return -1;
    }
    return 0;
}

static bool is_reached(const struct partitions *p, size_t place)
{
    const size_t room = p->room_of[place];
    return room == PARTITION_NO_ROOM || p->rooms[room].reached;
}

/* Sources and receivers in a room that no partition joins with the first. */
static int warn_of_silence(struct model *m, struct error *e)
{
    const struct partitions *p = &m->partitions;
    const struct room *room = m->room;
    size_t place = room->source_count;
    for (size_t s = 0; s < room->source_count; s++)
        if (!is_reached(p, s) &&
            lines_add(&m->warnings, &m->warning_count, e,
                      "source %s is in a room that no partition joins with that of the first source",
                      room->sources[s].name))
            return -1;
    for (size_t r = 0; r < room->receiver_count; r++) {
        bool reached = true;
        for (size_t k = 0; k < receiver_place_count(&room->receivers[r]); k++)
            reached = reached && is_reached(p, place++);
        if (!reached && lines_add(&m->warnings, &m->warning_count, e,
                                  "receiver %s is in a room that no partition joins with that of the first source",
                                  room->receivers[r].name))
            return -1;
    }
    return 0;
}

static int note_rooms(struct model *m, struct error *e)
{
    const struct partitions *p = &m->partitions;
    char volumes[256] = "";
    size_t used = 0;
    if (p->room_count < 2)
        return 0;
    for (size_t i = 0; i < p->room_count && used + 32 < sizeof volumes; i++)
        used += (size_t)snprintf(volumes + used, sizeof volumes - used, "%s%.4g", i ? ", " : "", p->rooms[i].volume);
    return lines_add(&m->notes, &m->note_count, e,
                     "partitions join %zu rooms of %s m3; volume, surface, estimated decay and Schroeder frequency are "
                     "those of all of them together",
                     p->room_count, volumes);
}

int partitions_note(struct model *m, struct error *e)
{
    char where[512];
    if (m->partitions.any && partition_walls_warn(m, e))
        return -1;
    for (size_t i = 0; i < m->room->material_count && m->partitions.any; i++) {
        if (!m->room->materials[i].transmission.given)
            continue;
        origin_text(&m->room->materials[i].origin, m->room->path, where, sizeof where);
        if (warn_of_mass(m, i, where, e) || warn_of_coincidence(m, i, where, e) || note_faces(m, i, where, e) ||
            warn_of_depth(m, i, where, e) || warn_of_layers(m, i, where, e) || warn_of_error(m, i, where, e))
            return -1;
    }
    return m->partitions.counted ? note_rooms(m, e) || warn_of_spaces(m, e) || warn_of_silence(m, e) : 0;
}
