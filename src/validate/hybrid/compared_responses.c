/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/compared_responses.h"

#include <math.h>

#include "base/stop.h"
#include "dsp/measure/metrics.h"
#include "render/metrics_settings.h"
#include "render/render.h"

enum { FIRST = 3 }; /* first of the octaves of the metrics: 500 Hz */

static bool go_on(void *context, size_t done, size_t steps, double speed)
{
    (void)context, (void)done, (void)steps, (void)speed;
    return !stop_requested();
}

static int measure(struct parameters *p, const struct rendering *r, const struct model *m, struct error *e)
{
    const struct response *response = &r->response;
    const struct metrics_settings settings = rendering_metrics_settings(r, response, m);
    for (size_t c = 0; c < response->channels; c++) {
        struct metrics metrics;
        if (metrics_measure(&metrics, response->samples + c * response->frames, response->frames, response->rate,
                            &settings, e))
            return -1;
        for (int i = 0; i < COMPARED_OCTAVES; i++) {
            const struct metrics_band *b = &metrics.band[FIRST + i];
            p->valid[i] = b->validity == METRICS_VALID;
            p->t30[i][c] = b->t30.time;
            p->edt[i][c] = b->edt.time;
            p->c80[i][c] = b->c80;
            p->level[i][c] = b->g;
        }
    }
    return 0;
}

int parameters_measure(struct parameters *p, const struct compared_room *room, const struct compared_run *run,
                       const struct validation *v, struct error *e)
{
    const struct watch watch = {.look = go_on};
    struct room *read = NULL;
    struct model *m = NULL;
    struct rendering r;
    int status = compared_room_read(&read, room, run, v->models, e) || model_make(&m, read, e) ? -1 : 0;
    if (!status && !(status = render_sources(&r, m, 0, 1, &v->choice, &watch, e))) {
        status = measure(p, &r, m, e);
        rendering_free(&r);
    }
    model_free(m);
    room_free(read);
    return status;
}

double compared_centre(int octave)
{
    return 500.0 * exp2(octave);
}

struct compared_octave compared_octave_of(const struct parameters *truth, const struct parameters *hybrid, int octave)
{
    return (struct compared_octave){
        .t30 = comparison_of_means(truth->t30[octave], hybrid->t30[octave], COMPARED_PLACES),
        .edt = comparison_of_means(truth->edt[octave], hybrid->edt[octave], COMPARED_PLACES),
        .c80 = comparison_of_levels(truth->c80[octave], hybrid->c80[octave], COMPARED_PLACES),
        .level = comparison_of_levels(truth->level[octave], hybrid->level[octave], COMPARED_PLACES)};
}

void compared_octave_note(struct report *r, const struct compared_room *room, int octave,
                          const struct compared_octave *c)
{
    report_note(r,
                "%s, %.0f Hz: T30 %.2f s %+.1f ± %.1f %%, EDT %.2f s %+.1f ± %.1f %%, C80 %.1f dB %+.2f ± %.2f dB, "
                "level %.1f dB %+.2f ± %.2f dB; %zu, %zu, %zu, %zu positions",
                room->name, compared_centre(octave), c->t30.truth, c->t30.value, c->t30.error, c->edt.truth,
                c->edt.value, c->edt.error, c->c80.truth, c->c80.value, c->c80.error, c->level.truth, c->level.value,
                c->level.error, c->t30.places, c->edt.places, c->c80.places, c->level.places);
}
