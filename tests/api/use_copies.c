/* SPDX-License-Identifier: MIT */
/* Responses and parameters that are made again from texts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "use_aula.h"

static void use_copied_metrics(const struct aula_response *first, const struct aula_response *second)
{
    struct aula_metrics *a = NULL, *b = NULL, *c = NULL;
    if (aula_metrics_of_response(&a, first, &error) || aula_metrics_of_response(&b, second, &error))
        give_up(&error);
    const char *json = aula_metrics_json(a);
    check(json && json == aula_metrics_json(a), "one text");
    if (aula_metrics_of_json(&c, json, &error))
        give_up(&error);
    size_t differing = 0, compared = 0;
    for (size_t channel = 0; channel < aula_metrics_channels(a); channel++)
        for (size_t band = 0; band <= AULA_BROAD_BAND; band++)
            for (int m = 0; aula_metric_name((enum aula_metric)m); m++, compared++) {
                const double value = aula_metrics_value(a, channel, band, (enum aula_metric)m);
                differing += !same_number(value, aula_metrics_value(b, channel, band, (enum aula_metric)m));
                differing += !same_number(value, aula_metrics_value(c, channel, band, (enum aula_metric)m));
            }
    check(compared && !differing, "parameters of copies are the same");
    check(!strcmp(aula_metrics_json(c), json), "and a copy of a copy");
    aula_metrics_close(c);
    check_refused(aula_metrics_of_json(&c, "{}", &error) && !c, "aula_metrics_json", "no parameters");
    check_refused(aula_metrics_of_json(&c, NULL, &error) && !c, "json is NULL", "no text of them");
    check_refused(aula_metrics_of_json(NULL, json, &error), "metrics is NULL", "no place for parameters");
    check(!aula_metrics_json(NULL), "no metrics, no text");
    aula_metrics_close(a);
    aula_metrics_close(b);
}

void use_copies(const struct aula_room *room, struct aula_response *response)
{
    const size_t channels = aula_response_channels(response), frames = aula_response_frames(response);
    const double *samples = aula_response_samples(response, 0);
    const char *json = aula_response_json(response);
    struct aula_response *again = NULL;
    check(json && json == aula_response_json(response), "a response has one text");
    if (aula_response_of_samples(&again, room, json, samples, channels, frames, &error))
        give_up(&error);
    check(!memcmp(aula_response_samples(again, 0), samples, channels * frames * sizeof *samples), "the same samples");
    check(aula_response_rate(again) == aula_response_rate(response), "at the same rate");
    check(!strcmp(aula_response_json(again), json), "and again the same text");
    use_copied_metrics(response, again);
    aula_response_close(again);
    check_refused(aula_response_of_samples(&again, room, json, samples, channels, frames - 1, &error) && !again,
                  "samples are", "fewer samples");
    check_refused(aula_response_of_samples(&again, NULL, json, samples, channels, frames, &error) && !again,
                  "room is NULL", "no room");
    check_refused(aula_response_of_samples(&again, room, "[1", samples, channels, frames, &error) && !again, "json",
                  "no JSON");
    check_refused(aula_response_of_samples(&again, room, json, NULL, channels, frames, &error) && !again,
                  "samples is NULL", "no samples");
    check_refused(aula_response_of_samples(NULL, room, json, samples, channels, frames, &error), "response is NULL",
                  "no place for a response");
    check(!aula_response_json(NULL), "no response, no text");
}
