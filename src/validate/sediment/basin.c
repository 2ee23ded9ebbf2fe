/* SPDX-License-Identifier: MIT */
#include "validate/sediment/basin.h"

#include <libconfig.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "solver/schemes/sediment/sediment.h"

static const char *const array_names[BASIN_ARRAYS] = {"h", "s", "alpha", "beta"};
static const char *const side_names[4] = {"x_min", "x_max", "y_min", "y_max"};

struct where_from {
    const char *path;
    struct error *e;
};

static int refuse(const struct where_from *from, const config_setting_t *at, const char *key, const char *what)
{
    const unsigned line = at ? config_setting_source_line(at) : 0; /* 0: the file as a whole */
    return line ? fail(from->e, ERROR_INPUT, "%s:%u: %s: %s", from->path, line, key, what)
                : fail(from->e, ERROR_INPUT, "%s: %s: %s", from->path, key, what);
}

/* libconfig distinguishes integers from other numbers. */
static bool is_number(const config_setting_t *s)
{
    return s && config_setting_is_number(s);
}

static double number_of(const config_setting_t *s)
{
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
        return config_setting_get_int(s);
    case CONFIG_TYPE_INT64:
        return (double)config_setting_get_int64(s);
    default:
        return config_setting_get_float(s);
    }
}

/* Reads a number of a group; absent: `otherwise`, or an error when that is NaN. */
static int read_number(double *value, const struct where_from *from, const config_setting_t *group, const char *key,
                       double otherwise)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    *value = otherwise;
    if (!s)
        return isnan(otherwise) ? refuse(from, group, key, "missing") : 0;
    if (!is_number(s) || !isfinite(number_of(s)))
        return refuse(from, s, key, "expected a number");
    *value = number_of(s);
    return 0;
}

static int read_pair(double value[2], const struct where_from *from, const config_setting_t *group, const char *key,
                     bool wanted)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    if (!s)
        return wanted ? refuse(from, group, key, "missing; expected two numbers [along x, along y]") : 0;
    for (int i = 0; i < 2; i++) {
        const config_setting_t *item = config_setting_is_aggregate(s) && config_setting_length(s) == 2
                                           ? config_setting_get_elem(s, (unsigned)i)
                                           : NULL;
        if (!is_number(item) || !isfinite(number_of(item)))
            return refuse(from, s, key, "expected two numbers [along x, along y]");
        value[i] = number_of(item);
    }
    return 0;
}

static int check_keys(const struct where_from *from, const config_setting_t *group, const char *const *known)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        size_t count = 0;
        bool found = false;
        for (; known[count]; count++)
            found = found || !strcmp(known[count], config_setting_name(s));
        if (found)
            continue;
        const ptrdiff_t closest = text_closest(config_setting_name(s), (const char **)known, count);
        char what[96];
        snprintf(what, sizeof what, "unknown key%s%.60s", closest < 0 ? "" : "; did you mean ",
                 closest < 0 ? "" : known[closest]);
        return refuse(from, s, config_setting_name(s), what);
    }
    return 0;
}

static void add_bump(struct basin *b, double *values, const double at[2], double width, double height)
{
    for (size_t i = 0; i < b->points[0] * b->points[1]; i++) {
        const double x = ((double)(i % b->points[0]) * b->spacing[0] - at[0]) / width;
        const double y = ((double)(i / b->points[0]) * b->spacing[1] - at[1]) / width;
        values[i] += height * exp(-0.5 * (x * x + y * y));
    }
}

static int read_bumps(struct basin *b, double *values, const struct where_from *from, const config_setting_t *group)
{
    static const char *const known[] = {"at", "width", "height", NULL};
    const config_setting_t *list = config_setting_get_member(group, "bumps");
    if (list && !config_setting_is_list(list))
        return refuse(from, list, "bumps", "expected a list of groups ( { at = [x, y]; width = w; height = h; } )");
    for (int i = 0; list && i < config_setting_length(list); i++) {
        const config_setting_t *item = config_setting_get_elem(list, (unsigned)i);
        double at[2], width, height;
        if (!config_setting_is_group(item))
            return refuse(from, list, "bumps", "expected a list of groups ( { at = [x, y]; width = w; height = h; } )");
        if (check_keys(from, item, known) || read_pair(at, from, item, "at", true) ||
            read_number(&width, from, item, "width", NAN) || read_number(&height, from, item, "height", NAN))
            return -1;
        if (!(width > 0.0))
            return refuse(from, item, "width", "must be positive");
        add_bump(b, values, at, width, height);
    }
    return 0;
}

/* Reads a number, or a plane with bumps added. */
static int read_field(struct basin *b, int array, const struct where_from *from, const config_setting_t *root)
{
    static const char *const known[] = {"base", "slope", "bumps", NULL};
    const char *name = array_names[array];
    const config_setting_t *s = config_setting_get_member(root, name);
    double base = 0.0, slope[2] = {0.0, 0.0};
    double *values = b->arrays[array] = malloc(b->points[0] * b->points[1] * sizeof *values);
    if (!values)
        return fail(from->e, ERROR_MEMORY, "out of memory");
    if (!s)
        return refuse(from, NULL, name,
                      "missing; expected a number, or { base = ..; slope = [x, y]; bumps = ( .. ); }");
    const bool group = config_setting_is_group(s);
    if (!group && !is_number(s))
        return refuse(from, s, name, "expected a number, or { base = ..; slope = [x, y]; bumps = ( .. ); }");
    if (group && (check_keys(from, s, known) || read_number(&base, from, s, "base", NAN) ||
                  read_pair(slope, from, s, "slope", false)))
        return -1;
    if (!group)
        base = number_of(s);
    for (size_t i = 0; i < b->points[0] * b->points[1]; i++)
        values[i] = base + slope[0] * (double)(i % b->points[0]) * b->spacing[0] +
                    slope[1] * (double)(i / b->points[0]) * b->spacing[1];
    if (group && read_bumps(b, values, from, s))
        return -1;
    for (size_t i = 0; i < b->points[0] * b->points[1]; i++) {
        if (!(fabs(values[i]) <= 1e100))
            return refuse(from, s, name, "must be at most 1e100 in magnitude at every point");
        if (array == 1 ? !(values[i] >= 0.0 && values[i] <= 1.0) : array > 1 && !(values[i] > 0.0))
            return refuse(from, s, name,
                          array == 1 ? "must lie between 0 and 1 at every point" : "must be positive at every point");
    }
    return 0;
}

/* A smooth bump between `from` and `to`, 1 in the middle, as a jump would cause oscillations of
 * the sand fraction. */
static double arch(double at, double from, double to)
{
    const double sine = sin(M_PI * (at - from) / (to - from));
    return sine * sine;
}

static int add_inflow(struct basin *b, int side, double from_at, double to_at, const double rate[2],
                      const struct where_from *from, const config_setting_t *item)
{
    const size_t count = b->points[side < 2 ? 1 : 0];
    const double spacing = b->spacing[side < 2 ? 1 : 0];
    size_t met = 0;
    for (size_t i = 0; i < count; i++)
        met += (double)i * spacing > from_at && (double)i * spacing < to_at;
    if (!met)
        return refuse(from, item, "from, to", "no point of the side lies in this range");
    for (int sediment = 0; sediment < 2; sediment++) {
        double **values = &b->inflow[sediment][side];
        if (!*values && !(*values = calloc(count, sizeof **values)))
            return fail(from->e, ERROR_MEMORY, "out of memory");
        for (size_t i = 0; i < count; i++)
            if ((double)i * spacing > from_at && (double)i * spacing < to_at)
                (*values)[i] += rate[sediment] * arch((double)i * spacing, from_at, to_at);
    }
    return 0;
}

static int read_inflow(struct basin *b, const struct where_from *from, const config_setting_t *root)
{
    static const char *const known[] = {"side", "from", "to", "sand", "mud", NULL};
    const config_setting_t *list = config_setting_get_member(root, "inflow");
    if (list && !config_setting_is_list(list))
        return refuse(from, list, "inflow",
                      "expected a list of groups ( { side = \"x_min\"; from = a; to = b; sand = q; mud = r; } )");
    for (int i = 0; list && i < config_setting_length(list); i++) {
        const config_setting_t *item = config_setting_get_elem(list, (unsigned)i);
        const char *name = NULL;
        double at[2], rate[2];
        int side = 0;
        if (!config_setting_is_group(item))
            return refuse(from, list, "inflow", "expected a list of groups");
        if (check_keys(from, item, known) || read_number(&at[0], from, item, "from", NAN) ||
            read_number(&at[1], from, item, "to", NAN) || read_number(&rate[0], from, item, "sand", 0.0) ||
            read_number(&rate[1], from, item, "mud", 0.0))
            return -1;
        config_setting_lookup_string(item, "side", &name);
        while (side < 4 && (!name || strcmp(side_names[side], name) != 0))
            side++;
        if (side == 4)
            return refuse(from, item, "side", "must be \"x_min\", \"x_max\", \"y_min\" or \"y_max\"");
        if (!(at[1] > at[0]))
            return refuse(from, item, "to", "must be greater than from");
        if (add_inflow(b, side, at[0], at[1], rate, from, item))
            return -1;
    }
    return 0;
}

static int read_scalars(struct basin *b, const struct where_from *from, const config_setting_t *root)
{
    double points[2];
    const char *variant = "conservative";
    if (read_pair(points, from, root, "points", true) || read_pair(b->spacing, from, root, "spacing", true) ||
        read_pair(b->compaction, from, root, "compaction", true) || read_number(&b->layer, from, root, "layer", NAN) ||
        read_number(&b->step, from, root, "step", 0.0) || read_number(&b->duration, from, root, "duration", NAN))
        return -1;
    for (int axis = 0; axis < 2; axis++) {
        if (!(points[axis] >= 2.0 && points[axis] <= 16384.0) || points[axis] != floor(points[axis]))
            return refuse(from, config_setting_get_member(root, "points"), "points",
                          "must be whole numbers from 2 to 16384");
        if (!(b->spacing[axis] > 0.0 && b->spacing[axis] <= 1e9))
            return refuse(from, config_setting_get_member(root, "spacing"), "spacing",
                          "must be positive and at most 1e9");
        if (!(b->compaction[axis] > 0.0 && b->compaction[axis] <= 1e9))
            return refuse(from, config_setting_get_member(root, "compaction"), "compaction",
                          "must be positive and at most 1e9");
        b->points[axis] = (size_t)points[axis];
    }
    if (!(b->layer > 0.0 && b->layer <= 1e9))
        return refuse(from, config_setting_get_member(root, "layer"), "layer", "must be positive and at most 1e9");
    if (!(b->duration > 0.0))
        return refuse(from, config_setting_get_member(root, "duration"), "duration", "must be positive");
    if (b->step < 0.0)
        return refuse(from, config_setting_get_member(root, "step"), "step",
                      "must be positive, or 0 for 0.9 times the stability limit");
    if (config_setting_get_member(root, "variant") &&
        config_setting_type(config_setting_get_member(root, "variant")) != CONFIG_TYPE_STRING)
        return refuse(from, config_setting_get_member(root, "variant"), "variant",
                      "must be \"conservative\" or \"published\"");
    config_setting_lookup_string(root, "variant", &variant);
    b->conservative = !strcmp(variant, "conservative");
    if (!b->conservative && strcmp(variant, "published") != 0)
        return refuse(from, config_setting_get_member(root, "variant"), "variant",
                      "must be \"conservative\" or \"published\"");
    return 0;
}

/* A single file, as libconfig would include others without a limit on their number, and without
 * checks for stop. */
static int read_text(config_t *config, const char *path, struct error *e)
{
    enum { BYTES_MAX = 1 << 26 };
    char *text = NULL;
    int status = file_read_text(path, BYTES_MAX, &text, e);
    if (!status && strstr(text, "@include"))
        status = fail(e, ERROR_INPUT, "%s: @include is not supported in a basin file; insert the included text", path);
    if (!status && !config_read_string(config, text))
        status = fail(e, ERROR_INPUT, "%s:%d: %s", path, config_error_line(config), config_error_text(config));
    free(text);
    return status;
}

int basin_read(struct basin *b, const char *path, struct error *e)
{
    static const char *const known[] = {"points", "spacing", "compaction", "layer", "step",   "duration", "variant",
                                        "h",      "s",       "alpha",      "beta",  "inflow", NULL};
    const struct where_from from = {path, e};
    config_t config;
    memset(b, 0, sizeof *b);
    config_init(&config);
    int status = read_text(&config, path, e);
    const config_setting_t *root = config_root_setting(&config);
    status = status || check_keys(&from, root, known) || read_scalars(b, &from, root);
    for (int array = 0; array < BASIN_ARRAYS && !status; array++)
        status = read_field(b, array, &from, root);
    status = status || read_inflow(b, &from, root);
    config_destroy(&config);
    if (status)
        basin_free(b);
    return status ? -1 : 0;
}

void basin_free(struct basin *b)
{
    for (int array = 0; array < BASIN_ARRAYS; array++)
        free(b->arrays[array]);
    for (int i = 0; i < 8; i++)
        free(b->inflow[i / 4][i % 4]);
    memset(b, 0, sizeof *b);
}

void basin_problem(struct problem *p, struct sediment_problem *s, const struct basin *b)
{
    double max = 0.0;
    for (size_t i = 0; i < b->points[0] * b->points[1]; i++)
        max = fmax(max, fmax(b->arrays[2][i] / b->compaction[0], b->arrays[3][i] / b->compaction[1]));
    *p = (struct problem){.scheme = &sediment_scheme,
                          .parameters = s,
                          .points = {b->points[0], b->points[1], 1},
                          .precision = PRECISION_DOUBLE};
    *s = (struct sediment_problem){.conservative = b->conservative,
                                   .part = SEDIMENT_BOTH,
                                   .spacing = {b->spacing[0], b->spacing[1]},
                                   .layer = b->layer,
                                   .compaction = {b->compaction[0], b->compaction[1]},
                                   .mobility_max = max};
    for (int i = 0; i < 8; i++)
        s->inflow[i / 4][i % 4] = b->inflow[i / 4][i % 4];
    s->time_step = b->step > 0.0 ? b->step : 0.9 * sediment_step_limit(s);
}
