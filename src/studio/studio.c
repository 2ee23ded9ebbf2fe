/* SPDX-License-Identifier: MIT */
#include "studio/studio.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"
#include "studio/routes.h"

enum { BODY_MAX = 16 << 20, UPLOAD_MAX = 512 << 20, LOOK_MICROSECONDS = 50000 };
static const double look_seconds = 0.5;  /* between looks for changed files */
static const double alone_seconds = 5.0; /* without a page until the end; a page that is loaded again is back by then */

static int make_token(char token[HTTP_TOKEN], struct error *e)
{
    unsigned char bytes[(HTTP_TOKEN - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail(e, ERROR_FAILED, "this system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

/* Starts the user's browser and does not wait for it; without one the address is printed all the same. */
static void start_browser(const char *page)
{
    const pid_t id = fork();
    if (id)
        return;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3 && nothing >= 0; i++)
        dup2(nothing, i);
    setsid();
    execlp("xdg-open", "xdg-open", page, (char *)NULL);
    _exit(127);
}

/* The browser gets the address from a page that only this user can read: every user sees the words of a command line. */
static int open_browser(const char *address, const char *folder, struct error *e)
{
    char *path = text_format("%s/open.html", folder);
    const int page = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    const int status = page >= 0 && dprintf(page,
                                            "<!DOCTYPE html><meta charset=\"utf-8\"><title>aula studio</title>\n"
                                            "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n"
                                            "<p><a href=\"%s\">Open aula studio</a></p>\n",
                                            address, address) > 0
                           ? 0
                           : fail(e, ERROR_OUTPUT, "%s: cannot write: %s", path ? path : folder, strerror(errno));
    if (page >= 0)
        close(page);
    if (!status)
        start_browser(path);
    free(path);
    return status;
}

/* Until the last page is closed, or a stop is requested. */
static void serve(const struct studio_settings *settings, const struct routes *routes)
{
    double next = clock_seconds() + look_seconds;
    while (!stop_requested() && (settings->stays || events_alone(routes->events) < alone_seconds)) {
        usleep(LOOK_MICROSECONDS);
        if (clock_seconds() < next)
            continue;
        session_look(routes->session);
        jobs_look(routes->jobs);
        next = clock_seconds() + look_seconds;
    }
}

static int serve_on(const struct studio_settings *settings, struct routes *routes, const char *token,
                    void (*ready)(void *context, const char *address), void *context, struct error *e)
{
    const struct http_settings http = {.port = settings->port,
                                       .token = token,
                                       .body_max = BODY_MAX,
                                       .upload_max = UPLOAD_MAX,
                                       .is_upload = routes_is_upload,
                                       .handler = routes_answer,
                                       .context = routes};
    struct http *server;
    if (http_start(&server, &http, e))
        return -1;
    int status = 0;
    char *address = text_format("http://127.0.0.1:%d/%s/", http_port(server), token);
    if (address) {
        ready(context, address);
        status = settings->browser ? open_browser(address, session_folder(routes->session), e) : 0;
        if (!status)
            serve(settings, routes);
    }
    events_end(routes->events);
    jobs_stop_page(routes->jobs, NULL);
    http_stop(server);
    free(address);
    return address ? status : fail(e, ERROR_MEMORY, "out of memory");
}

/* The room is read once, so that a mistake ends the program with its message and not a page. */
static int check_room(struct session *session, const char *room, struct error *e)
{
    struct cJSON *json = room ? session_begin(session, room, e) : NULL;
    session_answer_free(json);
    return room && !json ? -1 : 0;
}

int studio_run(const struct studio_settings *settings, void (*ready)(void *context, const char *address), void *context,
               struct error *e)
{
    struct routes routes = {.events = NULL};
    char token[HTTP_TOKEN];
    if (http_unavailable())
        return fail(e, ERROR_ENGINE, "aula studio: %s", http_unavailable());
    signal(SIGCHLD, SIG_DFL); /* where the parent ignored it, nothing could wait for a child */
    routes.events = events_make();
    int status = routes.events ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || make_token(token, e) || session_open(&routes.session, settings->room, routes.events, e) ||
             check_room(routes.session, settings->room, e) ||
             jobs_start(&routes.jobs, session_folder(routes.session), routes.events, e) ||
             serve_on(settings, &routes, token, ready, context, e);
    jobs_end(routes.jobs);
    session_close(routes.session);
    events_free(routes.events);
    return status ? -1 : 0;
}
