/* SPDX-License-Identifier: MIT */
/* The estimate of the run time, and the warning about many image sources. */
#include "app/run_time.h"

#include <stdio.h>

#include "app/say.h"
#include "render/hybrid_response.h"
#include "render/image_room.h"

static const double many_ways = 5e4; /* paths; they take about 20 s on two cores */

static double run_time_sum(const struct run_time *run)
{
    return run->setup + run->waves + run->geometric.images + run->geometric.rays + run->geometric.join;
}

void run_time_print(const struct run_time *run, int parts)
{
    const struct geometric_seconds *g = &run->geometric;
    char text[4][32];
    printf("run time    about %s", say_duration(text[0], run_time_sum(run)));
    if (g->images + g->rays > 0.0)
        printf(": %s for waves, %s for image sources, %s for rays", say_duration(text[1], run->setup + run->waves),
               say_duration(text[2], g->images), say_duration(text[3], g->rays + g->join));
    printf(" (from short trials on this machine%s)\n",
           parts > 1 ? ", assuming one such machine per part, without halo exchange" : "");
}

void run_time_json(cJSON *json, const struct run_time *run)
{
    cJSON_AddNumberToObject(json, "estimated_seconds", run_time_sum(run));
    cJSON *parts = cJSON_AddObjectToObject(json, "estimated");
    cJSON_AddNumberToObject(parts, "waves", run->setup + run->waves);
    cJSON_AddNumberToObject(parts, "image_sources", run->geometric.images);
    cJSON_AddNumberToObject(parts, "rays", run->geometric.rays + run->geometric.join);
}

void warn_of_many_images(const struct model *m, size_t sources)
{
    const struct hybrid_halves halves = hybrid_halves_of(m, 0, sources, NULL);
    const size_t places = image_room_places(m->room);
    const double ways = (double)(sources * places) * image_room_ways(m->room, halves.order);
    if (halves.full && ways > many_ways)
        say(false,
            "warning: %.3g image sources of up to %zu reflections to %zu receiver positions will take long; use "
            "hybrid.order = 3 to compute %.3g and leave the rest to rays",
            ways, halves.order, places, (double)(sources * places) * image_room_ways(m->room, 3));
}
