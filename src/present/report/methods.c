/* SPDX-License-Identifier: MIT */
#include "present/report/methods.h"

#include <math.h>

#include <cjson/cJSON.h>

#include "io/xml.h"
#include "present/report/verdicts.h"

static double number(const cJSON *json, const char *group, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, group), name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* "room.wav was computed by aula: .." */
static void origin(FILE *stream, const struct subject *s)
{
    const struct recording *r = &s->recording;
    const cJSON *hybrid = json_hybrid(s->json);
    const double waves = number(hybrid, "waves", "to"), rays = number(hybrid, "rays", "to");
    fputs("<li><span translate=\"no\">", stream);
    xml_text(stream, s->name);
    fputs("</span> ", stream);
    if (r->measured)
        fputs("was measured with exponential sweeps (ISO 18233)", stream);
    else if (!s->json)
        fputs("has no description of its origin", stream);
    else if (isfinite(waves) && isfinite(rays))
        fprintf(stream, "was computed: wave solver up to %.0f Hz, image sources and rays above, up to %.0f Hz", waves,
                rays);
    else
        fputs("was computed by the wave solver", stream);
    fprintf(stream, "; valid from %.0f to %.0f Hz%s.", r->valid_low, r->valid_high,
            r->described || r->measured ? "" : " by assumption");
    const int warnings = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(s->json, "warnings")) +
                         (int)s->findings.warning_count + (s->warning != NULL);
    if (warnings)
        fprintf(stream, " %d warning%s, listed in its section.", warnings, warnings == 1 ? " applies" : "s apply");
    fputs("</li>\n", stream);
}

static bool asks_for(const struct cover *c, enum target_quantity quantity)
{
    for (size_t t = 0; t < c->target_count; t++)
        if (c->targets[t]->quantity == quantity)
            return true;
    return false;
}

static void target_methods(FILE *stream, const struct cover *c)
{
    if (asks_for(c, TARGET_TIME))
        fputs(
            "<li>Targets judge the mean of T30 over the receivers; of T20 where a receiver lacks T30. The area A that "
            "is missing or too much is 24 ln 10 V/c · (1/T<sub>wanted</sub> − 1/T), for a diffuse field. Octaves "
            "marked as guidance do not decide.</li>\n",
            stream);
    if (asks_for(c, TARGET_SPEECH))
        fputs("<li>Targets for speech judge the receiver with the lowest speech transmission index, without background "
              "noise.</li>\n",
              stream);
    for (size_t t = 0; t < c->target_count; t++) {
        if (!c->targets[t]->condition)
            continue;
        fputs("<li><span translate=\"no\">", stream);
        xml_text(stream, c->targets[t]->publication);
        fputs("</span> applies to a room that is ", stream);
        xml_text(stream, c->targets[t]->condition);
        fputs(".</li>\n", stream);
    }
}

void methods_write(FILE *stream, const struct cover *c, const struct subject *subjects, size_t count)
{
    bool computed = false, doubtful = false;
    fputs("<section class=\"methods\">\n<h2>Methods and limits</h2>\n<h4>Methods</h4>\n<ul>\n", stream);
    for (size_t i = 0; i < count; i++) {
        origin(stream, &subjects[i]);
        computed = computed || subjects[i].json;
        doubtful = doubtful || subject_doubtful(&subjects[i]);
    }
    fputs("<li>Parameters follow ISO 3382-1 in octave bands: decays by backward integration, reverberation times by a "
          "line of least squares from −5 to −25 dB (T20) and −5 to −35 dB (T30). The speech transmission index follows "
          "IEC 60268-16.</li>\n",
          stream);
    target_methods(stream, c);
    if (count > 1)
        fputs(
            "<li>Differences are in just noticeable differences (JND), most of them from ISO 3382-1, table A.1. Those "
            "marked as assumed have no standard or listening test behind them.</li>\n",
            stream);
    fputs("</ul>\n<h4>Limits</h4>\n<ul>\n<li>Results hold for the sources and receivers of this report. A verdict does "
          "not account for the uncertainty of the values.</li>\n<li>Octaves that extend beyond the valid band of a "
          "response are not judged.</li>\n",
          stream);
    if (computed)
        fputs("<li>Computed results are as accurate as the model of the room, above all its absorption and scattering "
              "coefficients. They do not replace a measurement of the finished room.</li>\n",
              stream);
    if (doubtful)
        fputs("<li>Values marked <sup>?</sup> are doubtful, for the reason below their table.</li>\n", stream);
    fputs("</ul>\n</section>\n", stream);
}
