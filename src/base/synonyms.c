/* SPDX-License-Identifier: MIT */
#include "base/synonyms.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* clang-format off */
const struct synonym synonyms[] = {
    /* keys of a room file, and choices */
    {"sample_rate", {"rate"}},
    {"sampling_rate", {"rate"}},
    {"fs", {"rate"}},
    {"fmax", {"max_frequency"}},
    {"frequency", {"max_frequency", "rate"}},
    {"bandwidth", {"max_frequency"}},
    {"ppw", {"points_per_wavelength"}},
    {"cfl", {"courant"}},
    {"lambda", {"courant"}},
    {"length", {"duration"}},
    {"seconds", {"duration"}},
    {"simulation", {"time"}},
    {"pos", {"position"}},
    {"location", {"position"}},
    {"coordinates", {"position"}},
    {"xyz", {"position"}},
    {"dimensions", {"size"}},
    {"dims", {"size"}},
    {"box", {"size"}},
    {"geometry", {"room"}},
    {"microphone", {"receivers", "receiver"}},
    {"mic", {"receivers", "receiver", "input"}},
    {"listener", {"receivers", "receiver"}},
    {"speaker", {"sources", "source"}},
    {"loudspeaker", {"sources", "source"}},
    {"obstacles", {"objects"}},
    {"boxes", {"objects"}},
    {"furniture", {"objects"}},
    {"surfaces", {"walls"}},
    {"boundaries", {"walls"}},
    {"floor", {"z_min"}},
    {"ceiling", {"z_max"}},
    {"celsius", {"temperature"}},
    {"temp", {"temperature"}},
    {"alpha", {"absorption"}},
    {"coefficients", {"absorption"}},
    {"frequencies", {"bands"}},
    {"octaves", {"bands"}},
    {"reference", {"source"}},
    {"path", {"file"}},
    {"filename", {"file"}},
    {"wav", {"file", "output"}},
    {"sound", {"file", "dry"}},
    {"type", {"shape", "signal"}},
    {"kind", {"shape", "signal", "type"}},
    {"amplitude", {"gain"}},
    {"level", {"gain"}},
    {"volume", {"gain"}},
    {"start", {"from", "time"}},
    {"end", {"to"}},
    {"min", {"from"}},
    {"max", {"to"}},
    {"encoding", {"format"}},
    {"bits", {"format"}},
    {"normalize", {"normalise"}},
    {"cube", {"box"}},
    {"cuboid", {"box"}},
    {"block", {"box"}},
    {"pillar", {"cylinder"}},
    {"column", {"cylinder"}},
    {"tube", {"cylinder"}},
    {"dirac", {"impulse"}},
    {"delta", {"impulse"}},
    {"click", {"impulse"}},
    {"chirp", {"sweep"}},
    {"pulse", {"gaussian", "raised_cosine"}},
    {"hann", {"raised_cosine"}},
    {"float32", {"single", "float"}},
    {"float64", {"double"}},
    {"16bit", {"pcm16"}},
    {"int16", {"pcm16"}},
    {"24bit", {"pcm24"}},
    {"int24", {"pcm24"}},
    {"off", {"none"}},
    /* engines, options, commands */
    {"gpu", {"cuda", "engine", "devices"}},
    {"nvidia", {"cuda", "engine"}},
    {"processor", {"cpu", "engine"}},
    {"out", {"output"}},
    {"outfile", {"output"}},
    {"define", {"set"}},
    {"cores", {"threads"}},
    {"jobs", {"threads"}},
    {"figure", {"plot"}},
    {"picture", {"plot"}},
    {"svg", {"plot"}},
    {"graph", {"plot"}},
    {"silent", {"quiet"}},
    {"debug", {"verbose"}},
    {"voice", {"dry"}},
    {"simulate", {"render"}},
    {"run", {"render"}},
    {"convolve", {"auralize"}},
    {"auralise", {"auralize"}},
    {"listen", {"preview"}},
    {"play", {"preview"}},
    {"live", {"preview"}},
    {"measure", {"metrics"}},
    {"analyse", {"metrics"}},
    {"analyze", {"metrics"}},
    {"rt60", {"metrics"}},
    {"sti", {"metrics"}},
    {"check", {"validate", "info"}},
    {"test", {"validate"}},
    {"verify", {"validate"}},
    {"benchmark", {"bench"}},
    {"speed", {"bench"}},
    {"show", {"info"}},
    {"describe", {"info"}},
    {"inspect", {"info"}},
    {"html", {"report"}},
    {"page", {"report"}},
    {"music", {"synth"}},
    {"instruments", {"synth"}},
    {"list", {"devices"}},
    {NULL, {NULL}},
};
/* clang-format on */

static const char *letter_from(const char *text)
{
    return text + strspn(text, "-_ ");
}

static bool is_word(const char *given, const char *word)
{
    for (given = letter_from(given), word = letter_from(word); *given && *word;
         given = letter_from(given + 1), word = letter_from(word + 1))
        if (tolower((unsigned char)*given) != *word)
            return false;
    const bool plural = tolower((unsigned char)*given) == 's';
    return !*word && !*letter_from(given + plural);
}

const struct synonym *synonym_of(const struct synonym *table, const char *word)
{
    for (const struct synonym *s = table; s && s->word; s++)
        if (is_word(word, s->word))
            return s;
    return NULL;
}
