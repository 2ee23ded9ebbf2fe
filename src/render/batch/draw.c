/* SPDX-License-Identifier: MIT */
#include "render/batch/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"

enum { SEED_MOST = 1000000000 /* largest hybrid.seed */ };

/* Keys of hybrid draw as band.*, their former name: a plan yields the same rooms in every release. */
static uint64_t bits_of(const char *key)
{
    static const char group[] = "hybrid.";
    char first[64];
    if (strncmp(key, group, sizeof group - 1))
        return checksum_text(key);
    snprintf(first, sizeof first, "band.%s", key + sizeof group - 1);
    return checksum_text(first);
}

struct random drawn_stream(const struct plan *plan, size_t room, const char *key)
{
    struct random r = {plan->seed};
    r.state = random_bits(&r) ^ (uint64_t)room;
    r.state = random_bits(&r) ^ bits_of(key);
    return r;
}

static bool is_drawn_list(const struct plan *plan, const struct variation *v)
{
    return v->kind == VARY_CHOICE || (v->kind == VARY_VALUES && plan->drawn);
}

static size_t draw_index(const struct variation *v, struct random *r)
{
    const double at = random_unit(r);
    double sum = 0.0;
    size_t last = 0;
    for (size_t i = 0; i < v->value_count; i++) {
        const double weight = v->weights ? v->weights[i] : 1.0 / (double)v->value_count;
        sum += weight;
        if (weight > 0.0)
            last = i;
        if (at < sum)
            return i;
    }
    return last; /* reached only by rounding */
}

/* Box-Muller method, repeated until the value lies within the limits. */
static double draw_normal(const struct variation *v, struct random *r)
{
    for (int tries = 0; tries < 1000000; tries++) {
        const double radius = sqrt(-2.0 * log(1.0 - random_unit(r)));
        const double value = v->mean + v->deviation * radius * cos(2.0 * 3.14159265358979324 * random_unit(r));
        if (value >= v->low[0] && value <= v->high[0])
            return value;
    }
    return 0.5 * (v->low[0] + v->high[0]);
}

static double draw_number(const struct variation *v, size_t i, struct random *r)
{
    const double low = v->low[i], high = v->high[i];
    switch (v->kind) {
    case VARY_LOG_UNIFORM:
        return low * pow(high / low, random_unit(r));
    case VARY_NORMAL:
        return draw_normal(v, r);
    case VARY_WHOLE:
        return low + (double)random_between(r, 0, (size_t)(high - low));
    default:
        return low + (high - low) * random_unit(r);
    }
}

/* Rounded to nine digits; the text is the exact value used. */
static char *draw_numbers(struct drawn *d, size_t index)
{
    const struct variation *v = &d->plan->variations[index];
    struct random r = drawn_stream(d->plan, d->room, v->key);
    char texts[VARY_WIDTH][32];
    for (size_t i = 0; i < v->width; i++) {
        snprintf(texts[i], sizeof texts[i], "%.9g", draw_number(v, i, &r));
        text_number(texts[i], &d->numbers[index][i]);
    }
    return v->width == 1 ? text_copy(texts[0]) : text_format("[%s, %s, %s]", texts[0], texts[1], texts[2]);
}

/* Combination by room number; the first list changes slowest. */
static void choose_combination(struct drawn *d, size_t *chosen)
{
    const struct plan *plan = d->plan;
    size_t rest = d->room / plan->repeat;
    for (size_t i = plan->variation_count; i-- > 0;) {
        const struct variation *v = &plan->variations[i];
        if (v->kind != VARY_VALUES)
            continue;
        chosen[i] = rest % v->value_count;
        rest /= v->value_count;
    }
    d->base = rest % plan->base_count;
}

static int draw_values(struct drawn *d, struct error *e)
{
    const struct plan *plan = d->plan;
    size_t *chosen = calloc(plan->variation_count + 1, sizeof *chosen);
    bool lost = !chosen;
    if (chosen && plan->drawn) {
        struct random r = drawn_stream(plan, d->room, "base");
        d->base = random_between(&r, 0, plan->base_count - 1);
    } else if (chosen) {
        choose_combination(d, chosen);
    }
    for (size_t i = 0; i < plan->variation_count && !lost; i++) {
        const struct variation *v = &plan->variations[i];
        if (v->kind == VARY_PLACE)
            continue;
        if (is_drawn_list(plan, v)) {
            struct random r = drawn_stream(plan, d->room, v->key);
            chosen[i] = draw_index(v, &r);
        }
        d->values[i] = v->value_count ? text_copy(v->values[chosen[i]]) : draw_numbers(d, i);
        lost = !d->values[i];
    }
    free(chosen);
    return lost ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}

static bool has_places(const struct plan *plan)
{
    for (size_t i = 0; i < plan->variation_count; i++)
        if (plan->variations[i].kind == VARY_PLACE)
            return true;
    return plan->from_walls > 0.0 || plan->from_each_other > 0.0;
}

/* Whether the message is about the key or the array that contains it. */
static bool is_about(const char *message, const char *key)
{
    const char *end = strrchr(key, '[');
    const size_t length = end && !strpbrk(end, ".") ? (size_t)(end - key) : strlen(key);
    char *name = text_copy(key);
    if (name)
        name[length] = '\0';
    const bool about = name && strstr(message, name);
    free(name);
    return about;
}

/* Reports an invalid value of the plan at the line of its key in the plan. */
static void name_plan(const struct drawn *d, struct error *e)
{
    const struct plan *plan = d->plan;
    for (size_t i = 0; i < plan->variation_count && e->code == ERROR_INPUT; i++) {
        const struct variation *v = &plan->variations[i];
        const struct error told = *e;
        char shown[QUOTED];
        if (d->values[i] && is_about(told.message, v->key) && !strstr(told.message, v->origin))
            fail(e, told.code, "%s: %s = %s: %.1000s", v->origin, v->key, quoted(shown, d->values[i]), told.message);
    }
}

/* The base room: a file, or the text of a generated one, whose files would lie beside the plan. */
static int read_base(struct room **room, const struct drawn *d, const struct room_setting *list, size_t count,
                     bool unplaced, struct error *e)
{
    const struct plan *plan = d->plan;
    char name[BASE_NAME];
    if (!plan->generated)
        return room_read_varied(room, plan->bases[d->base], NULL, list, count, unplaced, e);
    char *folder = path_folder(plan->path);
    char *path = folder ? text_format("%s/%s.cfg", folder, plan_base_name(name, plan, d->base, d->room)) : NULL;
    char *text = path ? furnished_room_text(plan->seed, d->room, &plan->wishes, e) : NULL;
    const int status = !path  ? fail(e, ERROR_MEMORY, "out of memory")
                       : text ? room_read_varied(room, path, text, list, count, unplaced, e)
                              : -1;
    free(text);
    free(path);
    free(folder);
    return status;
}

/* Applies the settings of the command line, then the known values. */
static int read_with(struct room **room, const struct drawn *d, const char *const *settings, size_t setting_count,
                     bool unplaced, struct error *e)
{
    const struct plan *plan = d->plan;
    struct room_setting *list = calloc(setting_count + plan->variation_count + ABOUT_TEXTS + 1, sizeof *list);
    char **texts = calloc(plan->variation_count + ABOUT_TEXTS + 1, sizeof *texts);
    size_t count = 0;
    bool lost = !list || !texts;
    *room = NULL;
    for (size_t i = 0; i < setting_count && !lost; i++)
        list[count++].text = settings[i];
    for (size_t i = 0; i < ABOUT_TEXTS && !lost; i++) {
        char *text = texts[plan->variation_count + i] = plan_about_setting(plan, (enum plan_about)i, &lost);
        if (text)
            list[count++] = (struct room_setting){text, plan->path};
    }
    for (size_t i = 0; i < plan->variation_count && !lost; i++) {
        if (!d->values[i])
            continue;
        texts[i] = text_format("%s=%s", plan->variations[i].key, d->values[i]);
        lost = !texts[i];
        list[count++] = (struct room_setting){texts[i], plan->variations[i].origin};
    }
    const int status = lost ? fail(e, ERROR_MEMORY, "out of memory") : read_base(room, d, list, count, unplaced, e);
    for (size_t i = 0; texts && i < plan->variation_count + ABOUT_TEXTS; i++)
        free(texts[i]);
    free(texts);
    free(list);
    if (status)
        name_plan(d, e);
    return status;
}

static bool gives_seed(const struct drawn *d, const char *const *settings, size_t setting_count)
{
    static const char key[] = "hybrid.seed";
    bool gives = false;
    for (size_t i = 0; i < setting_count; i++)
        gives = gives || plan_setting_gives(settings[i], key);
    for (size_t i = 0; i < d->plan->variation_count; i++)
        gives = gives || !strcmp(d->plan->variations[i].key, key);
    return gives;
}

int drawn_read(struct room **room, const struct drawn *d, const char *const *settings, size_t setting_count,
               struct error *e)
{
    if (read_with(room, d, settings, setting_count, false, e))
        return -1;
    struct random r = drawn_stream(d->plan, d->room, "hybrid.seed");
    if (!gives_seed(d, settings, setting_count)) /* otherwise the late sound of all rooms would use the same noise */
        (*room)->hybrid.seed = ((*room)->hybrid.seed + random_between(&r, 0, SEED_MOST)) % (SEED_MOST + 1);
    return 0;
}

int drawn_make(struct drawn *d, const struct plan *plan, size_t room, const char *const *settings, size_t setting_count,
               struct error *e)
{
    struct room *unplaced = NULL;
    *d = (struct drawn){.plan = plan, .room = room};
    d->values = calloc(plan->variation_count + 1, sizeof *d->values);
    d->numbers = calloc(plan->variation_count + 1, sizeof *d->numbers);
    if (!d->values || !d->numbers)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (draw_values(d, e))
        return -1;
    if (!has_places(plan))
        return 0;
    const int status = read_with(&unplaced, d, settings, setting_count, true, e) || drawn_places(d, unplaced, e);
    room_free(unplaced);
    return status ? -1 : 0;
}

void drawn_free(struct drawn *d)
{
    for (size_t i = 0; d->values && i < d->plan->variation_count; i++)
        free(d->values[i]);
    free(d->values);
    free(d->numbers);
    memset(d, 0, sizeof *d);
}
