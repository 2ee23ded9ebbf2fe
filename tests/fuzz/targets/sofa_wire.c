/* SPDX-License-Identifier: MIT */
/* What the child that reads a SOFA file writes to its pipe, as head-related impulse responses and as a directivity. */
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "harness.h"
#include "io/sofa/directivity.h"
#include "io/sofa/hrtf.h"
#include "io/sofa/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sofa_document d = {.variable_count = 0};
    struct hrtf h;
    struct directivity_data of_source;
    struct error e;
    bool failed = false;
    const int pipe = open(harness_write("wire", data, size), O_RDONLY);
    if (sofa_wire_read(pipe, clock_seconds() + 10.0, "fuzz.sofa", &d, &failed, &e) == WIRE_DONE && !failed) {
        if (!hrtf_of(&h, &d, "fuzz.sofa", HRTF_DISTANCE, &e))
            hrtf_free(&h);
        if (!directivity_of(&of_source, &d, "fuzz.sofa", &e))
            directivity_free(&of_source);
    }
    sofa_document_free(&d);
    close(pipe);
    return 0;
}
