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
#include "render/batch/device_service.h"
#include "render/batch/folder.h"
#include "render/batch/loader_files.h"
#include "render/batch/manifest.h"
#include "render/batch/room_costs.h"
#include "render/batch/workers.h"

#define MEMORY_SHARE 0.7       /* of the available memory, for workers */
enum { WORKERS_A_DEVICE = 8 }; /* more are no faster: docs/results/batch.md */

/* A run of all rooms, or of a shard. */
struct run {
    struct batch *batch;
    struct room_task task;
    struct manifest manifest;
    struct workers workers;
    struct device_service service; /* through which workers share GPUs */
    int lock;
    size_t *mine; /* [mine_count]: rooms to render */
    size_t mine_count, given;
    size_t elsewhere;        /* finished rooms of a shard that other manifests have */
    double bytes, available; /* needed by a room, available; 0: unknown */
    double share;            /* of a GPU's memory that a room needs */
    size_t cores;
    double start; /* clock_seconds */
};

static bool is_shard(const struct batch *b)
{
    return *b->shard.name != '\0';
}

void batch_free(struct batch *b)
{
    summary_free(&b->summary);
    plan_free(&b->plan);
    free(b->missing);
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
        device_service_start(&r->service);
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

/* A shard locks its own manifest alone. */
static int lock_folder(struct run *r, struct error *e)
{
    const struct batch *b = r->batch;
    char *name = is_shard(b) ? text_format(SHARD_FOLDER "/%s.lock", b->shard.name) : text_copy("batch.lock");
    const int status = name ? folder_lock(&r->lock, b->folder, name, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(name);
    return status;
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
    if (!status)
        status = lock_folder(r, e) || folder_claim(b->folder, &b->plan, b->settings, b->setting_count, bases,
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
    b->progress.done = r->elsewhere + r->manifest.done;
    b->progress.failed = r->manifest.failed;
    b->progress.at_work = r->workers.at_work;
    b->progress.seconds = clock_seconds() - r->start;
    if (b->look)
        b->look(b->context, &b->progress);
}

/* The counts at the end. */
static void tell_end(struct run *r)
{
    struct batch_progress *p = &r->batch->progress;
    p->done = r->elsewhere + r->manifest.done;
    p->failed = r->manifest.failed;
    if (!is_shard(r->batch))
        p->count = r->batch->plan.count;
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

/* The rooms to render. done [plan.count]: by other runs; NULL: none. */
static int list_rooms(struct run *r, const bool *done, struct error *e)
{
    struct batch *b = r->batch;
    r->mine = calloc(b->plan.count + 1, sizeof *r->mine);
    if (!r->mine)
        return fail(e, ERROR_MEMORY, "%s: out of memory", b->plan_path);
    for (size_t room = 0; room < b->plan.count; room++)
        if (shard_has(&b->shard, room) && r->manifest.lines[room].state != ROOM_DONE && !(done && done[room]))
            r->mine[r->mine_count++] = room;
    return 0;
}

static int do_rooms(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    b->progress = (struct batch_progress){.count = r->elsewhere + r->manifest.done + r->mine_count,
                                          .before = r->elsewhere + r->manifest.done};
    r->start = clock_seconds();
    b->worker_count = choose_workers(r);
    if (!r->mine_count)
        return 0;
    const bool sharing = r->service.shared && b->devices;
    b->shares_devices = sharing && b->worker_count > b->devices;
    r->task.choice.cuda.beside = 0;
    const int status = workers_start(&r->workers, &r->task, b->worker_count, b->devices, sharing, e) || work(r, e);
    workers_end(&r->workers);
    return status ? -1 : 0;
}

/* ---- Manifests of shards ---- */

/* Takes over the lines of all shards. */
static int take_shards(struct manifest *m, const char *folder, struct error *e)
{
    char **names = NULL;
    size_t count = 0;
    int status = folder_list_shards(&names, &count, folder, e);
    for (size_t i = 0; i < count && !status; i++)
        status = manifest_merge(m, names[i], e);
    lines_free(names, count);
    return status;
}

/* Marks the rooms that a manifest has finished, if it exists. */
static int mark_done(bool *done, const struct batch *b, const char *name, struct error *e)
{
    struct manifest other = {.descriptor = -1};
    char *path = text_format("%s/%s.jsonl", b->folder, name);
    int status = path ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && !access(path, F_OK))
        status = manifest_open(&other, &b->plan, b->folder, name, MANIFEST_READ, e);
    for (size_t room = 0; other.lines && !status && room < b->plan.count; room++)
        done[room] |= other.lines[room].state == ROOM_DONE;
    manifest_close(&other);
    free(path);
    return status;
}

/* The manifest of a shard is its own, but other runs may have finished some of its rooms. */
static int open_shard(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    char *name = text_format(SHARD_FOLDER "/%s", b->shard.name), **names = NULL;
    bool *done = calloc(b->plan.count + 1, sizeof *done);
    size_t count = 0;
    int status = name && done ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = manifest_open(&r->manifest, &b->plan, b->folder, name, MANIFEST_VERIFY, e) ||
                 mark_done(done, b, "manifest", e) || folder_list_shards(&names, &count, b->folder, e);
    for (size_t i = 0; i < count && !status; i++)
        status = strcmp(names[i], name) ? mark_done(done, b, names[i], e) : 0;
    for (size_t room = 0; room < b->plan.count && !status; room++)
        r->elsewhere += done[room] && shard_has(&b->shard, room) && r->manifest.lines[room].state != ROOM_DONE;
    status = status || list_rooms(r, done, e) ? -1 : 0;
    lines_free(names, count);
    free(done);
    free(name);
    return status;
}

static int open_all(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    return manifest_open(&r->manifest, &b->plan, b->folder, "manifest", MANIFEST_VERIFY, e) ||
                   manifest_try_csv(&r->manifest, e) || take_shards(&r->manifest, b->folder, e) ||
                   list_rooms(r, NULL, e)
               ? -1
               : 0;
}

/* Until the remaining rooms are known. */
static int prepare(struct run *r, struct error *e)
{
    struct batch *b = r->batch;
    return plan_read(&b->plan, b->plan_path, e) || shard_check(&b->shard, b->plan.count, e) ||
                   plan_check_settings(&b->plan, b->settings, b->setting_count, e) || try_plan(r, e) ||
                   (is_shard(b) ? open_shard : open_all)(r, e)
               ? -1
               : 0;
}

/* The files that describe all rooms, and those that loaders take, which are of complete sets alone. */
static int finish(struct run *r, bool complete, struct error *e)
{
    struct batch *b = r->batch;
    const struct manifest *m = &r->manifest;
    if (manifest_finish(&r->manifest, e))
        return -1;
    if (!complete || !m->done) {
        loader_files_remove(m);
        return 0;
    }
    return loader_files_write(&b->card_kept, m, e);
}

static void close_run(struct run *r)
{
    device_service_stop(&r->service);
    manifest_close(&r->manifest);
    free(r->mine);
    if (r->lock >= 0)
        close(r->lock);
}

static struct room_task task_of(const struct batch *b)
{
    return (struct room_task){.plan = &b->plan,
                              .folder = b->folder,
                              .settings = b->settings,
                              .setting_count = b->setting_count,
                              .choice = b->choice};
}

int batch_run(struct batch *b, struct error *e)
{
    struct run r = {
        .batch = b, .lock = -1, .cores = (size_t)(b->choice.threads ? b->choice.threads : threads_limit(0))};
    r.task = task_of(b);
    int status = prepare(&r, e) || do_rooms(&r, e) ? -1 : 0;
    if (r.manifest.lines)
        tell_end(&r);
    if (!is_shard(b) && r.manifest.lines) {
        struct error late;
        const bool stopped = status && e->code == ERROR_STOPPED; /* does not wait for disks */
        if (!stopped && r.start > 0.0 && finish(&r, !status, status ? &late : e))
            status = -1;
        if (!status && b->summarize)
            status = summary_make(&b->summary, &r.manifest, e);
    }
    close_run(&r);
    return status;
}

/* The rooms without a result, as a list of numbers and ranges, of at most 200 characters. */
static char *list_missing(const struct manifest *m, size_t count)
{
    char text[256] = "";
    for (size_t room = 0, next; room < count; room = next) {
        next = room + 1;
        if (m->lines[room].state != ROOM_OPEN)
            continue;
        while (next < count && m->lines[next].state == ROOM_OPEN)
            next++;
        const size_t used = strlen(text);
        if (used > 180) {
            snprintf(text + used, sizeof text - used, ", ...");
            break;
        }
        if (next - 1 > room)
            snprintf(text + used, sizeof text - used, "%s%zu-%zu", used ? "," : "", room, next - 1);
        else
            snprintf(text + used, sizeof text - used, "%s%zu", used ? "," : "", room);
    }
    return *text ? text_copy(text) : NULL;
}

int batch_merge(struct batch *b, struct error *e)
{
    struct run r = {.batch = b, .lock = -1};
    int status = plan_read(&b->plan, b->plan_path, e) || folder_check(b->folder, &b->plan, e) ||
                         folder_lock(&r.lock, b->folder, "batch.lock", e) ||
                         manifest_open(&r.manifest, &b->plan, b->folder, "manifest", MANIFEST_WRITE, e) ||
                         take_shards(&r.manifest, b->folder, e)
                     ? -1
                     : 0;
    if (!status) {
        tell_end(&r);
        b->missing = list_missing(&r.manifest, b->plan.count);
        status = finish(&r, !b->missing && !r.manifest.failed, e);
        if (!status && b->summarize)
            status = summary_make(&b->summary, &r.manifest, e);
    }
    close_run(&r);
    return status;
}

int batch_list(struct batch *b, FILE *to, struct error *e)
{
    struct room_speed speed;
    struct room_task task = task_of(b);
    int status = plan_read(&b->plan, b->plan_path, e) || shard_check(&b->shard, b->plan.count, e) ||
                 plan_check_settings(&b->plan, b->settings, b->setting_count, e) ||
                 room_speed_measure(&speed, &task, e);
    for (size_t room = 0; room < b->plan.count && !status; room++) {
        char *line = NULL;
        if (!shard_has(&b->shard, room))
            continue;
        status = stop_check(e) || room_costs_line(&line, &task, &speed, room, e);
        if (!status)
            fprintf(to, "%s\n", line);
        free(line);
    }
    return status ? -1 : 0;
}
