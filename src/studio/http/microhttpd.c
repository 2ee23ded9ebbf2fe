/* SPDX-License-Identifier: MIT */
/* libmicrohttpd, with a thread for each connection: an answer without end may wait in its own. */
#include "studio/http/http.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum {
    CONNECTIONS = 64,
    DISCARDED = 1 << 20,
    IDLE_SECONDS = 15,
    HEADER_BYTES = 32 * 1024,
    EVENT_BYTES = 16 * 1024,
    ADDRESSES = 2
};

static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                             "connect-src 'self'; media-src 'self' blob:; worker-src 'self'; frame-src 'self'; "
                             "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/* For reports, which are whole pages of aula with scripts of known digests in a policy of their own. */
static const char page_policy[] = "frame-ancestors 'self'";

struct http {
    struct http_settings settings;
    struct MHD_Daemon *daemons[ADDRESSES]; /* of 127.0.0.1 and ::1; NULL: not served */
    int port;
};

/* One request while its body arrives. */
struct arrival {
    char *body;
    size_t length, room;
    int file;         /* -1: the body is in memory */
    unsigned refused; /* status, 0: not */
    const char *why;
};

const char *http_unavailable(void)
{
    return NULL;
}

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                                     const char *type, bool whole_page)
{
    if (!response)
        return MHD_NO;
    static const char *const headers[][2] = {{"X-Content-Type-Options", "nosniff"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"Cache-Control", "no-store"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"},
                                             {"Cross-Origin-Opener-Policy", "same-origin"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Security-Policy", whole_page ? page_policy : policy);
    MHD_add_response_header(response, "Content-Type", type);
    const enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *why)
{
    char text[512];
    const int length = snprintf(text, sizeof text, "{\"error\": {\"message\": \"%s\"}}\n", why);
    return send_response(connection, status,
                         MHD_create_response_from_buffer((size_t)length, text, MHD_RESPMEM_MUST_COPY),
                         "application/json", false);
}

/* "127.0.0.1:8570", "localhost:8570" or "[::1]:8570" */
static bool is_own_host(const struct http *h, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char own[64];
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s:%d", names[i], h->port);
        if (!strcmp(host, own))
            return true;
    }
    return false;
}

static bool is_own_origin(const struct http *h, const char *origin)
{
    return origin && !strncmp(origin, "http://", 7) && is_own_host(h, origin + 7);
}

/* Takes as long for a wrong token as for the right one. The path after it; NULL: wrong. */
static const char *after_token(const struct http *h, const char *url)
{
    const size_t length = strlen(h->settings.token);
    unsigned differs = *url != '/';
    for (size_t i = 0; i < length; i++) {
        const char c = differs && !url[0] ? 0 : url[0] && strlen(url) > i + 1 ? url[i + 1] : 0;
        differs |= (unsigned)(c ^ h->settings.token[i]);
    }
    return !differs && url[length + 1] == '/' ? url + length + 2 : NULL;
}

/* Why a request is refused before its body is read; 0: it is not. */
static unsigned fault(const struct http *h, struct MHD_Connection *c, const char *url, const char *method,
                      const char **why)
{
    const bool posts = !strcmp(method, "POST");
    const char *origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin");
    *why = "This address is not one of aula studio's.";
    if (!is_own_host(h, MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host")))
        return MHD_HTTP_MISDIRECTED_REQUEST;
    if (!after_token(h, url))
        return MHD_HTTP_NOT_FOUND;
    *why = "Only GET and POST are answered.";
    if (!posts && strcmp(method, "GET") != 0)
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    *why = "The request comes from another origin.";
    return (posts || origin) && !is_own_origin(h, origin) ? MHD_HTTP_FORBIDDEN : 0;
}

static struct arrival *new_arrival(const struct http *h, struct MHD_Connection *c, const char *url, const char *method)
{
    struct arrival *a = calloc(1, sizeof *a);
    struct error e;
    if (!a)
        return NULL;
    a->file = -1;
    a->refused = fault(h, c, url, method, &a->why);
    if (!a->refused && !strcmp(method, "POST") && h->settings.is_upload(after_token(h, url)) &&
        (a->file = anonymous_file(&e)) < 0) {
        a->refused = MHD_HTTP_INSUFFICIENT_STORAGE;
        a->why = "There is no room for a temporary file; see TMPDIR.";
    }
    return a;
}

static void refuse_size(struct arrival *a)
{
    a->refused = MHD_HTTP_CONTENT_TOO_LARGE;
    a->why = "The request is too large.";
}

static void keep(const struct http *h, struct arrival *a, const char *data, size_t size)
{
    const size_t most = a->file >= 0 ? h->settings.upload_max : h->settings.body_max;
    if (a->refused) { /* read for the sake of the answer after it */
        a->length += size;
        return;
    }
    if (size > most - a->length) {
        refuse_size(a);
        return;
    }
    if (a->file < 0 && a->length + size + 1 > a->room) {
        const size_t room = 2 * (a->length + size + 1);
        char *larger = realloc(a->body, room);
        if (!larger) {
            refuse_size(a);
            return;
        }
        a->body = larger;
        a->room = room;
    }
    if (a->file < 0)
        memcpy(a->body + a->length, data, size);
    else
        for (size_t done = 0; done < size;) {
            const ssize_t wrote = write(a->file, data + done, size - done);
            if (wrote <= 0) {
                refuse_size(a);
                return;
            }
            done += (size_t)wrote;
        }
    a->length += size;
    if (a->file < 0)
        a->body[a->length] = '\0';
}

static struct MHD_Response *respond(const struct http_answer *answer)
{
    struct stat status;
    if (answer->text)
        return MHD_create_response_from_buffer(answer->length, answer->text, MHD_RESPMEM_MUST_FREE);
    if (answer->fixed) /* libmicrohttpd does not change it */
        return MHD_create_response_from_buffer(answer->length, (void *)(size_t)answer->fixed, MHD_RESPMEM_PERSISTENT);
    if (answer->file >= 0 && !fstat(answer->file, &status))
        return MHD_create_response_from_fd64((uint64_t)status.st_size, answer->file);
    return NULL;
}

struct endless {
    http_source *source;
    void (*end)(void *context);
    void *context;
};

static ssize_t read_endless(void *context, uint64_t position, char *buffer, size_t room)
{
    const struct endless *s = context;
    (void)position;
    const ssize_t got = s->source(s->context, buffer, room);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void end_endless(void *context)
{
    struct endless *s = context;
    s->end(s->context);
    free(s);
}

static struct MHD_Response *respond_endless(const struct http_answer *answer)
{
    struct endless *s = malloc(sizeof *s);
    if (!s) {
        answer->source_end(answer->context);
        return NULL;
    }
    *s = (struct endless){answer->source, answer->source_end, answer->context};
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BYTES, read_endless, s, end_endless);
    if (!r)
        end_endless(s);
    return r;
}

static enum MHD_Result handle(struct http *h, struct MHD_Connection *c, const char *path, const char *method,
                              const struct arrival *a)
{
    struct http_answer answer = {.file = -1};
    const struct http_request request = {.method = method,
                                         .path = path,
                                         .name = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "name"),
                                         .body = a->file >= 0 ? NULL
                                                 : a->body    ? a->body
                                                              : "",
                                         .length = a->length,
                                         .file = a->file};
    if (a->file >= 0)
        lseek(a->file, 0, SEEK_SET);
    h->settings.handler(h->settings.context, &request, &answer);
    const bool endless = !answer.text && !answer.fixed && answer.file < 0 && answer.source;
    struct MHD_Response *response = endless ? respond_endless(&answer) : respond(&answer);
    if (!response)
        return refuse(c, MHD_HTTP_NOT_FOUND, "There is nothing at this address.");
    return send_response(c, (unsigned)answer.status, response, answer.type, answer.whole_page);
}

static enum MHD_Result arrive(void *context, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **own)
{
    struct http *h = context;
    struct arrival *a = *own;
    (void)version;
    if (!a) {
        *own = a = new_arrival(h, c, url, method);
        return a ? MHD_YES : MHD_NO;
    }
    if (*size) {
        keep(h, a, data, *size);
        *size = 0;
        return a->refused && a->length > DISCARDED ? MHD_NO
                                                   : MHD_YES; /* ends the connection rather than read the rest */
    }
    if (a->refused)
        return refuse(c, a->refused, a->why);
    return handle(h, c, after_token(h, url), method, a);
}

static void completed(void *context, struct MHD_Connection *c, void **own, enum MHD_RequestTerminationCode code)
{
    struct arrival *a = *own;
    (void)context, (void)c, (void)code;
    if (!a)
        return;
    if (a->file >= 0)
        close(a->file);
    free(a->body);
    free(a);
    *own = NULL;
}

static struct MHD_Daemon *serve(struct http *h, unsigned flags, const struct sockaddr *address)
{
    return MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | flags,
                            (uint16_t)h->port, NULL, NULL, arrive, h, MHD_OPTION_SOCK_ADDR, address,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES, MHD_OPTION_END);
}

static int start(struct http *h, struct error *e)
{
    const struct sockaddr_in four = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)h->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    h->daemons[0] = serve(h, 0, (const struct sockaddr *)&four);
    if (!h->daemons[0] && h->port)
        return fail(e, ERROR_FAILED,
                    "port %d of 127.0.0.1 cannot be used; another program may listen there: choose "
                    "another with --port, or none for a free one",
                    h->port);
    if (!h->daemons[0])
        return fail(e, ERROR_FAILED, "cannot listen on 127.0.0.1");
    h->port = MHD_get_daemon_info(h->daemons[0], MHD_DAEMON_INFO_BIND_PORT)->port;
    const struct sockaddr_in6 six = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)h->port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    h->daemons[1] = serve(h, MHD_USE_IPv6, (const struct sockaddr *)&six); /* a machine may have no IPv6 */
    return 0;
}

int http_start(struct http **out, const struct http_settings *settings, struct error *e)
{
    struct http *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!h)
        return fail(e, ERROR_MEMORY, "out of memory");
    h->settings = *settings;
    h->port = settings->port;
    if (start(h, e)) {
        http_stop(h);
        return -1;
    }
    *out = h;
    return 0;
}

int http_port(const struct http *h)
{
    return h->port;
}

void http_stop(struct http *h)
{
    for (int i = 0; h && i < ADDRESSES; i++)
        if (h->daemons[i])
            MHD_stop_daemon(h->daemons[i]);
    free(h);
}
