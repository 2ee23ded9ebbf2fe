/* SPDX-License-Identifier: MIT */
#include "studio/jobs.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "studio/folders.h"
#include "studio/job_kinds.h"
#include "studio/program.h"
#include "studio/request.h"

enum { LANES = 3, ENDED_KEPT = 40 };           /* one for long jobs, the others for short ones */
static const uint64_t files_most = 2000000000; /* bytes of all jobs; a response has about 5 million */
static const double alone_seconds =
    5.0; /* without its page until a job is stopped; a page that connects again is back by then */
static const double tell_every = 0.1; /* s between messages about progress */

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_STOPPED };
static const char *const state_names[] = {"queued", "running", "done", "failed", "stopped"};

struct job {
    struct job *next;
    unsigned number;
    char *kind, *page, *variant, *text; /* the room as text */
    char *folder, *room_folder;         /* of its files; of the room file */
    struct job_plan plan;
    enum job_state state;
    atomic_bool stop;
    double share, left, told; /* progress, NaN: not known; s; clock of the last message */
    double alone_since;       /* clock since its page is gone; 0: it is not */
    char phase[128];
    char *message, *result; /* of the user; JSON */
    size_t stages;
    cJSON *coarse; /* files of the last stage of preview, which are those of render under other names; NULL: none */
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t news;
    pthread_t lanes[LANES];
    size_t lane_count;
    const char *folder;
    struct events *events;
    struct job *first; /* in order */
    unsigned count;
    bool ends;
};

static void job_free(struct job *job)
{
    job_plan_free(&job->plan);
    free(job->kind);
    free(job->page);
    free(job->variant);
    free(job->text);
    free(job->folder);
    free(job->room_folder);
    free(job->message);
    free(job->result);
    cJSON_Delete(job->coarse);
    free(job);
}

static bool is_over(const struct job *job)
{
    return job->state >= JOB_DONE;
}

/* ---- Messages ---- */

static void add_number(cJSON *json, const char *name, double value)
{
    if (isnan(value))
        cJSON_AddNullToObject(json, name);
    else
        cJSON_AddNumberToObject(json, name, value);
}

/* Returns the entry. */
static cJSON *add_url(cJSON *list, const struct job *job, const char *name)
{
    char url[512];
    cJSON *item = cJSON_CreateObject();
    snprintf(url, sizeof url, "files/%u/%s", job->number, name);
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddStringToObject(item, "url", url);
    cJSON_AddItemToArray(list, item);
    return item;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_whole(const struct dirent *entry)
{
    return *entry->d_name != '.' && !strstr(entry->d_name, ".part-");
}

/* Takes the message over. */
static void send(const struct jobs *jobs, const struct job *job, cJSON *message)
{
    char *line = json_line(message);
    if (line)
        events_send(jobs->events, job->page, line);
    free(line);
}

/* Those of the folder of the job. */
static void add_files(cJSON *json, const struct job *job)
{
    cJSON *list = cJSON_AddArrayToObject(json, "files");
    struct dirent **entries = NULL;
    const int count = scandir(job->folder, &entries, is_whole, by_name);
    for (int i = 0; i < count; i++) {
        add_url(list, job, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static bool waits_for_other_page(const struct jobs *jobs, const struct job *job)
{
    const struct job *first = jobs->first;
    while (first && (first->state != JOB_RUNNING || !first->plan.is_long))
        first = first->next;
    return job->state == JOB_QUEUED && job->plan.is_long && first && strcmp(first->page, job->page) != 0;
}

static void tell(const struct jobs *jobs, struct job *job)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", "job");
    cJSON_AddNumberToObject(json, "id", job->number);
    cJSON_AddStringToObject(json, "kind", job->kind);
    cJSON_AddStringToObject(json, "variant", job->variant);
    cJSON_AddStringToObject(json, "state", state_names[job->state]);
    add_number(json, "progress", job->share);
    add_number(json, "left", job->left);
    cJSON_AddStringToObject(json, "phase",
                            waits_for_other_page(jobs, job) ? "after the work of another page" : job->phase);
    cJSON_AddStringToObject(json, "message", job->message ? job->message : "");
    if (job->plan.count)
        cJSON_AddStringToObject(json, "command", job->plan.commands[job->plan.count - 1].shown);
    if (job->result)
        cJSON_AddRawToObject(json, "result", job->result);
    else
        cJSON_AddNullToObject(json, "result");
    if (is_over(job))
        add_files(json, job);
    send(jobs, job, json);
    job->told = clock_seconds();
}

void jobs_tell(struct jobs *jobs, const char *page)
{
    pthread_mutex_lock(&jobs->lock);
    for (struct job *job = jobs->first; job; job = job->next)
        if (!strcmp(job->page, page))
            tell(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
}

/* A file of a response: its address, its receivers, and whether it is a field that a head may turn in. */
static void add_stage_file(cJSON *files, const struct job *job, const cJSON *file)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(file, "name");
    const cJSON *order = cJSON_GetObjectItemCaseSensitive(file, "order");
    if (!cJSON_IsString(name))
        return;
    cJSON *item = add_url(files, job, name->valuestring);
    cJSON *receivers = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(file, "receivers"), true);
    if (receivers)
        cJSON_AddItemToObject(item, "receivers", receivers);
    cJSON_AddBoolToObject(item, "field", order != NULL);
    cJSON_AddNumberToObject(item, "order", order ? order->valuedouble : 0.0);
}

/* A stage of preview becomes an event with the addresses of its files; `line` is its JSON. */
static void tell_stage(struct jobs *jobs, struct job *job, const char *line, bool last)
{
    cJSON *stage = cJSON_Parse(line), *json, *file;
    if (!stage)
        return;
    json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", "stage");
    cJSON_AddNumberToObject(json, "id", job->number);
    cJSON_AddStringToObject(json, "variant", job->variant);
    cJSON_AddNumberToObject(json, "stage", (double)++job->stages);
    cJSON_AddBoolToObject(json, "last", last);
    static const char *const members[][2] = {{"valid_to", "validTo"}, {"wave_solver_to", "wavesTo"}, {"gain", "gain"}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(stage, members[i][0]);
        if (cJSON_IsNumber(item))
            cJSON_AddNumberToObject(json, members[i][1], item->valuedouble);
        else
            cJSON_AddNullToObject(json, members[i][1]);
    }
    cJSON *files = cJSON_AddArrayToObject(json, "files");
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(stage, "files")) add_stage_file(files, job, file);
    cJSON_Delete(job->coarse);
    job->coarse = last ? NULL : cJSON_DetachItemFromObjectCaseSensitive(stage, "files");
    cJSON_Delete(stage);
    send(jobs, job, json);
}

/* ---- Work ---- */

struct work {
    struct jobs *jobs;
    struct job *job;
    const struct job_command *command;
};

static void hear_line(void *context, const char *line)
{
    struct work *w = context;
    if (!w->command->stages || *line != '{')
        return;
    pthread_mutex_lock(&w->jobs->lock);
    tell_stage(w->jobs, w->job, line, false);
    pthread_mutex_unlock(&w->jobs->lock);
}

static void hear_progress(void *context, double share, double left, const char *what)
{
    struct work *w = context;
    struct job *job = w->job;
    pthread_mutex_lock(&w->jobs->lock);
    job->share = share;
    job->left = left > 0.0 ? left : NAN;
    snprintf(job->phase, sizeof job->phase, "%s", isnan(share) ? what : "");
    if (clock_seconds() - job->told > tell_every)
        tell(w->jobs, job);
    pthread_mutex_unlock(&w->jobs->lock);
}

/* Without "aula: " before each line. */
static char *without_program(const char *notes)
{
    struct growing_text t = {0};
    while (*notes) {
        const size_t length = strcspn(notes, "\n");
        const size_t skipped = !strncmp(notes, "aula: ", 6) ? 6 : 0;
        growing_text_add(&t, "%s%.*s", t.length ? "\n" : "", (int)(length - skipped), notes + skipped);
        notes += length + (notes[length] == '\n');
    }
    return growing_text_take(&t, NULL);
}

static void replace(char **text, char *by)
{
    free(*text);
    *text = by;
}

/* The receivers of a file of aula render, as a stage names them. A receiver of several channels has
   its own file, and a field an order; the channels of the other file are receivers. */
static void add_receivers(cJSON *file, const cJSON *sidecar)
{
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(sidecar, "receiver");
    const cJSON *channels = cJSON_GetObjectItemCaseSensitive(sidecar, "receivers"), *channel;
    const cJSON *order = cJSON_GetObjectItemCaseSensitive(channels ? channels->child : NULL, "order");
    cJSON *receivers = cJSON_AddArrayToObject(file, "receivers");
    if (cJSON_IsNumber(order))
        cJSON_AddNumberToObject(file, "order", order->valuedouble);
    if (cJSON_IsString(own)) {
        cJSON_AddItemToArray(receivers, cJSON_CreateString(own->valuestring));
        return;
    }
    cJSON_ArrayForEach(channel, channels)
    {
        const cJSON *called = cJSON_GetObjectItemCaseSensitive(channel, "name");
        if (cJSON_IsString(called))
            cJSON_AddItemToArray(receivers, cJSON_CreateString(called->valuestring));
    }
}

/* One file of aula render, by the JSON beside it; `coarse` is the same of the stage before, or NULL. */
static void add_rendered(cJSON *files, const cJSON *sidecar, const cJSON *coarse)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(sidecar, "file");
    cJSON *file = coarse ? cJSON_Duplicate(coarse, true) : cJSON_CreateObject();
    if (coarse)
        cJSON_DeleteItemFromObjectCaseSensitive(file, "name");
    if (cJSON_IsString(name))
        cJSON_AddStringToObject(file, "name", path_name(name->valuestring));
    if (!coarse)
        add_receivers(file, sidecar);
    cJSON_AddItemToArray(files, file);
}

/* The JSON of aula render, of one file or a list of them, becomes a line as of a stage. */
static char *stage_of_render(const char *text, const cJSON *coarse)
{
    const cJSON *known = coarse ? coarse->child : NULL;
    cJSON *json = cJSON_Parse(text), *stage = cJSON_CreateObject(), *files = cJSON_AddArrayToObject(stage, "files");
    const cJSON *several = cJSON_GetObjectItemCaseSensitive(json, "files"), *high = NULL;
    for (const cJSON *one = several ? several->child : json; one; one = several ? one->next : NULL) {
        add_rendered(files, one, known);
        known = known ? known->next : NULL;
        high = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(one, "valid_band"), "high");
    }
    cJSON_AddNumberToObject(stage, "valid_to", cJSON_IsNumber(high) ? high->valuedouble : 0.0);
    cJSON_Delete(json);
    return json_line(stage);
}

static int run_command(struct work *w, struct error *e)
{
    struct job *job = w->job;
    const struct job_command *c = w->command;
    const struct program_watch watch = {hear_line, hear_progress, w, &job->stop};
    struct program_result r;
    const char *folder = c->inside ? job->folder : job->room_folder;
    int status = program_run(&r, (const char *const *)c->words, folder, c->takes_room ? job->text : NULL,
                             job->plan.seconds, &watch, e);
    pthread_mutex_lock(&w->jobs->lock);
    char *notes = r.notes ? without_program(r.notes) : NULL;
    if (!status && r.status)
        status = notes && *notes ? fail_lines(e, ERROR_FAILED, notes)
                                 : fail(e, ERROR_FAILED, "aula %s ended with status %d", c->words[0], r.status);
    if (!status && c->json && r.text) {
        replace(&job->result, text_copy(r.text));
        if (job->result)
            cJSON_Minify(job->result); /* an event is one line */
    }
    if (!status && notes && *notes && !c->stages)
        replace(&job->message, text_copy(notes));
    if (!status && c->last && r.text) {
        char *line = stage_of_render(r.text, job->coarse);
        if (line)
            tell_stage(w->jobs, job, line, true);
        free(line);
    }
    pthread_mutex_unlock(&w->jobs->lock);
    free(notes);
    program_result_free(&r);
    return status;
}

static void run_job(struct jobs *jobs, struct job *job)
{
    struct error e = {ERROR_NONE, ""};
    int status = 0;
    for (size_t i = 0; i < job->plan.count && !status; i++) {
        struct work w = {jobs, job, &job->plan.commands[i]};
        status = run_command(&w, &e);
    }
    pthread_mutex_lock(&jobs->lock);
    job->state = !status ? JOB_DONE : e.code == ERROR_STOPPED || atomic_load(&job->stop) ? JOB_STOPPED : JOB_FAILED;
    if (job->state == JOB_FAILED)
        replace(&job->message, text_copy(e.message));
    job->share = status ? NAN : 1.0;
    job->left = NAN;
    tell(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
}

/* The first that waits for this lane. */
static struct job *waiting(const struct jobs *jobs, bool is_long)
{
    struct job *job = jobs->first;
    while (job && (job->state != JOB_QUEUED || job->plan.is_long != is_long))
        job = job->next;
    return job;
}

/* Which lane a thread takes its jobs from. */
struct lane {
    struct jobs *jobs;
    bool is_long;
};

static void *run_lane(void *context)
{
    const struct lane lane = *(struct lane *)context;
    struct jobs *jobs = lane.jobs;
    free(context);
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        struct job *job = NULL;
        while (!jobs->ends && !(job = waiting(jobs, lane.is_long)))
            pthread_cond_wait(&jobs->news, &jobs->lock);
        if (jobs->ends)
            break;
        job->state = JOB_RUNNING;
        tell(jobs, job);
        pthread_mutex_unlock(&jobs->lock);
        run_job(jobs, job);
        pthread_mutex_lock(&jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

static int start_lanes(struct jobs *jobs, struct error *e)
{
    for (; jobs->lane_count < LANES; jobs->lane_count++) {
        struct lane *lane = malloc(sizeof *lane);
        if (!lane)
            return fail(e, ERROR_MEMORY, "out of memory");
        *lane = (struct lane){jobs, jobs->lane_count == 0};
        if (pthread_create(&jobs->lanes[jobs->lane_count], NULL, run_lane, lane)) {
            free(lane);
            return fail(e, ERROR_FAILED, "cannot start a thread");
        }
    }
    return 0;
}

int jobs_start(struct jobs **out, const char *folder, struct events *events, struct error *e)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    *out = jobs;
    if (!jobs)
        return fail(e, ERROR_MEMORY, "out of memory");
    jobs->folder = folder;
    jobs->events = events;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->news, NULL);
    return start_lanes(jobs, e);
}

void jobs_end(struct jobs *jobs)
{
    if (!jobs)
        return;
    pthread_mutex_lock(&jobs->lock);
    jobs->ends = true;
    for (struct job *job = jobs->first; job; job = job->next)
        atomic_store(&job->stop, true);
    pthread_cond_broadcast(&jobs->news);
    pthread_mutex_unlock(&jobs->lock);
    for (size_t i = 0; i < jobs->lane_count; i++)
        pthread_join(jobs->lanes[i], NULL);
    while (jobs->first) {
        struct job *next = jobs->first->next;
        job_free(jobs->first);
        jobs->first = next;
    }
    pthread_cond_destroy(&jobs->news);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

/* ---- Requests ---- */

/* jobs->lock is held. */
static void stop_job(struct jobs *jobs, struct job *job)
{
    atomic_store(&job->stop, true);
    if (job->state == JOB_QUEUED) {
        job->state = JOB_STOPPED;
        tell(jobs, job);
    }
}

/* What was asked for before the room changed is of no use any more. */
static void stop_earlier(struct jobs *jobs, const struct job *by)
{
    for (struct job *job = jobs->first; job; job = job->next)
        if (job != by && !is_over(job) && !strcmp(job->kind, by->kind) && !strcmp(job->page, by->page) &&
            !strcmp(job->variant, by->variant))
            stop_job(jobs, job);
}

static bool is_listed(const void *context, unsigned number)
{
    const struct job *job = ((const struct jobs *)context)->first;
    while (job && job->number != number)
        job = job->next;
    return job != NULL;
}

/* Forgets the oldest that have ended. Their files, which a page may still play, stay as long as there is space. */
static void forget(struct jobs *jobs)
{
    size_t ended = 0;
    for (const struct job *job = jobs->first; job; job = job->next)
        ended += is_over(job);
    for (struct job **at = &jobs->first; *at && ended > ENDED_KEPT;) {
        struct job *job = *at;
        if (!is_over(job)) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        job_free(job);
        ended--;
    }
    folders_limit(jobs->folder, files_most, is_listed, jobs);
}

static void append(struct jobs *jobs, struct job *job)
{
    struct job **at = &jobs->first;
    while (*at)
        at = &(*at)->next;
    *at = job;
}

static int make_job(struct job *job, const struct jobs *jobs, const cJSON *request, struct error *e)
{
    const char *path = request_text(request, "path");
    job->kind = text_copy(request_text(request, "kind"));
    job->page = text_copy(request_text(request, "page"));
    job->variant = text_copy(request_text(request, "variant"));
    job->text = text_copy(request_text(request, "text"));
    job->folder = text_format("%s/%u", jobs->folder, job->number);
    job->room_folder = *path ? path_folder(path) : text_copy(".");
    job->share = job->left = NAN;
    if (!job->kind || !job->page || !job->variant || !job->text || !job->folder || !job->room_folder)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (access(job->room_folder, X_OK))
        return fail(e, ERROR_INPUT, "%s: the folder of the room file: %s; save the room in another folder",
                    job->room_folder, strerror(errno));
    if (mkdir(job->folder, 0700))
        return fail(e, ERROR_OUTPUT, "%s: cannot make the folder: %s", job->folder, strerror(errno));
    return job_plan_make(&job->plan, request, jobs->folder, job->folder, *path ? path_name(path) : "ROOM.cfg", e);
}

unsigned jobs_add(struct jobs *jobs, const cJSON *request, struct error *e)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        fail(e, ERROR_MEMORY, "out of memory");
        return 0;
    }
    pthread_mutex_lock(&jobs->lock);
    job->number = ++jobs->count;
    const int status = make_job(job, jobs, request, e);
    const unsigned number = status ? 0 : job->number;
    if (status) {
        job_free(job);
    } else {
        if (job->plan.is_long || !strcmp(job->kind, "info") || !strcmp(job->kind, "reflections"))
            stop_earlier(jobs, job);
        forget(jobs);
        append(jobs, job);
        tell(jobs, job);
        pthread_cond_broadcast(&jobs->news);
    }
    pthread_mutex_unlock(&jobs->lock);
    return number;
}

void jobs_stop(struct jobs *jobs, unsigned number)
{
    pthread_mutex_lock(&jobs->lock);
    for (struct job *job = jobs->first; job; job = job->next)
        if (job->number == number && !is_over(job))
            stop_job(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
}

void jobs_stop_page(struct jobs *jobs, const char *page)
{
    pthread_mutex_lock(&jobs->lock);
    for (struct job *job = jobs->first; job; job = job->next)
        if (!is_over(job) && (!page || !strcmp(job->page, page)))
            stop_job(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
}

void jobs_look(struct jobs *jobs)
{
    const double now = clock_seconds();
    pthread_mutex_lock(&jobs->lock);
    for (struct job *job = jobs->first; job; job = job->next) {
        if (is_over(job) || events_hears(jobs->events, job->page))
            job->alone_since = 0.0;
        else if (job->alone_since == 0.0)
            job->alone_since = now;
        else if (now - job->alone_since > alone_seconds)
            stop_job(jobs, job);
    }
    pthread_mutex_unlock(&jobs->lock);
}
