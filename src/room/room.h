/* SPDX-License-Identifier: MIT */
/* The room as read from its file: checked, in SI units, with defaults filled in. Only this layer
 * uses libconfig. room_read makes a struct room, which is constant from then on and independent of
 * the grid (see the model). Axes are right-handed with z up, in metres; a box spans 0..size, other
 * rooms lower..lower+size. */
#ifndef AULA_ROOM_ROOM_H
#define AULA_ROOM_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"
#include "dsp/space/radiation.h"
#include "geometry/mesh.h"
#include "geometry/mesh_prepare.h"
#include "io/sofa/hrtf.h"
#include "io/wav_header.h"
#include "room/layers/layers.h"

enum { RECEIVERS_MAX = AUDIO_CHANNELS_MAX }; /* channels of all receivers */

enum material_kind {
    MATERIAL_RIGID,
    MATERIAL_FIXED,
    MATERIAL_ABSORPTION,
    MATERIAL_IMPEDANCE,
    MATERIAL_BRANCHES,
    MATERIAL_LAYERS,
    MATERIAL_KINDS
};
enum room_form { ROOM_BOX, ROOM_POLYGON, ROOM_MESH };
enum shape { SHAPE_BOX, SHAPE_CYLINDER, SHAPE_SPHERE, SHAPE_WEDGE, SHAPE_POLYGON, SHAPES };
enum rise { RISE_X_MIN, RISE_X_MAX, RISE_Y_MIN, RISE_Y_MAX }; /* the side at which a wedge is as high as its `to` */
enum grid_scheme { GRID_SCHEME_AUTO, GRID_SCHEME_19_POINT, GRID_SCHEME_7_POINT };
enum signal_kind { SIGNAL_IMPULSE, SIGNAL_RAISED_COSINE, SIGNAL_GAUSSIAN, SIGNAL_SWEEP, SIGNAL_FILE, SIGNALS };

/* Whether the output for such a signal is the impulse response, rather than a recording of the signal. */
static inline bool signal_gives_response(enum signal_kind signal)
{
    switch (signal) {
    case SIGNAL_IMPULSE:
    case SIGNAL_SWEEP: /* deconvolved */
        return true;
    case SIGNAL_RAISED_COSINE:
    case SIGNAL_GAUSSIAN:
    case SIGNAL_FILE:
    case SIGNALS:
        break;
    }
    return false;
}

/* Whether such a signal of source.length seconds, from source.low to source.high, is removed from its recording. */
static inline bool signal_is_deconvolved(enum signal_kind signal)
{
    switch (signal) {
    case SIGNAL_SWEEP:
        return true;
    case SIGNAL_IMPULSE:
    case SIGNAL_RAISED_COSINE:
    case SIGNAL_GAUSSIAN:
    case SIGNAL_FILE:
    case SIGNALS:
        break;
    }
    return false;
}

enum output_filter { FILTER_VALID, FILTER_LINEAR_PHASE, FILTER_MINIMUM_PHASE, FILTER_NONE };
enum normalise { NORMALISE_NONE, NORMALISE_PEAK };

enum instrument_type {
    INSTRUMENT_STRING,
    INSTRUMENT_BAR,
    INSTRUMENT_MEMBRANE,
    INSTRUMENT_PLATE,
    INSTRUMENT_WIND,
    INSTRUMENT_TYPES
};
enum ends { ENDS_SUPPORTED, ENDS_CLAMPED, ENDS_FREE }; /* both ends of a string or bar, the edge of a plate */
enum outline { OUTLINE_CIRCLE, OUTLINE_RECTANGLE };
enum axis { AXIS_X, AXIS_Y, AXIS_Z };
enum shell_end { SHELL_OPEN, SHELL_CLOSED };
enum termination { TERMINATION_RIGID, TERMINATION_SPRING };
enum excitation_kind {
    EXCITATION_STRIKE,
    EXCITATION_PLUCK,
    EXCITATION_MALLET,
    EXCITATION_HAMMER,
    EXCITATION_BOW,
    EXCITATION_BLOW
};
enum reed_kind { REED_CLARINET, REED_LIPS };

/* Where a value was set, for messages: "studio.cfg:12", or "--set grid.rate=0". */
struct origin {
    const char *file; /* owned by the room */
    int line;         /* 0: none */
};

/* "studio.cfg:12", "--set grid.rate=0", or `fallback` (such as the room's path) when nothing is known. Returns text. */
const char *origin_text(const struct origin *origin, const char *fallback, char *text, size_t size);

/* unknown_keys.c: "studio.cfg, line 12: the keys band.* have been renamed to hybrid.*", fresh, for
 * an origin with a file; NULL: no memory. */
char *former_keys_note(const struct origin *origin);

/* Kinds of walls, by enum material_kind. room/grid/walls.c puts each on the grid. */
struct boundary_kind {
    const char *built_in; /* name of the one material of this kind, which needs no definition; NULL: by its key */
    const char *key;      /* of a definition, which gives it this kind */
    const char *example;  /* the key with a value, for messages */
    bool fixed;           /* p = 0: a layer of the grid instead of a wall beside it */
    bool has_absorption;  /* material.absorption is given, and written by the key absorption */
    const char *meaning;  /* of a built-in */
};
extern const struct boundary_kind boundary_kinds[];

/* The scattering coefficient of walls that state none: 0.05 (500 Hz/f)², limited to 0.01..0.05, at
 * the centre of each octave. */
void scattering_of_smooth_walls(double scattering[OCTAVE_BANDS]);
#define SCATTERING_FLAT 0.05 /* in its place where free edges turn no rays: render/image_room.h */

/* A layer as the room file describes it. */
struct material_layer {
    struct layer layer;
    char *file;                  /* LAYER_TABLE: "frequency, real, imaginary" in each line */
    struct admittance_row *rows; /* [layer.count] of that file */
    struct origin origin;
};
extern const char *const layer_kind_names[];

/* A material that lets sound through to the air behind it, as a limp sheet: theory (37a), z = resistance + jω mass. */
struct material_transmission {
    bool given;
    double mass;              /* kg/m² */
    double resistance;        /* Pa s/m */
    double bending_stiffness; /* N m, which tells the coincidence frequency only; 0: not known */
};

struct material {
    char *name;
    enum material_kind kind;
    double absorption[OCTAVE_BANDS];      /* random-incidence absorption coefficient per octave band */
    double scattering[OCTAVE_BANDS];      /* part of the reflected energy that rays scatter, per octave band */
    char *scattering_class;               /* the name that it was given by, or NULL */
    bool smooth;                          /* it says nothing of scattering */
    double impedance;                     /* specific impedance ξ = Z/(ρc), for MATERIAL_IMPEDANCE */
    struct branch branches[BRANCHES_MAX]; /* for MATERIAL_BRANCHES */
    size_t branch_count;
    struct material_layer *layers; /* [layer_count], for MATERIAL_LAYERS, from the room to the rigid wall */
    size_t layer_count;
    bool partitioned;            /* gaps are divided, so that no sound propagates along them */
    struct layered_wall layered; /* of the layers, in the air of the room */
    struct material_transmission transmission;
    char *source;      /* publication, or NULL */
    char *description; /* for people, or NULL */
    struct origin origin;
};

/* A scattering class, to which materials refer. */
struct scattering_class {
    char *name;
    double scattering[OCTAVE_BANDS];
    char *source; /* publication, or NULL */
};

static inline const struct boundary_kind *boundary_kind_of(const struct material *material)
{
    return &boundary_kinds[material->kind];
}

struct object {
    char *name; /* NULL: it has none */
    enum shape shape;
    double from[3],
        to[3];          /* m: opposite corners of a box or wedge; the two ends of a cylinder's axis, in any direction */
    double rotation[3]; /* degrees, box and wedge: yaw, pitch, roll about its centre, as object_turn turns */
    enum rise rises;    /* wedge */
    double position[3]; /* m: centre of a sphere */
    double radius;      /* m, cylinder and sphere */
    double (*corners)[2]; /* m: x, y of a polygon's corners, either way around */
    size_t corner_count;
    double bottom, top; /* m: z of a polygon's two faces */
    size_t material;    /* index into room.materials */
    struct origin origin;
};

/* Material of the faces of a model that carry a name. */
struct mesh_rule {
    char *name; /* with * for any letters, ? for one */
    size_t material;
    struct origin origin;
};

/* Patterns of sources. */
enum directivity {
    DIRECTIVITY_OMNI,
    DIRECTIVITY_CARDIOID,
    DIRECTIVITY_SUPERCARDIOID,
    DIRECTIVITY_HYPERCARDIOID,
    DIRECTIVITY_FIGURE_OF_EIGHT,
    DIRECTIVITIES, /* with a name */
    DIRECTIVITY_FILE = DIRECTIVITIES
};
/* α of the pattern α + (1 - α) cos θ. */
extern const double directivity_pressure[];

enum { PATTERN_ORDER_MAX = 3 }; /* of patterns with a name */

struct source {
    char *name;
    double position[3]; /* m */
    enum signal_kind signal;
    double gain;      /* source strength per unit of signal, Pa m */
    double width;     /* s: whole width of a raised cosine; standard deviation of a gaussian */
    double low, high; /* Hz: sweep; high 0 means a third above the valid band */
    double length;    /* s: sweep */
    char *file;       /* SIGNAL_FILE: path, resolved against the folder of the room file */
    enum directivity directivity;
    char *pattern;              /* DIRECTIVITY_FILE: path of a SOFA file */
    struct radiation radiation; /* and what is in it */
    size_t order;               /* of the pattern; 0: 1, and 3 of a file */
    double orientation[3];      /* degrees: yaw, pitch, roll, as object_turn turns; its front is x */
    struct origin origin;
};

/* Kinds of receivers, by enum receiver_kind_tag. room/grid/receivers.c places the taps of each on
 * the grid, and render/directions.c makes its channels, both by the recorded quantity
 * (receiver_records). The patterns of microphones come first, in the order of enum directivity. */
enum receiver_kind_tag {
    RECEIVER_OMNI,
    RECEIVER_CARDIOID,
    RECEIVER_SUPERCARDIOID,
    RECEIVER_HYPERCARDIOID,
    RECEIVER_FIGURE_OF_EIGHT,
    RECEIVER_VELOCITY,
    RECEIVER_AMBISONIC,
    RECEIVER_BINAURAL,
    RECEIVER_ARRAY,
    RECEIVER_KINDS
};
/* What a receiver records of the field. */
enum receiver_record {
    RECORDS_PRESSURE, /* at each of its places */
    RECORDS_PATTERN,  /* pressure and its gradient along the axis */
    RECORDS_VELOCITY, /* along its three axes */
    RECORDS_HARMONICS /* of its order */
};
enum array_shape { ARRAY_LIST, ARRAY_LINE, ARRAY_CIRCLE, ARRAY_SPHERE, ARRAY_GRID };

struct receiver {
    char *name;
    enum receiver_kind_tag kind;
    double position[3];    /* m; of an array: the origin of its places */
    size_t order;          /* ambisonic */
    double orientation[3]; /* degrees: yaw, pitch, roll, as object_turn turns; its front is x, its left y, its top z */
    char *hrtf;            /* binaural: path of a SOFA file */
    double hrtf_distance;  /* m: which of its sets of sources */
    struct hrtf ears;      /* and what is in it */
    struct {               /* array */
        enum array_shape shape;
        double (*positions)[3]; /* m: list */
        size_t position_count;
        double from[3], to[3]; /* m: line, grid */
        double radius;         /* m: circle, sphere */
        double spacing;        /* m: grid */
        size_t count;          /* line, circle, sphere */
        double (*places)[3];   /* m, in the room: what follows from the others */
        size_t place_count;
    } array;
    struct origin origin;
};

/* A place on a line (string, bar) is place[0], a fraction of its length from the far end: 0..1, and the end that drives
 * a body is at 1. A place on a surface (membrane, plate) is along the two axes of its plane, in the order x, y, z, in
 * units of the radius or of the half sides: -1..1, the centre is (0, 0). A pickup on a wind instrument has place[0] 0:
 * the pressure in the mouthpiece, or 1: the pressure that it radiates. Members of other types are 0. */
struct instrument {
    char *name;
    char *preset; /* that gave its other keys; NULL: none */
    char *source; /* publication of the figures, or NULL */
    enum instrument_type type;
    double position[3];     /* m: centre of a membrane or plate in the room; open end of a wind instrument */
    enum axis normal;       /* of a membrane or plate; z: horizontal */
    enum outline outline;   /* of a membrane or plate */
    double radius;          /* m, circle */
    double sides[2];        /* m, rectangle: along the two axes of its plane, in the order x, y, z */
    double length, width;   /* m: string and bar; bar. A length of 0: from the pitch (bar) */
    double thickness;       /* m: bar, plate */
    double diameter;        /* m: string; of the core where linear_density is given */
    double density;         /* kg/m³: string, bar, plate; 0: a string that has a linear_density */
    double linear_density;  /* kg/m: wound string; 0: from density and diameter */
    double surface_density; /* kg/m²: membrane */
    double young;           /* Pa: string, bar, plate */
    double poisson;         /* plate */
    double tension;         /* N (string), N/m (membrane); 0: from the pitch */
    double pitch;           /* Hz: lowest mode in vacuo, in place of tension (string, membrane) or length (bar); 0 */
    enum ends ends;         /* string, bar, plate; the edge of a membrane is fixed */
    double decay[2];        /* s: T60 at the two frequencies decay_at, not rising */
    double decay_at[2];     /* Hz, rising */
    double shell;           /* m: depth of a drum's body, from the head against the normal; 0: none */
    enum shell_end bottom;  /* of the shell */
    char *body;             /* string, bar: name of the membrane or plate that its end drives, or NULL */
    size_t body_index;      /* of that instrument; SIZE_MAX: none */
    double body_place[2];   /* on the body */
    enum termination termination;    /* between the end and the body */
    double spring;                   /* N/m, TERMINATION_SPRING */
    double bridge_mass;              /* kg, moves with the place on the body */
    enum excitation_kind played;     /* a pluck: strings and bars only */
    double force;                    /* N: the peak, of events that give none */
    double contact;                  /* s: duration of a strike, or of the rise of a pluck */
    double place[2];                 /* of events that give none */
    double velocity;                 /* m/s: of a mallet, hammer or bow, for events that give none; 0 for others */
    double mallet_mass;              /* kg: mallet, hammer; 0 for others, as the next three */
    double mallet_stiffness;         /* N/m^α */
    double mallet_exponent;          /* α */
    double mallet_loss;              /* s/m */
    double bow_force;                /* N: bow; 0 for others, as the next two */
    double bow_friction[2];          /* coefficients at rest and at high speed */
    double bow_friction_speed;       /* m/s */
    bool torsion;                    /* string that is bowed: it twists; the next three count only then */
    double torsion_impedance_ratio;  /* of torsion at its surface over that of its transverse waves */
    double torsion_speed_ratio;      /* of its torsional waves over its transverse waves */
    double torsion_quality;          /* Q of its torsional modes */
    size_t frets;                    /* string: number of them below it, a semitone apart; 0: none, as the next ones */
    double fret_gap, fret_stiffness; /* m; N/m^1.5 */
    double rattle_stiffness;         /* N/m^1.5, of a fixed stop near the body; 0: none */
    double rattle_gap, rattle_place[2]; /* m */
    size_t snares;                      /* membrane: number of wires below it; 0: none, as the next ones */
    double snare_length, snare_tension, snare_density, snare_spacing, snare_gap; /* m, N, kg/m, m, m */
    double snare_stiffness; /* N/m^1.5, of the contact of a wire and the head */
    bool large_amplitude;   /* it stretches as it moves */
    double mouth[3];        /* m: wind: where the player's mouth is, as the next ones */
    double (*bore)[2];      /* [bore_count] m: distance from the mouth, ascending from 0, and diameter */
    size_t bore_count;
    double (*holes)[4]; /* [hole_count] m, m, m, Hz: distance from the mouth, diameter, height, pitch that it opens */
    size_t hole_count;
    enum reed_kind reed;
    double breath; /* Pa, of events that give none */
    size_t cells;  /* grid cells along a radius or the longer side; 0: as fine as is stable and useful */
    struct origin origin;
};

/* Kinds of instruments, by enum instrument_type (instrument.c); synth/ makes lines and surfaces of them. */
struct instrument_kind {
    bool is_line;     /* modes along a length, that drive a body; else a surface or a bore in the air */
    bool has_pitches; /* an event may set its pitch */
    /* c_s² and κ_s² of theory (60) and (67), without what stiffness adds to a pitch; 0 where not set. NULL: wind. */
    void (*wave_constants)(const struct instrument *instrument, double *tension, double *stiffness);
};
extern const struct instrument_kind instrument_kinds[];

static inline bool instrument_is_line(const struct instrument *instrument)
{
    return instrument_kinds[instrument->type].is_line;
}

static inline bool is_thrown(enum excitation_kind kind)
{
    return kind == EXCITATION_MALLET || kind == EXCITATION_HAMMER;
}

/* Velocity of the instrument at a place on it. */
struct pickup {
    char *name;
    size_t instrument; /* index into instruments */
    double place[2];
    struct origin origin;
};

/* Values over time: [count] pairs of seconds, ascending from the start of the event, and the value; linear in
 * between and constant before and after. */
struct curve {
    double (*points)[2];
    size_t count; /* 0: none */
};

struct event {
    double time;       /* s, not below 0 */
    size_t instrument; /* index into instruments */
    double place[2];
    bool placed;     /* place was given; else the instrument's */
    double force;    /* N; 0: the instrument's */
    double duration; /* s; 0: the instrument's contact */
    double pitch;    /* Hz: lowest mode while this event sounds; 0: the instrument's own */
    double velocity; /* m/s, of a mallet, hammer or bow; 0: the instrument's */
    double hold;     /* s, of a bow stroke or breath; 0: to the end of its curves */
    double breath;   /* Pa, of a wind instrument; 0: the instrument's */
    struct curve force_curve, velocity_curve, place_curve; /* of a bow */
    struct curve breath_curve;                             /* Pa, of a wind instrument */
    struct origin origin;
};

void event_free(struct event *event); /* the curves that it owns */

/* Instrument of a MIDI channel. */
struct midi_channel {
    size_t channel;    /* 1 to 16 */
    size_t instrument; /* index into instruments */
    size_t note;       /* only this MIDI note, which then sets no pitch: a drum map; 0: every note */
    struct origin origin;
};

struct room {
    char *path;              /* of the room file */
    bool from_sidecar;       /* it is the JSON that a render wrote */
    const char *json_folder; /* names of files in room_json are relative to this folder, not owned; NULL: absolute */

    bool sized_by_points; /* points are given and size follows; else the reverse */
    double lower[3];      /* m: least corner of what bounds the room; 0 for a box */
    double size[3];       /* m: its extent from there */
    size_t points[3];     /* grid points, layers of fixed walls included */
    size_t walls[FACES];  /* index into materials: of a box; z_min, z_max of a polygon */
    struct origin wall_origins[FACES], default_origin, sides_origin; /* file NULL: the key is not set */

    /* A floor plan with vertical walls: a polygon. */
    bool has_corners;
    double (*corners)[2]; /* [corner], m: x, y in order around it, either way */
    size_t corner_count;
    double *heights; /* m: of the ceiling over the floor z = 0, at each corner */
    size_t height_count;
    size_t *sides; /* index into materials: [corner], of the wall from there to the next corner */
    size_t side_count;
    uint32_t (*plan)[3]; /* [corner_count - 2 at most]: triangles of the floor and the ceiling, indices of corners */
    size_t plan_count;

    /* A mesh from a file. */
    struct {
        bool given;
        char *file;     /* resolved against the folder of the room file */
        char *checksum; /* of the model, as it is or has to be; "": of any */
        enum mesh_unit unit;
        enum mesh_up up;
        double seal;                 /* grid spacings: how far triangles reach beyond their edges */
        bool flip;                   /* x is mirrored: models of left-handed axes */
        size_t fallback;             /* index into room.materials, of names that match nothing; SIZE_MAX: none */
        struct mesh_rule *materials; /* the first that matches wins */
        size_t material_count;
        struct origin origin;
    } geometry;
    struct mesh mesh;       /* m, z up, flipped where asked for; empty without geometry.file */
    size_t *mesh_materials; /* [mesh.material_count]: index into room.materials; SIZE_MAX: of no face */

    struct object *objects;
    size_t object_count;
    struct origin size_origin;

    struct material *materials; /* the ones that are used, in order of first use */
    size_t material_count;
    struct scattering_class *scattering_classes; /* of the library alone: room_read_library */
    size_t scattering_class_count;

    struct {
        double temperature; /* °C */
        double humidity;    /* % */
        double pressure;    /* kPa */
        bool losses;
    } air;

    struct {
        enum grid_scheme scheme;      /* room/grid/scheme_choice.h decides about "auto" */
        double rate;                  /* Hz; 0 when the highest frequency is given */
        double max_frequency;         /* Hz; 0 when the rate is given */
        double points_per_wavelength; /* at max_frequency; 0: the scheme's (room/grid/grid.h) */
        enum precision precision;
        double courant;       /* λ of the 7-point scheme; 0: as close under 1/sqrt(3) as rounding allows */
        struct origin origin; /* of the rate or the highest frequency */
        struct origin scheme_origin;
        struct origin points_per_wavelength_origin;
    } grid;

    struct {
        bool edges;   /* free edges turn rays */
        bool full;    /* responses reach 20 kHz: image sources and rays above the valid band of the waves */
        bool given;   /* full was; else it is for the command to choose */
        size_t order; /* of image sources; 0: render/image_room.h */
        size_t rays;  /* from each source; 0: none, image sources alone */
        size_t seed;  /* of rays and of the noise that late sound is made of */
    } hybrid;

    double duration;     /* s; 0: "auto", as long as the decay takes (render/length.h) */
    double max_duration; /* s: limit of such a duration; 0: the duration is given */
    struct origin duration_origin;

    struct source *sources;
    size_t source_count;
    struct receiver *receivers;
    size_t receiver_count;

    struct instrument *instruments; /* may be none; sources are then required */
    size_t instrument_count;
    struct pickup *pickups;
    size_t pickup_count;
    struct event *events; /* in the order of the file; score_make sorts them and adds those of score_file */
    size_t event_count;
    struct midi_channel *midi_channels;
    size_t midi_channel_count;
    char *score_file; /* path of a MIDI or CSV file, or NULL */
    struct origin score_origin;

    struct {
        double rate; /* Hz; 0: the grid's */
        enum sample_format format;
        bool format_given;
        enum output_filter filter;
        double dispersion; /* largest relative error of the phase velocity kept */
        enum normalise normalise;
    } output;

    struct {
        char *licence, *author, *organisation, *citation; /* NULL: not given */
    } about;                                              /* the responses, for files that say so */

    struct origin former_keys; /* the first key by its name in the previous release; file NULL: none */
    char **files;              /* file names of origins */
    size_t file_count;
};

/* Reads a room file (libconfig), or the JSON that a render wrote beside its output (its member "input"), with the
 * `setting_count` texts "key.path=value" of --set applied on top. On failure *room is NULL and the message names file,
 * line, key and remedy. Free with room_free. */
int room_read(struct room **room, const char *path, const char *const *settings, size_t setting_count, struct error *e);

/* The same of a text that stands for the file; NULL: of the file. */
int room_read_text(struct room **room, const char *path, const char *text, const char *const *settings,
                   size_t setting_count, struct error *e);

/* A key of the room file with another value. */
struct room_setting {
    const char *text;   /* "key.path=value" */
    const char *origin; /* where it stands, "plan.cfg:12"; NULL: in a --set of the command line */
};

/* As room_read_text. `unplaced`: sources and receivers may be anywhere, also outside of the room. */
int room_read_varied(struct room **room, const char *path, const char *text, const struct room_setting *settings,
                     size_t setting_count, bool unplaced, struct error *e);

/* A room that holds only the materials and classes of scattering of the library rooms/materials.cfg, in its order. */
int room_read_library(struct room **room, struct error *e);

/* A room of 8 m a side with every instrument of the library rooms/instruments.cfg, named as its preset, surfaces in the
 * middle of it, and a pickup on each. */
int room_read_presets(struct room **room, struct error *e);
void room_free(struct room *room); /* NULL-safe */

static inline enum room_form room_form(const struct room *room)
{
    return room->geometry.given ? ROOM_MESH : room->has_corners ? ROOM_POLYGON : ROOM_BOX;
}

/* plan.c. Whether a position (m) lies in the room or on its walls, as far as the room itself tells: of a mesh, in the
 * box around it; of one sized by points, beyond its three lower walls. */
bool room_spans(const struct room *room, const double position[3]);
/* Height of the ceiling of a polygon over x, y in its floor plan, m. */
double room_ceiling(const struct room *room, const double at[2]);

/* sources.c. Signals that drive the grid: those of each source in turn, one for each order of a pattern with a name,
 * one for each harmonic of a pattern from a file. */
size_t source_drives(const struct source *s);
int source_order(const struct source *s); /* 0: omni */
/* a[order + 1]: a pattern with a name is Σ a_n P_n(cos θ), 1 in front. */
void source_pattern(double a[PATTERN_ORDER_MAX + 1], enum directivity directivity, int order);
/* s->radiation of the file s->pattern. ERROR_INPUT; ERROR_MEMORY; ERROR_STOPPED. */
int source_read_pattern(struct source *s, struct error *e);
/* Of a pattern with a name its own, else the file. */
const char *source_pattern_name(const struct source *s);
size_t room_first_drive(const struct room *room, size_t source);
size_t room_drive_count(const struct room *room);

/* receivers.c. What a receiver records on the grid (taps), and what its file has (channels): those of each receiver in
 * turn. */
enum receiver_record receiver_records(const struct receiver *r);
double receiver_pressure(const struct receiver *r); /* α of the pattern α + (1 - α) cos θ; NaN: it has none */
size_t receiver_taps(const struct receiver *r);
size_t receiver_channels(const struct receiver *r);
size_t room_tap_count(const struct room *room);
size_t room_channel_count(const struct room *room);
const struct receiver *room_receiver_of(const struct room *room, size_t channel);
const struct receiver *room_receiver_of_tap(const struct room *room, size_t tap);
size_t room_first_channel(const struct room *room, size_t receiver);
size_t room_first_tap(const struct room *room, size_t receiver);

/* Positions in the room: one, or those of an array. */
size_t receiver_place_count(const struct receiver *r);
const double *receiver_place(const struct receiver *r, size_t index);

/* "left", "field ACN 4", "wind x", "array 12". Returns text. */
enum { CHANNEL_NAME = 300 };
const char *room_channel_name(const struct room *room, size_t channel, char text[CHANNEL_NAME]);

/* Sound files of a response: one for all omni receivers, if there are any, and one for each of the others. */
size_t room_file_count(const struct room *room);
/* The receiver that a file is for; NULL: all omni receivers. */
const struct receiver *room_file_receiver(const struct room *room, size_t file);
/* channels [room_channel_count], of the response, in the file: returns their number. */
size_t room_file_channels(const struct room *room, size_t file, size_t *channels);

/* inputs.c. Which input of the room the file `path` is, as `text` for messages: "the room file itself", "what source S1
 * plays"; NULL: none. `renewable`: the JSON of a render, read in place of a room file, does not count. */
enum { ROOM_INPUT = 320 };
const char *room_input_at(const struct room *room, const char *path, bool renewable, char text[ROOM_INPUT]);
/* Path of the index-th file that the room takes data from: score, model, sounds, patterns, head-related impulse
 * responses; NULL: there are no more. */
const char *room_input(const struct room *room, size_t index);
/* Path of the index-th file besides the room file that makes the room what it is: included files, libraries, tables of
 * layers, and those of room_input; NULL: there are no more. */
const char *room_dependency(const struct room *room, size_t index);

/* objects.c. Whether a position (m) lies inside an object: half-open along the axes of a box and the axis of a
 * cylinder. On other planes a position counts as the one next to it at x + a, y + b, z + c with a >> b >> c > 0, so
 * that of two objects that share a plane one holds it. */
bool object_holds(const struct object *o, const double at[3]);
/* The box around an object, m. */
void object_bounds(const struct object *o, double lower[3], double upper[3]);
/* The unit normal of a wedge's slope, which points out of it. */
void object_slope(const struct object *o, double normal[3]);
/* The matrix that turns an object about its centre: about x by roll, then about y by pitch, then about z by yaw, all
 * right-handed (Tait-Bryan angles z-y'-x''). Exact for multiples of 90 degrees. */
void object_turn(const struct object *o, double matrix[3][3]);
/* Whether the sides of a box or wedge, but for a slope, are planes of constant x, y or z. */
bool object_is_axis_parallel(const struct object *o);
/* A corner of a box or wedge, m: index x + 2 y + 4 z, 1 at the `to` of its own axes. The corners over the low side of a
 * wedge are those below them. */
enum { OBJECT_CORNERS = 8 };
void object_corner(const struct object *o, size_t index, double corner[3]);
/* The object that a position is in, the last of several; object_count: none. */
size_t room_object_at(const struct room *room, const double position[3]);
/* Whether a room is a box with axis-parallel boxes and cylinders, which voxels need not show. */
bool room_is_plain(const struct room *room);
/* room.objects[2] "sofa", counted from 0 as --set counts. Returns text. */
enum { OBJECT_NAME = 112 };
const char *room_object_name(const struct room *room, size_t index, char text[OBJECT_NAME]);

/* The room as a JSON object in fresh memory (struct cJSON of libcjson): the same keys as the room file, defaults filled
 * in, the materials that are used spelt out, so that room_read of {"input": <this>} in json_folder gives the same room.
 * NULL: no memory. */
struct cJSON;
struct cJSON *room_json(const struct room *room);

/* Prints the table of every key: name, type, unit, default, range, meaning; a line each. */
void room_print_keys(FILE *stream);

/* Names as they are written in the file, indexed by the enums above. */
extern const char *const grid_scheme_names[];
extern const char *const signal_names[];
extern const char *const shape_names[]; /* of objects */
extern const char *const receiver_type_names[];
extern const char *const directivity_names[];
extern const char *const instrument_type_names[];
extern const char *const excitation_names[];
extern const char *const ends_names[];

#endif
