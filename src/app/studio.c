/* SPDX-License-Identifier: MIT */
/* aula studio: opens a room in a browser. */
#include "studio/studio.h"

#include <stdio.h>

#include "app/cmd.h"
#include "app/say.h"

struct studio_command_options {
    struct common_options common;
    double port;
    bool no_browser, stay;
};

static void print_address(void *context, const char *address)
{
    const struct studio_command_options *o = context;
    printf("%s\n", address);
    fflush(stdout);
    say(o->common.quiet, "The page is served until its last tab is closed, or Ctrl-C.");
}

static int run(void *options, struct error *e)
{
    struct studio_command_options *o = options;
    if (!(o->port >= 0.0 && o->port <= 65535.0) || o->port != (double)(int)o->port)
        return fail(e, ERROR_USAGE, "--port: must be a whole number from 1 to 65535");
    const struct studio_settings settings = {.room = o->common.argument_count ? o->common.arguments[0] : NULL,
                                             .port = (int)o->port,
                                             .browser = !o->no_browser,
                                             .stays = o->stay};
    return studio_run(&settings, print_address, o, e);
}

static const struct option_row port = {"port",        0,
                                       OPTION_NUMBER, OPTION_AT(OWN, studio_command_options, port),
                                       "N",           "serve the page on this port (default: a free one)"};
static const struct option_row no_browser = {"no-browser", 0,
                                             OPTION_FLAG,  OPTION_AT(OWN, studio_command_options, no_browser),
                                             NULL,         "print the address of the page and open no browser"};
static const struct option_row stay = {"stay",      0,
                                       OPTION_FLAG, OPTION_AT(OWN, studio_command_options, stay),
                                       NULL,        "serve on after the last page is closed, until Ctrl-C"};
static const struct option_row *const options[] = {&port, &no_browser, &stay, &option_quiet, &option_help, NULL};

const struct command command_studio = {
    .name = "studio",
    .synopsis = "[ROOM.cfg] [--port N] [--no-browser]",
    .meaning = "see, change and hear a room in a browser page",
    .details =
        "The page is a view of the room file: every change is text that aula render takes. It is served on this\n"
        "machine alone, at an address with a random part that no other program knows. Models (OBJ, glTF, STL,\n"
        "PLY, IFC) can be dropped on it.\n",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .options_size = sizeof(struct studio_command_options),
    .run = run,
};
