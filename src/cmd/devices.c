/* aula devices: engines, kernels, sound devices and libraries found. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cpu/kernel.h"
#include "io/sound_devices.h"

static void print_engines(void)
{
    const struct problem any = {.points = {1, 1, 1}};
    for (size_t i = 0; engines[i]; i++) {
        char text[512];
        const char *reason = engines[i]->unavailable();
        engines[i]->describe(text, sizeof text);
        printf("engine   %-6s %s%s\n", engines[i]->name, reason ? "not here: " : "", reason ? reason : text);
    }
    for (size_t i = 0; kernels[i]; i++) {
        const char *reason = kernels[i]->applicable(&any);
        printf("kernel   cpu    %s%s%s\n", kernels[i]->name, reason ? ": not here: " : "", reason ? reason : "");
    }
}

static int run(const struct options *o, struct error *e)
{
    (void)o;
    (void)e;
    print_engines();
    sound_devices_print(stdout);
    return 0;
}

static const struct option_row *const options[] = {&option_help, NULL};

const struct command command_devices = {
    .name = "devices",
    .synopsis = "",
    .meaning = "engines, kernels and sound devices found on this machine",
    .options = options,
    .run = run,
};
