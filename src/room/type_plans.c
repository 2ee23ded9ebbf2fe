/* SPDX-License-Identifier: MIT */
/* Types of keys for floor plans, their walls, positions, angles and curves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/floor_plan.h"
#include "room/key_types.h"

static size_t count_of(const struct key *key, const char *base)
{
    size_t count;
    memcpy(&count, base + key->count, sizeof count);
    return count;
}

static void *values_of(const struct key *key, const char *base)
{
    void *values;
    memcpy(&values, key_value(key, base), sizeof values);
    return values;
}

/* Takes ownership of the values. */
static void keep_values(const struct place *place, const struct key *key, void *values, size_t count)
{
    memcpy(key_target(place, key), &values, sizeof values);
    memcpy(place->base + key->count, &count, sizeof count);
}

/* ---- double (*)[2]: x, y of corners ---- */

static int read_corner(struct reader *r, const struct key *key, const config_setting_t *setting, double corner[2])
{
    if (!is_sequence(setting) || config_setting_length(setting) != 2)
        return reader_refuse(r, setting, NULL, "expected x, y of a corner in metres such as [6.0, 4.0]");
    for (unsigned i = 0; i < 2; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &corner[i]))
            return reader_refuse(r, setting, NULL, "expected x, y of a corner in metres such as [6.0, 4.0]");
        if (check_range(r, key, element, corner[i]))
            return -1;
    }
    return 0;
}

static int read_corners(struct reader *r, const struct place *place, const struct key *key,
                        const config_setting_t *setting)
{
    const size_t count = is_sequence(setting) ? (size_t)config_setting_length(setting) : 0;
    if (!count)
        return refuse_type(r, key, setting);
    if (count < 3 || count > FLOOR_PLAN_MAX)
        return reader_refuse(r, setting, NULL, "has %zu corners; a floor plan needs 3 to %d", count,
                             (int)FLOOR_PLAN_MAX);
    double(*corners)[2] = calloc(count, sizeof *corners);
    if (!corners)
        return reader_no_memory(r);
    for (unsigned i = 0; i < count; i++)
        if (read_corner(r, key, config_setting_get_elem(setting, i), corners[i])) {
            free(corners);
            return -1;
        }
    keep_values(place, key, corners, count);
    return 0;
}

static bool write_pairs(cJSON *json, const struct key *key, double (*pairs)[2], size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++) {
        cJSON *one = json_numbers(pairs[i], 2);
        if (!one || !cJSON_AddItemToArray(array, one)) {
            cJSON_Delete(one);
            cJSON_Delete(array);
            return false;
        }
    }
    return json_put(json, key, array);
}

static bool write_corners(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    return write_pairs(json, key, values_of(key, base), count_of(key, base));
}

const struct key_type type_corners = {
    .name = "corners",
    .expect = "corners in order around the floor plan such as ( [0.0, 0.0], [6.0, 0.0], [6.0, 4.0], [0.0, 4.0] )",
    .read = read_corners,
    .write = write_corners,
};

/* ---- struct curve: values over time ---- */

static int read_point(struct reader *r, const struct key *key, const config_setting_t *setting, double point[2])
{
    static const char expected[] = "expected seconds and a value such as [0.5, 0.8]";
    const config_setting_t *value = is_sequence(setting) ? config_setting_get_elem(setting, 1) : NULL;
    if (!value || config_setting_length(setting) != 2 || !number_of(config_setting_get_elem(setting, 0), &point[0]) ||
        !number_of(value, &point[1]))
        return reader_refuse(r, setting, NULL, expected);
    if (!(point[0] >= 0.0))
        return reader_refuse(r, setting, NULL, "%g s is before the event; use times from 0 on", point[0]);
    return check_range(r, key, value, point[1]);
}

static int read_curve(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    enum { POINTS_MAX = 100000 };
    struct curve *curve = key_target(place, key);
    const size_t count = is_sequence(setting) ? (size_t)config_setting_length(setting) : 0;
    if (!count || count > POINTS_MAX)
        return refuse_type(r, key, setting);
    double(*points)[2] = calloc(count, sizeof *points);
    if (!points)
        return reader_no_memory(r);
    int status = 0;
    for (unsigned i = 0; i < count && !status; i++) {
        const config_setting_t *point = config_setting_get_elem(setting, i);
        status = read_point(r, key, point, points[i]);
        if (!status && i && !(points[i][0] > points[i - 1][0]))
            status = reader_refuse(r, point, NULL, "%g s does not follow %g s; use ascending times", points[i][0],
                                   points[i - 1][0]);
    }
    if (status) {
        free(points);
        return -1;
    }
    *curve = (struct curve){points, count};
    return 0;
}

static bool write_curve(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const struct curve *curve = key_value(key, base);
    return !curve->count || write_pairs(json, key, curve->points, curve->count);
}

const struct key_type type_curve = {
    .name = "curve",
    .expect = "pairs of seconds and a value such as ( [0.0, 0.2], [0.5, 0.8] )",
    .read = read_curve,
    .write = write_curve,
};

/* ---- double (*)[3]: positions ---- */

static int read_one_place(struct reader *r, const struct key *key, const config_setting_t *setting, double at[3])
{
    static const char expected[] = "expected x, y, z in metres such as [3.4, 4.0, 1.2]";
    if (!is_sequence(setting) || config_setting_length(setting) != 3)
        return reader_refuse(r, setting, NULL, expected);
    for (unsigned i = 0; i < 3; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &at[i]))
            return reader_refuse(r, setting, NULL, expected);
        if (check_range(r, key, element, at[i]))
            return -1;
    }
    return 0;
}

static int read_positions(struct reader *r, const struct place *place, const struct key *key,
                          const config_setting_t *setting)
{
    const size_t count = is_sequence(setting) ? (size_t)config_setting_length(setting) : 0;
    if (!count)
        return refuse_type(r, key, setting);
    if (count > RECEIVERS_MAX)
        return reader_refuse(r, setting, NULL,
                             "has %zu positions, but a sound file holds at most %d channels; use fewer", count,
                             (int)RECEIVERS_MAX);
    double(*places)[3] = calloc(count, sizeof *places);
    if (!places)
        return reader_no_memory(r);
    for (unsigned i = 0; i < count; i++)
        if (read_one_place(r, key, config_setting_get_elem(setting, i), places[i])) {
            free(places);
            return -1;
        }
    keep_values(place, key, places, count);
    return 0;
}

static bool write_positions(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    double(*places)[3] = values_of(key, base);
    if (!count_of(key, base))
        return true;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count_of(key, base); i++) {
        cJSON *one = json_numbers(places[i], 3);
        if (!one || !cJSON_AddItemToArray(array, one)) {
            cJSON_Delete(one);
            cJSON_Delete(array);
            return false;
        }
    }
    return json_put(json, key, array);
}

const struct key_type type_positions = {
    .name = "positions",
    .expect = "a list of positions such as ( [1.0, 2.0, 1.2], [1.5, 2.0, 1.2] )",
    .read = read_positions,
    .write = write_positions,
};

/* ---- double *: one for each corner of the room ---- */

/* Any count is accepted if the corners have been refused. */
static int refuse_other_count(struct reader *r, const config_setting_t *setting, const char *what, size_t count)
{
    const size_t corners = r->room->corner_count;
    if (!corners || count == corners)
        return 0;
    return reader_refuse(r, setting, NULL, "has %zu %s, but room.corners has %zu corners; use one for each", count,
                         what, corners);
}

static int read_heights(struct reader *r, const struct place *place, const struct key *key,
                        const config_setting_t *setting)
{
    const bool several = is_sequence(setting);
    const size_t given = several ? (size_t)config_setting_length(setting) : 1;
    const size_t count = several || !r->room->corner_count ? given : r->room->corner_count;
    if (!given)
        return refuse_type(r, key, setting);
    if (several && refuse_other_count(r, setting, "heights", given))
        return -1;
    double *heights = calloc(count, sizeof *heights);
    if (!heights)
        return reader_no_memory(r);
    for (unsigned i = 0; i < given; i++)
        if (read_number(r, key, several ? config_setting_get_elem(setting, i) : setting, &heights[i])) {
            free(heights);
            return -1;
        }
    for (size_t i = given; i < count; i++)
        heights[i] = heights[0];
    keep_values(place, key, heights, count);
    return 0;
}

static bool write_heights(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const double *heights = values_of(key, base);
    const size_t count = count_of(key, base);
    bool alike = true;
    for (size_t i = 1; i < count; i++)
        alike = alike && heights[i] == heights[0];
    return json_put(json, key, alike ? json_number_of(heights[0]) : json_numbers(heights, count));
}

const struct key_type type_heights = {
    .name = "numbers",
    .expect = "a height in m such as 3.0, or a list of one for each corner such as [3.0, 3.0, 2.4, 2.4]",
    .read = read_heights,
    .write = write_heights,
};

/* ---- size_t *: materials of the walls between corners of the room ---- */

static int read_sides(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    const size_t count = is_sequence(setting) ? (size_t)config_setting_length(setting) : 0;
    if (!count)
        return refuse_type(r, key, setting);
    if (refuse_other_count(r, setting, "materials", count))
        return -1;
    size_t *sides = calloc(count, sizeof *sides);
    if (!sides)
        return reader_no_memory(r);
    for (unsigned i = 0; i < count; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        const char *name;
        if (read_text(r, key, element, &name) || material_use(r, element, name, &sides[i])) {
            free(sides);
            return -1;
        }
    }
    keep_values(place, key, sides, count);
    return 0;
}

static int default_sides(struct reader *r, const struct place *place, const struct key *key)
{
    const struct key *instead = key_find(key->group, key->instead, 0);
    const config_setting_t *named = member_of(place->setting, key->instead);
    const size_t count = r->room->corner_count;
    size_t material;
    const char *name = instead->fallback;
    if (!count)
        return 0;
    if ((named && read_text(r, instead, named, &name)) ||
        material_use(r, named ? named : place->around, name, &material))
        return -1;
    size_t *sides = calloc(count, sizeof *sides);
    if (!sides)
        return reader_no_memory(r);
    for (size_t i = 0; i < count; i++)
        sides[i] = material;
    keep_values(place, key, sides, count);
    return 0;
}

static bool write_sides(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const size_t *sides = values_of(key, base);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count_of(key, base); i++) {
        cJSON *name = cJSON_CreateString(room->materials[sides[i]].name);
        if (!name || !cJSON_AddItemToArray(array, name)) {
            cJSON_Delete(name);
            cJSON_Delete(array);
            return false;
        }
    }
    return json_put(json, key, array);
}

const struct key_type type_sides = {
    .name = "materials",
    .expect = "a list of materials, one for each wall, such as ( \"plaster\", \"brick\", \"plaster\", \"glass\" )",
    .read = read_sides,
    .take_default = default_sides,
    .write = write_sides,
};

/* ---- double[3]: yaw, pitch, roll ---- */

static int read_angles(struct reader *r, const struct place *place, const struct key *key,
                       const config_setting_t *setting)
{
    double *angles = key_target(place, key);
    if (!is_sequence(setting) || config_setting_length(setting) != 3)
        return refuse_type(r, key, setting);
    for (unsigned i = 0; i < 3; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &angles[i]))
            return refuse_type(r, key, setting);
        if (check_range(r, key, element, angles[i]))
            return -1;
    }
    return 0;
}

static bool write_angles(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const double *angles = key_value(key, base);
    if (angles[0] == 0 && angles[1] == 0 && angles[2] == 0)
        return true;
    return json_put(json, key, json_numbers(angles, 3));
}

const struct key_type type_angles = {
    .name = "3 numbers",
    .expect = "yaw, pitch and roll in degrees such as [30.0, 0.0, 0.0]",
    .read = read_angles,
    .write = write_angles,
};
