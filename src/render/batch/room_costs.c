/* SPDX-License-Identifier: MIT */
#include "render/batch/room_costs.h"

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/clock.h"
#include "base/stop.h"
#include "io/json_build.h"
#include "render/batch/trial.h"
#include "render/geometric_trial.h"
#include "render/mapping.h"
#include "render/trial.h"

/* Numbers that a room's costs are proportional to. */
struct extent {
    double points, steps; /* of the bounding box; for each source */
    double sources, reflections;
};

/* Of a room with this length of a response. */
static struct extent extent_of(const struct room *room, const struct grid *grid, double seconds)
{
    const double *s = grid->size;
    const double free_path = 2.0 * s[0] * s[1] * s[2] / (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]); /* m: 4 V/S */
    const size_t frames = (size_t)ceil(seconds * grid->rate);
    return (struct extent){.points = (double)grid_points(grid),
                           .steps = (double)(grid->mapped ? mapping_steps(grid, frames) : frames),
                           .sources = (double)room->source_count,
                           .reflections = room->hybrid.full ? seconds * grid->sound_speed / free_path : 0.0};
}

/* s: a duration that is to be found follows from the model. */
static int find_seconds(double *seconds, const struct room *room, struct error *e)
{
    struct model *model = NULL;
    struct length length;
    *seconds = room->duration;
    if (room->duration > 0.0)
        return 0;
    const int status = model_make(&model, room, e) || render_length(&length, model, 0, 1, e);
    if (!status)
        *seconds = length.seconds;
    model_free(model);
    return status ? -1 : 0;
}

static int measure(struct room_speed *speed, const struct room_task *task, const struct room *room, struct error *e)
{
    struct model *model = NULL;
    struct leapfrog_problem leapfrog;
    struct problem problem = {0};
    struct solver_plan plan;
    struct length length;
    struct geometric_seconds geometric = {.images = 0.0};
    double step = 0.0;
    const double begin = clock_seconds();
    int status = model_make(&model, room, e);
    const double setup = clock_seconds() - begin;
    status = status || render_length(&length, model, 0, 1, e) || model_problem(&problem, &leapfrog, model, 0, 1, e) ||
             solver_make_plan(&plan, &problem, &task->choice, e) || trial_step(&step, model, &plan, &task->choice, e) ||
             geometric_trial(&geometric, model, 1, length.seconds, e);
    if (!status) {
        const struct extent of = extent_of(room, &model->grid, length.seconds);
        speed->point = setup / of.points;
        speed->point_step = step / of.points;
        speed->reflection =
            of.reflections > 0.0 ? (geometric.images + geometric.rays + geometric.join) / of.reflections : 0.0;
        speed->bytes = (double)(plan.field_bytes + plan.boundary_bytes) / of.points;
    }
    model_problem_free(&problem);
    model_free(model);
    return status ? -1 : 0;
}

int room_speed_measure(struct room_speed *speed, const struct room_task *task, struct error *e)
{
    struct room *room = NULL;
    *speed = (struct room_speed){.point = 0.0};
    const int status = trial_read_room(&room, task, e) || measure(speed, task, room, e);
    room_free(room);
    return status ? -1 : 0;
}

static void add_costs(cJSON *json, const struct extent *of, const struct room_speed *speed)
{
    cJSON_AddNumberToObject(json, "points", of->points);
    cJSON_AddNumberToObject(json, "steps", of->steps * of->sources);
    cJSON_AddNumberToObject(json, "bytes", round(of->points * speed->bytes));
    const double seconds = of->points * (speed->point + speed->point_step * of->steps * of->sources) +
                           of->reflections * of->sources * speed->reflection;
    char text[32];
    snprintf(text, sizeof text, "%.3g", seconds);
    cJSON_AddItemToObject(json, "seconds", cJSON_CreateRaw(text));
}

int room_costs_line(char **line, const struct room_task *task, const struct room_speed *speed, size_t index,
                    struct error *e)
{
    struct drawn drawn;
    struct room *room = NULL;
    struct grid grid;
    double seconds = 0.0;
    cJSON *json = NULL;
    *line = NULL;
    const int status = drawn_make(&drawn, task->plan, index, task->settings, task->setting_count, e) ||
                       drawn_read(&room, &drawn, task->settings, task->setting_count, e) || grid_make(&grid, room, e) ||
                       find_seconds(&seconds, room, e);
    if (!status) {
        const struct extent of = extent_of(room, &grid, seconds);
        json = room_record_begin(task->plan, &drawn, index);
        add_costs(json, &of, speed);
        *line = json_line(json);
    } else if (e->code == ERROR_INPUT || e->code == ERROR_USAGE) {
        *line = room_failed_line(task, index, e->message);
    }
    drawn_free(&drawn);
    room_free(room);
    if (!*line && (!status || e->code == ERROR_INPUT || e->code == ERROR_USAGE))
        return fail(e, ERROR_MEMORY, "out of memory");
    return *line ? 0 : -1;
}
