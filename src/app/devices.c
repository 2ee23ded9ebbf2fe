/* SPDX-License-Identifier: MIT */
/* aula devices: lists the engines, kernels, file formats and sound devices of this machine. */
#include <stdio.h>

#include "app/cmd.h"
#include "app/schemes.h"
#include "geometry/importer.h"
#include "io/midi_input/midi_input.h"
#include "io/playback/sound_devices.h"
#include "io/sofa/library.h"
#include "solver/engine.h"
#include "solver/links.h"
#include "solver/parts/processes.h"

/* Prints the kernels of an engine for a scheme, fastest first, with the reason if one cannot run. */
static void print_kernels(const struct engine *engine, const struct scheme *scheme)
{
    const char *name;
    for (size_t k = 0; (name = engine->kernel_name(scheme, k)); k++) {
        const char *reason = engine->kernel_fault ? engine->kernel_fault(scheme, k) : NULL;
        printf("kernel   %-6s %-10s %s%s%s\n", engine->name, scheme->name, name, reason ? ": not available: " : "",
               reason ? reason : "");
    }
}

static void print_engines(void)
{
    for (size_t i = 0; engines[i]; i++) {
        char text[512];
        const char *reason = engines[i]->unavailable();
        engines[i]->describe(text, sizeof text);
        printf("engine   %-6s %s%s\n", engines[i]->name, reason ? "not available: " : "", reason ? reason : text);
    }
    for (size_t i = 0; engines[i]; i++)
        for (size_t s = 0; s < scheme_count; s++)
            if (schemes[s].scheme)
                print_kernels(engines[i], schemes[s].scheme);
}

static void print_formats(void)
{
    char text[256], gltf[256];
    const char *reason = mesh_importer.unavailable();
    mesh_importer.describe(text, sizeof text);
    printf("meshes   %-6s built in\n", "obj");
    gltf_importer.describe(gltf, sizeof gltf);
    printf("meshes   %-6s %s\n", gltf_importer.name, gltf);
    printf("meshes   %-6s %s%s\n", mesh_importer.name, reason ? "not available: " : "", reason ? reason : text);
    reason = sofa_library.unavailable();
    sofa_library.describe(text, sizeof text);
    printf("sofa     %-6s %s%s\n", sofa_library.name, reason ? "not available: " : "", reason ? reason : text);
    reason = processes_describe(text, sizeof text);
    printf("parts    %-6s %s%s\n", "MPI", reason ? "not available: " : "", reason ? reason : text);
    for (size_t i = 0; engines[i]; i++)
        if (engines[i]->links) {
            engines[i]->links->describe(text, sizeof text);
            printf("links    %-6s %s\n", engines[i]->name, text);
        }
}

static int run(void *options, struct error *e)
{
    (void)options;
    (void)e;
    print_engines();
    print_formats();
    sound_devices_print(stdout);
    midi_inputs_print(stdout);
    return 0;
}

static const struct option_row *const options[] = {&option_help, NULL};

const struct command command_devices = {
    .name = "devices",
    .synopsis = "",
    .meaning = "list the engines, kernels, file formats and sound cards of this machine",
    .options = options,
    .options_size = sizeof(struct common_options),
    .many_processes = true,
    .run = run,
};
