/* SPDX-License-Identifier: MIT */
#include "studio/job_kinds.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"
#include "studio/folders.h"

static const double long_seconds = 6.0 * 3600.0, short_seconds = 300.0;

/* A request with the names that its command lines need. */
struct asked {
    const cJSON *request;
    const char *root, *folder, *room;
    struct job_plan *plan;
    struct error *e;
    bool failed; /* *e has the first failure */
};

static void refuse(struct asked *a, enum error_code code, const char *message, const char *member)
{
    if (!a->failed)
        fail(a->e, code, "%s: %s", member, message);
    a->failed = true;
}

/* ---- Members of the request ---- */

static const char *text_of(struct asked *a, const char *member, const char *otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(a->request, member);
    if (!item || cJSON_IsNull(item)) {
        if (!otherwise)
            refuse(a, ERROR_INPUT, "is missing", member);
        return otherwise ? otherwise : "";
    }
    if (!cJSON_IsString(item) || strlen(item->valuestring) > 4096) {
        refuse(a, ERROR_INPUT, "must be a text", member);
        return "";
    }
    return item->valuestring;
}

static double number_of(struct asked *a, const char *member, double least, double most, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(a->request, member);
    if (!item || cJSON_IsNull(item))
        return otherwise;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= least && item->valuedouble <= most)) {
        refuse(a, ERROR_INPUT, "must be a number in its range", member);
        return otherwise;
    }
    return item->valuedouble;
}

/* The path of "files/12/name.wav"; names have no '/' and no leading '.'. Fresh. */
static char *file_of(struct asked *a, const cJSON *item, const char *member)
{
    const char *url = cJSON_IsString(item) ? item->valuestring : "";
    unsigned number;
    int at = 0;
    struct stat status;
    char *path = NULL;
    if (sscanf(url, "files/%u/%n", &number, &at) == 1 && at && url[at] && url[at] != '.' && !strchr(url + at, '/'))
        path = text_format("%s/%u/%s", a->root, number, url + at);
    if (path && !stat(path, &status) && S_ISREG(status.st_mode)) {
        char *folder = path_folder(path);
        if (folder)
            folder_use(folder);
        free(folder);
        return path;
    }
    free(path);
    refuse(a, ERROR_INPUT, "is no file of a job, or was removed for newer ones: play again", member);
    return NULL;
}

/* ---- Command lines ---- */

static struct job_command *command(struct asked *a, const char *name)
{
    struct job_plan *p = a->plan;
    if (p->count == JOB_COMMANDS) {
        refuse(a, ERROR_INPUT, "asks for too many command lines", "kind");
        return &p->commands[JOB_COMMANDS - 1];
    }
    struct job_command *c = &p->commands[p->count++];
    c->words[0] = text_copy(name);
    if (!c->words[0])
        refuse(a, ERROR_MEMORY, "out of memory", name);
    return c;
}

/* Takes the fresh word over; NULL: out of memory. */
static void word_taken(struct asked *a, struct job_command *c, char *word)
{
    size_t count = 0;
    while (count < JOB_WORDS && c->words[count])
        count++;
    if (!word || count == JOB_WORDS) {
        free(word);
        refuse(a, word ? ERROR_INPUT : ERROR_MEMORY, word ? "too many words" : "out of memory", "request");
        return;
    }
    c->words[count] = word;
}

static void word(struct asked *a, struct job_command *c, const char *text)
{
    word_taken(a, c, text_copy(text));
}

static void words(struct asked *a, struct job_command *c, const char *option, const char *value)
{
    word(a, c, option);
    word(a, c, value);
}

static void option_number(struct asked *a, struct job_command *c, const char *option, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    words(a, c, option, text);
}

static void output(struct asked *a, struct job_command *c, const char *option, const char *name)
{
    word(a, c, option);
    word_taken(a, c, text_format("%s/%s", a->folder, name));
}

static struct job_command *room_command(struct asked *a, const char *name)
{
    struct job_command *c = command(a, name);
    c->takes_room = true;
    word(a, c, "-");
    return c;
}

/* Those of the request's member "files". */
static void add_files(struct asked *a, struct job_command *c)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(a->request, "files"), *file;
    if (!cJSON_IsArray(files) || !cJSON_GetArraySize(files))
        refuse(a, ERROR_INPUT, "must list files of jobs", "files");
    cJSON_ArrayForEach(file, files)
    {
        char *path = file_of(a, file, "files");
        if (path)
            word_taken(a, c, path);
    }
}

/* Links a file and the JSON beside it into the folder of the job, as NAME.wav. */
static void link_pair(struct asked *a, const char *from, const char *name)
{
    char *target = text_format("%s/%s.wav", a->folder, name), *json = text_format("%s/%s.json", a->folder, name);
    char *beside = path_with_suffix(from, ".json");
    if (!target || !json || !beside)
        refuse(a, ERROR_MEMORY, "out of memory", "names");
    else if (link(from, target) || (link(beside, json) && errno != ENOENT))
        refuse(a, ERROR_OUTPUT, strerror(errno), "names");
    free(target);
    free(json);
    free(beside);
}

/* Of letters that are plain in names of files. */
static bool is_name(const cJSON *item)
{
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    return *text && strlen(text) < 40 &&
           strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

/* Those of "files" under the names of "names", by which the command then calls them; without names as they are. */
static void add_named_files(struct asked *a, struct job_command *c)
{
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(a->request, "names");
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(a->request, "files");
    if (!names || cJSON_IsNull(names)) {
        add_files(a, c);
        return;
    }
    if (!cJSON_IsArray(names) || !cJSON_IsArray(files) || !cJSON_GetArraySize(files) ||
        cJSON_GetArraySize(names) != cJSON_GetArraySize(files)) {
        refuse(a, ERROR_INPUT, "must be one for each of the files", "names");
        return;
    }
    c->inside = true;
    for (int i = 0; i < cJSON_GetArraySize(names) && !a->failed; i++) {
        const cJSON *name = cJSON_GetArrayItem(names, i);
        char *path = file_of(a, cJSON_GetArrayItem(files, i), "files");
        if (!is_name(name))
            refuse(a, ERROR_INPUT, "must be of letters and digits", "names");
        if (path && !a->failed) {
            link_pair(a, path, name->valuestring);
            word_taken(a, c, text_format("%s.wav", name->valuestring));
        }
        free(path);
    }
}

static void optional(struct asked *a, struct job_command *c, const char *option, const char *member)
{
    const char *value = text_of(a, member, "");
    if (*value == '-')
        refuse(a, ERROR_INPUT, "may not begin with -", member);
    else if (*value)
        words(a, c, option, value);
}

/* ---- Kinds ---- */

/* A source that plays something else is heard as an impulse. */
static void as_impulse(struct asked *a, struct job_command *c)
{
    const double index = number_of(a, "impulse", 0.0, 1e6, NAN);
    if (isnan(index))
        return;
    word(a, c, "--set");
    word_taken(a, c, text_format("sources[%.0f].signal=\"impulse\"", index));
}

static void plan_listen(struct asked *a)
{
    struct job_command *coarse = room_command(a, "preview"), *fine;
    coarse->stages = true;
    words(a, coarse, "--stages", a->folder);
    optional(a, coarse, "--source", "source");
    fine = room_command(a, "render");
    fine->last = fine->json = true;
    word(a, fine, "--json");
    output(a, fine, "-o", "response.wav");
    words(a, fine, "--set", "output.normalise=\"none\"");
    words(a, fine, "--set", "output.format=\"float\"");
    as_impulse(a, fine);
    optional(a, fine, "--source", "source");
}

static void plan_info(struct asked *a)
{
    struct job_command *c = room_command(a, "info");
    c->json = true;
    word(a, c, "--json");
}

static void plan_reflections(struct asked *a)
{
    struct job_command *c = room_command(a, "info");
    c->json = true;
    word(a, c, "--reflections");
    word(a, c, "--json");
    optional(a, c, "--source", "source");
    optional(a, c, "--receiver", "receiver");
}

static void plan_metrics(struct asked *a)
{
    struct job_command *c = command(a, "metrics");
    c->json = true;
    word(a, c, "--json");
    optional(a, c, "--target", "target");
    add_files(a, c);
}

static void plan_compare(struct asked *a)
{
    struct job_command *c = command(a, "compare");
    c->json = true;
    word(a, c, "--json");
    optional(a, c, "--receiver", "receiver");
    add_named_files(a, c);
}

static void plan_map(struct asked *a)
{
    struct job_command *c = room_command(a, "map");
    const double spacing = number_of(a, "spacing", 0.05, 20.0, NAN);
    output(a, c, "--csv", "map.csv");
    output(a, c, "-o", "map.png");
    optional(a, c, "--source", "source");
    optional(a, c, "--parameters", "parameters");
    optional(a, c, "--plane", "plane");
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(a->request, "rays"))) { /* to 8 kHz, which STI needs */
        words(a, c, "--set", "hybrid.full=true");
        words(a, c, "--set", "hybrid.rays=10000");
    }
    if (!isnan(spacing))
        option_number(a, c, "--spacing", spacing);
}

static void plan_modes(struct asked *a)
{
    struct job_command *c = room_command(a, "modes");
    c->json = true;
    word(a, c, "--json");
    option_number(a, c, "--to", number_of(a, "to", 20.0, 1000.0, 120.0));
    words(a, c, "--plot", a->folder);
    optional(a, c, "--plane", "plane");
}

static void plan_report(struct asked *a)
{
    struct job_command *c = command(a, "report");
    output(a, c, "-o", "report.html");
    static const char *const members[] = {"title", "client", "author", "note", "target", "listen"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char option[16];
        snprintf(option, sizeof option, "--%s", members[i]);
        optional(a, c, option, members[i]);
    }
    add_named_files(a, c);
}

/* A command line for each angle of the head. */
static void plan_binaural(struct asked *a)
{
    const cJSON *yaws = cJSON_GetObjectItemCaseSensitive(a->request, "yaws"), *yaw;
    const char *hrtf = text_of(a, "hrtf", NULL);
    char *field = file_of(a, cJSON_GetObjectItemCaseSensitive(a->request, "file"), "file");
    size_t index = 0;
    if (!cJSON_IsArray(yaws))
        refuse(a, ERROR_INPUT, "must list angles in degrees", "yaws");
    cJSON_ArrayForEach(yaw, yaws)
    {
        struct job_command *c = command(a, "binaural");
        char name[40];
        if (!cJSON_IsNumber(yaw) || !field || a->failed)
            break;
        word(a, c, field);
        words(a, c, "--hrtf", hrtf);
        option_number(a, c, "--yaw", yaw->valuedouble);
        snprintf(name, sizeof name, "ears_%zu.wav", index++);
        output(a, c, "-o", name);
    }
    free(field);
}

static void plan_material(struct asked *a)
{
    const char *name = text_of(a, "name", NULL);
    struct job_command *c = command(a, "material");
    c->json = true;
    if (*name == '-')
        refuse(a, ERROR_INPUT, "may not begin with -", "name");
    word(a, c, name);
    word(a, c, "--json");
}

static void plan_sofa(struct asked *a)
{
    struct job_command *c = room_command(a, "render");
    word(a, c, "--sofa");
    output(a, c, "-o", "response.wav");
}

static const struct kind {
    const char *name;
    bool is_long;
    void (*plan)(struct asked *a);
} kinds[] = {
    {"listen", true, plan_listen},
    {"map", true, plan_map},
    {"modes", true, plan_modes},
    {"sofa", true, plan_sofa},
    {"info", false, plan_info},
    {"metrics", false, plan_metrics},
    {"compare", false, plan_compare},
    {"report", false, plan_report},
    {"binaural", false, plan_binaural},
    {"material", false, plan_material},
    {"reflections", false, plan_reflections},
};

/* ---- As the user would write them ---- */

static bool is_plain(const char *word)
{
    for (; *word; word++)
        if (!isalnum((unsigned char)*word) && !strchr("_-+=./,:%@", *word))
            return false;
    return true;
}

static void show_word(struct growing_text *t, const char *word)
{
    if (is_plain(word) && *word) {
        growing_text_add(t, " %s", word);
        return;
    }
    growing_text_add(t, " '");
    for (; *word; word++)
        growing_text_add(t, *word == '\'' ? "'\\''" : "%c", *word);
    growing_text_add(t, "'");
}

/* Without the folders of jobs, and with the name of the room in place of standard input. */
static void show(struct asked *a, struct job_command *c)
{
    struct growing_text t = {0};
    growing_text_add(&t, "aula");
    for (size_t i = 0; c->words[i]; i++) {
        const char *own = c->words[i], *name = strrchr(own, '/');
        const bool inside = !strncmp(own, a->root, strlen(a->root));
        show_word(&t, i == 1 && c->takes_room ? a->room : inside && name ? name + 1 : own);
    }
    c->shown = growing_text_take(&t, NULL);
    if (!c->shown)
        refuse(a, ERROR_MEMORY, "out of memory", "request");
}

int job_plan_make(struct job_plan *plan, const cJSON *request, const char *root, const char *folder, const char *room,
                  struct error *e)
{
    struct asked a = {.request = request, .root = root, .folder = folder, .room = room, .plan = plan, .e = e};
    memset(plan, 0, sizeof *plan);
    const char *name = text_of(&a, "kind", NULL);
    const struct kind *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            kind = &kinds[i];
    if (!kind) {
        refuse(&a, ERROR_INPUT, "is no kind of job", "kind");
        return -1;
    }
    plan->is_long = kind->is_long;
    plan->seconds = kind->is_long ? long_seconds : short_seconds;
    kind->plan(&a);
    for (size_t i = 0; i < plan->count && !a.failed; i++)
        show(&a, &plan->commands[i]);
    return a.failed ? -1 : 0;
}

void job_plan_free(struct job_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t k = 0; plan->commands[i].words[k]; k++)
            free(plan->commands[i].words[k]);
        free(plan->commands[i].shown);
    }
    memset(plan, 0, sizeof *plan);
}
