/* SPDX-License-Identifier: MIT */
#include "room/grid/sources.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "room/grid/field_placement.h"

int source_drive_order(const struct source *s, size_t drive)
{
    return s->directivity == DIRECTIVITY_FILE ? harmonics_order_of(s->radiation.harmonic[drive]) : (int)drive;
}

struct integrator source_integrator(const struct source *s, int n, double sound_speed)
{
    static const double known_at[PATTERN_ORDER_MAX + 1] = {10.0, 10.0, 3.0, 1.0}; /* m */
    const double most = n > 1 ? 3.0 : 10.0;
    const double distance =
        s->directivity == DIRECTIVITY_FILE ? fmin(s->radiation.distance, most) : known_at[source_order(s)];
    return (struct integrator){INTEGRATOR_NEAR_FIELD, distance, sound_speed};
}

static int place_omni(struct placed *placed, struct model *m, const struct placement *p, struct error *e)
{
    if (placement_make(placed, m, p, e))
        return -1;
    for (size_t k = 0; k < placed->channel.count; k++)
        placed->channel.entries[k].level = 1;
    return 0;
}

/* Coefficients of order n of a directivity Σ a_n P_n(u · d), with P_n(u · d) = Σ_m Y_nm(u) Y_nm(d). */
static void along_axis(double *coefficients, const struct source *s, int order, int n)
{
    const struct turn turn = turn_of(s->orientation[0], s->orientation[1], s->orientation[2]);
    const double axis[3] = {turn.row[0][0], turn.row[1][0], turn.row[2][0]};
    double a[PATTERN_ORDER_MAX + 1], y[FIELD_CHANNELS_MAX];
    source_pattern(a, s->directivity, order);
    harmonics_at(y, n, axis);
    for (int k = n * n; k < (n + 1) * (n + 1) && n <= order; k++)
        coefficients[k] = a[n] * y[k];
}

/* Expresses a harmonic in the axes of the source by harmonics in the axes of the room. */
static void of_harmonic(double *coefficients, const struct field_turn *back, size_t harmonic)
{
    const int n = harmonics_order_of(harmonic);
    for (int k = 0; k <= 2 * n; k++)
        coefficients[n * n + k] = back->block[n][harmonic - (size_t)(n * n)][k];
}

static int warn_of_order(struct model *m, const struct source *s, const struct field_cloud *cloud, struct error *e)
{
    const double half = m->grid.stencil == STENCIL_19_POINT ? 0.0 : 0.5;
    if (cloud->stencil.order >= source_order(s))
        return 0;
    return lines_add(&m->warnings, &m->warning_count, e,
                     "source %s is %.3g m from a wall, which lowers the order of its directivity from %d to %d; keep "
                     "%.3g m of distance, or use a finer grid",
                     s->name, cloud->wall, source_order(s), cloud->stencil.order,
                     (FIELD_WALL_FULL + half) * m->grid.spacing);
}

static int place_pattern(struct placed *placed, struct model *m, const struct source *s, int *order,
                         const struct placement *p, struct error *e)
{
    const struct turn turn = turn_of(s->orientation[0], s->orientation[1], s->orientation[2]), back = turn_back(&turn);
    struct field_turn field;
    struct field_cloud *cloud;
    char what[128];
    snprintf(what, sizeof what, "directivity = \"%.80s\"", source_pattern_name(s));
    if (field_cloud_make(&cloud, m, p, source_order(s), what, e))
        return -1;
    *order = cloud->stencil.order;
    field_turn_make(&field, source_order(s), &back);
    int status = field_cloud_check_order(cloud, m, p, what, e) || warn_of_order(m, s, cloud, e);
    for (size_t k = 0; k < source_drives(s) && !status; k++) {
        double coefficients[FIELD_CHANNELS_MAX] = {0.0};
        const int n = source_drive_order(s, k);
        if (s->directivity == DIRECTIVITY_FILE)
            of_harmonic(coefficients, &field, s->radiation.harmonic[k]);
        else
            along_axis(coefficients, s, *order, n);
        memcpy(placed[k].position, s->position, sizeof placed[k].position);
        status = field_cloud_channel(&placed[k].channel, cloud, coefficients, n, p->scale, true, e);
    }
    field_cloud_free(cloud);
    return status ? -1 : 0;
}

/* Notes how a directivity file differs from the simulation: the residual of its harmonics, and the
 * frequencies that it lacks. */
static int note_file(struct model *m, const struct source *s, int order, struct error *e)
{
    const struct radiation *r = &s->radiation;
    const double valid = m->grid.valid_frequency, last = r->frequency[r->count - 1], high = fmin(last, valid);
    const double middle = fmin(fmax(1000.0, r->frequency[0]), high);
    const char *name = source_pattern_name(s);
    if (lines_add(&m->notes, &m->note_count, e,
                  "source %s: %s is expanded in spherical harmonics of order %d at %.3g m, with a residual of %.1f dB "
                  "at %.0f Hz and %.1f dB at %.0f Hz",
                  s->name, name, order, r->distance, 20.0 * log10(radiation_residual(r, middle)), middle,
                  20.0 * log10(radiation_residual(r, high)), high))
        return -1;
    for (size_t i = 0; i < r->warning_count; i++)
        if (lines_add(&m->warnings, &m->warning_count, e, "source %s: %s", s->name, r->warnings[i]))
            return -1;
    if (last < valid * (1.0 - 1e-9) &&
        lines_add(&m->warnings, &m->warning_count, e,
                  "source %s: %s ends at %.6g Hz; its pattern there is used up to %.6g Hz", s->name, name, last, valid))
        return -1;
    if (r->coarse + 1 < r->count && r->frequency[r->coarse] < valid)
        return lines_add(
            &m->warnings, &m->warning_count, e,
            "source %s: %s changes too much from %.6g to %.6g Hz to be interpolated; use a file with more frequencies",
            s->name, name, r->frequency[r->coarse], r->frequency[r->coarse + 1]);
    return 0;
}

static int place_source(struct placed *placed, struct model *m, size_t index, const struct placement *at,
                        struct error *e)
{
    const struct source *s = &m->room->sources[index];
    if (s->directivity == DIRECTIVITY_OMNI)
        return place_omni(placed, m, at, e);
    if (place_pattern(placed, m, s, &m->orders[index], at, e))
        return -1;
    return s->directivity == DIRECTIVITY_FILE ? note_file(m, s, m->orders[index], e) : 0;
}

struct placement source_placement(const struct model *m, size_t source)
{
    /* theory (5): p⁺ += (λ²/X) x at the source makes x arrive as x(t - r/c)/(4πr) */
    const double strength = m->grid.courant_squared / m->grid.spacing;
    const struct source *s = &m->room->sources[source];
    return (struct placement){"source", s->name,       &s->origin, s->position, room_voxels_seed(&m->voxels, source),
                              strength, .drives = true};
}

int sources_place(struct model *m, struct error *e)
{
    struct placed *placed = m->sources;
    for (size_t i = 0; i < m->room->source_count; i++) {
        const struct placement at = source_placement(m, i);
        if (place_source(placed, m, i, &at, e))
            return -1;
        placed += source_drives(&m->room->sources[i]);
    }
    return 0;
}
