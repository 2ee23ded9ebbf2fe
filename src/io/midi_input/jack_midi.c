/* SPDX-License-Identifier: MIT */
/* JACK MIDI. The process callback does not allocate, lock or wait. */
#include <jack/jack.h>
#include <jack/midiport.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "io/midi_input/midi_system.h"

struct connection {
    jack_client_t *client;
    jack_port_t *port;
    struct midi_queue *queue;
    atomic_bool ended;
};

static bool list(char ***names, size_t *count)
{
    struct error ignored;
    jack_client_t *client = jack_client_open("aula", JackNoStartServer, NULL);
    if (!client)
        return false;
    const char **ports = jack_get_ports(client, NULL, JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput);
    for (size_t i = 0; ports && ports[i]; i++)
        lines_add(names, count, &ignored, "%s", ports[i]);
    jack_free(ports);
    jack_client_close(client);
    return true;
}

/* JACK has a clock of its own. A message belongs to a frame of the period that begins. */
static double time_of(jack_client_t *client, jack_nframes_t frame)
{
    const jack_time_t now = jack_get_time(), then = jack_frames_to_time(client, frame);
    return clock_seconds() + 1e-6 * ((double)then - (double)now);
}

static int process(jack_nframes_t frames, void *context)
{
    struct connection *c = context;
    void *buffer = jack_port_get_buffer(c->port, frames);
    const jack_nframes_t first = jack_last_frame_time(c->client);
    jack_midi_event_t event;
    for (uint32_t i = 0; i < jack_midi_get_event_count(buffer); i++)
        if (!jack_midi_event_get(&event, buffer, i))
            midi_queue_write(c->queue, time_of(c->client, first + event.time), event.buffer, event.size);
    return 0;
}

static void server_ended(void *context)
{
    struct connection *c = context;
    atomic_store(&c->ended, true);
}

static void close_connection(void *connection)
{
    struct connection *c = connection;
    if (c->client)
        jack_client_close(c->client);
    free(c);
}

static void *open_connection(const char *port, struct midi_queue *queue)
{
    struct connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->queue = queue;
    c->client = jack_client_open("aula", JackNoStartServer, NULL);
    if (c->client) {
        jack_set_process_callback(c->client, process, c);
        jack_on_shutdown(c->client, server_ended, c);
        c->port = jack_port_register(c->client, "midi_in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
    }
    if (c->port && !jack_activate(c->client) && !jack_connect(c->client, port, jack_port_name(c->port)))
        return c;
    close_connection(c);
    return NULL;
}

static bool is_connected(void *connection)
{
    struct connection *c = connection;
    return !atomic_load(&c->ended) && jack_port_connected(c->port);
}

const struct midi_system jack_midi = {
    .name = "JACK", .list = list, .open = open_connection, .is_connected = is_connected, .close = close_connection};
