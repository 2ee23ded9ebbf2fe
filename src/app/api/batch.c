/* SPDX-License-Identifier: MIT */
/* Data sets, as `aula batch` renders, lists and merges them. */
#include "render/batch/batch.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/api/handles.h"
#include "base/c_locale.h"
#include "base/text.h"

struct aula_batch {
    struct batch batch;
    char **settings;
    size_t setting_count;
    char **lines; /* of a list */
    size_t line_count;
    char *plan, *folder, *engine;
};

void aula_batch_close(struct aula_batch *b)
{
    if (!b)
        return;
    batch_free(&b->batch);
    shard_free(&b->batch.shard);
    lines_free(b->settings, b->setting_count);
    lines_free(b->lines, b->line_count);
    free(b->plan);
    free(b->folder);
    free(b->engine);
    free(b);
}

static char *copied(const char *text)
{
    return text ? text_copy(text) : NULL;
}

/* Fills a batch with copies of the arguments. */
static int take_arguments(struct aula_batch *b, struct call *call, const char *plan, const char *folder,
                          const struct aula_batch_options *what, const struct call_options *options)
{
    static const struct aula_batch_options none;
    static const char *const no_settings[1];
    const struct aula_batch_options *o = what ? what : &none;
    struct error *e = &call->error;
    if (call_check_reserved(call, o->reserved, sizeof o->reserved / sizeof *o->reserved, "what") ||
        call_check_settings(call, o->settings, o->setting_count))
        return -1;
    if (o->shard && o->rooms)
        return fail(e, ERROR_USAGE, "shard and rooms both choose rooms; pass one of them");
    if (o->workers < 0)
        return fail(e, ERROR_USAGE, "workers is %d; must be 1 or more, or 0 for the default", o->workers);
    for (size_t i = 0; i < o->setting_count; i++)
        if (lines_add(&b->settings, &b->setting_count, e, "%s", o->settings[i]))
            return -1;
    b->plan = copied(plan);
    b->folder = copied(folder);
    b->batch.plan_path = b->plan;
    b->batch.folder = b->folder;
    b->batch.settings = b->settings ? (const char *const *)b->settings : no_settings;
    b->batch.setting_count = b->setting_count;
    b->batch.workers = o->workers;
    if (options) {
        b->batch.choice = options->choice;
        b->engine = copied(options->choice.engine);
        b->batch.choice.engine = b->engine;
    }
    if (!b->plan || (folder && !b->folder) || (b->batch.choice.engine == NULL && options && options->choice.engine))
        return fail(e, ERROR_MEMORY, "out of memory");
    return o->shard   ? shard_parse(&b->batch.shard, o->shard, e)
           : o->rooms ? shard_parse_rooms(&b->batch.shard, o->rooms, e)
                      : 0;
}

/* The run in a thread of its own, which has not used OpenMP: its child processes can. */
struct job {
    struct batch *batch;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct batch_progress progress;
    struct error error;
    int status;
    bool done;
};

static void note(void *context, const struct batch_progress *progress)
{
    struct job *job = context;
    pthread_mutex_lock(&job->mutex);
    job->progress = *progress;
    pthread_mutex_unlock(&job->mutex);
}

static void *run_job(void *context)
{
    struct job *job = context;
    locale_t before;
    int status = c_locale_enter(&before, &job->error);
    if (!status) {
        status = batch_run(job->batch, &job->error);
        c_locale_leave(before);
    }
    pthread_mutex_lock(&job->mutex);
    job->status = status;
    job->done = true;
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&job->mutex);
    return NULL;
}

static double share_of(const struct batch_progress *p)
{
    return p->count ? (double)(p->done + p->failed) / (double)p->count : 0.0;
}

/* Waits for the thread, and tells the caller's progress function in this one. */
static void follow(struct job *job, struct call *call, const struct aula_options *options)
{
    bool refused = false;
    struct error ignored;
    pthread_mutex_lock(&job->mutex);
    while (!job->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000L; /* 0.1 s */
        if (until.tv_nsec >= 1000000000L) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000L;
        }
        pthread_cond_timedwait(&job->changed, &job->mutex, &until);
        const double share = share_of(&job->progress);
        pthread_mutex_unlock(&job->mutex);
        if (options && options->progress && !refused) {
            c_locale_leave(call->before);
            refused = options->progress(options->context, share) != 0;
            c_locale_enter(&call->before, &ignored);
            if (refused)
                aula_stop();
        }
        pthread_mutex_lock(&job->mutex);
    }
    pthread_mutex_unlock(&job->mutex);
}

static int run_aside(struct aula_batch *b, struct call *call, const struct aula_options *options)
{
    struct error *e = &call->error;
    struct job job = {.batch = &b->batch, .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    b->batch.look = note;
    b->batch.context = &job;
    if (pthread_create(&thread, NULL, run_job, &job))
        return fail(e, ERROR_MEMORY, "cannot start a thread");
    follow(&job, call, options);
    pthread_join(thread, NULL);
    b->batch.look = NULL;
    if (job.status)
        *e = job.error;
    return job.status;
}

enum work { WORK_RUN, WORK_MERGE, WORK_LIST };

/* Splits the JSON lines of a list. */
static int take_lines(struct aula_batch *b, const char *text, struct error *e)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if (lines_add(&b->lines, &b->line_count, e, "%.*s", (int)length, text))
            return -1;
        text += length + (text[length] == '\n');
    }
    return 0;
}

static int list(struct aula_batch *b, struct error *e)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = batch_list(&b->batch, memory, e);
    if (fclose(memory) && !status)
        status = fail(e, ERROR_MEMORY, "out of memory");
    status = status || take_lines(b, text, e);
    free(text);
    return status;
}

static int make(struct call *call, struct aula_batch **out, enum work work, const char *plan, const char *folder,
                const struct aula_batch_options *what, const struct aula_options *options)
{
    struct call_options given;
    struct error *e = &call->error;
    if (!out)
        return call_refuse_null(call, "batch", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, plan, "plan", "the path of a plan") ||
        (work != WORK_LIST && call_check_text(call, folder, "folder", "the folder of the data set")) ||
        call_take_options(&given, call, options))
        return -1;
    struct aula_batch *b = calloc(1, sizeof *b);
    if (!b)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = take_arguments(b, call, plan, folder, what, &given);
    if (!status)
        status = work == WORK_RUN     ? run_aside(b, call, options)
                 : work == WORK_MERGE ? batch_merge(&b->batch, e)
                                      : list(b, e);
    if (status) {
        aula_batch_close(b);
        return -1;
    }
    *out = b;
    return 0;
}

int aula_batch_run(struct aula_batch **batch, const char *plan, const char *folder,
                   const struct aula_batch_options *what, const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, batch, WORK_RUN, plan, folder, what, options));
}

int aula_batch_merge(struct aula_batch **batch, const char *plan, const char *folder,
                     const struct aula_batch_options *what, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, batch, WORK_MERGE, plan, folder, what, NULL));
}

int aula_batch_list(struct aula_batch **batch, const char *plan, const struct aula_batch_options *what,
                    struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, batch, WORK_LIST, plan, NULL, what, NULL));
}

int aula_batch_count(const struct aula_batch *batch, struct aula_batch_count *count)
{
    if (!count)
        return -1;
    memset(count, 0, sizeof *count);
    count->seconds = NAN;
    if (!batch)
        return -1;
    const struct batch_progress *p = &batch->batch.progress;
    count->rooms = p->count ? p->count : batch->batch.plan.count;
    count->done = p->done;
    count->failed = p->failed;
    count->before = p->before;
    count->workers = batch->batch.worker_count;
    count->seconds = p->seconds;
    return 0;
}

const char *aula_batch_missing(const struct aula_batch *batch)
{
    return batch ? batch->batch.missing : NULL;
}

const char *aula_batch_note(const struct aula_batch *batch)
{
    return batch ? batch->batch.note : NULL;
}

const char *aula_batch_line(const struct aula_batch *batch, size_t index)
{
    return batch && index < batch->line_count ? batch->lines[index] : NULL;
}
