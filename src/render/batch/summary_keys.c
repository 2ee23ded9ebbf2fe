/* SPDX-License-Identifier: MIT */
#include "render/batch/summary_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"
#include "io/json_build.h"

static int no_memory(const struct summary *s, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", s->plan);
}

/* ---- Keys ---- */

static struct summary_key *add_key(struct summary *s, char *name, const char *key, int component)
{
    struct summary_key *list = realloc(s->keys, (s->key_count + 1) * sizeof *list);
    if (!list || !name) {
        free(name);
        s->keys = list ? list : s->keys;
        return NULL;
    }
    s->keys = list;
    list[s->key_count] = (struct summary_key){.name = name, .key = key, .component = component};
    list[s->key_count].values = calloc(s->done + 1, sizeof(double));
    if (!list[s->key_count].values) {
        free(name);
        return NULL;
    }
    return &list[s->key_count++];
}

/* Numbers of a value: 1 of a number, the length of an array of two or three; 0: a name, or a
 * value of another form. */
static int numbers_of(const cJSON *value)
{
    const int length = cJSON_IsArray(value) ? cJSON_GetArraySize(value) : 0;
    for (int i = 0; i < length; i++)
        if (!cJSON_IsNumber(cJSON_GetArrayItem(value, i)))
            return 0;
    return cJSON_IsNumber(value) ? 1 : length == 2 || length == VARY_WIDTH ? length : 0;
}

/* The same of all values of a list; 0: they differ. */
static int numbers_of_all(const cJSON *choices)
{
    const cJSON *value;
    const int first = numbers_of(cJSON_GetArrayItem(choices, 0));
    cJSON_ArrayForEach(value, choices)
    {
        if (numbers_of(value) != first)
            return 0;
    }
    return first;
}

static cJSON *choices_of(const struct variation *v)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < v->value_count; i++) {
        cJSON *parsed = cJSON_Parse(v->values[i]);
        cJSON_AddItemToArray(list, parsed ? parsed : cJSON_CreateString(v->values[i]));
    }
    return list;
}

static int add_variation(struct summary *s, const struct variation *v)
{
    cJSON *choices = v->value_count ? choices_of(v) : NULL;
    const int width = choices ? numbers_of_all(choices) : (int)v->width;
    if (width)
        cJSON_Delete(choices);
    for (int i = 0; i < width; i++)
        if (!add_key(s, width > 1 ? text_format("%s[%d]", v->key, i) : text_copy(v->key), v->key, width > 1 ? i : -1))
            return -1;
    if (width)
        return 0;
    struct summary_key *key = add_key(s, text_copy(v->key), v->key, -1);
    if (!key) {
        cJSON_Delete(choices);
        return -1;
    }
    key->choice = true;
    key->choices = choices;
    return choices ? 0 : -1;
}

/* A name that the record itself states: "base", or "use" of a generated room. */
static int add_name(struct summary *s, const char *name, const char *const *choices, size_t count)
{
    struct summary_key *key = add_key(s, text_copy(name), NULL, -1);
    if (!key)
        return -1;
    key->choice = true;
    key->choices = cJSON_CreateStringArray(choices, (int)count);
    return key->choices ? 0 : -1;
}

int summary_keys_make(struct summary *s, const struct plan *plan, struct error *e)
{
    if (plan->base_count > 1 && add_name(s, "base", (const char *const *)plan->base_names, plan->base_count))
        return no_memory(s, e);
    if (plan->generated && add_name(s, "use", room_use_names, ROOM_USES))
        return no_memory(s, e);
    for (size_t i = 0; i < plan->variation_count; i++)
        if (add_variation(s, &plan->variations[i]))
            return no_memory(s, e);
    return 0;
}

void summary_keys_free(struct summary *s)
{
    for (size_t i = 0; i < s->key_count; i++) {
        free(s->keys[i].name);
        free(s->keys[i].values);
        cJSON_Delete(s->keys[i].choices);
    }
    free(s->keys);
    free(s->pairs);
}

static double value_of(const struct summary_key *key, const cJSON *record)
{
    const cJSON *value =
        key->key ? cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(record, "parameters"), key->key)
                 : cJSON_GetObjectItemCaseSensitive(record, key->name);
    if (key->component >= 0)
        value = cJSON_GetArrayItem(value, key->component);
    if (!key->choice)
        return cJSON_IsNumber(value) ? value->valuedouble : NAN;
    int index = 0;
    const cJSON *choice;
    cJSON_ArrayForEach(choice, key->choices)
    {
        if (cJSON_Compare(choice, value, true))
            return index;
        index++;
    }
    return NAN;
}

int summary_keys_take(struct summary *s, size_t row, const cJSON *record, struct error *e)
{
    const cJSON *room = cJSON_GetObjectItemCaseSensitive(record, "room");
    for (size_t i = 0; i < s->key_count; i++) {
        s->keys[i].values[row] = value_of(&s->keys[i], record);
        if (!isfinite(s->keys[i].values[row]))
            return fail(e, ERROR_OUTPUT,
                        "the manifest has no value of %s that the plan can draw for the finished room %.0f; move the "
                        "manifest away, and run the same command to render the rooms again",
                        s->keys[i].name, room ? room->valuedouble : 0.0);
    }
    return 0;
}

/* ---- Effects ---- */

/* Ranks of numbers, groups of a choice, of some rooms. */
struct column {
    double *numbers;
    size_t *groups, *sizes;
    double *sums;
    size_t group_count;
};

static void column_free(struct column *c)
{
    free(c->numbers);
    free(c->groups);
    free(c->sizes);
    free(c->sums);
}

static int column_make(struct column *c, const struct summary_key *key, const size_t *rows, size_t count)
{
    double *taken = calloc(count + 1, sizeof *taken);
    *c = (struct column){.numbers = calloc(count + 1, sizeof *c->numbers),
                         .groups = calloc(count + 1, sizeof *c->groups),
                         .group_count = key->choice ? (size_t)cJSON_GetArraySize(key->choices) : 0};
    c->sizes = calloc(c->group_count + 1, sizeof *c->sizes);
    c->sums = calloc(c->group_count + 1, sizeof *c->sums);
    int status = taken && c->numbers && c->groups && c->sizes && c->sums ? 0 : -1;
    for (size_t i = 0; i < count && !status; i++) {
        taken[i] = key->values[rows ? rows[i] : i];
        if (key->choice)
            c->groups[i] = (size_t)taken[i];
    }
    if (!status && !key->choice)
        status = spread_ranks(c->numbers, taken, count);
    free(taken);
    return status;
}

static int compare_choice(struct summary_effect *effect, struct column *c, const double *values, size_t count)
{
    size_t present;
    const double share = spread_eta_squared(values, c->groups, count, c->group_count, c->sums, c->sizes, &present);
    if (count < SPREAD_SHARES_LEAST || count < SPREAD_ROOMS_A_CHOICE * present)
        effect->gap = EFFECT_FEW;
    else if (present < 2)
        effect->gap = EFFECT_CONSTANT;
    else if (isnan(share))
        effect->gap = EFFECT_FLAT;
    else
        *effect = (struct summary_effect){EFFECT_KNOWN, NAN, share, spread_chance(share, count, present)};
    return 0;
}

static int compare_ranks(struct summary_effect *effect, const struct column *c, const double *values, size_t count)
{
    double *ranks = calloc(count + 1, sizeof *ranks);
    if (!ranks || spread_ranks(ranks, values, count)) {
        free(ranks);
        return -1;
    }
    const double r = spread_correlation(c->numbers, ranks, count);
    if (count < SPREAD_SHARES_LEAST)
        effect->gap = EFFECT_FEW;
    else if (isnan(r))
        effect->gap = isnan(spread_correlation(ranks, ranks, count)) ? EFFECT_FLAT : EFFECT_CONSTANT;
    else
        *effect = (struct summary_effect){EFFECT_KNOWN, r, r * r, spread_chance(r * r, count, 2)};
    free(ranks);
    return 0;
}

int summary_effect_of(struct summary_effect *effect, const struct summary_key *key, const double *values,
                      const size_t *rows, size_t count, struct error *e)
{
    struct column c = {0};
    *effect = (struct summary_effect){EFFECT_CONSTANT, NAN, NAN, NAN};
    if (key->constant)
        return 0;
    int status = column_make(&c, key, rows, count);
    if (!status)
        status = key->choice ? compare_choice(effect, &c, values, count) : compare_ranks(effect, &c, values, count);
    column_free(&c);
    return status ? fail(e, ERROR_MEMORY, "%s: out of memory", key->name) : 0;
}

/* ---- Keys that vary together ---- */

static int associate(double *association, const struct summary_key *a, struct column *one, const struct summary_key *b,
                     struct column *other, size_t count)
{
    size_t present;
    double squared = NAN;
    if (a->choice && b->choice) {
        if (spread_cramer_squared(&squared, one->groups, one->group_count, other->groups, other->group_count, count))
            return -1;
    } else if (a->choice) {
        squared =
            spread_eta_squared(other->numbers, one->groups, count, one->group_count, one->sums, one->sizes, &present);
    } else if (b->choice) {
        squared = spread_eta_squared(one->numbers, other->groups, count, other->group_count, other->sums, other->sizes,
                                     &present);
    } else {
        *association = spread_correlation(one->numbers, other->numbers, count);
        return 0;
    }
    *association = sqrt(squared);
    return 0;
}

static bool is_constant(const struct summary *s, const struct summary_key *key)
{
    for (size_t i = 1; i < s->done; i++)
        if (key->values[i] < key->values[0] || key->values[i] > key->values[0])
            return false;
    return true;
}

static int add_pair(struct summary *s, size_t a, size_t b, double association)
{
    struct summary_pair *list = realloc(s->pairs, (s->pair_count + 1) * sizeof *list);
    if (!list)
        return -1;
    s->pairs = list;
    list[s->pair_count++] = (struct summary_pair){a, b, association};
    return 0;
}

static int compare_with_later(struct summary *s, struct column *columns, size_t a)
{
    for (size_t b = a + 1; b < s->key_count; b++) {
        double association = NAN;
        if (s->keys[a].constant || s->keys[b].constant)
            continue;
        if (associate(&association, &s->keys[a], &columns[a], &s->keys[b], &columns[b], s->done))
            return -1;
        if (fabs(association) >= SUMMARY_TOGETHER && add_pair(s, a, b, association))
            return -1;
    }
    return 0;
}

int summary_keys_compare(struct summary *s, struct error *e)
{
    struct column *columns = calloc(s->key_count + 1, sizeof *columns);
    int status = columns ? 0 : no_memory(s, e);
    for (size_t i = 0; i < s->key_count && !status; i++) {
        s->keys[i].constant = is_constant(s, &s->keys[i]);
        status = stop_check(e) || (column_make(&columns[i], &s->keys[i], NULL, s->done) ? no_memory(s, e) : 0);
    }
    for (size_t a = 0; a < s->key_count && !status && s->done >= SPREAD_SHARES_LEAST; a++)
        status = stop_check(e) || (compare_with_later(s, columns, a) ? no_memory(s, e) : 0);
    for (size_t i = 0; columns && i < s->key_count; i++)
        column_free(&columns[i]);
    free(columns);
    return status ? -1 : 0;
}
