#include "checkpoint/checkpoint.h"

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
#include "base/text.h"
#include "checkpoint/folder.h"

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

/* "generation-1", "source-3", "sources-0-4", or, with_parts, one of them with ".part-.." behind it. */
static bool is_ours(const char *name, bool with_parts)
{
    static const char *const begins[] = {"generation-", "source-", "sources-"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t length = strlen(begins[i]),
                     digits = strspn(name + (strncmp(name, begins[i], length) ? 0 : length), "0123456789-");
        const char *rest = name + length + digits;
        if (strncmp(name, begins[i], length) != 0 || !digits)
            continue;
        return !*rest || (with_parts && !strncmp(rest, ".part-", 6));
    }
    return false;
}

/* Calls for each file of ours; stops when it fails. */
static int visit_files(struct checkpoint *c, bool with_parts,
                       int (*visit)(struct checkpoint *c, const char *name, struct error *e), struct error *e)
{
    DIR *folder = opendir(c->folder);
    const struct dirent *entry;
    int status = folder ? 0 : fail(e, ERROR_INPUT, "%s: cannot be read: %s", c->folder, strerror(errno));
    while (!status && (entry = readdir(folder)))
        status = is_ours(entry->d_name, with_parts) ? visit(c, entry->d_name, e) : 0;
    if (folder)
        closedir(folder);
    return status;
}

static int refuse_file(struct checkpoint *c, const char *name, struct error *e)
{
    return fail(e, ERROR_USAGE,
                "%s: holds a checkpoint of an earlier run, %s: --resume goes on with it; to begin anew, remove it or "
                "give another folder",
                c->folder, name);
}

/* Surveys the files of complete sources; generations have their turn later. */
static int survey_source(struct checkpoint *c, const char *name, struct error *e)
{
    struct generation g = {NULL, 0, 0, 0};
    if (!strncmp(name, "generation-", strlen("generation-")))
        return 0;
    char *path = text_format("%s/%s", c->folder, name);
    const int status = path ? checkpoint_survey(&g, c, path, e) : fail(e, ERROR_MEMORY, "out of memory");
    c->complete += g.serial > 0;
    free(path);
    return status;
}

static int survey(struct checkpoint *c, struct error *e)
{
    for (size_t i = 0; i < GENERATIONS; i++) {
        struct generation *g = &c->generations[i];
        if (!access(g->path, F_OK) && checkpoint_survey(g, c, g->path, e))
            return -1;
    }
    if (visit_files(c, false, survey_source, e))
        return -1;
    if (!checkpoint_holds(c))
        checkpoint_say(c, NEWS_NOTE, "%s: holds no checkpoint to resume: the run begins at its first step", c->folder);
    return 0;
}

/* Makes the folder, and takes it for this process. File systems without locks let two processes take it. */
static int take_folder(struct checkpoint *c, struct error *e)
{
    if (mkdir(c->folder, 0777) && errno != EEXIST)
        return fail(e, ERROR_OUTPUT, "%s: cannot be made: %s: give another folder with --checkpoint", c->folder,
                    strerror(errno));
    c->descriptor = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->descriptor < 0)
        return fail(e, ERROR_OUTPUT, "%s: cannot hold checkpoints: %s: give a folder with --checkpoint", c->folder,
                    strerror(errno));
    if (flock(c->descriptor, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return fail(e, ERROR_USAGE, "%s: another run keeps its checkpoints there: give another folder", c->folder);
    return access(c->folder, W_OK | X_OK)
               ? fail(e, ERROR_OUTPUT, "%s: cannot be written to: %s: give another folder with --checkpoint", c->folder,
                      strerror(errno))
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
    status = status || take_folder(c, e) || (settings->resume ? survey(c, e) : visit_files(c, false, refuse_file, e));
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
    free(c->folder);
    free(c->run);
    free(c);
}

static int remove_file(struct checkpoint *c, const char *name, struct error *e)
{
    (void)e;
    if (unlinkat(c->descriptor, name, 0))
        checkpoint_say(c, NEWS_WARNING, "%s/%s: cannot be removed: %s", c->folder, name, strerror(errno));
    return 0;
}

void checkpoint_remove(struct checkpoint *c)
{
    struct error ignored;
    const bool held = checkpoint_holds(c);
    visit_files(c, true, remove_file, &ignored);
    c->complete = 0;
    for (size_t i = 0; i < GENERATIONS; i++)
        c->generations[i].serial = 0;
    if (held)
        checkpoint_say(c, NEWS_NOTE, "%s: the checkpoint is removed, as the outputs are complete", c->folder);
}

bool checkpoint_holds(const struct checkpoint *c)
{
    bool any = c->complete > 0;
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

/* A run that dies while a generation is written loses what was computed since the one before, and the time of
 * writing. */
bool checkpoint_due(const struct checkpoint *c)
{
    const double every = c->settings.every, spare = c->took < 0.5 * every ? c->took : 0.5 * every;
    return clock_seconds() - c->written >= every - spare;
}
