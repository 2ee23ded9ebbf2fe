/* SPDX-License-Identifier: MIT */
/* A plan of many rooms, its base room, base.cfg, behind it; and what the plan draws for its first and last room. */
#include "render/batch/plan.h"

#include <cjson/cJSON.h>

#include "harness.h"
#include "render/batch/draw.h"

static void draw(const struct plan *plan, size_t room)
{
    struct drawn d;
    struct error e;
    drawn_make(&d, plan, room, NULL, 0, &e);
    drawn_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FEW = 100 }; /* tries of places, each of which looks at the whole room */
    const uint8_t *piece = data;
    size_t length, base_length = 0;
    struct plan plan;
    struct error e;
    const uint8_t *text = harness_piece(&piece, &size, &length), *base = harness_piece(&piece, &size, &base_length);
    harness_write("base.cfg", base ? base : text, base_length);
    if (!plan_read(&plan, harness_write("plan.cfg", text, length), &e)) {
        cJSON_Delete(plan_json(&plan));
        plan.tries = plan.tries < FEW ? plan.tries : FEW;
        draw(&plan, 0);
        draw(&plan, plan.count - 1);
    }
    plan_free(&plan);
    return 0;
}
