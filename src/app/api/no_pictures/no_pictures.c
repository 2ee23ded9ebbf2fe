/* SPDX-License-Identifier: MIT */
/* In a library without pictures: every call fails. */
#include <math.h>
#include <string.h>

#include "app/api/handles.h"

static int refuse(struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, fail(&call.error, ERROR_FAILED,
                                "this libaula was built without pictures; install libcairo2-dev and libpng-dev, and "
                                "build it again"));
}

int aula_map_make(struct aula_map **map, const struct aula_room *room, const struct aula_map_options *what,
                  const struct aula_options *options, struct aula_error *error)
{
    (void)room, (void)what, (void)options;
    if (map)
        *map = NULL;
    return refuse(error);
}

void aula_map_close(struct aula_map *map)
{
    (void)map;
}

const char *aula_map_note(const struct aula_map *map)
{
    (void)map;
    return NULL;
}

int aula_map_lattice(const struct aula_map *map, struct aula_lattice *lattice)
{
    (void)map;
    if (lattice) {
        memset(lattice, 0, sizeof *lattice);
        lattice->axis = -1;
        lattice->at = lattice->band = lattice->seconds = NAN;
        for (int i = 0; i < 2; i++)
            lattice->first[i] = lattice->step[i] = lattice->valid[i] = NAN;
    }
    return -1;
}

size_t aula_map_place_count(const struct aula_map *map)
{
    (void)map;
    return 0;
}

size_t aula_map_place(const struct aula_map *map, size_t column, size_t row)
{
    (void)map, (void)column, (void)row;
    return AULA_NOWHERE;
}

double aula_map_value(const struct aula_map *map, size_t place, size_t band, enum aula_metric metric)
{
    (void)map, (void)place, (void)band, (void)metric;
    return NAN;
}

double aula_map_sti(const struct aula_map *map, size_t place)
{
    (void)map, (void)place;
    return NAN;
}

int aula_map_write(const struct aula_map *map, const char *picture, const char *csv, size_t columns, size_t rows,
                   struct aula_error *error)
{
    (void)map, (void)picture, (void)csv, (void)columns, (void)rows;
    return refuse(error);
}

int aula_report_make(struct aula_report **report, const char *const *responses, size_t count,
                     const struct aula_report_options *what, struct aula_error *error)
{
    (void)responses, (void)count, (void)what;
    if (report)
        *report = NULL;
    return refuse(error);
}

void aula_report_close(struct aula_report *report)
{
    (void)report;
}

const char *aula_report_text(const struct aula_report *report)
{
    (void)report;
    return NULL;
}

const char *aula_report_warning(const struct aula_report *report, size_t index)
{
    (void)report, (void)index;
    return NULL;
}

int aula_film_write(const struct aula_room *room, const char *path, const struct aula_film_options *what,
                    const struct aula_options *options, struct aula_error *error)
{
    (void)room, (void)path, (void)what, (void)options;
    return refuse(error);
}
