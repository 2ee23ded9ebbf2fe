/* SPDX-License-Identifier: MIT */
/* The sequencer of ALSA. A thread waits for events, which are stamped when they arrive. */
#include <alsa/asoundlib.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "io/midi_input/midi_system.h"

enum { WAIT_MS = 50, MESSAGE_MAX = 64 };

struct connection {
    snd_seq_t *sequencer;
    snd_midi_event_t *decoder;
    struct midi_queue *queue;
    pthread_t thread;
    bool started;
    atomic_bool quit, ended;
};

static bool sends(const snd_seq_port_info_t *port)
{
    const unsigned wanted = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ;
    return (snd_seq_port_info_get_capability(port) & wanted) == wanted;
}

/* Passes the name and the address of each port that sends, without those of the system itself, until `visit` returns
 * true. */
static void visit_ports(snd_seq_t *sequencer, bool (*visit)(void *, const char *, const snd_seq_addr_t *),
                        void *context)
{
    snd_seq_client_info_t *client;
    snd_seq_port_info_t *port;
    snd_seq_client_info_alloca(&client);
    snd_seq_port_info_alloca(&port);
    snd_seq_client_info_set_client(client, -1);
    while (!snd_seq_query_next_client(sequencer, client)) {
        const int number = snd_seq_client_info_get_client(client);
        snd_seq_port_info_set_client(port, number);
        snd_seq_port_info_set_port(port, -1);
        while (number != SND_SEQ_CLIENT_SYSTEM && !snd_seq_query_next_port(sequencer, port)) {
            char *name = sends(port) ? text_format("%s:%s", snd_seq_client_info_get_name(client),
                                                   snd_seq_port_info_get_name(port))
                                     : NULL;
            const bool done = name && visit(context, name, snd_seq_port_info_get_addr(port));
            free(name);
            if (done)
                return;
        }
    }
}

struct names {
    char ***names;
    size_t *count;
};

static bool add_name(void *context, const char *name, const snd_seq_addr_t *address)
{
    const struct names *names = context;
    struct error ignored;
    (void)address;
    lines_add(names->names, names->count, &ignored, "%s", name);
    return false;
}

static bool list(char ***names, size_t *count)
{
    snd_seq_t *sequencer;
    if (snd_seq_open(&sequencer, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK))
        return false;
    visit_ports(sequencer, add_name, &(struct names){names, count});
    snd_seq_close(sequencer);
    return true;
}

struct search {
    const char *name;
    snd_seq_addr_t address;
    bool found;
};

static bool is_wanted(void *context, const char *name, const snd_seq_addr_t *address)
{
    struct search *search = context;
    search->found = !strcmp(name, search->name);
    search->address = *address;
    return search->found;
}

static void take_events(struct connection *c)
{
    snd_seq_event_t *event;
    uint8_t bytes[MESSAGE_MAX];
    while (snd_seq_event_input(c->sequencer, &event) >= 0 && event) {
        if (event->type == SND_SEQ_EVENT_PORT_UNSUBSCRIBED)
            atomic_store(&c->ended, true);
        const long count = snd_midi_event_decode(c->decoder, bytes, sizeof bytes, event);
        if (count > 0)
            midi_queue_write(c->queue, clock_seconds(), bytes, (size_t)count);
    }
}

static void *run(void *context)
{
    struct connection *c = context;
    struct pollfd polled[4];
    const int count = snd_seq_poll_descriptors(c->sequencer, polled, 4, POLLIN);
    while (!atomic_load(&c->quit))
        if (poll(polled, (nfds_t)count, WAIT_MS) > 0)
            take_events(c);
    return NULL;
}

static void close_connection(void *connection)
{
    struct connection *c = connection;
    atomic_store(&c->quit, true);
    if (c->started)
        pthread_join(c->thread, NULL);
    if (c->decoder)
        snd_midi_event_free(c->decoder);
    if (c->sequencer)
        snd_seq_close(c->sequencer);
    free(c);
}

/* Every message with its status byte: without running status. */
static int make_decoder(struct connection *c)
{
    if (snd_midi_event_new(MESSAGE_MAX, &c->decoder))
        return -1;
    snd_midi_event_no_status(c->decoder, 1);
    return 0;
}

static int subscribe(struct connection *c, const char *port)
{
    struct search search = {.name = port};
    snd_seq_set_client_name(c->sequencer, "aula");
    const int own =
        snd_seq_create_simple_port(c->sequencer, "midi_in", SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE,
                                   SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION);
    visit_ports(c->sequencer, is_wanted, &search);
    return own >= 0 && search.found
               ? snd_seq_connect_from(c->sequencer, own, search.address.client, search.address.port)
               : -1;
}

static void *open_connection(const char *port, struct midi_queue *queue)
{
    struct connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->queue = queue;
    if (!snd_seq_open(&c->sequencer, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK) && !make_decoder(c) &&
        !subscribe(c, port)) {
        c->started = !pthread_create(&c->thread, NULL, run, c);
        if (c->started)
            return c;
    }
    close_connection(c);
    return NULL;
}

static bool is_connected(void *connection)
{
    struct connection *c = connection;
    return !atomic_load(&c->ended);
}

const struct midi_system alsa_midi = {
    .name = "ALSA", .list = list, .open = open_connection, .is_connected = is_connected, .close = close_connection};
