#include "model/sources.h"

#include <string.h>

#include "model/field_placement.h"

static const double PATTERN_DISTANCE = 10.0; /* m, of order 1 */

struct integrator sources_integrator(double sound_speed)
{
    return (struct integrator){INTEGRATOR_NEAR_FIELD, PATTERN_DISTANCE, sound_speed};
}

int sources_drive_order(const struct room *room, size_t drive)
{
    const struct source *s = room->sources;
    for (; drive >= source_drives(s); s++)
        drive -= source_drives(s);
    return (int)drive;
}

static int place_omni(struct placed *placed, struct model *m, const struct placement *p, struct error *e)
{
    if (placement_make(placed, m, p, e))
        return -1;
    for (size_t k = 0; k < placed->channel.count; k++)
        placed->channel.entries[k].level = 1;
    return 0;
}

/* Order n of a pattern α + (1 - α) u · d. A pattern from a file is the same with weights and signals of its own for each
 * order and degree. */
static int place_pattern(struct placed *placed, struct model *m, const struct source *s, const struct placement *p,
                         struct error *e)
{
    const struct turn turn = turn_of(s->orientation[0], s->orientation[1], s->orientation[2]);
    const double pressure = directivity_pressure[s->directivity], rest = 1.0 - pressure;
    const double coefficients[2][4] = {{pressure, 0.0, 0.0, 0.0},
                                       {0.0, rest * turn.row[1][0], rest * turn.row[2][0], rest * turn.row[0][0]}};
    char what[64];
    struct field_cloud *cloud;
    snprintf(what, sizeof what, "directivity = \"%s\"", directivity_names[s->directivity]);
    if (field_cloud_make(&cloud, m, p, 1, what, e))
        return -1;
    int status = field_cloud_check_order(cloud, m, p, what, e);
    for (int n = 0; n < 2 && !status; n++) {
        memcpy(placed[n].position, s->position, sizeof placed[n].position);
        status = field_cloud_channel(&placed[n].channel, cloud, coefficients[n], n, p->scale, true, e);
    }
    field_cloud_free(cloud);
    return status ? -1 : 0;
}

int sources_place(struct model *m, struct error *e)
{
    /* PHYSICS: p⁺ += (λ²/X) x at the source makes x arrive as x(t - r/c)/(4πr) */
    const double strength = m->grid.courant_squared / m->grid.spacing;
    struct placed *placed = m->sources;
    for (size_t i = 0; i < m->room->source_count; i++) {
        const struct source *s = &m->room->sources[i];
        const struct placement at = {"source", s->name,       &s->origin, s->position, room_voxels_seed(&m->voxels, i),
                                     strength, .drives = true};
        if (s->directivity == DIRECTIVITY_OMNI ? place_omni(placed, m, &at, e) : place_pattern(placed, m, s, &at, e))
            return -1;
        placed += source_drives(s);
    }
    return 0;
}
