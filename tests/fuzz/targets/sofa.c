/* SPDX-License-Identifier: MIT */
/* A SOFA file, read here and not in a child process, as head-related impulse responses and as a directivity. netCDF and HDF5 have
 * faults of their own, which the child is there for: tools/fuzz goes on after a crash, and says that there was one. */
#include <stdlib.h>

#include "harness.h"
#include "io/sofa/directivity.h"
#include "io/sofa/hrtf.h"
#include "io/sofa/library.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sofa_document d = {.variable_count = 0};
    struct hrtf h;
    struct directivity_data of_source;
    struct error e;
    char *path = realpath(harness_write("file.sofa", data, size), NULL);
    if (!sofa_library.read(&d, path, &e)) {
        if (!hrtf_of(&h, &d, path, HRTF_DISTANCE, &e))
            hrtf_free(&h);
        if (!directivity_of(&of_source, &d, path, &e))
            directivity_free(&of_source);
    }
    sofa_document_free(&d);
    free(path);
    return 0;
}
