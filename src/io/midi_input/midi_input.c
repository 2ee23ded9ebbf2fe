/* SPDX-License-Identifier: MIT */
#include "io/midi_input/midi_input.h"

#include <stdlib.h>

#include "base/text.h"
#include "io/midi_input/midi_system.h"
#include "io/playback/device_match.h"
#include "io/playback/sound_system.h"

static const double LIMIT = 5.0; /* s: of a call into a system */

static const struct midi_system *const systems[] = {&jack_midi, &alsa_midi};
enum { SYSTEMS = sizeof systems / sizeof *systems };

struct midi_input {
    const struct midi_system *system;
    void *connection;
    char *name;
    struct midi_queue queue;
};

/* The inputs of all systems, in the order of their numbers. */
struct sources {
    char **names;
    size_t count;
    size_t first[SYSTEMS + 1]; /* of each system */
    bool runs[SYSTEMS];
};

static void find_all(void *context)
{
    struct sources *s = context;
    for (size_t i = 0; i < SYSTEMS; i++) {
        s->runs[i] = !systems[i]->missing && systems[i]->list(&s->names, &s->count);
        s->first[i + 1] = s->count;
    }
}

static void find_all_within_limit(void *context)
{
    struct sources **s = context;
    if (!limited_call(find_all, *s, LIMIT))
        *s = NULL; /* still in use */
}

static void sources_free(struct sources *s)
{
    if (s)
        lines_free(s->names, s->count);
    free(s);
}

/* NULL: memory is out, or a system did not answer. */
static struct sources *find_sources(void)
{
    struct sources *s = calloc(1, sizeof *s);
    if (s)
        sound_system_quietly(find_all_within_limit, &s);
    return s;
}

static size_t system_of(const struct sources *s, size_t source)
{
    size_t i = 0;
    while (source >= s->first[i + 1])
        i++;
    return i;
}

static int no_inputs(struct error *e)
{
    if (jack_midi.missing && alsa_midi.missing)
        return fail(e, ERROR_FAILED, "no MIDI input: %s", jack_midi.missing);
    return fail(
        e, ERROR_FAILED,
        "no MIDI input: neither JACK nor ALSA has a port that sends; connect a MIDI keyboard, or omit --midi to "
        "play on the computer keyboard");
}

static void open_port(void *context)
{
    struct midi_input *m = context;
    m->connection = m->system->open(m->name, &m->queue);
}

static void open_port_within_limit(void *context)
{
    struct midi_input **m = context;
    if (!limited_call(open_port, *m, LIMIT))
        *m = NULL; /* still in use */
}

static int open_source(struct midi_input **out, const struct sources *s, size_t source, struct error *e)
{
    struct midi_input *m = calloc(1, sizeof *m);
    if (!m || !(m->name = text_copy(s->names[source]))) {
        free(m);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    m->system = systems[system_of(s, source)];
    sound_system_quietly(open_port_within_limit, &m);
    if (m && m->connection) {
        *out = m;
        return 0;
    }
    fail(e, ERROR_FAILED, "cannot open the MIDI input \"%s\" of %s; choose another with --midi", s->names[source],
         systems[system_of(s, source)]->name);
    midi_input_close(m);
    return -1;
}

int midi_input_open(struct midi_input **m, const char *wanted, struct error *e)
{
    *m = NULL;
    struct sources *s = find_sources();
    if (!s)
        return fail(e, ERROR_FAILED, "no MIDI input: JACK or ALSA does not respond");
    ptrdiff_t source = -1;
    if (!s->count)
        no_inputs(e);
    else
        source = device_match("MIDI input", "--midi list", wanted, (const char *const *)s->names, s->count, e);
    const int status = source < 0 ? -1 : open_source(m, s, (size_t)source, e);
    sources_free(s);
    return status;
}

static void close_port(void *context)
{
    struct midi_input *m = context;
    m->system->close(m->connection);
}

void midi_input_close(struct midi_input *m)
{
    if (!m || (m->connection && !limited_call(close_port, m, 2.0)))
        return;
    free(m->name);
    free(m);
}

bool midi_input_read(struct midi_input *m, struct midi_packet *packet)
{
    return midi_queue_read(&m->queue, packet);
}

bool midi_input_is_connected(const struct midi_input *m)
{
    return m->system->is_connected(m->connection);
}

unsigned long long midi_input_lost(const struct midi_input *m)
{
    return atomic_load(&m->queue.lost);
}

const char *midi_input_name(const struct midi_input *m)
{
    return m->name;
}

/* Lists run in a child process, so that this one loads no sound system. */
struct printing {
    FILE *stream;
    bool every; /* also systems without inputs */
};

enum { PRINTED, NONE };

static int print_all(void *context)
{
    const struct printing *p = context;
    struct sources *s = find_sources();
    if (!s)
        return NONE;
    for (size_t i = 0; i < s->count; i++)
        fprintf(p->stream, p->every ? "midi     %-3zu %s (%s)\n" : "%-3zu %s (%s)\n", i, s->names[i],
                systems[system_of(s, i)]->name);
    for (size_t i = 0; i < SYSTEMS && p->every; i++)
        if (s->first[i + 1] == s->first[i])
            fprintf(p->stream, "midi     %s: %s\n", systems[i]->name,
                    systems[i]->missing ? systems[i]->missing
                    : s->runs[i]        ? "no inputs"
                                        : "does not run");
    fflush(p->stream);
    return s->count ? PRINTED : NONE;
}

void midi_inputs_print(FILE *stream)
{
    if (sound_system_in_child(print_all, &(struct printing){stream, true}, 10.0) < 0)
        fprintf(stream, "midi     none: JACK or ALSA does not respond\n");
}

int midi_inputs_list(FILE *stream, struct error *e)
{
    return sound_system_in_child(print_all, &(struct printing){stream, false}, 10.0) == PRINTED ? 0 : no_inputs(e);
}
