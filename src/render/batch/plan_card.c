/* SPDX-License-Identifier: MIT */
/* Keys of a plan that its data card shows: the splits, and licence and authors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/random.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/plan.h"
#include "room/reader.h"

enum { SPLITS_MAX = 16, TEXT_MAX = 4000 };

const char *const about_names[ABOUT_TEXTS] = {[ABOUT_LICENCE] = "licence",
                                              [ABOUT_AUTHOR] = "author",
                                              [ABOUT_ORGANISATION] = "organisation",
                                              [ABOUT_CITATION] = "citation"};
static const char whole_set[] = "train"; /* as loaders call a set without splits */

void plan_free_card(struct plan *plan)
{
    for (size_t i = 0; i < plan->split_count; i++)
        free(plan->splits[i].name);
    free(plan->splits);
    for (size_t i = 0; i < ABOUT_TEXTS; i++)
        free(plan->about[i]);
}

/* Names become parts of file names, and loaders accept letters, digits and _ only. */
static bool is_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text[strspn(text, allowed)] == '\0';
}

static int read_split(struct plan *plan, struct reader *r, const config_setting_t *item)
{
    struct split *split = &plan->splits[plan->split_count];
    if (!is_name(item->name))
        return reader_refuse(r, item, NULL, "name a split by letters, digits and _ only");
    if (!number_of(item, &split->share) || !(split->share >= 0.0 && split->share <= 1.0))
        return reader_refuse(r, item, NULL, "must be a share of the base rooms from 0 to 1");
    split->name = text_copy(item->name);
    if (!split->name)
        return reader_no_memory(r);
    plan->split_count++;
    return 0;
}

static int read_splits(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *group = member_of(root, "split");
    double sum = 0.0;
    if (!group)
        return 0;
    const int count = config_setting_is_group(group) ? config_setting_length(group) : 0;
    if (count < 1 || count > SPLITS_MAX)
        return reader_refuse(r, group, NULL, "expected a group, { train = 0.8; validation = 0.1; test = 0.1; }");
    plan->splits = calloc((size_t)count, sizeof *plan->splits);
    if (!plan->splits)
        return reader_no_memory(r);
    for (unsigned i = 0; i < (unsigned)count; i++) {
        if (read_split(plan, r, config_setting_get_elem(group, i)))
            return -1;
        sum += plan->splits[i].share;
    }
    if (!(fabs(sum - 1.0) <= 1e-6))
        return reader_refuse(r, group, NULL, "the shares add up to %.6g, not to 1", sum);
    return 0;
}

static int read_about(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *group = member_of(root, "about");
    if (!group)
        return 0;
    if (!config_setting_is_group(group))
        return reader_refuse(r, group, NULL, "expected a group, { licence = \"CC-BY-4.0\"; author = \"A. Name\"; }");
    if (plan_refuse_unknown(r, group, about_names, ABOUT_TEXTS))
        return -1;
    for (size_t i = 0; i < ABOUT_TEXTS; i++) {
        const config_setting_t *item = member_of(group, about_names[i]);
        const char *text = item ? config_setting_get_string(item) : NULL;
        if (item && (!text || !*text || strlen(text) > TEXT_MAX))
            return reader_refuse(r, item, NULL, "must be a text in quotes of 1 to %d bytes", TEXT_MAX);
        for (const char *c = text; c && *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127)
                return reader_refuse(r, item, NULL, "must be one line without control characters");
        plan->about[i] = text ? text_copy(text) : NULL;
        if (text && !plan->about[i])
            return reader_no_memory(r);
    }
    return 0;
}

int plan_read_card(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    return read_splits(plan, r, root) || read_about(plan, r, root) ? -1 : 0;
}

void plan_add_card(cJSON *json, const struct plan *plan)
{
    cJSON *split = plan->split_count ? cJSON_AddObjectToObject(json, "split") : NULL;
    for (size_t i = 0; i < plan->split_count; i++)
        cJSON_AddNumberToObject(split, plan->splits[i].name, plan->splits[i].share);
    cJSON *about = NULL;
    for (size_t i = 0; i < ABOUT_TEXTS; i++) {
        if (plan->about[i] && !about)
            about = cJSON_AddObjectToObject(json, "about");
        if (plan->about[i])
            cJSON_AddStringToObject(about, about_names[i], plan->about[i]);
    }
}

const char *plan_split(const struct plan *plan, const char *base_name)
{
    struct random r = {plan->seed};
    r.state = random_bits(&r) ^ checksum_text("split");
    r.state = random_bits(&r) ^ checksum_text(base_name);
    const double at = random_unit(&r);
    const char *last = whole_set;
    double sum = 0.0;
    for (size_t i = 0; i < plan->split_count; i++) {
        sum += plan->splits[i].share;
        if (plan->splits[i].share > 0.0)
            last = plan->splits[i].name;
        if (at < sum)
            return plan->splits[i].name;
    }
    return last; /* of several splits reached only by rounding */
}

char *plan_empty_splits(const struct plan *plan)
{
    struct growing_text text = {0};
    for (size_t i = 0; i < plan->split_count; i++) {
        bool is_there = !(plan->splits[i].share > 0.0);
        char name[BASE_NAME];
        for (size_t base = 0; base < plan_base_count(plan) && !is_there; base++)
            is_there = !strcmp(plan_split(plan, plan_base_name(name, plan, base, base)), plan->splits[i].name);
        if (!is_there)
            growing_text_add(&text, "%s%s", text.length ? ", " : "", plan->splits[i].name);
    }
    const bool none = !text.length;
    char *names = growing_text_take(&text, NULL);
    if (none) {
        free(names);
        return NULL;
    }
    return names;
}

char *plan_about_setting(const struct plan *plan, enum plan_about which, bool *lost)
{
    struct growing_text text = {0};
    if (!plan->about[which])
        return NULL;
    growing_text_add(&text, "about.%s=\"", about_names[which]);
    for (const char *c = plan->about[which]; *c; c++)
        growing_text_add(&text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    growing_text_add(&text, "\"");
    char *setting = growing_text_take(&text, NULL);
    *lost = *lost || !setting;
    return setting;
}
