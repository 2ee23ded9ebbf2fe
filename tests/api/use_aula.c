/* A program of somebody else: it knows aula.h and nothing more. Compiled against what was installed.
 *   use_aula ROOM.cfg */
#include <aula.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(int good, const char *what)
{
    printf("%s  %s\n", good ? "ok   " : "FAIL ", what);
    failures += !good;
}

static int count_calls(void *context, double share)
{
    int *calls = context;
    ++*calls;
    return !(share >= 0.0 && share <= 1.0); /* a share that is none stops the work */
}

static int stop_at_once(void *context, double share)
{
    (void)context;
    (void)share;
    return 1;
}

int main(int count, char **words)
{
    struct aula_error error = {0, ""};
    struct aula_room *room = NULL;
    struct aula_response *response = NULL;
    const char *settings[] = {"grid.rate=2000", "time.duration=0.05", "output.rate=8000"};
    int calls = 0;
    if (count != 2)
        return 2;
    printf("aula %s\n", aula_version());
    check(strchr(aula_version(), '.') != NULL, "version");

    check(aula_room_open(&room, "no such room.cfg", NULL, 0, &error) != 0 && !room, "a missing room is refused");
    check(error.exit_status == 2 && strstr(error.message, "no such room.cfg") != NULL, "with status 2 and its name");
    check(aula_room_open(&room, "no such room.cfg", NULL, 0, NULL) != 0, "without a place for the error too");
    aula_room_close(NULL);
    aula_response_close(NULL);

    if (aula_room_open(&room, words[1], settings, 3, &error)) {
        printf("FAIL   %s\n", error.message);
        return 1;
    }
    struct aula_grid grid;
    aula_room_grid(room, &grid);
    check(grid.points[0] > 1 && grid.points[1] > 1 && grid.points[2] > 1, "grid has points");
    check(grid.rate == 2000.0, "grid has the rate that was set");
    check(fabs(grid.size[0] - (double)grid.points[0] * grid.spacing) < 1e-9, "size is points times spacing");
    check(grid.valid_frequency > 0.0 && grid.valid_frequency < 1000.0, "valid band lies below half the rate");
    size_t sources = aula_room_source_count(room), receivers = aula_room_receiver_count(room);
    check(sources > 0 && receivers > 0, "sources and receivers");
    check(aula_room_source_name(room, 0) && !aula_room_source_name(room, sources), "names of sources");
    check(aula_room_receiver_name(room, 0) && !aula_room_receiver_name(room, receivers), "names of receivers");

    struct aula_options options = {.engine = "cpu", .threads = 1, .progress = count_calls, .context = &calls};
    check(aula_render(&response, room, sources, &options, &error) != 0 && !response && error.exit_status == 2,
          "a source beyond the last is refused");
    options.engine = "abacus";
    check(aula_render(&response, room, 0, &options, &error) != 0 && error.exit_status == 2, "an unknown engine too");
    options.engine = "cpu";
    options.progress = stop_at_once;
    check(aula_render(&response, room, 0, &options, &error) != 0 && error.exit_status == 1, "progress may stop it");
    options.progress = count_calls;

    if (aula_render(&response, room, 0, &options, &error)) {
        printf("FAIL   %s\n", error.message);
        return 1;
    }
    size_t frames = aula_response_frames(response);
    check(calls > 0, "progress was called");
    check(aula_response_channels(response) == receivers, "a channel for each receiver");
    check(frames == 400, "duration times rate frames");
    check(aula_response_rate(response) == 8000.0, "rate");
    check(aula_response_is_filter(response) == 1, "an impulse response");
    check(!aula_response_samples(response, receivers), "no samples beyond the last channel");
    for (size_t c = 0; c < receivers; c++) {
        const double *samples = aula_response_samples(response, c);
        double peak = 0.0;
        int finite = samples != NULL;
        for (size_t n = 0; finite && n < frames; n++) {
            finite = isfinite(samples[n]);
            peak = fmax(peak, fabs(samples[n]));
        }
        check(finite, "samples are finite");
        check(peak > 1e-6 && peak < 1.0, "samples are not silent, nor absurd");
    }
    struct aula_response *again = NULL;
    check(!aula_render(&again, room, 0, NULL, NULL), "without options and without a place for the error");
    check(again &&
              !memcmp(aula_response_samples(again, 0), aula_response_samples(response, 0), frames * sizeof(double)),
          "the same bits again");
    aula_response_close(again);
    aula_response_close(response);
    aula_room_close(room);
    printf("%d failed\n", failures);
    return failures != 0;
}
