/* SPDX-License-Identifier: MIT */
/* Reads the key `generate` of a plan, which describes the rooms of base = "generate". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/plan.h"
#include "room/reader.h"

static const char *const members[] = {"uses", "weights", "area"};

const char *plan_base_name(char text[BASE_NAME], const struct plan *plan, size_t base, size_t room)
{
    if (!plan->generated)
        return plan->base_names[base];
    snprintf(text, BASE_NAME, "generated-%07zu", room);
    return text;
}

static int read_use(struct reader *r, const config_setting_t *item, size_t *use)
{
    const char *name = config_setting_get_string(item);
    char hint[HINT];
    for (*use = 0; name && *use < ROOM_USES; ++*use)
        if (!strcmp(name, room_use_names[*use]))
            return 0;
    return reader_refuse(r, item, NULL,
                         "expected \"bedroom\", \"office\", \"classroom\", \"living_room\" or \"corridor\"%s",
                         name ? text_hint(hint, name, room_use_names, ROOM_USES) : "");
}

/* Weights of the uses, in the order of `uses`; without it, all uses are as frequent. */
static int read_uses(struct furnished_wishes *w, struct reader *r, const config_setting_t *group)
{
    const config_setting_t *uses = member_of(group, "uses"), *weights = member_of(group, "weights");
    const size_t count = uses ? is_sequence(uses) ? (size_t)config_setting_length(uses) : 0 : ROOM_USES;
    double sum = 0.0;
    if (!count)
        return reader_refuse(r, uses, NULL, "expected a list of uses, (\"bedroom\", \"office\")");
    if (weights && (!uses || !is_sequence(weights) || (size_t)config_setting_length(weights) != count))
        return reader_refuse(r, weights, NULL, "expected one weight for each of the uses");
    for (size_t i = 0; i < count; i++) {
        size_t use = i;
        double weight = 1.0;
        if (uses && read_use(r, config_setting_get_elem(uses, (unsigned)i), &use))
            return -1;
        if (w->weights[use] > 0.0)
            return reader_refuse(r, uses, NULL, "names \"%s\" twice", room_use_names[use]);
        if (weights && (!number_of(config_setting_get_elem(weights, (unsigned)i), &weight) || !(weight >= 0.0)))
            return reader_refuse(r, weights, NULL, "a weight must not be negative");
        w->weights[use] = weight;
        sum += weight;
    }
    if (!(sum > 0.0) || !isfinite(sum))
        return reader_refuse(r, weights, NULL, "the sum of the weights must be positive");
    for (size_t use = 0; use < ROOM_USES; use++)
        w->weights[use] /= sum;
    return 0;
}

/* Every use that is drawn must have rooms of such an area. Sides lie on a lattice of 50 mm, which
 * misses narrower limits. */
static int read_area(struct furnished_wishes *w, struct reader *r, const config_setting_t *group)
{
    const config_setting_t *area = member_of(group, "area");
    w->area[0] = 0.0;
    w->area[1] = INFINITY;
    if (!area)
        return 0;
    if (!is_sequence(area) || config_setting_length(area) != 2 ||
        !number_of(config_setting_get_elem(area, 0), &w->area[0]) ||
        !number_of(config_setting_get_elem(area, 1), &w->area[1]) || !(w->area[0] >= 0.0 && w->area[1] > w->area[0]))
        return reader_refuse(r, area, NULL, "expected two numbers, [smallest, largest], in m2");
    for (size_t use = 0; use < ROOM_USES; use++) {
        const double *of_use = room_use_area[use];
        if (w->weights[use] > 0.0 && !(fmin(w->area[1], of_use[1]) - fmax(w->area[0], of_use[0]) >= 1.0))
            return reader_refuse(r, area, NULL,
                                 "a %s has %g to %g m2, of which these limits leave less than 1 m2; widen them or "
                                 "remove the use",
                                 room_use_names[use], of_use[0], of_use[1]);
    }
    return 0;
}

int plan_read_generate(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *group = member_of(root, "generate");
    if (plan->generated && plan->base_count > 1)
        return reader_refuse(r, member_of(root, "base"), NULL,
                             "\"generate\" must stand alone; make a plan of its own for the other rooms");
    if (group && !plan->generated)
        return reader_refuse(r, group, NULL, "is used with base = \"generate\" only");
    if (group && !config_setting_is_group(group))
        return reader_refuse(r, group, NULL, "expected a group, { uses = (\"bedroom\", \"office\"); }");
    if (!plan->generated)
        return 0;
    return (group && plan_refuse_unknown(r, group, members, sizeof members / sizeof *members)) ||
                   read_uses(&plan->wishes, r, group) || read_area(&plan->wishes, r, group)
               ? -1
               : 0;
}

void plan_add_generate(cJSON *json, const struct plan *plan)
{
    if (!plan->generated)
        return;
    cJSON *generate = cJSON_AddObjectToObject(json, "generate"), *uses = cJSON_AddObjectToObject(generate, "uses");
    for (size_t use = 0; use < ROOM_USES; use++)
        if (plan->wishes.weights[use] > 0.0)
            cJSON_AddNumberToObject(uses, room_use_names[use], plan->wishes.weights[use]);
    if (isfinite(plan->wishes.area[1]))
        cJSON_AddItemToObject(generate, "area", cJSON_CreateDoubleArray(plan->wishes.area, 2));
}
