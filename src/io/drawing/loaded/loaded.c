/* SPDX-License-Identifier: MIT */
#include "io/drawing/loaded/loaded.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "io/drawing/drawing_library.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct error failure; /* of the only attempt */

static int load(const struct loaded_library *l, struct error *e)
{
    void *library = dlopen(l->file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail(e, ERROR_FAILED, "pictures need %s, which cannot be loaded: %.200s; install %s", l->file, dlerror(),
                    l->package);
    for (size_t i = 0; i < l->count; i++) {
        void *function = dlsym(library, l->functions[i].name);
        if (!function)
            return fail(e, ERROR_FAILED, "pictures need %s of %s, which lacks it; install %s again",
                        l->functions[i].name, l->file, l->package);
        memcpy(l->functions[i].pointer, &function, sizeof function);
    }
    return 0;
}

static void load_all(void)
{
    if (!load(&loaded_cairo, &failure))
        load(&loaded_png, &failure);
}

int drawing_library_load(struct error *e)
{
    pthread_once(&once, load_all);
    return failure.code ? fail(e, failure.code, "%s", failure.message) : 0;
}
