/* SPDX-License-Identifier: MIT */
/* The same comparison in halls, for which the wave solver takes minutes on a GPU. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/render.h"
#include "render/trial.h"
#include "solver/engine.h"
#include "validate/geometry/model_room.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/compared_responses.h"

static const struct compared_run hybrid_run = {725.0, true}; /* Hz */

/* Hz, for the wave solver, whose valid band includes the whole 1 kHz octave, with --full that at
 * 2 kHz. */
static struct compared_run waves_run(const struct validation *v)
{
    return (struct compared_run){v->full ? 2900.0 : 1450.0, false};
}

/* Work of the wave solver. */
struct hall_work {
    double updates; /* of points */
    double seconds; /* on this machine */
};

/* Estimated from short trials on the grid of the hybrid response: points grow with the cube of
 * the frequency, updates with its fourth power. */
static int estimate(struct hall_work *work, const struct compared_room *hall, const struct validation *v,
                    struct error *e)
{
    const double ratio = pow(waves_run(v).max_frequency / hybrid_run.max_frequency, 4.0);
    struct room *room = NULL;
    struct model *m = NULL;
    struct leapfrog_problem leapfrog;
    struct problem p = {.drives = NULL};
    struct solver_plan plan;
    struct length length;
    double step = 0.0;
    int status = compared_room_read(&room, hall, &hybrid_run, v->models, e) || model_make(&m, room, e) ||
                         render_length(&length, m, 0, 1, e)
                     ? -1
                     : 0;
    if (!status && !(status = model_problem(&p, &leapfrog, m, 0, 1, e))) {
        status = solver_make_plan(&plan, &p, &v->choice, e) || trial_step(&step, m, &plan, &v->choice, e) ? -1 : 0;
        model_problem_free(&p);
    }
    if (!status)
        *work = (struct hall_work){ratio * (double)plan.air_points * (double)length.steps,
                                   ratio * step * (double)length.steps};
    model_free(m);
    room_free(room);
    return status;
}

static int compare(const struct compared_room *hall, const struct validation *v, struct report *r, struct error *e)
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

/* If the model of a hall is missing, a row reports that it is skipped. */
static bool is_there(const struct compared_room *hall, const struct validation *v, struct report *r)
{
    size_t model = 0;
    while (hall->model && strcmp(models[model].file, hall->model) != 0)
        model++;
    return !hall->model || model_is_there(model, v, r, "halls");
}

/* `gpu`: whether the engine uses one; otherwise the row reports the work for a GPU. */
static int check_hall(const struct compared_room *hall, bool gpu, const struct validation *v, struct report *r,
                      struct error *e)
{
    struct hall_work work;
    char text[200];
    if (estimate(&work, hall, v, e))
        return -1;
    snprintf(text, sizeof text,
             "%s: the wave solver up to %.0f Hz needs %.2g point updates, about %.1f min on this machine%s", hall->name,
             waves_run(v).max_frequency, work.updates, work.seconds / 60.0, gpu ? "" : "; use a GPU (--engine cuda)");
    if (gpu)
        report_note(r, "%s", text);
    else
        report_skip(r, "halls", text);
    return gpu ? compare(hall, v, r, e) : 0;
}

int check_band_halls(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    const bool gpu = !strcmp(engine->name, "cuda");
    if (!v->named && !(v->full && gpu)) {
        report_skip(r, "halls", "takes minutes on a GPU; use aula validate hybrid/halls, or --full with --engine cuda");
        return 0;
    }
    for (size_t i = 0; i < COMPARED_HALLS; i++)
        if (is_there(&compared_halls[i], v, r) && check_hall(&compared_halls[i], gpu, v, r, e))
            return -1;
    return 0;
}
