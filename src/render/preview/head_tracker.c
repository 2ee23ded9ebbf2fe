/* SPDX-License-Identifier: MIT */
#include "render/preview/head_tracker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
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

enum { NUMBERS_MAX = 4, DEPTH_MAX = 4 };

/* Remaining bytes of a packet. */
struct rest {
    const uint8_t *at;
    size_t size;
};

/* A zero-terminated text, padded to a multiple of four bytes; NULL: none. */
static const char *take_text(struct rest *r)
{
    const uint8_t *end = memchr(r->at, 0, r->size);
    if (!end)
        return NULL;
    const char *text = (const char *)r->at;
    const size_t length = ((size_t)(end - r->at) / 4 + 1) * 4;
    if (length > r->size)
        return NULL;
    r->at += length;
    r->size -= length;
    return text;
}

/* A big-endian number of `bytes` bytes. */
static bool take_bits(uint64_t *bits, struct rest *r, size_t bytes)
{
    if (r->size < bytes)
        return false;
    *bits = 0;
    for (size_t i = 0; i < bytes; i++)
        *bits = *bits << 8 | r->at[i];
    r->at += bytes;
    r->size -= bytes;
    return true;
}

static bool take_number(double *value, struct rest *r, char type)
{
    uint64_t bits;
    float single;
    if ((type != 'f' && type != 'd' && type != 'i' && type != 'h') ||
        !take_bits(&bits, r, type == 'f' || type == 'i' ? 4 : 8))
        return false;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    if (type == 'd')
        memcpy(value, &bits, sizeof *value);
    else
        *value = type == 'f' ? (double)single : type == 'i' ? (double)(int32_t)low : (double)(int64_t)bits;
    return isfinite(*value);
}

/* Yaw, pitch and roll of a quaternion of any length. */
static bool pose_of_quaternion(struct head_pose *pose, const double q[4])
{
    const double length = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (!(length > 1e-6 && isfinite(length)))
        return false;
    const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
    const double down = fmin(fmax(2.0 * (w * y - x * z), -1.0), 1.0);
    pose->yaw = atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)) * 180.0 / M_PI;
    pose->pitch = asin(down) * 180.0 / M_PI;
    pose->roll = atan2(2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)) * 180.0 / M_PI;
    return true;
}

static bool take_pose(struct head_pose *pose, const char *word, const double *number, size_t count)
{
    double *const angle[] = {&pose->yaw, &pose->pitch, &pose->roll};
    static const char *const names[] = {"yaw", "pitch", "roll"};
    for (int i = 0; i < 3; i++)
        if (count == 1 && !strcmp(word, names[i])) {
            *angle[i] = number[0];
            return true;
        }
    if (count == 3 && !strcmp(word, "ypr")) {
        *pose = (struct head_pose){number[0], number[1], number[2]};
        return true;
    }
    return count == 4 && (!strcmp(word, "quaternion") || !strcmp(word, "quaternions") || !strcmp(word, "quat")) &&
           pose_of_quaternion(pose, number);
}

static size_t read_message(struct head_pose *pose, struct rest r)
{
    const char *address = take_text(&r), *types = address ? take_text(&r) : NULL;
    double number[NUMBERS_MAX];
    if (!types || address[0] != '/' || types[0] != ',')
        return 0;
    const size_t count = strlen(types + 1);
    if (count > NUMBERS_MAX)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (!take_number(&number[i], &r, types[1 + i]))
            return 0;
    return take_pose(pose, strrchr(address, '/') + 1, number, count) ? 1 : 0;
}

static size_t read_packet(struct head_pose *pose, struct rest r, int depth)
{
    static const char bundle[8] = "#bundle";
    uint64_t bits;
    size_t found = 0;
    if (r.size < sizeof bundle || memcmp(r.at, bundle, sizeof bundle) != 0)
        return read_message(pose, r);
    r.at += sizeof bundle;
    r.size -= sizeof bundle;
    if (depth >= DEPTH_MAX || !take_bits(&bits, &r, 8)) /* the time tag is ignored */
        return 0;
    while (take_bits(&bits, &r, 4) && bits <= r.size) {
        found += read_packet(pose, (struct rest){r.at, (size_t)bits}, depth + 1);
        r.at += bits;
        r.size -= (size_t)bits;
    }
    return found;
}

size_t osc_read_pose(struct head_pose *pose, const uint8_t *packet, size_t size)
{
    return size <= OSC_PACKET_MAX ? read_packet(pose, (struct rest){packet, size}, 0) : 0;
}

static const int WAIT_MS = 50; /* between checks of `quit` */

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
                "--osc %s: expected a port of this machine, such as 9000, or an address and port to listen at, such as "
                "0.0.0.0:9000",
                quoted(name, place));
}

static void *run(void *context)
{
    struct head_tracker *t = context;
    uint8_t packet[OSC_PACKET_MAX + 1]; /* one more byte reveals longer packets */
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
        return fail(e, ERROR_FAILED, "--osc %s: cannot listen: %s; choose another port if another program uses it",
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
        status = fail(e, ERROR_FAILED, "cannot start a thread for the head tracker");
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
