/* SPDX-License-Identifier: MIT */
#include "solver/checkpoint/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output_parts.h"
#include "base/text.h"
#include "solver/checkpoint/folder.h"

void checkpoint_say(const struct checkpoint *c, enum checkpoint_news news, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (!c->settings.say)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    c->settings.say(c->settings.context, news, line);
}

char *checkpoint_source_path(const struct checkpoint *c, size_t first, size_t count)
{
    return count > 1 ? text_format("%s/sources-%zu-%zu", c->folder, first, first + count - 1)
                     : text_format("%s/source-%zu", c->folder, first);
}

/* Skips a decimal number without leading zeros; NULL if there is none. */
static const char *past_number(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits && (*text != '0' || digits == 1) ? text + digits : NULL;
}

/* Kind of file by the first `length` bytes of its name: the generation, from 1; 0 for traces of
 * sources; -1 for any other file. */
static int kind_of(const char *name, size_t length)
{
    static const char one[] = "source-", several[] = "sources-";
    const char *end = NULL;
    for (int i = 1; i <= GENERATIONS; i++) {
        char generation[32];
        snprintf(generation, sizeof generation, "generation-%d", i);
        if (strlen(generation) == length && !strncmp(name, generation, length))
            return i;
    }
    if (!strncmp(name, one, sizeof one - 1))
        end = past_number(name + sizeof one - 1);
    else if (!strncmp(name, several, sizeof several - 1) && (end = past_number(name + sizeof several - 1)))
        end = *end == '-' ? past_number(end + 1) : NULL;
    return end == name + length ? 0 : -1;
}

/* Calls `visit` for each file whose name is that of a checkpoint file, whatever its content,
 * until a call fails. */
static int visit_files(struct checkpoint *c, int (*visit)(struct checkpoint *c, const char *name, struct error *e),
                       struct error *e)
{
    DIR *folder = opendir(c->folder);
    const struct dirent *entry;
    int status = folder ? 0 : fail(e, ERROR_INPUT, "%s: cannot read: %s", c->folder, strerror(errno));
    while (!status && (entry = readdir(folder)))
        status = kind_of(entry->d_name, strlen(entry->d_name)) >= 0 ? visit(c, entry->d_name, e) : 0;
    if (folder)
        closedir(folder);
    return status;
}

static int refuse_foreign(const struct checkpoint *c, const char *name, struct error *e)
{
    return fail(e, ERROR_USAGE,
                "%s/%s: not an aula checkpoint, but it has the name of one; move it away, or choose another folder "
                "with --checkpoint",
                c->folder, name);
}

static int refuse_file(struct checkpoint *c, const char *name, struct error *e)
{
    if (!blocks_are_ours(c->descriptor, name))
        return refuse_foreign(c, name, e);
    return fail(e, ERROR_USAGE,
                "%s: contains a checkpoint of an earlier run, %s; add --resume to continue that run, or remove the "
                "file or choose another folder to start over",
                c->folder, name);
}

bool checkpoint_has_complete(const struct checkpoint *c, size_t first, size_t count)
{
    for (size_t i = 0; i < c->complete_count; i++)
        if (c->complete[i].first == first && c->complete[i].count == count)
            return true;
    return false;
}

int checkpoint_add_complete(struct checkpoint *c, size_t first, size_t count, struct error *e)
{
    if (checkpoint_has_complete(c, first, count))
        return 0;
    struct complete_sources *more = realloc(c->complete, (c->complete_count + 1) * sizeof *more);
    if (!more)
        return fail(e, ERROR_MEMORY, "out of memory");
    c->complete = more;
    more[c->complete_count++] = (struct complete_sources){first, count};
    return 0;
}

/* A renamed file would be taken for the traces of other sources. */
static int survey_sources(struct checkpoint *c, const char *path, struct error *e)
{
    struct generation seen = {NULL, 0, 0, 0};
    if (checkpoint_survey(&seen, c, path, e))
        return -1;
    char *expected = seen.serial ? checkpoint_source_path(c, seen.first, seen.count) : NULL;
    int status = 0;
    if (seen.serial && !expected)
        status = fail(e, ERROR_MEMORY, "out of memory");
    else if (expected && strcmp(path, expected) != 0)
        checkpoint_say(c, NEWS_WARNING,
                       "%s: contains the traces of another source and is ignored; rename it to %s to resume from it",
                       path, expected);
    else if (expected)
        status = checkpoint_add_complete(c, seen.first, seen.count, e);
    free(expected);
    return status;
}

static int survey_file(struct checkpoint *c, const char *name, struct error *e)
{
    const int kind = kind_of(name, strlen(name));
    if (!blocks_are_ours(c->descriptor, name))
        return refuse_foreign(c, name, e);
    if (kind > 0)
        return checkpoint_survey(&c->generations[kind - 1], c, c->generations[kind - 1].path, e);
    char *path = text_format("%s/%s", c->folder, name);
    const int status = path ? survey_sources(c, path, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(path);
    return status;
}

static int survey(struct checkpoint *c, struct error *e)
{
    if (visit_files(c, survey_file, e))
        return -1;
    if (!checkpoint_holds(c))
        checkpoint_say(c, NEWS_NOTE, "%s: no checkpoint to resume; the run starts at the first step", c->folder);
    return 0;
}

/* Creates the folder and locks it for this process. On file systems without locks, two processes
 * may use it. */
static int take_folder(struct checkpoint *c, struct error *e)
{
    if (mkdir(c->folder, 0777) && errno != EEXIST)
        return fail(e, ERROR_OUTPUT, "%s: cannot create the folder: %s; choose another with --checkpoint", c->folder,
                    strerror(errno));
    c->descriptor = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->descriptor < 0)
        return fail(e, ERROR_OUTPUT, "%s: cannot open the folder: %s; choose another with --checkpoint", c->folder,
                    strerror(errno));
    if (flock(c->descriptor, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return fail(e, ERROR_USAGE, "%s: another run is using this checkpoint folder; choose another with --checkpoint",
                    c->folder);
    return access(c->folder, W_OK | X_OK)
               ? fail(e, ERROR_OUTPUT, "%s: cannot write to the folder: %s; choose another with --checkpoint",
                      c->folder, strerror(errno))
               : 0;
}

int checkpoint_open(struct checkpoint **out, const struct checkpoint_settings *settings, struct error *e)
{
    struct checkpoint *c = *out = calloc(1, sizeof *c);
    if (!c)
        return fail(e, ERROR_MEMORY, "out of memory");
    c->settings = *settings;
    c->descriptor = -1;
    c->folder = text_copy(settings->folder);
    c->run = text_copy(settings->run);
    int status = c->folder && c->run ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < GENERATIONS && !status; i++)
        if (!(c->generations[i].path = text_format("%s/generation-%zu", c->folder, i + 1)))
            status = fail(e, ERROR_MEMORY, "out of memory");
    status = status || take_folder(c, e) || (settings->resume ? survey(c, e) : visit_files(c, refuse_file, e));
    if (status) {
        checkpoint_close(c);
        *out = NULL;
    } else {
        checkpoint_begin(c);
    }
    return status ? -1 : 0;
}

void checkpoint_close(struct checkpoint *c)
{
    if (!c)
        return;
    if (c->descriptor >= 0)
        close(c->descriptor);
    for (size_t i = 0; i < GENERATIONS; i++)
        free(c->generations[i].path);
    free(c->complete);
    free(c->folder);
    free(c->run);
    free(c);
}

static int remove_file(struct checkpoint *c, const char *name, struct error *e)
{
    (void)e;
    if (blocks_are_ours(c->descriptor, name) && unlinkat(c->descriptor, name, 0))
        checkpoint_say(c, NEWS_WARNING, "%s/%s: cannot remove the checkpoint: %s", c->folder, name, strerror(errno));
    return 0;
}

/* Removes temporary files (NAME.part-..) that killed writers left behind. */
static void clean_parts(const struct checkpoint *c)
{
    DIR *folder = opendir(c->folder);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        const char *part = strstr(entry->d_name, OUTPUT_PART_MARK);
        const size_t length = part ? (size_t)(part - entry->d_name) : 0;
        char *path = part && kind_of(entry->d_name, length) >= 0
                         ? text_format("%s/%.*s", c->folder, (int)length, entry->d_name)
                         : NULL;
        if (path)
            output_parts_clean(path);
        free(path);
    }
    if (folder)
        closedir(folder);
}

void checkpoint_remove(struct checkpoint *c)
{
    struct error ignored;
    const bool held = checkpoint_holds(c);
    visit_files(c, remove_file, &ignored);
    clean_parts(c);
    c->complete_count = 0;
    for (size_t i = 0; i < GENERATIONS; i++)
        c->generations[i].serial = 0;
    if (held)
        checkpoint_say(c, NEWS_NOTE, "%s: all outputs are complete; checkpoint removed", c->folder);
}

bool checkpoint_holds(const struct checkpoint *c)
{
    bool any = c->complete_count > 0;
    for (size_t i = 0; i < GENERATIONS; i++)
        any = any || c->generations[i].serial > 0;
    return any;
}

bool checkpoint_failed(const struct checkpoint *c)
{
    return c->failed;
}

void checkpoint_begin(struct checkpoint *c)
{
    c->written = clock_seconds();
    c->took = 0.0;
}

/* A run that dies while it writes a generation loses the work since the previous generation and
 * the time of writing. */
bool checkpoint_due(const struct checkpoint *c)
{
    const double every = c->settings.every, spare = c->took < 0.5 * every ? c->took : 0.5 * every;
    return clock_seconds() - c->written >= every - spare;
}
