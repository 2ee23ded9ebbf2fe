/* SPDX-License-Identifier: MIT */
/* Types of keys for absorption: values of octave bands, and series RLC branches of the admittance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "room/key_types.h"

/* ---- centres of octave bands; read by the key that names this one as its `octaves` ---- */

static const char all_octaves[] = "63 125 250 500 1000 2000 4000 8000";

/* The octave with this centre frequency, or OCTAVE_BANDS. The lowest is exactly 62.5 Hz and
 * nominally 63 Hz. */
static size_t octave_of(double frequency)
{
    size_t octave = 0;
    if (frequency == 62.5)
        return 0;
    while (octave < OCTAVE_BANDS && octave_band_centre[octave] != frequency)
        octave++;
    return octave;
}

static double closest_centre(double frequency)
{
    size_t octave = 0;
    while (octave + 1 < OCTAVE_BANDS && frequency > sqrt(octave_band_centre[octave] * octave_band_centre[octave + 1]))
        octave++;
    return octave_band_centre[octave];
}

static int refuse_gap(struct reader *r, const config_setting_t *setting, size_t below, size_t above)
{
    double low = octave_band_centre[below], high = octave_band_centre[above];
    if (above == below + 2)
        return reader_refuse(r, setting, NULL, "the %g Hz band is missing between %g and %g; add it and its value",
                             octave_band_centre[below + 1], low, high);
    return reader_refuse(r, setting, NULL,
                         "the bands from %g to %g Hz are missing between %g and %g; add them and their values",
                         octave_band_centre[below + 1], octave_band_centre[above - 1], low, high);
}

/* Reads *count adjacent octaves from *first on. */
static int read_octaves(struct reader *r, const struct key *key, const config_setting_t *setting, size_t *first,
                        size_t *count)
{
    size_t last = 0, gap = OCTAVE_BANDS, after_gap = 0;
    double value;
    *count = is_sequence(setting) ? (size_t)config_setting_length(setting) : 0;
    if (!*count)
        return refuse_type(r, key, setting);
    for (unsigned i = 0; i < *count; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &value))
            return refuse_type(r, key, setting);
        size_t octave = octave_of(value);
        if (octave == OCTAVE_BANDS)
            return reader_refuse(r, element, NULL,
                                 "%.9g Hz is not the centre of an octave band; the closest is %g (of %s)", value,
                                 closest_centre(value), all_octaves);
        if (i > 0 && octave == last)
            return reader_refuse(r, setting, NULL, "bands are not ascending: %g occurs twice; remove one",
                                 octave_band_centre[octave]);
        if (i > 0 && octave < last)
            return reader_refuse(r, setting, NULL,
                                 "bands are not ascending: %g follows %g; sort them with their values",
                                 octave_band_centre[octave], octave_band_centre[last]);
        if (i > 0 && octave > last + 1 && gap == OCTAVE_BANDS) { /* refused after the order was checked */
            gap = last;
            after_gap = octave;
        }
        *first = i > 0 ? *first : octave;
        last = octave;
    }
    return gap < OCTAVE_BANDS ? refuse_gap(r, setting, gap, after_gap) : 0;
}

static int check_octaves(struct reader *r, const struct place *place, const struct key *key,
                         const config_setting_t *setting)
{
    (void)place;
    size_t first, count;
    return read_octaves(r, key, setting, &first, &count);
}

const struct key_type type_octaves = {
    .name = "numbers",
    .expect = "centres of octave bands in Hz such as [125.0, 250.0, 500.0]",
    .read = check_octaves,
};

/* ---- double[OCTAVE_BANDS], of the octaves that the key named by `octaves` gives ---- */

static void describe_bands(const struct key *key, char *text, size_t size)
{
    (void)key;
    snprintf(text, size, "%d numbers, one for each octave from 63 Hz to 8 kHz", (int)OCTAVE_BANDS);
}

/* Refuses a value that is not a list or has the wrong length. */
static int refuse_count(struct reader *r, const struct key *key, const config_setting_t *setting,
                        const config_setting_t *octaves, size_t first, size_t count)
{
    char expected[256], holds[40] = "";
    key_expected(key, expected, sizeof expected);
    if (octaves)
        snprintf(expected, sizeof expected, "%zu, one for each octave of %s (%g to %g Hz)", count, octaves->name,
                 octave_band_centre[first], octave_band_centre[first + count - 1]);
    int given = is_sequence(setting) ? config_setting_length(setting) : -1;
    if (given >= 0)
        snprintf(holds, sizeof holds, "has %d value%s; ", given, given == 1 ? "" : "s");
    return reader_refuse(r, setting, NULL, "%sexpected %s%s%s%s", holds, expected, octaves ? "" : ", or ",
                         octaves ? "" : key->octaves, octaves ? "" : " = [ .. ] with their octaves");
}

/* Bands that are not listed repeat the nearest listed one. */
static int read_bands(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    double *values = key_target(place, key); /* [OCTAVE_BANDS] */
    const config_setting_t *octaves = key->octaves ? member_of(place->setting, key->octaves) : NULL;
    size_t first = 0, count = OCTAVE_BANDS;
    if (octaves && read_octaves(r, key_find(key->group, key->octaves, 0), octaves, &first, &count))
        return -1;
    if (!is_sequence(setting) || (size_t)config_setting_length(setting) != count)
        return refuse_count(r, key, setting, octaves, first, count);
    for (unsigned i = 0; i < count; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &values[first + i]))
            return reader_refuse(r, element, NULL, "expected a number");
        if (check_range(r, key, element, values[first + i]))
            return -1;
    }
    for (size_t band = first; band-- > 0;)
        values[band] = values[first];
    for (size_t band = first + count; band < OCTAVE_BANDS; band++)
        values[band] = values[first + count - 1];
    return 0;
}

static bool write_bands(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    if (!boundary_kind_of((const struct material *)(const void *)base)->has_absorption)
        return true;
    return json_put(json, key, json_numbers(key_value(key, base), OCTAVE_BANDS));
}

const struct key_type type_bands = {
    .name = "numbers",
    .describe = describe_bands,
    .read = read_bands,
    .write = write_bands,
};

/* ---- double[OCTAVE_BANDS] likewise; one number stands for all ---- */

static void describe_spectrum(const struct key *key, char *text, size_t size)
{
    (void)key;
    snprintf(text, size, "a number, or %d, one for each octave from 63 Hz to 8 kHz", (int)OCTAVE_BANDS);
}

static int read_spectrum(struct reader *r, const struct place *place, const struct key *key,
                         const config_setting_t *setting)
{
    double *values = key_target(place, key); /* [OCTAVE_BANDS] */
    if (is_sequence(setting))
        return read_bands(r, place, key, setting);
    if (read_number(r, key, setting, &values[0]))
        return -1;
    for (size_t band = 1; band < OCTAVE_BANDS; band++)
        values[band] = values[0];
    return 0;
}

static int default_spectrum(struct reader *r, const struct place *place, const struct key *key)
{
    double *values = key_target(place, key); /* [OCTAVE_BANDS] */
    (void)r;
    for (size_t band = 0; band < OCTAVE_BANDS; band++)
        if (text_number(key->fallback, &values[band]))
            values[band] = 0.0;
    return 0;
}

static bool write_spectrum(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const double *values = key_value(key, base);
    bool same = true;
    (void)room;
    for (size_t band = 1; band < OCTAVE_BANDS; band++)
        same = same && values[band] == values[0];
    return json_put(json, key, same ? json_number_of(values[0]) : json_numbers(values, OCTAVE_BANDS));
}

const struct key_type type_spectrum = {
    .name = "number or numbers",
    .describe = describe_spectrum,
    .read = read_spectrum,
    .take_default = default_spectrum,
    .write = write_spectrum,
};

/* ---- struct branch[BRANCHES_MAX], their number at `count` ---- */

#define BRANCH_MIN 1e-9 /* of the sum of a branch's three values */

static int read_branch(struct reader *r, const struct key *key, const config_setting_t *setting, struct branch *branch)
{
    static const char *const names[] = {"inertance D", "resistance E", "stiffness F"};
    double values[3];
    if (!is_sequence(setting) || config_setting_length(setting) != 3)
        return reader_refuse(r, setting, NULL,
                             "expected three numbers [D, E, F]: inertance in s, resistance, stiffness in 1/s");
    for (unsigned i = 0; i < 3; i++) {
        if (!number_of(config_setting_get_elem(setting, i), &values[i]))
            return reader_refuse(r, setting, NULL, "the %s: expected a number", names[i]);
        if (values[i] < 0)
            return reader_refuse(r, setting, NULL,
                                 "the %s is %.9g, but a negative value would create energy; use 0 or more", names[i],
                                 values[i]);
        if (!key_in_range(key, values[i]))
            return reader_refuse(r, setting, NULL, "the %s is %.9g; use at most %g", names[i], values[i], key->high);
    }
    const double sum = values[0] + values[1] + values[2];
    if (sum > 0 && sum < BRANCH_MIN)
        return reader_refuse(r, setting, NULL,
                             "D, E and F are all below %g; use larger values, or the material fixed for zero pressure",
                             BRANCH_MIN);
    if (!(sum > 0))
        return reader_refuse(r, setting, NULL,
                             "D, E and F are all 0, an infinite admittance; set one above 0, or use the material fixed "
                             "for zero pressure");
    *branch = (struct branch){.inertance = values[0], .resistance = values[1], .stiffness = values[2]};
    return 0;
}

static void describe_branches(const struct key *key, char *text, size_t size)
{
    (void)key;
    snprintf(text, size, "1 to %d branches ( [D, E, F], .. ): inertance in s, resistance, stiffness in 1/s",
             (int)BRANCHES_MAX);
}

static int read_branches(struct reader *r, const struct place *place, const struct key *key,
                         const config_setting_t *setting)
{
    struct branch *branches = key_target(place, key); /* [BRANCHES_MAX] */
    int given = is_sequence(setting) ? config_setting_length(setting) : 0;
    if (!given)
        return refuse_type(r, key, setting);
    if (given > BRANCHES_MAX)
        return reader_refuse(r, setting, NULL, "has %d branches; use at most %d", given, (int)BRANCHES_MAX);
    for (unsigned i = 0; i < (unsigned)given; i++)
        if (read_branch(r, key, config_setting_get_elem(setting, i), &branches[i]))
            return -1;
    *(size_t *)(void *)(place->base + key->count) = (size_t)given;
    return 0;
}

static cJSON *branches_json(const struct branch *branch, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++) {
        cJSON *one = json_numbers((double[]){branch[i].inertance, branch[i].resistance, branch[i].stiffness}, 3);
        if (!one || !cJSON_AddItemToArray(array, one)) {
            cJSON_Delete(one);
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

static bool write_branches(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    size_t count;
    memcpy(&count, base + key->count, sizeof count);
    return !count || json_put(json, key, branches_json(key_value(key, base), count));
}

const struct key_type type_branches = {
    .name = "branches",
    .describe = describe_branches,
    .read = read_branches,
    .write = write_branches,
};
