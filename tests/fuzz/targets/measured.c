/* SPDX-License-Identifier: MIT */
/* A table of aula calibrate, in a small room of two receivers. What is accepted has values that a decay can have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/calibrate.h"
#include "app/cmd.h"
#include "harness.h"

const struct command *const commands[] = {NULL};

static const char description[] = "room: { size = [4.0, 3.0, 2.5]; };\n"
                                  "grid: { rate = 8000.0; };\n"
                                  "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                                  "receivers: ( { name = \"left\"; position = [2.0, 2.0, 1.0]; },\n"
                                  "             { name = \"right\"; position = [2.0, 1.0, 1.0]; } );\n"
                                  "time: { duration = 0.1; };\n";

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool is_time(double time)
{
    return isnan(time) || (time > 0.0 && time <= 60.0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct room *room; /* of all inputs */
    struct calibrate_data measured = {.count = 0};
    struct error e;
    if (!room)
        check(!room_read_text(&room, "small.cfg", description, NULL, 0, &e), "the room cannot be made");
    if (!calibrate_table_read(&measured, harness_write("measured.csv", data, size), room, &e)) {
        check(measured.count >= 1 && measured.count <= 2, "too few or too many receivers");
        for (size_t i = 0; i < measured.count; i++)
            for (size_t k = 0; k < METRICS_OCTAVES; k++) {
                const struct metrics_band *band = &measured.measured[i].metrics.band[k];
                check(is_time(band->t20.time) && is_time(band->t30.time) && is_time(band->edt.time),
                      "an impossible time");
                check(isnan(band->c80) || fabs(band->c80) <= 100.0, "an impossible clarity");
            }
    }
    calibrate_data_free(&measured);
    return 0;
}
