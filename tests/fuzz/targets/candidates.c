/* SPDX-License-Identifier: MIT */
/* A CSV file of candidates of aula place, in a small room. What is accepted is in the air of it. */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "render/place/points.h"

enum { MOST = 100 };

static const char description[] = "room: { size = [4.0, 3.0, 2.5]; };\n"
                                  "grid: { rate = 8000.0; };\n"
                                  "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                                  "receivers: ( { position = [2.0, 2.0, 1.0]; } );\n"
                                  "time: { duration = 0.1; };\n";

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct room *room;
    static struct model *model; /* of all inputs */
    struct place_points points = {0};
    struct error e;
    if (!model)
        check(!room_read_text(&room, "small.cfg", description, NULL, 0, &e) && !model_make(&model, room, &e),
              "the room cannot be made");
    if (!place_points_candidates(&points, harness_write("candidates.csv", data, size), 0.0, MOST, room, model, &e)) {
        check(points.count >= 1 && points.count <= MOST, "too few or too many candidates");
        for (size_t i = 0; i < points.count; i++)
            for (int k = 0; k < 3; k++)
                check(points.at[i][k] > -0.1 && points.at[i][k] < 4.1, "a candidate outside the room");
    }
    place_points_free(&points);
    return 0;
}
