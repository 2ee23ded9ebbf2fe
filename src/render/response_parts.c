/* SPDX-License-Identifier: MIT */
#include "render/response_parts.h"

#include "base/stop.h"
#include "render/length.h"

/* Origin of the parts: a complete response, or traces. */
struct supply {
    const struct response *whole;
    const struct traces *channels;
    const struct excitation *excitation;
    const struct response_settings *settings;
    double seconds; /* of each response; 0: all it has */
};

static int take_part(const struct supply *from, size_t first, size_t count, const struct response_taker *taker,
                     struct error *e)
{
    struct response part;
    if (from->whole) {
        part = *from->whole;
        part.samples += first * part.frames;
        part.channels = count;
        return taker->take(taker->context, first, &part, e);
    }
    struct traces some = *from->channels;
    some.samples += first * some.frames;
    some.channels = count;
    if (response_make(&part, &some, from->excitation, from->settings, e))
        return -1;
    int status = from->seconds > 0.0 ? response_set_frames(&part, length_frames(from->seconds, part.rate), e) : 0;
    status = status || taker->take(taker->context, first, &part, e) ? -1 : 0;
    response_free(&part);
    return status;
}

static int take_all(const struct supply *from, size_t channels, const struct response_taker *taker, struct error *e)
{
    int failures = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < channels; first += RESPONSE_PART) {
        struct error inner;
        const size_t left = channels - first, count = left < RESPONSE_PART ? left : RESPONSE_PART;
        int failed;
#pragma omp atomic read
        failed = failures;
        if (failed || !(stop_check(&inner) || take_part(from, first, count, taker, &inner)))
            continue;
#pragma omp critical(response_parts_failed)
        if (!failures++)
            *e = inner;
    }
    return failures ? -1 : 0;
}

int response_parts(const struct traces *channels, const struct excitation *x, const struct response_settings *s,
                   double seconds, const struct response_taker *taker, struct error *e)
{
    const struct supply from = {.channels = channels, .excitation = x, .settings = s, .seconds = seconds};
    return take_all(&from, channels->channels, taker, e);
}

int response_split(const struct response *whole, const struct response_taker *taker, struct error *e)
{
    const struct supply from = {.whole = whole};
    return take_all(&from, whole->channels, taker, e);
}
