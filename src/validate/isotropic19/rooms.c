/* SPDX-License-Identifier: MIT */
/* Shipped rooms, rendered by the mapped 19-point scheme at 4 points per wavelength and by the
 * 7-point scheme at 16, with the same valid band. Reverberation time, early decay time and
 * clarity in every octave of the band must agree within the just noticeable difference (ISO
 * 3382-1: 5 % of a decay time, 1 dB of C80). Values are means over the receivers of the first
 * source. Both schemes render the same room: sizes and boxes are rounded to the coarse grid
 * first. If an echo between two walls determines the end of a decay, half a voxel changes T30
 * more than either scheme does: the studio's T30 at 1 kHz is 0.61 to 0.88 s on six grids that
 * round by themselves, and 0.63 s on five grids of one room. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nan_max.h"
#include "base/stop.h"
#include "dsp/measure/metrics.h"
#include "render/render.h"
#include "room/grid/grid.h"
#include "room/grid/model.h"
#include "solver/engine.h"
#include "validate/isotropic19/checks.h"

enum { SCHEMES = 2, SETTINGS = 4, TEXT = 64, COARSE = 4, FINE = 16 };
static const char *const files[] = {"rooms/studio.cfg", "rooms/classroom.cfg"};
static const char *const names[SCHEMES] = {"19-point", "7-point"};

/* Hz: just above the 500 Hz octave on a CPU; above the octaves of 2 kHz (the smaller room) and 1
 * kHz on a GPU. */
static const double cpu_edge = 720.0, gpu_edges[] = {2880.0, 1440.0};

/* Means over the receivers; NaN: not measured. */
struct figures {
    double t30, edt, c80;
    bool valid;
};

static bool go_on(void *context, size_t done, size_t steps, double speed)
{
    (void)context, (void)done, (void)steps, (void)speed;
    return !stop_requested();
}

static int measure(struct figures figures[METRICS_OCTAVES], const struct response *r, double edge, struct error *e)
{
    const struct metrics_settings settings = {.valid_low = RESPONSE_HIGH_PASS,
                                              .valid_high = fmin(r->band.pass > 0.0 ? r->band.pass : edge, edge),
                                              .delay = r->band.delay[0],
                                              .noiseless = true};
    const double share = 1.0 / (double)r->channels;
    memset(figures, 0, METRICS_OCTAVES * sizeof *figures);
    for (size_t c = 0; c < r->channels; c++) {
        struct metrics m;
        if (metrics_measure(&m, r->samples + c * r->frames, r->frames, r->rate, &settings, e))
            return -1;
        for (size_t b = 0; b < METRICS_OCTAVES; b++) {
            figures[b].t30 += share * m.band[b].t30.time;
            figures[b].edt += share * m.band[b].edt.time;
            figures[b].c80 += share * m.band[b].c80;
            figures[b].valid = m.band[b].validity == METRICS_VALID;
        }
    }
    return 0;
}

/* Rounds the room and its boxes to whole voxels of the coarse grid, which are multiples of those
 * of the fine one. */
static int round_to_coarse_grid(struct room *room, double edge, struct error *e)
{
    struct grid grid;
    if (grid_make(&grid, room, e))
        return -1;
    const double voxel = grid.sound_speed / (edge * COARSE);
    for (size_t a = 0; a < 3; a++) {
        room->size[a] = voxel * round(room->size[a] / voxel);
        for (size_t i = 0; i < room->object_count; i++) {
            struct object *o = &room->objects[i];
            o->from[a] = voxel * round(o->from[a] / voxel);
            o->to[a] = voxel * round(o->to[a] / voxel);
        }
    }
    return 0;
}

/* Renders the first source as aula render does. */
static int render(struct figures figures[METRICS_OCTAVES], struct validation *v, const char *path, int scheme,
                  double edge, struct error *e)
{
    char scheme_text[TEXT], edge_text[TEXT], points[TEXT], dispersion[TEXT];
    snprintf(scheme_text, TEXT, "grid.scheme=%s", names[scheme]);
    snprintf(edge_text, TEXT, "grid.max_frequency=%g", edge);
    snprintf(points, TEXT, "grid.points_per_wavelength=%d", scheme ? FINE : COARSE);
    snprintf(dispersion, TEXT, "output.dispersion=%g", 0.0043); /* for the 7-point scheme at 16 points: the same band */
    const char *const settings[SETTINGS] = {scheme_text, edge_text, points, dispersion};
    const struct watch watch = {.look = go_on, .context = NULL};
    struct room *room = NULL;
    struct model *m = NULL;
    struct rendering rendering;
    int status = room_read(&room, path, settings, SETTINGS, e);
    status = status || round_to_coarse_grid(room, edge, e);
    status = status || model_make(&m, room, e);
    if (!status && !(status = render_sources(&rendering, m, 0, 1, &v->choice, &watch, e))) {
        status = measure(figures, &rendering.response, edge, e);
        rendering_free(&rendering);
    }
    model_free(m);
    room_free(room);
    return status ? -1 : 0;
}

static int compare(struct validation *v, struct report *r, const char *file, double edge, struct error *e)
{
    struct figures figures[SCHEMES][METRICS_OCTAVES];
    double decay = 0.0, early = 0.0, clarity = 0.0;
    size_t octaves = 0;
    char *path = data_path(file, e);
    int status = path ? 0 : -1;
    for (int scheme = 0; scheme < SCHEMES && !status; scheme++)
        status = render(figures[scheme], v, path, scheme, edge, e);
    for (size_t b = 0; b < METRICS_OCTAVES && !status; b++) {
        const struct figures *new = &figures[0][b], *old = &figures[1][b];
        if (!new->valid || !old->valid)
            continue;
        octaves++;
        decay = nan_max(decay, fabs(new->t30 / old->t30 - 1.0));
        if (!isnan(new->edt) || !isnan(old->edt)) /* the lowest octave may have none with either scheme */
            early = nan_max(early, fabs(new->edt / old->edt - 1.0));
        clarity = nan_max(clarity, fabs(new->c80 - old->c80));
        report_note(r, "%s, octave %zu: T30 %.3f and %.3f s, EDT %.3f and %.3f s, C80 %.2f and %.2f dB", file, b,
                    new->t30, old->t30, new->edt, old->edt, new->c80, old->c80);
    }
    free(path);
    if (status)
        return -1;
    report_bound(r, "rooms", octaves ? 100.0 * decay : NAN, 5.0,
                 "%s up to %g Hz, %zu octaves, 4 points per wavelength compared with the 7-point scheme at 16: largest "
                 "difference of T30, %%",
                 file, edge, octaves);
    report_bound(r, "rooms", 100.0 * early, 5.0, "    largest difference of EDT, %%");
    report_bound(r, "rooms", clarity, 1.0, "    C80, dB");
    return 0;
}

int check_isotropic19_rooms(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    if (!v->full) {
        report_skip(r, "rooms", "shipped rooms with both schemes take minutes; add --full");
        return 0;
    }
    const bool cpu = !strcmp(engine->name, "cpu");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (compare(v, r, files[i], cpu ? cpu_edge : gpu_edges[i], e))
            return -1;
    return 0;
}
