#include "schemes/leapfrog/bench/webb_room.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

const char *const wall_kind_names[WALL_KINDS] = {"fixed", "rigid", "real admittance", "branches"};

const size_t room_grids[ROOM_GRIDS][3] = {{WEBB_X, WEBB_Y, WEBB_Z}, {512, 512, 512}};

static const struct material materials[WALL_KINDS] = {
    {.name = "fixed", .kind = MATERIAL_FIXED},
    {.name = "rigid", .kind = MATERIAL_RIGID},
    {.name = "wall", .kind = MATERIAL_IMPEDANCE, .impedance = 20.0},
    {.name = "curtain", .kind = MATERIAL_ABSORPTION, .absorption = {0.14, 0.14, 0.35, 0.55, 0.72, 0.7, 0.65, 0.65}},
};

static int make_noise(struct webb_room *w, enum precision precision, struct error *e)
{
    const size_t points = w->points;
    struct random r = {1};
    w->noise = malloc(points * sizeof(double));
    if (!w->noise)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < points; i++) {
        double value = random_unit(&r) - 0.5;
        if (precision == PRECISION_DOUBLE)
            ((double *)w->noise)[i] = value;
        else
            ((float *)w->noise)[i] = (float)value;
    }
    return 0;
}

int webb_room_fill(struct webb_room *w, struct error *e)
{
    return solver_put(w->solver, "p", 0, w->nz, w->noise, e) ||
           solver_put(w->solver, "p_previous", 0, w->nz, w->noise, e);
}

int webb_room_open(struct webb_room *w, enum room_grid grid, size_t wall_kind, enum precision precision,
                   const struct choice *choice, struct error *e)
{
    const size_t *n = room_grids[grid];
    memset(w, 0, sizeof *w);
    w->nz = n[2];
    w->points = n[0] * n[1] * n[2];
    w->material = materials[wall_kind];
    w->source = (struct source){.name = "S", .gain = 1.0, .position = {1.0, 1.2, 1.1}};
    for (int i = 0; i < WEBB_RECEIVERS; i++)
        w->receivers[i] = (struct receiver){.name = "R", .position = {0.3 + 0.35 * i, 2.9 - 0.21 * i, 0.4 + 0.25 * i}};
    w->room = (struct room){.path = "webb",
                            .sized_by_points = true,
                            .points = {n[0], n[1], n[2]},
                            .materials = &w->material,
                            .material_count = 1,
                            .duration = 1.0,
                            .sources = &w->source,
                            .source_count = 1,
                            .receivers = w->receivers,
                            .receiver_count = WEBB_RECEIVERS};
    w->room.air.temperature = 20.0;
    w->room.grid.rate = 44100.0;
    w->room.grid.precision = precision;
    w->room.output.dispersion = 0.02;
    if (model_make(&w->model, &w->room, e) || model_problem(&w->problem, &w->leapfrog, w->model, 0, 1, e) ||
        solver_open(&w->solver, &w->problem, choice, e) || make_noise(w, precision, e) || webb_room_fill(w, e)) {
        webb_room_close(w);
        return -1;
    }
    return 0;
}

void webb_room_close(struct webb_room *w)
{
    solver_close(w->solver);
    model_problem_free(&w->problem);
    model_free(w->model);
    free(w->noise);
    memset(w, 0, sizeof *w);
}
