/* SPDX-License-Identifier: MIT */
/* The same comparison in halls, whose waves take a GPU minutes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "band/checks/checks.h"
#include "band/checks/compared_responses.h"
#include "render/render.h"
#include "render/trial.h"

static const struct compared_run hybrid_run = {725.0, true}; /* Hz */

/* Hz, of waves alone: they hold the octave of 1 kHz whole; that of 2 kHz with --full. */
static struct compared_run waves_run(const struct validation *v)
{
    return (struct compared_run){v->full ? 2900.0 : 1450.0, false};
}

/* What waves alone take. */
struct hall_work {
    double updates; /* of points */
    double seconds; /* on this machine */
};

/* From short trials on the grid of the hybrid response: points grow with the cube of the frequency, updates with its fourth power. */
static int estimate(struct hall_work *work, const struct compared_room *hall, const struct validation *v,
                    struct error *e)
{
    const double ratio = pow(waves_run(v).max_frequency / hybrid_run.max_frequency, 4.0);
    struct room *room = NULL;
    struct model *m = NULL;
    struct leapfrog_problem leapfrog;
    struct problem p = {.drives = NULL};
    struct requirement requirement;
    struct length length;
    double step = 0.0;
    int status = compared_room_read(&room, hall, &hybrid_run, v->models, e) || model_make(&m, room, e) ||
                         render_length(&length, m, 0, 1, e)
                     ? -1
                     : 0;
    if (!status && !(status = model_problem(&p, &leapfrog, m, 0, 1, e))) {
        status = solver_require(&requirement, &p, &v->choice, e) || trial_step(&step, m, &requirement, &v->choice, e)
                     ? -1
                     : 0;
        model_problem_free(&p);
    }
    if (!status)
        *work = (struct hall_work){ratio * (double)requirement.air_points * (double)length.steps,
                                   ratio * step * (double)length.steps};
    model_free(m);
    room_free(room);
    return status;
}

static int check_hall(const struct compared_room *hall, const struct validation *v, struct report *r, struct error *e)
{
    const struct compared_run waves = waves_run(v);
    struct parameters truth, hybrid;
    if (parameters_measure(&hybrid, hall, &hybrid_run, v, e) || parameters_measure(&truth, hall, &waves, v, e))
        return -1;
    for (int octave = 0; octave < COMPARED_OCTAVES; octave++) {
        const struct compared_octave c = compared_octave_of(&truth, &hybrid, octave);
        if (truth.valid[octave])
            compared_octave_note(r, hall, octave, &c);
    }
    return 0;
}

/* Whether the model of a hall is there; if not, a row says that it is skipped. */
static bool is_there(const struct compared_room *hall, const struct validation *v, struct report *r)
{
    char text[160];
    if (!hall->model)
        return true;
    if (!v->models) {
        snprintf(text, sizeof text, "%s: no folder of models is given (--models)", hall->name);
        report_skip(r, "halls", text);
        return false;
    }
    return true;
}

int check_band_halls(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    const bool gpu = !strcmp(engine->name, "cuda");
    if (!v->named && !(v->full && gpu)) {
        report_skip(r, "halls",
                    "waves in halls take a GPU minutes: aula validate band/halls, or --full with --engine cuda");
        return 0;
    }
    for (size_t i = 0; i < COMPARED_HALLS; i++) {
        const struct compared_room *hall = &compared_halls[i];
        struct hall_work work;
        char text[160];
        if (!is_there(hall, v, r))
            continue;
        if (estimate(&work, hall, v, e))
            return -1;
        snprintf(text, sizeof text, "%s: %.2g updates by waves to %.0f Hz, about %.0f s on this machine", hall->name,
                 work.updates, waves_run(v).max_frequency, work.seconds);
        report_note(r, "%s", text);
        if (!gpu)
            report_skip(r, "halls", "that needs a GPU: --engine cuda");
        else if (check_hall(hall, v, r, e))
            return -1;
    }
    return 0;
}
