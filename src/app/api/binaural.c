/* SPDX-License-Identifier: MIT */
/* Renders ambisonic fields for two ears. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "render/binaural.h"

/* The field is turned in place, so the caller's samples are copied. */
static int hear(struct aula_sound *sound, const struct audio *field, int order, const struct aula_head *head,
                struct error *e)
{
    const struct binaural_head by = {head->yaw, head->pitch, head->roll};
    const size_t bytes = field->channels * field->frames * sizeof *field->samples;
    struct hrtf hrtf = {.directions = 0};
    struct binaural ears = {.warning = NULL};
    struct audio turned = *field;
    turned.samples = malloc(bytes);
    int status = turned.samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        memcpy(turned.samples, field->samples, bytes);
    status = status || hrtf_read(&hrtf, head->hrtf, head->distance > 0.0 ? head->distance : HRTF_DISTANCE, e) ||
             binaural_prepare(&ears, &hrtf, head->hrtf, order, field->rate, e) ||
             binaural_hear(&ears, &turned, &by, "the field", head->hrtf, e);
    for (size_t i = 0; !status && i < hrtf.warning_count; i++)
        status = lines_add(&sound->warnings, &sound->warning_count, e, "%s", hrtf.warnings[i]);
    if (!status && ears.warning)
        status = lines_add(&sound->warnings, &sound->warning_count, e, "%s", ears.warning);
    if (!status) {
        sound->audio = ears.heard;
        ears.heard.samples = NULL;
    }
    binaural_free(&ears);
    hrtf_free(&hrtf);
    free(turned.samples);
    return status ? -1 : 0;
}

static int binaural(struct call *call, struct aula_sound **out, const double *samples, size_t channels, size_t frames,
                    double rate, const struct aula_head *head)
{
    struct error *e = &call->error;
    int order;
    if (!out)
        return call_refuse_null(call, "ears", "the address of a pointer");
    *out = NULL;
    if (!head)
        return call_refuse_null(call, "head", "a struct aula_head with the path of an HRTF");
    if (call_check_text(call, head->hrtf, "hrtf", "the path of a SOFA file") ||
        call_check_reserved(call, head->reserved, sizeof head->reserved / sizeof *head->reserved, "head") ||
        call_check_samples(call, "field", samples, channels, frames, rate) ||
        binaural_order(&order, channels, "field", e))
        return -1;
    if (!(head->distance >= 0.0 && isfinite(head->distance)))
        return fail(e, ERROR_USAGE, "distance is %g m; must be 0 or more", head->distance);
    if (!isfinite(head->yaw) || !isfinite(head->pitch) || !isfinite(head->roll))
        return fail(e, ERROR_USAGE, "yaw, pitch and roll must be finite, in degrees");
    const struct audio field = {
        .samples = (double *)samples, .channels = channels, .frames = frames, .rate = rate}; /* only read */
    struct aula_sound *sound = calloc(1, sizeof *sound);
    if (!sound)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (hear(sound, &field, order, head, e)) {
        aula_sound_close(sound);
        return -1;
    }
    *out = sound;
    return 0;
}

int aula_binaural(struct aula_sound **ears, const double *field, size_t channels, size_t frames, double rate,
                  const struct aula_head *head, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, binaural(&call, ears, field, channels, frames, rate, head));
}
