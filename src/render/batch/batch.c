/* SPDX-License-Identifier: MIT */
#include "render/batch/batch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/transport/transport.h"
#include "render/batch/data_set.h"
#include "render/batch/device_service.h"
#include "render/batch/folder.h"
#include "render/batch/manifest.h"
#include "render/batch/workers.h"

#define MEMORY_SHARE 0.7       /* of the available memory, for workers */
enum { WORKERS_A_DEVICE = 8 }; /* more are no faster: docs/results/batch.md */

/* A batch run in one of the processes that share its rooms. */
struct run {
    struct batch *batch;
    struct room_task task;
    struct manifest manifest;
    struct workers workers;
    struct device_service service; /* through which workers share GPUs */
    int lock;
    size_t *mine; /* [mine_count]: rooms of this process */
    size_t mine_count, given;
    double bytes, available; /* needed by a room, available; 0: unknown */
    double share;            /* of a GPU's memory that a room needs */
    size_t cores;
    double start; /* clock_seconds */
};

static int part_of(const struct batch *b)
{
    return b->transport ? b->transport->part : 0;
}

static int parts_of(const struct batch *b)
{
    return b->transport ? b->transport->count : 1;
}

void batch_free(struct batch *b)
{
    summary_free(&b->summary);
    plan_free(&b->plan);
    free(b->note);
}

static double number_of(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0.0;
}

static bool may_use_devices(const struct batch *b)
{
    return !b->choice.engine || strcmp(b->choice.engine, "cpu") != 0;
}

/* Runs the trial in a process of its own. If GPUs are usable only without the service it started,
 * retries without. */
static int try_on_devices(char **text, struct run *r, struct error *e)
{
    if (may_use_devices(r->batch))
        (r->batch->transport ? device_service_find : device_service_start)(&r->service);
    r->task.choice.cuda.beside = r->service.shared; /* selects the kernels and with them the memory */
    const int status = workers_trial(text, &r->task, e);
    if (!r->service.started || (status && e->code == ERROR_STOPPED))
        return status;
    cJSON *json = status ? NULL : cJSON_Parse(*text);
    const bool found = number_of(json, "devices") > 0.0;
    cJSON_Delete(json);
    if (found)
        return 0;
    device_service_stop(&r->service);
    r->task.choice.cuda.beside = 0;
    free(*text);
    return workers_trial(text, &r->task, e);
}

/* Tries the plan, and claims the folder. */
static int try_plan(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    char *text = NULL;
    if (try_on_devices(&text, r, e))
        return -1;
    cJSON *json = cJSON_Parse(text);
    free(text);
    const cJSON *bases = cJSON_GetObjectItemCaseSensitive(json, "bases");
    int status = bases ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", b->plan_path);
    const char *note = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "note"));
    b->note = b->plan.note || note ? text_copy(b->plan.note ? b->plan.note : note) : NULL;
    r->bytes = number_of(json, "bytes");
    r->available = number_of(json, "available");
    b->devices = (size_t)number_of(json, "devices");
    r->share = number_of(json, "share");
    if (!status && part_of(b) == 0)
        status = folder_lock(&r->lock, b->folder, e) ||
                 folder_claim(b->folder, &b->plan, b->settings, b->setting_count, bases,
                              cJSON_GetObjectItemCaseSensitive(json, "inputs"), e);
    cJSON_Delete(json);
    return status ? -1 : 0;
}

static size_t at_least_one(double fit, size_t most)
{
    return fit < 1.0 ? 1 : fit < (double)most ? (size_t)fit : most;
}

/* Concurrent rooms per GPU: while one is stepped, others are set up, or their rays and files are
 * computed. */
static size_t workers_a_device(const struct run *r)
{
    const size_t cores = r->cores / r->batch->devices;
    const size_t most = cores < WORKERS_A_DEVICE ? cores : WORKERS_A_DEVICE;
    return at_least_one(r->share > 0.0 ? MEMORY_SHARE / r->share : 1.0, most);
}

/* Concurrent rooms: several per GPU, otherwise one per processor, as far as memory permits. A small
 * room gains more from a processor of its own than from a share of several. */
static size_t choose_workers(const struct run *r)
{
    const struct batch *b = r->batch;
    size_t count = b->workers ? (size_t)b->workers : b->devices ? b->devices * workers_a_device(r) : r->cores;
    if (!b->workers && r->bytes > 0.0)
        count = at_least_one(MEMORY_SHARE * r->available / r->bytes, count);
    return count < r->mine_count ? count : r->mine_count;
}

/* Threads for the next room: the idle processors, shared by the remaining rooms. */
static int choose_threads(const struct run *r)
{
    const size_t count = r->workers.count, idle = count - r->workers.at_work, left = r->mine_count - r->given;
    const size_t each = r->cores / count ? r->cores / count : 1;
    const size_t busy = r->workers.at_work * each, free_cores = r->cores > busy ? r->cores - busy : 1;
    const size_t share = left < idle ? left : idle, threads = free_cores / (share ? share : 1);
    return (int)(threads > each ? threads : each);
}

static void tell(struct run *r)
{
    struct batch *b = r->batch;
    b->progress.done = r->manifest.done;
    b->progress.failed = r->manifest.failed;
    b->progress.at_work = r->workers.at_work;
    b->progress.seconds = clock_seconds() - r->start;
    if (b->look)
        b->look(b->context, &b->progress);
}

static int give_rooms(struct run *r, struct error *e)
{
    while (r->given < r->mine_count && r->workers.at_work < r->workers.count) {
        if (workers_give(&r->workers, r->mine[r->given], choose_threads(r), e))
            return -1;
        r->given++;
    }
    return 0;
}

static int work(struct run *r, struct error *e)
{
    int status = 0;
    while (!status && (r->given < r->mine_count || r->workers.at_work)) {
        struct worker_news news = {0};
        status = stop_check(e) || give_rooms(r, e) || workers_wait(&r->workers, 0.1, &news, e);
        if (!status && news.line)
            status = manifest_add(&r->manifest, news.line, e);
        free(news.line);
        tell(r);
    }
    r->batch->account = r->workers.account;
    return status ? -1 : 0;
}

/* The remaining rooms, or every n-th of them if n processes share them. */
static int list_rooms(struct run *r, const struct manifest *done, struct error *e)
{
    struct batch *b = r->batch;
    size_t left = 0;
    r->mine = calloc(b->plan.count + 1, sizeof *r->mine);
    if (!r->mine)
        return fail(e, ERROR_MEMORY, "%s: out of memory", b->plan_path);
    for (size_t room = 0; room < b->plan.count; room++)
        if (done->lines[room].state != ROOM_DONE && left++ % (size_t)parts_of(b) == (size_t)part_of(b))
            r->mine[r->mine_count++] = room;
    return 0;
}

/* Processes of this host whose workers use the same GPUs concurrently; 0: workers take turns. */
static size_t count_sharing(const struct run *r)
{
    const struct batch *b = r->batch;
    return !r->service.shared || !b->devices          ? 0
           : b->transport && b->transport->beside > 1 ? (size_t)b->transport->beside
                                                      : 1;
}

static int do_rooms(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    b->progress = (struct batch_progress){.count = r->manifest.done + r->mine_count, .before = r->manifest.done};
    r->start = clock_seconds();
    b->worker_count = choose_workers(r);
    if (!r->mine_count)
        return 0;
    const size_t sharing = count_sharing(r);
    b->shares_devices = b->worker_count * sharing > b->devices;
    r->task.choice.cuda.beside = 0;
    const int status = workers_start(&r->workers, &r->task, b->worker_count, b->devices, sharing, e) || work(r, e);
    workers_end(&r->workers);
    return status ? -1 : 0;
}

/* ---- Processes that share the rooms: each has a manifest of its own, which the first one merges
 * ---- */

static void part_name(char name[40], int part)
{
    snprintf(name, 40, part ? "manifest-%d" : "manifest", part);
}

/* Merges the manifests of other processes, including those of a killed run. */
static int merge_parts(struct run *r, struct error *e)
{
    enum { PARTS_MAX = 4096 };
    for (int part = 1; part < PARTS_MAX; part++) {
        char name[40];
        part_name(name, part);
        char *path = text_format("%s/%s.jsonl", r->batch->folder, name);
        const bool there = path && !access(path, F_OK);
        free(path);
        if (there && manifest_merge(&r->manifest, name, e))
            return -1;
    }
    return 0;
}

/* Report of a process at its end, and of the first one at the beginning. */
struct word {
    int32_t failed, code, devices;
    double bytes; /* of a room */
    struct room_account account;
    char message[600];
};

static struct word word_of(int status, const struct error *e, const struct run *r)
{
    struct word word = {.failed = status != 0,
                        .code = status ? (int32_t)e->code : 0,
                        .devices = (int32_t)r->batch->devices,
                        .bytes = r->bytes,
                        .account = r->batch->account};
    if (status)
        snprintf(word.message, sizeof word.message, "%.500s", e->message);
    return word;
}

static int say_word(struct batch *b, int to, const struct word *word, struct error *e)
{
    return transport_send(b->transport, to, word, sizeof *word, e) || transport_flush(b->transport, e) ? -1 : 0;
}

/* First process: runs until the remaining rooms are known. */
static int prepare(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    return plan_read(&b->plan, b->plan_path, e) || plan_check_settings(&b->plan, b->settings, b->setting_count, e) ||
                   try_plan(r, e) || manifest_open(&r->manifest, &b->plan, b->folder, "manifest", MANIFEST_VERIFY, e) ||
                   manifest_try_csv(&r->manifest, e) || merge_parts(r, e) || list_rooms(r, &r->manifest, e)
               ? -1
               : 0;
}

static int lead(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    int status = prepare(r, e);
    for (int part = 1; part < parts_of(b); part++) {
        const struct word word = word_of(status, e, r);
        struct error late;
        if (say_word(b, part, &word, status ? &late : e))
            status = -1;
    }
    if (status)
        return -1;
    status = do_rooms(r, e);
    if (status && e->code == ERROR_STOPPED && b->transport)
        transport_abandon(b->transport, e);
    for (int part = 1; part < parts_of(b); part++) {
        struct word word;
        struct error late;
        if (transport_receive(b->transport, part, &word, sizeof word, status ? &late : e))
            return -1;
        b->account.total += word.account.total;
        b->account.stepping += word.account.stepping;
        if (word.failed && !status)
            status = fail(e, (enum error_code)word.code, "%s", word.message);
    }
    struct error late;
    if (parts_of(b) > 1 && merge_parts(r, status ? &late : e))
        status = -1;
    return status;
}

/* The other processes wait until the first one has claimed the folder. */
static int follow(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    struct manifest all = {0};
    struct word word;
    char name[40];
    if (transport_receive(b->transport, 0, &word, sizeof word, e))
        return -1;
    if (word.failed)
        return 0;
    if (may_use_devices(b))
        device_service_find(&r->service);
    part_name(name, part_of(b));
    r->bytes = word.bytes;
    r->available = (double)memory_available() / (b->transport->beside > 1 ? b->transport->beside : 1);
    b->devices = (size_t)word.devices;
    int status = plan_read(&b->plan, b->plan_path, e) ||
                 manifest_open(&all, &b->plan, b->folder, "manifest", MANIFEST_LOOK, e) || list_rooms(r, &all, e) ||
                 manifest_open(&r->manifest, &b->plan, b->folder, name, MANIFEST_WRITE, e) || do_rooms(r, e);
    manifest_close(&all);
    word = word_of(status, e, r);
    return say_word(b, 0, &word, e);
}

static int count_cores(const struct batch *b)
{
    const int all = b->choice.threads ? b->choice.threads : threads_limit(0);
    const int beside = b->transport ? b->transport->beside : 0;
    return beside > 1 && all > beside ? all / beside : beside > 1 ? 1 : all;
}

int batch_run(struct batch *b, struct error *e)
{
    struct run r = {.batch = b, .lock = -1, .cores = (size_t)count_cores(b)};
    r.task = (struct room_task){.plan = &b->plan,
                                .folder = b->folder,
                                .settings = b->settings,
                                .setting_count = b->setting_count,
                                .choice = b->choice};
    int status = part_of(b) ? follow(&r, e) : lead(&r, e);
    if (!part_of(b) && r.manifest.lines) {
        struct error late;
        b->progress.done = r.manifest.done;
        b->progress.failed = r.manifest.failed;
        b->progress.count = b->plan.count;
        const bool stopped = status && e->code == ERROR_STOPPED; /* does not wait for disks */
        if (!stopped && r.start > 0.0 && manifest_finish(&r.manifest, status ? &late : e))
            status = -1;
        if (!status && b->plan.files == PLAN_NETCDF)
            status = data_set_write(&r.manifest, e);
        if (!status && b->summarize)
            status = summary_make(&b->summary, &r.manifest, e);
    }
    device_service_stop(&r.service);
    manifest_close(&r.manifest);
    free(r.mine);
    if (r.lock >= 0)
        close(r.lock);
    return status ? -1 : 0;
}
