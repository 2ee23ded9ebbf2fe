/* SPDX-License-Identifier: MIT */
#include "render/preview/head_tracker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "render/preview/osc.h"

static const int WAIT_MS = 50; /* between looks at `quit` */

struct head_tracker {
    struct head *head;
    int socket;
    unsigned port;
    pthread_t thread;
    atomic_bool quit;
    atomic_ullong poses;
};

static bool parse_place(struct sockaddr_in *address, const char *place)
{
    char host[INET_ADDRSTRLEN] = "127.0.0.1";
    const char *colon = strrchr(place, ':'), *port = colon ? colon + 1 : place;
    const size_t length = colon ? (size_t)(colon - place) : 0;
    if (colon && (length == 0 || length >= sizeof host))
        return false;
    if (colon) {
        memcpy(host, place, length);
        host[length] = '\0';
    }
    if (!*port || strlen(port) > 5 || strspn(port, "0123456789") != strlen(port))
        return false;
    const unsigned long number = strtoul(port, NULL, 10);
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_port = htons((uint16_t)number);
    return number <= 65535 && inet_pton(AF_INET, host, &address->sin_addr) == 1;
}

int head_tracker_check(const char *place, struct error *e)
{
    struct sockaddr_in address;
    char name[QUOTED];
    if (parse_place(&address, place))
        return 0;
    return fail(e, ERROR_USAGE,
                "--osc %s: give a port of this machine, such as 9000, or the address to listen at as well, such as "
                "0.0.0.0:9000",
                quoted(name, place));
}

static void *run(void *context)
{
    struct head_tracker *t = context;
    uint8_t packet[OSC_PACKET_MAX + 1]; /* one more: longer packets are seen to be so */
    struct pollfd input = {.fd = t->socket, .events = POLLIN};
    while (!atomic_load(&t->quit)) {
        if (poll(&input, 1, WAIT_MS) <= 0)
            continue;
        const ssize_t size = recv(t->socket, packet, sizeof packet, MSG_DONTWAIT);
        struct head_pose pose = head_pose(t->head);
        const size_t poses = size > 0 ? osc_read_pose(&pose, packet, (size_t)size) : 0;
        if (poses)
            head_turn(t->head, &pose);
        atomic_fetch_add(&t->poses, poses);
    }
    return NULL;
}

static int open_socket(struct head_tracker *t, const char *place, struct error *e)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    char name[QUOTED];
    if (head_tracker_check(place, e) || !parse_place(&address, place))
        return -1;
    t->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (t->socket < 0 || bind(t->socket, (const struct sockaddr *)&address, sizeof address) ||
        getsockname(t->socket, (struct sockaddr *)&address, &size))
        return fail(e, ERROR_FAILED, "--osc %s: cannot be monitor to: %s: another program may have it",
                    quoted(name, place), strerror(errno));
    t->port = ntohs(address.sin_port);
    return 0;
}

int head_tracker_start(struct head_tracker **out, const char *place, struct head *head, struct error *e)
{
    struct head_tracker *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return fail(e, ERROR_MEMORY, "out of memory");
    t->socket = -1;
    t->head = head;
    int status = open_socket(t, place, e);
    if (!status && pthread_create(&t->thread, NULL, run, t))
        status = fail(e, ERROR_FAILED, "no thread for the head tracker");
    if (status) {
        if (t->socket >= 0)
            close(t->socket);
        free(t);
        return -1;
    }
    *out = t;
    return 0;
}

void head_tracker_end(struct head_tracker *t)
{
    if (!t)
        return;
    atomic_store(&t->quit, true);
    pthread_join(t->thread, NULL);
    close(t->socket);
    free(t);
}

unsigned long long head_tracker_poses(const struct head_tracker *t)
{
    return atomic_load(&t->poses);
}

unsigned head_tracker_port(const struct head_tracker *t)
{
    return t->port;
}
