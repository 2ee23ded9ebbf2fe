/* Checks of a scheme, or of the walls of one, against exact answers; one file each, one row of a table each. */
#ifndef AULA_VALIDATE_VALIDATE_H
#define AULA_VALIDATE_VALIDATE_H

#include "base/random.h"
#include "solver/solver.h"
#include "validate/report.h"

struct validation {
    struct choice choice;
    unsigned webb_variant; /* of Webb's kernels: schemes/leapfrog/webb.h */
    bool full;
    int cases;            /* random cases of a check; 0: its default */
    struct random random; /* its seed was printed */
};

struct check {
    const char *name;
    /* Adds rows to the report. Nonzero: the check itself could not be done. */
    int (*run)(struct validation *v, struct report *r, struct error *e);
};

/* A problem run to its end, for inspection. */
struct scenario {
    const char *input;  /* a shipped data file */
    const char *prefix; /* of the names of the output files, by default */
    int (*run)(const char *path, const char *prefix, const struct choice *c, struct error *e);
};

/* NULL-terminated */
extern const struct check *const leapfrog_checks[], *const walls_checks[], *const air_checks[], *const synth_checks[];

int check_kernels(struct validation *v, struct report *r, struct error *e);
int check_modes(struct validation *v, struct report *r, struct error *e);
int check_energy(struct validation *v, struct report *r, struct error *e);
int check_reflection(struct validation *v, struct report *r, struct error *e);
int check_free_field(struct validation *v, struct report *r, struct error *e);
int check_reciprocity(struct validation *v, struct report *r, struct error *e);
int check_air_modes(struct validation *v, struct report *r, struct error *e);
int check_air_bands(struct validation *v, struct report *r, struct error *e);
int check_stability(struct validation *v, struct report *r, struct error *e);
int check_precision(struct validation *v, struct report *r, struct error *e);
int check_tuning(struct validation *v, struct report *r, struct error *e);
int check_wall_tube(struct validation *v, struct report *r, struct error *e);
int check_wall_oblique(struct validation *v, struct report *r, struct error *e);
int check_wall_energy(struct validation *v, struct report *r, struct error *e);
int check_wall_mixed(struct validation *v, struct report *r, struct error *e);
int check_wall_random(struct validation *v, struct report *r, struct error *e);

int check_wall_reverberation(struct validation *v, struct report *r, struct error *e);

int check_synth_lines(struct validation *v, struct report *r, struct error *e);
int check_synth_surfaces(struct validation *v, struct report *r, struct error *e);
int check_synth_plates(struct validation *v, struct report *r, struct error *e);
int check_synth_energy(struct validation *v, struct report *r, struct error *e);
int check_synth_air(struct validation *v, struct report *r, struct error *e);
int check_synth_loading(struct validation *v, struct report *r, struct error *e);
int check_synth_guards(struct validation *v, struct report *r, struct error *e);
int check_synth_presets(struct validation *v, struct report *r, struct error *e);
int check_synth_engines(struct validation *v, struct report *r, struct error *e);

#endif
