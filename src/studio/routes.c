/* SPDX-License-Identifier: MIT */
#include "studio/routes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data_path.h"
#include "base/file.h"
#include "base/input_file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "studio/import.h"
#include "studio/page.h"
#include "studio/request.h"

enum { OK = 200, BAD = 400, MISSING = 404, CONFLICT = 409, BUSY = 503 };

/* The type of a file by its suffix. */
static const char *type_of(const char *name)
{
    static const char *const types[][2] = {{".html", "text/html"},        {".js", "text/javascript"},
                                           {".css", "text/css"},          {".svg", "image/svg+xml"},
                                           {".png", "image/png"},         {".wav", "audio/wav"},
                                           {".flac", "audio/flac"},       {".csv", "text/csv"},
                                           {".json", "application/json"}, {".sofa", "application/octet-stream"}};
    const char *suffix = strrchr(name, '.');
    for (size_t i = 0; suffix && i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i][0], suffix))
            return types[i][1];
    return "application/octet-stream";
}

static void answer_text(struct http_answer *a, int status, char *text)
{
    a->status = text ? status : BUSY;
    a->type = "application/json";
    a->text = text;
    a->fixed = text ? NULL : "{\"error\": {\"message\": \"out of memory\"}}";
    a->length = strlen(text ? text : a->fixed);
}

static void answer_json(struct http_answer *a, int status, cJSON *json)
{
    answer_text(a, status, json_line(json));
}

/* The key in "12: sources[0].position: must ..."; without one nothing is added. */
static void add_key(cJSON *error, const char *after_line)
{
    const size_t length = strcspn(after_line, ": \n");
    char key[256];
    if (!length || after_line[length] != ':' || length >= sizeof key)
        return;
    snprintf(key, sizeof key, "%.*s", (int)length, after_line);
    cJSON_AddStringToObject(error, "key", key);
}

/* "studio.cfg:12: sources[0].position: must ..." has a line and a key. */
static void add_place(cJSON *error, const char *message)
{
    for (const char *colon = strchr(message, ':'); colon; colon = strchr(colon + 1, ':')) {
        char *end;
        const long line = isdigit((unsigned char)colon[1]) ? strtol(colon + 1, &end, 10) : 0;
        if (line < 1 || end[0] != ':' || end[1] != ' ')
            continue;
        cJSON_AddNumberToObject(error, "line", (double)line);
        add_key(error, end + 2);
        return;
    }
}

static void answer_error(struct http_answer *a, int status, const struct error *e)
{
    cJSON *json = cJSON_CreateObject(), *error = cJSON_AddObjectToObject(json, "error");
    cJSON_AddStringToObject(error, "message", e->message);
    add_place(error, e->message);
    answer_json(a, status, json);
}

/* An answer that a function made, or its error. */
static void answer_made(struct http_answer *a, cJSON *json, const struct error *e)
{
    if (json)
        answer_json(a, OK, json);
    else
        answer_error(a, BAD, e);
}

static void answer_missing(struct http_answer *a)
{
    struct error e;
    fail(&e, ERROR_INPUT, "There is nothing at this address.");
    answer_error(a, MISSING, &e);
}

/* ---- Files ---- */

static void answer_page(struct http_answer *a, const char *name)
{
    for (const struct page_file *f = page_files; f->name; f++)
        if (!strcmp(f->name, name)) {
            a->status = OK;
            a->type = type_of(name);
            a->fixed = (const char *)f->bytes;
            a->length = f->length;
            return;
        }
    answer_missing(a);
}

static void answer_file(struct http_answer *a, const char *path)
{
    struct error e;
    const int file = path ? input_file_open(path, &e) : -1;
    if (file < 0) {
        answer_missing(a);
        return;
    }
    a->status = OK;
    a->type = type_of(path);
    a->file = file;
}

/* "12/response.wav": a number, and a name in the folder of that job. */
static void answer_job_file(const struct routes *r, struct http_answer *a, const char *path)
{
    const size_t digits = strspn(path, "0123456789");
    const char *name = path + digits + 1;
    char *full = NULL;
    if (digits && digits < 10 && path[digits] == '/' && *name && *name != '.' && !strchr(name, '/'))
        full = text_format("%s/%.*s/%s", session_folder(r->session), (int)digits, path, name);
    answer_file(a, full);
    a->whole_page = !strcmp(type_of(name), "text/html"); /* a report */
    free(full);
}

static void answer_sound(struct http_answer *a, const char *name)
{
    struct error e;
    char *place = NULL, *path = NULL;
    if (*name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(name))
        place = text_format("sounds/%s.flac", name);
    path = place ? data_path(place, &e) : NULL;
    answer_file(a, path);
    free(path);
    free(place);
}

/* ---- Requests that read ---- */

/* What a page shows of a material. */
static cJSON *shown_material(const cJSON *material)
{
    static const char *const members[][2] = {
        {"name", "name"},     {"description", "about"},     {"target", "absorption"},
        {"fitted", "fitted"}, {"scattering", "scattering"}, {"default_scattering", "usesDefault"},
        {"source", "source"}};
    cJSON *shown = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        cJSON *item = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(material, members[i][0]), true);
        if (item)
            cJSON_AddItemToObject(shown, members[i][1], item);
    }
    return shown;
}

static cJSON *shown_materials(cJSON *list)
{
    cJSON *shown = cJSON_CreateArray();
    const cJSON *material;
    cJSON_ArrayForEach(material, list) cJSON_AddItemToArray(shown, shown_material(material));
    cJSON_Delete(list);
    return shown;
}

static void answer_list(const struct routes *r, struct http_answer *a, const char *name)
{
    struct error e;
    char *text = session_list(r->session, name, &e);
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    cJSON *list = json ? cJSON_DetachItemFromObjectCaseSensitive(json, name) : NULL;
    cJSON_Delete(json);
    free(text);
    if (list && !strcmp(name, "materials"))
        list = shown_materials(list);
    answer_made(a, list, &e);
}

static void answer_full(struct http_answer *a)
{
    struct error e;
    fail(&e, ERROR_FAILED,
         "Five pages of this aula studio are open, and browsers have no connection for more. Close one, then "
         "reload this page.");
    answer_error(a, BUSY, &e);
}

static void answer_events(const struct routes *r, struct http_answer *a, const char *page)
{
    struct listener *listener = events_listen(r->events, page);
    if (!listener) {
        answer_full(a);
        return;
    }
    a->status = OK;
    a->type = "text/event-stream";
    a->source = events_read;
    a->source_end = events_leave;
    a->context = listener;
    jobs_tell(r->jobs, page);
}

static void answer_get(const struct routes *r, const char *path, struct http_answer *a)
{
    struct error e = {ERROR_NONE, ""};
    if (!*path)
        answer_page(a, "index.html");
    else if (!strcmp(path, "api/state") && events_full(r->events))
        answer_full(a);
    else if (!strcmp(path, "api/state"))
        answer_made(a, session_state(r->session, &e), &e);
    else if (!strncmp(path, "api/events/", 11))
        answer_events(r, a, path + 11);
    else if (!strncmp(path, "api/", 4))
        answer_list(r, a, path + 4);
    else if (!strncmp(path, "files/", 6))
        answer_job_file(r, a, path + 6);
    else if (!strncmp(path, "sounds/", 7))
        answer_sound(a, path + 7);
    else
        answer_page(a, path);
}

/* ---- Requests that change ---- */

static void post_room(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    struct error e;
    answer_made(a, session_room(r->session, request_text(request, "path"), request_text(request, "text"), &e), &e);
}

static void post_keep(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    struct error e;
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(request, "text");
    if (session_keep(r->session, request_text(request, "path"), request_text(request, "variant"),
                     cJSON_IsString(text) ? text->valuestring : NULL, &e))
        answer_error(a, BAD, &e);
    else
        answer_json(a, OK, cJSON_CreateObject());
}

/* The path that a user wrote, with ~/ for the home folder. Fresh; NULL without memory. */
static char *written_path(const cJSON *request)
{
    const char *path = request_text(request, "path"), *home = getenv("HOME");
    return !strncmp(path, "~/", 2) && home ? path_join(home, path + 2) : text_copy(path);
}

static void post_open(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    struct error e;
    char *path = written_path(request);
    answer_made(a, session_begin(r->session, path ? path : "", &e), &e);
    free(path);
}

static void post_save(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    struct error e;
    bool conflict;
    char *path = written_path(request);
    const cJSON *known = cJSON_GetObjectItemCaseSensitive(request, "known");
    const struct session_save save = {.path = path ? path : "",
                                      .text = request_text(request, "text"),
                                      .known = cJSON_IsString(known) ? known->valuestring : NULL,
                                      .page = request_text(request, "page"),
                                      .replace = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(request, "replace"))};
    cJSON *json = session_save(r->session, &save, &conflict, &e);
    free(path);
    if (conflict)
        answer_error(a, CONFLICT, &e);
    else
        answer_made(a, json, &e);
}

static void post_import(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    struct error e;
    (void)r;
    answer_made(
        a, import_json(request_text(request, "path"), request_text(request, "unit"), request_text(request, "up"), &e),
        &e);
}

static void post_job(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    struct error e;
    const unsigned number = jobs_add(r->jobs, request, &e);
    cJSON *json = number ? cJSON_CreateObject() : NULL;
    if (json)
        cJSON_AddNumberToObject(json, "id", number);
    answer_made(a, json, &e);
}

static void post_stop(const struct routes *r, const cJSON *request, struct http_answer *a)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(request, "id");
    if (cJSON_IsNumber(id) && id->valuedouble >= 1.0 && id->valuedouble < 1e9)
        jobs_stop(r->jobs, (unsigned)id->valuedouble);
    else if (!id)
        jobs_stop_page(r->jobs, request_text(request, "page"));
    answer_json(a, OK, cJSON_CreateObject());
}

static void answer_post(const struct routes *r, const struct http_request *q, struct http_answer *a)
{
    static const struct {
        const char *path;
        void (*post)(const struct routes *r, const cJSON *request, struct http_answer *a);
    } posts[] = {{"api/room", post_room},     {"api/open", post_open}, {"api/save", post_save}, {"api/keep", post_keep},
                 {"api/import", post_import}, {"api/job", post_job},   {"api/stop", post_stop}};
    struct error e;
    if (routes_is_upload(q->path)) {
        answer_made(a, session_upload(r->session, q->name ? q->name : "", q->file, &e), &e);
        return;
    }
    cJSON *request = cJSON_ParseWithLength(q->body, q->length);
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++)
        if (!strcmp(posts[i].path, q->path) && cJSON_IsObject(request)) {
            posts[i].post(r, request, a);
            cJSON_Delete(request);
            return;
        }
    cJSON_Delete(request);
    fail(&e, ERROR_INPUT, "The request is none that aula studio knows.");
    answer_error(a, BAD, &e);
}

bool routes_is_upload(const char *path)
{
    return !strcmp(path, "api/upload");
}

void routes_answer(void *context, const struct http_request *request, struct http_answer *answer)
{
    const struct routes *r = context;
    if (!strcmp(request->method, "GET"))
        answer_get(r, request->path, answer);
    else
        answer_post(r, request, answer);
}
