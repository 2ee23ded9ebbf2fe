/* From a room file with a score to sound: what `aula synth` does between reading and writing. */
#ifndef AULA_SYNTH_SESSION_H
#define AULA_SYNTH_SESSION_H

#include "io/audio_file.h"
#include "render/length.h"
#include "synth/perform.h"

struct cJSON;

/* How what is heard becomes what is written, and the steps that it takes. */
struct session_output {
    struct response_settings air, pickups;
    struct length length;
};

/* m: NULL for the instruments alone; rate: steps a second; onset: steps before time 0; signal: s at which the room's
 * sources end. time.duration = "auto" ends when what was played last has decayed: by the decay of its instrument and of
 * the body that it drives, or by Eyring's T60 of the room where that is longer, rounded up to tenths of a second. */
struct session_output session_output(const struct room *room, const struct model *m, const struct score *score,
                                     double signal, double rate, size_t onset);

/* Everything that is settled before the first step. */
struct session {
    const struct room *room;
    struct model *model; /* NULL: the instruments alone */
    struct score score;
    struct ensemble *ensemble;
    struct session_output output;
    double rate;     /* Hz: steps a second */
    size_t onset;    /* steps before time 0 */
    double *sources; /* [source_count][steps] */
    size_t source_count;
    char **warnings; /* of the session itself */
    size_t warning_count;
};

/* `dry`: the instruments alone, at the output's rate (or 48 kHz for "grid"). Fails with ERROR_INPUT for a room without
 * instruments, without anything that listens, or what ensemble_make refuses. */
int session_make(struct session *s, const struct room *room, bool dry, struct error *e);
void session_free(struct session *s);

/* Looks for what can be wrong before any work is done: engine, kernel, memory. */
int session_check(const struct session *s, const struct choice *choice, struct error *e);

/* What was heard of it. */
struct take {
    struct response air, pickups; /* Pa; m/s. Of one rate and length */
    struct requirement requirement;
    struct block_outcome outcome;
};
int take_make(struct take *r, const struct session *s, const struct choice *choice, const struct watch *watch,
              struct error *e);
void take_free(struct take *r);

/* The receivers' channels, then the pickups', each kind times its gain; samples in fresh memory. names: [channels], to be
 * freed with its strings left alone. */
int take_mix(struct audio *audio, const char ***names, const struct take *r, const struct session *s,
             const double gain[2], struct error *e);

/* The JSON beside the file, in fresh memory; NULL: out of memory. gain: of the receivers, of the pickups. */
char *take_json(const struct take *r, const struct session *s, const struct audio_written *written, const char *file,
                const double gain[2]);

/* Each voice as it is computed, for `aula info --json` too. */
struct cJSON *voices_json(const struct ensemble *s, const struct room *room, bool in_air);

#endif
