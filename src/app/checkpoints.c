/* SPDX-License-Identifier: MIT */
/* --checkpoint, --checkpoint-interval and --resume of the commands that can be resumed. */
#include "app/checkpoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/say.h"
#include "base/stop.h"
#include "base/streams.h"
#include "base/text.h"

static const double EVERY = 600.0;     /* s: default of --checkpoint-interval */
static const double LONG_RUN = 1800.0; /* s of remaining time from which checkpoints are suggested */
static const double KNOWN = 2.0;       /* s of stepping before the remaining time is estimated */

const struct option_row option_checkpoint = {"checkpoint", 0,
                                             OPTION_TEXT,  OPTION_AT(CHECKPOINT, checkpoint_options, folder),
                                             "FOLDER",     "keep checkpoints of the run in this folder"};
const struct option_row option_every = {"checkpoint-interval",
                                        0,
                                        OPTION_TEXT,
                                        OPTION_AT(CHECKPOINT, checkpoint_options, every),
                                        "TIME",
                                        "set the time between checkpoints: 90s, 10min (default), 2h"};
const struct option_row option_resume = {"resume",    0,
                                         OPTION_FLAG, OPTION_AT(CHECKPOINT, checkpoint_options, resume),
                                         NULL,        "continue from the checkpoint in the folder of --checkpoint"};

/* Parses "90", "90s", "10min" or "1.5h" to seconds. */
static int read_time(double *seconds, const char *text, struct error *e)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1.0}, {"s", 1.0}, {"min", 60.0}, {"h", 3600.0}};
    const size_t digits = strspn(text, "0123456789.");
    char *number = text_format("%.*s", (int)digits, text), shown[QUOTED];
    bool good = false;
    for (size_t i = 0; number && i < sizeof units / sizeof *units; i++)
        if (!strcmp(text + digits, units[i].name) && !text_number(number, seconds)) {
            *seconds *= units[i].seconds;
            good = *seconds > 0.0 && *seconds <= 1e6;
        }
    free(number);
    return good ? 0
                : fail(e, ERROR_USAGE, "--checkpoint-interval %s: expected a time such as 90s, 10min or 2h",
                       quoted(shown, text));
}

int checkpoints_check(const struct checkpoint_options *o, struct error *e)
{
    double seconds;
    if ((o->every || o->resume) && !o->folder)
        return fail(e, ERROR_USAGE, "--%s: no checkpoint folder; add --checkpoint FOLDER",
                    o->resume ? "resume" : "checkpoint-interval");
    return o->every ? read_time(&seconds, o->every, e) : 0;
}

/* Prints a line of the checkpoint code, in place of the progress bar on a terminal. */
static void tell_news(void *common, enum checkpoint_news news, const char *line)
{
    const struct common_options *o = common;
    const bool quiet = o->quiet && news != NEWS_WARNING;
    if (quiet || (news == NEWS_DETAIL && !o->verbose))
        return;
    if (isatty(STDERR_FILENO))
        streams_control("\r\033[K");
    say(false, "%s%s", news == NEWS_WARNING ? "warning: " : news == NEWS_NOTE ? "note: " : "", line);
}

int checkpoints_open(struct checkpoint **c, const struct checkpoint_options *o, char *run,
                     const struct common_options *common, struct error *e)
{
    struct checkpoint_settings settings = {.folder = o->folder,
                                           .every = EVERY,
                                           .resume = o->resume,
                                           .run = run,
                                           .say = tell_news,
                                           .context = (void *)common};
    int status = run || !o->folder ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    *c = NULL;
    if (!status && o->folder)
        status = (o->every && read_time(&settings.every, o->every, e)) || checkpoint_open(c, &settings, e) ? -1 : 0;
    free(run);
    return status;
}

void checkpoints_tell(const struct checkpoint *c, const struct checkpoint_options *o, struct error *e)
{
    const struct error reason = *e;
    const bool held = c && checkpoint_holds(c), lost = c && checkpoint_failed(c) && !held;
    if (!o->folder || lost)
        return;
    const enum error_code code = stop_terminated() ? ERROR_SUSPENDED : reason.code;
    if (held)
        fail(e, code, "%.3000s; a checkpoint is in %s; run the same command with --resume to continue", reason.message,
             o->folder);
    else if (code == ERROR_SUSPENDED)
        fail(e, code, "%.3000s; no steps were lost; run the same command again", reason.message);
}

static void suggest(const struct looking *l, size_t done, size_t total)
{
    const double left = progress_left(&l->progress, done, total, KNOWN);
    char text[32];
    if (*l->suggested || l->options->folder || !(left > LONG_RUN))
        return;
    *l->suggested = true;
    if (!l->quiet && isatty(STDERR_FILENO))
        streams_control("\r\033[K");
    say(l->quiet, "note: about %s remain; use --checkpoint FOLDER to make the run resumable", say_duration(text, left));
}

bool checkpoints_look(void *looking, size_t done, size_t total, double points_per_second)
{
    struct looking *l = looking;
    const bool go_on = progress_look(&l->progress, done, total, points_per_second);
    suggest(l, done, total);
    return go_on;
}
