/* SPDX-License-Identifier: MIT */
/* Rooms on several threads at once, as aula.h promises: each thread gets the bits and the messages that it gets alone.
 * Built with ThreadSanitizer, it finds whatever two of them share.
 *
 *   threads FOLDER ROOM ...   every room is used twice at once; files go into the folder */
#include <aula.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 8, DRY = 2000, LINE = 256 };

/* What a thread does, and what comes of it. */
struct work {
    const char *folder, *room;
    int number;
    pthread_barrier_t *start;    /* NULL: alone */
    unsigned long long checksum; /* of samples, figures and the file */
    char refusal[sizeof((struct aula_error *)0)->message];
    int failed;
};

static int give_up(struct work *w, const char *what, const struct aula_error *error)
{
    printf("FAIL %d %s: %s: %s\n", w->number, w->room, what, error->message);
    return w->failed = 1;
}

static void add(struct work *w, const void *bytes, size_t count)
{
    const unsigned char *b = bytes; /* FNV-1a */
    for (size_t i = 0; i < count; i++)
        w->checksum = (w->checksum ^ b[i]) * 1099511628211ull;
}

static void add_response(struct work *w, const struct aula_response *response)
{
    for (size_t c = 0; c < aula_response_channels(response); c++)
        add(w, aula_response_samples(response, c), aula_response_frames(response) * sizeof(double));
}

static void add_figures(struct work *w, const struct aula_response *response)
{
    struct aula_error error;
    struct aula_metrics *metrics = NULL;
    if (aula_metrics_of_response(&metrics, response, &error)) {
        give_up(w, "metrics", &error);
        return;
    }
    for (size_t band = 0; band < AULA_OCTAVES; band++)
        for (int figure = 0; aula_metric_name((enum aula_metric)figure); figure++) {
            const double value = aula_metrics_value(metrics, 0, band, (enum aula_metric)figure);
            const char *missing = aula_metrics_missing(metrics, 0, band, (enum aula_metric)figure);
            add(w, &value, sizeof value);
            add(w, missing ? missing : "", missing ? strlen(missing) : 0);
        }
    aula_metrics_close(metrics);
}

static void add_wet_sound(struct work *w, const struct aula_response *response)
{
    const struct aula_response *const responses[] = {response};
    struct aula_error error;
    struct aula_sound *wet = NULL;
    double dry[DRY];
    for (int n = 0; n < DRY; n++)
        dry[n] = (n * 7919 % 1000) / 500.0 - 1.0;
    if (aula_auralize(&wet, responses, 1, dry, DRY, 11025.0, &error)) {
        give_up(w, "auralize", &error);
        return;
    }
    add(w, aula_sound_samples(wet, 0), aula_sound_frames(wet) * sizeof(double));
    aula_sound_close(wet);
}

static void write_response(struct work *w, const struct aula_response *response)
{
    const struct aula_response *const responses[] = {response};
    struct aula_error error;
    char path[LINE * 2];
    snprintf(path, sizeof path, "%s/%d.wav", w->folder, w->number);
    if (aula_responses_write(responses, 1, path, &error))
        give_up(w, "write", &error);
}

/* Mistakes whose messages tell the threads apart: one in a name, one in a number, one in a material. */
static void be_refused(struct work *w)
{
    char rate[LINE], material[LINE], key[LINE];
    snprintf(rate, sizeof rate, "grid.rate=-%d", 1000 + w->number);
    snprintf(material, sizeof material, "room.walls.default=plastered%d", w->number);
    snprintf(key, sizeof key, "grid.ratio%d=3", w->number);
    const char *const settings[] = {rate, material, key};
    w->refusal[0] = '\0';
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct aula_error error = {0};
        struct aula_room *room = NULL;
        if (!aula_room_open(&room, w->room, &settings[i], 1, &error)) {
            snprintf(error.message, sizeof error.message, "%s", settings[i]);
            give_up(w, "was taken", &error);
            aula_room_close(room);
        }
        const size_t used = strlen(w->refusal);
        snprintf(w->refusal + used, sizeof w->refusal - used, "%s\n", error.message);
    }
}

static void *use_room(void *context)
{
    struct work *w = context;
    const char *const settings[] = {"grid.rate=3000",       "time.duration=0.1", "output.rate=8000",
                                    "output.format=double", "hybrid.rays=1000",  "hybrid.order=1"};
    struct aula_options options = {.engine = "cpu", .threads = 1};
    struct aula_response *response = NULL;
    struct aula_room *room = NULL;
    struct aula_error error;
    w->checksum = 14695981039346656037ull;
    w->failed = 0;
    if (w->start)
        pthread_barrier_wait(w->start);
    be_refused(w);
    if (aula_room_open(&room, w->room, settings, sizeof settings / sizeof *settings, &error)) {
        give_up(w, "open", &error);
        return NULL;
    }
    for (size_t source = 0; source < aula_room_source_count(room); source++) {
        if (aula_render(&response, room, source, &options, &error)) {
            give_up(w, "render", &error);
            break;
        }
        add_response(w, response);
        if (source == 0) {
            add_figures(w, response);
            add_wet_sound(w, response);
            write_response(w, response);
        }
        aula_response_close(response);
    }
    aula_room_close(room);
    return NULL;
}

static int run_together(struct work *works, unsigned count)
{
    pthread_barrier_t start;
    pthread_t threads[MAX];
    if (pthread_barrier_init(&start, NULL, count))
        return 1;
    for (unsigned i = 0; i < count; i++) {
        works[i].start = &start;
        if (pthread_create(&threads[i], NULL, use_room, &works[i]))
            exit(1); /* the others wait for it */
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    return 0;
}

/* Two renders that have both begun, one of which stops all. */
struct stopping {
    const char *room;
    pthread_barrier_t *begun;
    int stops, waited, ended; /* ended: with the message of a stop */
};

static int begin(void *context, double share)
{
    struct stopping *s = context;
    (void)share;
    if (s->waited++)
        return 0;
    pthread_barrier_wait(s->begun);
    if (s->stops)
        aula_stop();
    return 0;
}

static void *be_stopped(void *context)
{
    struct stopping *s = context;
    const char *const settings[] = {"grid.rate=3000", "time.duration=60.0", "hybrid.full=false"};
    struct aula_options options = {.engine = "cpu", .threads = 1, .progress = begin, .context = s};
    struct aula_response *response = NULL;
    struct aula_room *room = NULL;
    struct aula_error error = {0};
    if (aula_room_open(&room, s->room, settings, sizeof settings / sizeof *settings, &error)) {
        printf("FAIL %s: open: %s\n", s->room, error.message);
        exit(1); /* the other waits for it */
    }
    s->ended = aula_render(&response, room, 0, &options, &error) && strstr(error.message, "stopped");
    aula_response_close(response);
    aula_room_close(room);
    return NULL;
}

static int stop_together(const char *room)
{
    pthread_barrier_t begun;
    pthread_t thread;
    struct stopping one = {.room = room, .begun = &begun}, other = {.room = room, .begun = &begun, .stops = 1};
    if (pthread_barrier_init(&begun, NULL, 2) || pthread_create(&thread, NULL, be_stopped, &one))
        return 1;
    be_stopped(&other);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&begun);
    const int good = one.ended && other.ended;
    printf("%s  aula_stop ends renders of two threads\n", good ? "ok  " : "FAIL");
    return !good;
}

int main(int count, char **words)
{
    static struct work alone[MAX], together[MAX];
    const unsigned works = count > 2 ? 2 * (unsigned)(count - 2) : 0;
    int failed = 0;
    if (works == 0 || works > MAX)
        return 2;
    for (unsigned i = 0; i < works; i++) {
        together[i] = (struct work){.folder = words[1], .room = words[2 + i / 2], .number = (int)i};
        alone[i] = together[i];
    }
    failed += stop_together(words[2]);       /* and what comes after it goes on */
    failed += run_together(together, works); /* at once, so that what is made at first use is made by several */
    for (unsigned i = 0; i < works; i++) {
        use_room(&alone[i]);
        const int same = alone[i].checksum == together[i].checksum && !strcmp(alone[i].refusal, together[i].refusal);
        printf("%s  %s gives what it gives alone\n", same ? "ok  " : "FAIL", alone[i].room);
        if (strcmp(alone[i].refusal, together[i].refusal))
            printf("alone: %stogether: %s", alone[i].refusal, together[i].refusal);
        failed += !same || together[i].failed || alone[i].failed;
    }
    printf("%d failed\n", failed);
    return failed != 0;
}
