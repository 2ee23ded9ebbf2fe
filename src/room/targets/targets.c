/* SPDX-License-Identifier: MIT */
#include "room/targets/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "room/reader.h"

static const char *const target_keys[] = {"description", "publication", "sources", "condition", "quantity",
                                          "volume",      "logarithm",   "power",   "steps",     "longest",
                                          "octaves",     "upper",       "lower",   "tolerance", "guidance",
                                          "mean",        "noise",       "grades",  "minimum"};
enum { TARGET_KEYS = sizeof target_keys / sizeof *target_keys };

static const config_setting_t *element(const config_setting_t *list, size_t i)
{
    return config_setting_get_elem(list, (unsigned)i);
}

static size_t length_of(const config_setting_t *setting)
{
    return (size_t)config_setting_length(setting);
}

static int check_keys(struct reader *r, const config_setting_t *group)
{
    for (size_t i = 0; i < length_of(group); i++) {
        const config_setting_t *member = element(group, i);
        bool known = false;
        char hint[HINT];
        for (size_t k = 0; k < TARGET_KEYS; k++)
            known = known || !strcmp(target_keys[k], member->name);
        if (!known)
            return reader_refuse(r, member, NULL, "unknown key of a target%s",
                                 text_hint(hint, member->name, target_keys, TARGET_KEYS));
    }
    return 0;
}

/* Keeps the text of a key, which may be missing unless `needed`. */
static int take_text(struct reader *r, const config_setting_t *group, const char *key, bool needed, char **text)
{
    const config_setting_t *setting = member_of(group, key);
    if (!setting)
        return needed ? reader_refuse(r, group, key, "missing; every target names its %s", key) : 0;
    const char *value = config_setting_type(setting) == CONFIG_TYPE_STRING ? config_setting_get_string(setting) : NULL;
    if (!value || !*value)
        return reader_refuse(r, setting, NULL, "expected a text in quotes");
    return keep_text(r, text_copy(value), text);
}

/* Reads up to `most` numbers from `low` to `high`; *count is 0 where the key is missing. One number may stand alone. */
static int take_numbers(struct reader *r, const config_setting_t *setting, double low, double high, double *values,
                        size_t most, size_t *count)
{
    *count = 0;
    if (!setting)
        return 0;
    const bool many = is_sequence(setting);
    const size_t given = many ? length_of(setting) : 1;
    if (!given || given > most)
        return reader_refuse(r, setting, NULL, "expected 1 to %zu numbers, not %zu", most, given);
    for (size_t i = 0; i < given; i++) {
        if (!number_of(many ? element(setting, i) : setting, &values[i]))
            return reader_refuse(r, setting, NULL, "expected %s", most > 1 ? "numbers" : "a number");
        if (!(values[i] >= low && values[i] <= high))
            return reader_refuse(r, setting, NULL, "%.9g is out of range: expected %g to %g", values[i], low, high);
    }
    *count = given;
    return 0;
}

/* Exactly `wanted` numbers, or none where the key is missing. *found: whether it is there. */
static int take_exactly(struct reader *r, const config_setting_t *group, const char *key, double low, double high,
                        double *values, size_t wanted, bool *found)
{
    const config_setting_t *setting = member_of(group, key);
    size_t count;
    if (take_numbers(r, setting, low, high, values, wanted, &count))
        return -1;
    *found = count > 0;
    return count && count != wanted ? reader_refuse(r, setting, NULL, "expected %zu numbers, not %zu", wanted, count)
                                    : 0;
}

static int take_one(struct reader *r, const config_setting_t *group, const char *key, double low, double high,
                    double *value)
{
    bool found;
    return take_exactly(r, group, key, low, high, value, 1, &found);
}

/* Octaves of a list as flags; `order` (or NULL) takes the index of each in the order of the file. */
static int take_octaves(struct reader *r, const config_setting_t *group, const char *key, bool flags[OCTAVE_BANDS],
                        size_t order[OCTAVE_BANDS], size_t *count)
{
    const config_setting_t *setting = member_of(group, key);
    double centres[OCTAVE_BANDS];
    if (take_numbers(r, setting, 1.0, 1e5, centres, OCTAVE_BANDS, count))
        return -1;
    for (size_t i = 0; i < *count; i++) {
        size_t band = 0;
        while (band < OCTAVE_BANDS && octave_band_centre[band] != centres[i])
            band++;
        if (band == OCTAVE_BANDS)
            return reader_refuse(r, setting, NULL, "%g is not an octave from 63 to 8000 Hz", centres[i]);
        if (flags[band])
            return reader_refuse(r, setting, NULL, "%g Hz is there twice", centres[i]);
        flags[band] = true;
        if (order)
            order[i] = band;
    }
    return 0;
}

/* One factor for all octaves, or one for each. */
static int take_factors(struct reader *r, const config_setting_t *group, const char *key, const size_t *order,
                        size_t octaves, double factors[OCTAVE_BANDS])
{
    const config_setting_t *setting = member_of(group, key);
    double values[OCTAVE_BANDS];
    size_t count;
    if (take_numbers(r, setting, 0.0, 100.0, values, OCTAVE_BANDS, &count))
        return -1;
    if (count && count != octaves && count != 1)
        return reader_refuse(r, setting, NULL, "expected one factor, or one for each of the %zu octaves, not %zu",
                             octaves, count);
    for (size_t i = 0; i < octaves && count; i++)
        factors[order[i]] = values[count == 1 ? 0 : i];
    return 0;
}

static int take_limits(struct reader *r, const config_setting_t *group, struct target *t)
{
    size_t order[OCTAVE_BANDS] = {0}, octaves, means, guides;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        t->lower[b] = 0.0;
        t->upper[b] = INFINITY;
    }
    if (take_octaves(r, group, "octaves", t->octave, order, &octaves) ||
        take_octaves(r, group, "mean", t->mean, NULL, &means) ||
        take_octaves(r, group, "guidance", t->guidance, NULL, &guides) ||
        take_factors(r, group, "upper", order, octaves, t->upper) ||
        take_factors(r, group, "lower", order, octaves, t->lower) ||
        take_one(r, group, "tolerance", 0.0, 100.0, &t->tolerance))
        return -1;
    if (!octaves && !means)
        return reader_refuse(r, group, "octaves", "missing; name the octaves to judge, or those of the mean");
    const bool factors = member_of(group, "upper") || member_of(group, "lower");
    if (octaves && factors == !isnan(t->tolerance))
        return reader_refuse(r, group, "upper",
                             factors ? "upper and lower exclude tolerance; remove one of them"
                                     : "missing; give upper, lower or tolerance");
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (t->octave[b] && !(t->lower[b] <= t->upper[b]))
            return reader_refuse(r, group, "lower", "is above upper at %g Hz", octave_band_centre[b]);
    return 0;
}

static int take_steps(struct reader *r, const config_setting_t *steps, struct target *t)
{
    if (!is_sequence(steps) || !length_of(steps) || length_of(steps) > TARGET_STEPS_MAX)
        return reader_refuse(r, steps, NULL, "expected 1 to %d steps ( [volume, time], .. )", TARGET_STEPS_MAX);
    for (size_t i = 0; i < length_of(steps); i++) {
        double pair[2];
        size_t count;
        if (take_numbers(r, element(steps, i), 1e-3, 1e12, pair, 2, &count))
            return -1;
        if (count != 2 || (i && !(pair[0] > t->steps[i - 1].volume)))
            return reader_refuse(r, steps, NULL, "step %zu: expected [volume in m3, time in s], volumes rising", i + 1);
        t->steps[i] = (struct target_step){pair[0], pair[1]};
    }
    t->step_count = length_of(steps);
    return 0;
}

static int take_form(struct reader *r, const config_setting_t *group, struct target *t)
{
    const config_setting_t *steps = member_of(group, "steps");
    bool logarithm, power;
    if (take_exactly(r, group, "logarithm", -100.0, 100.0, t->logarithm, 2, &logarithm) ||
        take_exactly(r, group, "power", 1e-6, 1e9, t->power, 3, &power) || (steps && take_steps(r, steps, t)) ||
        take_one(r, group, "longest", 1e-3, 1e3, &t->longest))
        return -1;
    if ((steps != NULL) + logarithm + power != 1)
        return reader_refuse(r, group, "steps", "give one of steps, logarithm and power");
    t->form = logarithm ? TARGET_LOGARITHM : power ? TARGET_POWER : TARGET_STEPS;
    return 0;
}

static int take_grade(struct reader *r, const config_setting_t *grades, size_t i, struct target *t)
{
    const config_setting_t *pair = element(grades, i);
    const bool two = is_sequence(pair) && length_of(pair) == 2;
    const char *name = two && config_setting_type(element(pair, 0)) == CONFIG_TYPE_STRING
                           ? config_setting_get_string(element(pair, 0))
                           : NULL;
    struct target_grade *grade = &t->grades[i];
    if (!name || !*name || strlen(name) >= sizeof grade->name || !number_of(element(pair, 1), &grade->least))
        return reader_refuse(r, grades, NULL, "grade %zu: expected (\"NAME\", least index), a name of 1 to %d letters",
                             i + 1, TARGET_GRADE_NAME - 1);
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-") != strlen(name))
        return reader_refuse(r, grades, NULL, "grade %zu: names consist of letters, digits, + and -", i + 1);
    memcpy(grade->name, name, strlen(name) + 1);
    if (!(grade->least >= 0.0 && grade->least <= 1.0) || (i && !(grade->least > t->grades[i - 1].least)))
        return reader_refuse(r, grades, NULL, "grade %zu: indices must rise from 0 to 1", i + 1);
    return 0;
}

static int take_speech(struct reader *r, const config_setting_t *group, struct target *t)
{
    const config_setting_t *grades = member_of(group, "grades");
    if (take_one(r, group, "minimum", 0.0, 1.0, &t->least))
        return -1;
    if (!grades && isnan(t->least))
        return reader_refuse(r, group, "minimum", "missing; give the least index, or grades");
    if (!grades)
        return 0;
    if (!config_setting_is_list(grades) || !length_of(grades) || length_of(grades) > TARGET_GRADES_MAX)
        return reader_refuse(r, grades, NULL, "expected 1 to %d grades ( (\"NAME\", least index), .. )",
                             TARGET_GRADES_MAX);
    for (size_t i = 0; i < length_of(grades); i++)
        if (take_grade(r, grades, i, t))
            return -1;
    t->grade_count = length_of(grades);
    return 0;
}

static int take_quantity(struct reader *r, const config_setting_t *group, struct target *t)
{
    char *text = NULL;
    if (take_text(r, group, "quantity", false, &text))
        return -1;
    const bool speech = text && !strcmp(text, "speech"), other = text && !speech && strcmp(text, "time");
    free(text);
    t->quantity = speech ? TARGET_SPEECH : TARGET_TIME;
    return other ? reader_refuse(r, member_of(group, "quantity"), NULL, "expected \"time\" or \"speech\"") : 0;
}

static int take_target(struct reader *r, const config_setting_t *group, struct target *t)
{
    bool ranged;
    char *sources = NULL;
    *t = (struct target){.tolerance = NAN, .noise = NAN, .least = NAN, .longest = INFINITY, .volume = {0.0, INFINITY}};
    if (!config_setting_is_group(group))
        return reader_refuse(r, group, NULL, "expected a group { .. } with the keys of a target");
    int status = keep_text(r, text_copy(group->name), &t->name) || check_keys(r, group) ||
                 take_text(r, group, "description", true, &t->description) ||
                 take_text(r, group, "publication", true, &t->publication) ||
                 take_text(r, group, "sources", false, &sources) ||
                 take_text(r, group, "condition", false, &t->condition) || take_quantity(r, group, t) ||
                 take_exactly(r, group, "volume", 0.0, 1e9, t->volume, 2, &ranged) ||
                 take_one(r, group, "noise", -100.0, 200.0, &t->noise);
    free(sources);
    if (!status && !(t->volume[0] < t->volume[1]))
        status = reader_refuse(r, group, "volume", "expected [smallest, largest] in m3");
    if (!status && t->quantity == TARGET_SPEECH)
        return take_speech(r, group, t);
    return status || take_form(r, group, t) || take_limits(r, group, t) ? -1 : 0;
}

/* Appends the targets of one file. */
static int read_file(struct target_list *list, const char *path, struct error *e)
{
    struct reader r;
    int status = reader_open(&r, path, e) || load_file(&r, &r.config, path, r.folder);
    const config_setting_t *root = config_root_setting(&r.config);
    const size_t added = status ? 0 : length_of(root);
    struct target *more = realloc(list->items, (list->count + added + 1) * sizeof *more);
    if (more)
        list->items = more;
    else if (!status)
        status = reader_no_memory(&r);
    for (size_t i = 0; i < added && !status; i++) {
        status = take_target(&r, element(root, i), &list->items[list->count]);
        list->count++; /* what was taken of a wrong one is freed as well */
        if (status && reader_goes_on(&r))
            status = 0;
    }
    status = reader_tell(&r, status);
    reader_close(&r);
    return status ? -1 : 0;
}

int targets_read(struct target_list *list, const char *file, struct error *e)
{
    *list = (struct target_list){.items = NULL};
    if (file && read_file(list, file, e))
        return -1;
    char *path = data_path("rooms/targets.cfg", e);
    const int status = path ? read_file(list, path, e) : -1;
    free(path);
    return status;
}

void targets_free(struct target_list *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->count; i++)
        target_clear(&list->items[i]);
    free(list->items);
    *list = (struct target_list){.items = NULL};
}

static int refuse_name(const struct target_list *list, const char *name, const char *said, struct error *e)
{
    const char **names = calloc(list->count + 1, sizeof *names);
    char hint[HINT], given[QUOTED];
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < list->count; i++)
        names[i] = list->items[i].name;
    text_hint(hint, name, names, list->count);
    free(names);
    return fail(e, ERROR_USAGE, "%s %s: unknown target%s (aula info --list-targets lists them)", said,
                quoted(given, name), hint);
}

static int ask_for_grade(struct target *t, const char *grade, const char *said, struct error *e)
{
    char given[QUOTED];
    for (size_t i = 0; i < t->grade_count; i++)
        if (!strcmp(t->grades[i].name, grade)) {
            t->least = t->grades[i].least;
            return 0;
        }
    if (!t->grade_count)
        return fail(e, ERROR_USAGE, "%s %s:%s: this target has no grades; remove \":\" and what follows", said, t->name,
                    quoted(given, grade));
    return fail(e, ERROR_USAGE, "%s %s:%s: unknown grade; expected one from %s (worst) to %s (best)", said, t->name,
                quoted(given, grade), t->grades[0].name, t->grades[t->grade_count - 1].name);
}

int targets_find(const struct target **target, struct target_list *list, const char *name, const char *said,
                 struct error *e)
{
    const char *colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    *target = NULL;
    for (size_t i = 0; i < list->count && !*target; i++)
        if (strlen(list->items[i].name) == length && !strncmp(list->items[i].name, name, length)) {
            *target = &list->items[i];
            return colon ? ask_for_grade(&list->items[i], colon + 1, said, e) : 0;
        }
    return refuse_name(list, name, said, e);
}
