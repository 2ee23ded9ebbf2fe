/* SPDX-License-Identifier: MIT */
/* A file that aula measure --calibrator wrote, for a recording of two channels; and another channel added to it. */
#include "app/calibration.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/cmd.h"
#include "harness.h"

const struct command *const commands[] = {NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct calibrator_tone tone = {.frequency = 1000.0, .pascals = 0.25};
    const char *path = harness_write("calibration.json", data, size);
    struct calibration c;
    struct error e;
    calibration_read(&c, path, 2, &e);
    calibration_free(&c);
    if (calibration_write(path, 2, &tone, 94.0, "card", &e))
        return 0;
    const int status = calibration_read(&c, path, 2, &e);
    if (status || c.pascals[1] != tone.pascals) {
        fprintf(stderr, "the channel that was added is not there: %s\n", status ? e.message : "");
        abort();
    }
    calibration_free(&c);
    return 0;
}
