#include "room/keys.h"

#include <math.h>
#include <string.h>

#include "room/notes.h"

const char *const grid_scheme_names[] = {"auto", "19-point", "7-point"};
const char *const signal_names[] = {"impulse", "raised_cosine", "gaussian", "sweep", "file"};
const char *const directivity_names[DIRECTIVITIES] = {"omni", "cardioid", "supercardioid", "hypercardioid",
                                                      "figure_of_eight"};
const char *const receiver_type_names[RECEIVER_KINDS] = {"omni",          "cardioid",        "supercardioid",
                                                         "hypercardioid", "figure_of_eight", "velocity",
                                                         "ambisonic",     "binaural",        "array"};
const char *const array_shape_names[] = {"list", "line", "circle", "sphere", "grid"};
const char *const instrument_type_names[INSTRUMENT_TYPES] = {"string", "bar", "membrane", "plate"};
const char *const ends_names[] = {"supported", "clamped", "free"};
const char *const outline_names[] = {"circle", "rectangle"};
static const char *const axis_names[] = {"x", "y", "z"};
const char *const shell_end_names[] = {"open", "closed"};
const char *const termination_names[] = {"rigid", "spring"};
const char *const excitation_names[] = {"strike", "pluck"};
static const char *const filter_names[] = {"valid", "linear-phase", "minimum-phase", "none"};
static const char *const normalise_names[] = {"none", "peak"};
static const char *const shape_names[SHAPES] = {"box", "cylinder", "sphere", "wedge", "polygon"};
static const char *const rise_names[] = {"x_min", "x_max", "y_min", "y_max"};

#define COUNT(names) (sizeof(names) / sizeof *(names))
#define CHOICES(names) .choices = names, .choice_count = COUNT(names)
#define USED_BY(kind) .uses = 1u << (kind)
#define ROOM(member) offsetof(struct room, member)
#define OBJECT(member) offsetof(struct object, member)
#define RULE(member) offsetof(struct mesh_rule, member)
#define BOX (1u << SHAPE_BOX)
#define CYLINDER (1u << SHAPE_CYLINDER)
#define SPHERE (1u << SHAPE_SPHERE)
#define WEDGE (1u << SHAPE_WEDGE)
#define POLYGON (1u << SHAPE_POLYGON)
#define IN_BOX .forms = 1u << ROOM_BOX
#define IN_POLYGON .forms = 1u << ROOM_POLYGON
#define SOURCE(member) offsetof(struct source, member)
#define RECEIVER(member) offsetof(struct receiver, member)
#define ARRAY (1u << RECEIVER_ARRAY)
#define TURNED (~(1u << RECEIVER_OMNI) & ((1u << RECEIVER_KINDS) - 1u))
#define MATERIAL(member) offsetof(struct material, member)
#define INSTRUMENT(member) offsetof(struct instrument, member)
#define PICKUP(member) offsetof(struct pickup, member)
#define EVENT(member) offsetof(struct event, member)
#define CHANNEL(member) offsetof(struct midi_channel, member)
#define STRING (1u << INSTRUMENT_STRING)
#define BAR (1u << INSTRUMENT_BAR)
#define MEMBRANE (1u << INSTRUMENT_MEMBRANE)
#define PLATE (1u << INSTRUMENT_PLATE)
#define WALL(wall) offsetof(struct room, walls) + (wall) * sizeof(size_t)
#define LIST(array, items, type)                                                                                       \
    .offset = ROOM(array), .count = ROOM(items), .item_size = sizeof(struct type),                                     \
    .origin = offsetof(struct type, origin)
#define KIND(type, member)                                                                                             \
    .kind = offsetof(struct type, member), .kind_key = #member, .kind_names = member##_names,                          \
    .kind_count = COUNT(member##_names)

#define COURANT_LIMIT 0.57735026918962576 /* 1/sqrt(3), rounded to the nearest double */

/* A key that gives the kind of its group (signal, shape) precedes the others. Materials are numbered by first use:
 * walls precede objects. */
/* clang-format off */
const struct key keys[] = {
    {"", "room", KEY_GROUP, .inner = "room", .flags = KEY_REQUIRED, .meaning = "its walls and what stands in it"},
    {"room", "size", KEY_POSITION, ROOM(size), "m", NULL, 0.01, 10000, KEY_REQUIRED | KEY_OMIT_ZERO,
     .meaning = "inner size of a box along x, y, z; it spans 0..size", .unless = {"points", "corners", "geometry"},
     .origin = ROOM(size_origin), IN_BOX},
    {"room", "points", KEY_POINTS, ROOM(points), "grid points", NULL, 1, 100000, KEY_OMIT_ZERO,
     .meaning = "grid points along x, y, z in place of the size, layers of fixed walls included",
     .unless = {"size", "corners", "geometry"}, .origin = ROOM(size_origin), IN_BOX},
    {"room", "corners", KEY_CORNERS, ROOM(corners), "m", NULL, -10000, 10000,
     .meaning = "x, y of the corners of a floor plan with vertical walls, in order around it; the floor is z = 0",
     .unless = {"size", "points", "geometry"}, .given = ROOM(has_corners), .origin = ROOM(size_origin),
     .count = ROOM(corner_count), IN_POLYGON},
    {"room", "height", KEY_HEIGHTS, ROOM(heights), "m", NULL, 0.01, 10000, KEY_REQUIRED,
     .meaning = "height of the ceiling, or a list with that at each of the corners", .needs = "corners",
     .count = ROOM(height_count), IN_POLYGON},
    {"room", "geometry", KEY_GROUP, .inner = "room.geometry", .flags = KEY_OPTIONAL,
     .meaning = "a room from the file of a model", .unless = {"size", "points", "corners", "walls"},
     .given = ROOM(geometry.given), .origin = ROOM(geometry.origin)},
    {"room.geometry", "file", KEY_PATH, ROOM(geometry.file), .flags = KEY_REQUIRED,
     .meaning = "model of the room, relative to the folder of the room file"},
    {"room.geometry", "checksum", KEY_TEXT, ROOM(geometry.checksum),
     .meaning = "of the model, as the JSON of a render has it: another model is refused; \"\": any is taken"},
    {"room.geometry", "unit", KEY_CHOICE, ROOM(geometry.unit), CHOICES(mesh_unit_names), .fallback = "file",
     .meaning = "length of 1 in the model; \"file\": as its format says; OBJ, STL and PLY do not"},
    {"room.geometry", "up", KEY_CHOICE, ROOM(geometry.up), CHOICES(mesh_up_names), .fallback = "file",
     .meaning = "axis of the model that points up; y: its x, y, z become x, -z, y; \"file\": as its format says, z for "
                "OBJ, STL and PLY"},
    {"room.geometry", "seal", KEY_NUMBER, ROOM(geometry.seal), "spacings", "0.01", 0, 0.5, 0,
     .meaning = "how far faces reach beyond their edges, in grid spacings, to close seams; 0: not at all",
     .reason = "wider gaps are openings of the room"},
    {"room.geometry", "flip", KEY_LOGICAL, ROOM(geometry.flip), .fallback = "false",
     .meaning = "whether to mirror the model, x to -x, as those with left-handed axes need"},
    {"room.geometry", "materials", KEY_LIST, LIST(geometry.materials, geometry.material_count, mesh_rule),
     .inner = "room.geometry.materials[]", .meaning = "materials by their names in the model; the first that matches"},
    {"room.geometry.materials[]", "name", KEY_TEXT, RULE(name), .flags = KEY_REQUIRED,
     .meaning = "name in the model, with * for any letters and ? for one"},
    {"room.geometry.materials[]", "material", KEY_MATERIAL, RULE(material), .flags = KEY_REQUIRED,
     .meaning = "material of these faces"},
    {"room.geometry", "default", KEY_MATERIAL, ROOM(geometry.fallback),
     .meaning = "material of faces whose name matches none; without it they are an error"},
    {"room", "walls", KEY_GROUP, .inner = "room.walls", .meaning = "materials of the walls", .unless = {"geometry"},
     .forms = 1u << ROOM_BOX | 1u << ROOM_POLYGON},
    {"room.walls", "default", KEY_MATERIAL_NAME, .fallback = "plaster", .meaning = "material of the walls not named"},
    {"room.walls", "x_min", KEY_MATERIAL, WALL(FACE_X_MIN), .instead = "default",
     .meaning = "material of the wall x = 0", IN_BOX},
    {"room.walls", "x_max", KEY_MATERIAL, WALL(FACE_X_MAX), .instead = "default",
     .meaning = "material of the wall at the largest x", IN_BOX},
    {"room.walls", "y_min", KEY_MATERIAL, WALL(FACE_Y_MIN), .instead = "default",
     .meaning = "material of the wall y = 0", IN_BOX},
    {"room.walls", "y_max", KEY_MATERIAL, WALL(FACE_Y_MAX), .instead = "default",
     .meaning = "material of the wall at the largest y", IN_BOX},
    {"room.walls", "z_min", KEY_MATERIAL, WALL(FACE_Z_MIN), .instead = "default", .meaning = "material of the floor"},
    {"room.walls", "z_max", KEY_MATERIAL, WALL(FACE_Z_MAX), .instead = "default", .meaning = "material of the ceiling"},
    {"room.walls", "sides", KEY_SIDES, ROOM(sides), .instead = "default", .count = ROOM(side_count),
     .meaning = "materials of the walls of a room with corners, from each of them to the next", IN_POLYGON},
    {"room", "objects", KEY_LIST, LIST(objects, object_count, object), .inner = "room.objects[]", KIND(object, shape),
     .meaning = "solid bodies in the room"},
    {"room.objects[]", "shape", KEY_CHOICE, OBJECT(shape), CHOICES(shape_names), .flags = KEY_REQUIRED,
     .meaning = "form of the body"},
    {"room.objects[]", "name", KEY_TEXT, OBJECT(name), .meaning = "what it is called in messages and plans"},
    {"room.objects[]", "from", KEY_POSITION, OBJECT(from), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "lowest corner of a box or wedge; one end of a cylinder's axis", .uses = BOX | CYLINDER | WEDGE},
    {"room.objects[]", "to", KEY_POSITION, OBJECT(to), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "highest corner of a box or wedge; other end of a cylinder's axis", .uses = BOX | CYLINDER | WEDGE},
    {"room.objects[]", "rises", KEY_CHOICE, OBJECT(rises), CHOICES(rise_names), .flags = KEY_REQUIRED,
     .meaning = "side at which a wedge is as high as to; its top slopes from there to from at the opposite side",
     .uses = WEDGE},
    {"room.objects[]", "rotation", KEY_ANGLES, OBJECT(rotation), "degrees", "[0, 0, 0]", -360, 360, 0,
     .meaning = "yaw, pitch, roll: right-handed turns about its centre, first by roll about x, then by pitch about y, "
                "then by yaw about z",
     .uses = BOX | WEDGE},
    {"room.objects[]", "position", KEY_POSITION, OBJECT(position), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "centre of a sphere", .uses = SPHERE},
    {"room.objects[]", "radius", KEY_NUMBER, OBJECT(radius), "m", NULL, 0, 10000, KEY_REQUIRED | KEY_ABOVE,
     .meaning = "radius of a cylinder or sphere", .uses = CYLINDER | SPHERE},
    {"room.objects[]", "corners", KEY_CORNERS, OBJECT(corners), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "x, y of the corners of an upright prism, in order around it", .count = OBJECT(corner_count),
     .uses = POLYGON},
    {"room.objects[]", "bottom", KEY_NUMBER, OBJECT(bottom), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "z of the lower end of the prism", .uses = POLYGON},
    {"room.objects[]", "top", KEY_NUMBER, OBJECT(top), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "z of the upper end of the prism", .uses = POLYGON},
    {"room.objects[]", "material", KEY_MATERIAL, OBJECT(material), .flags = KEY_REQUIRED,
     .meaning = "material of its surface"},

    {"", "air", KEY_GROUP, .inner = "air", .meaning = "the air"},
    {"air", "temperature", KEY_NUMBER, ROOM(air.temperature), "°C", "20", -50, 60, 0,
     .meaning = "sets the speed of sound and the losses"},
    {"air", "humidity", KEY_NUMBER, ROOM(air.humidity), "%", "50", 0, 100, 0, .meaning = "relative humidity"},
    {"air", "pressure", KEY_NUMBER, ROOM(air.pressure), "kPa", "101.325", 10, 200, 0, .meaning = "static pressure"},
    {"air", "losses", KEY_LOGICAL, ROOM(air.losses), .fallback = "true", .meaning = "whether the air absorbs sound"},

    {"", "grid", KEY_GROUP, .inner = "grid", .meaning = "how finely the room is sampled"},
    {"grid", "scheme", KEY_CHOICE, ROOM(grid.scheme), CHOICES(grid_scheme_names), .fallback = "auto",
     .meaning = "how the air is stepped; \"auto\": 19-point for impulse responses where max_frequency is given, else "
                "7-point",
     .origin = ROOM(grid.scheme_origin)},
    {"grid", "rate", KEY_NUMBER, ROOM(grid.rate), "Hz", "16000", 100, 1e6, KEY_OMIT_ZERO,
     .meaning = "time steps a second; the spacing follows, and with it how far the response is right", .unless = {"max_frequency"}, .origin = ROOM(grid.origin)},
    {"grid", "max_frequency", KEY_NUMBER, ROOM(grid.max_frequency), "Hz", NULL, 10, 1e5, KEY_OMIT_ZERO,
     .meaning = "highest frequency at which the response is to be right, in place of the rate", .unless = {"rate"}, .origin = ROOM(grid.origin)},
    {"grid", "points_per_wavelength", KEY_NUMBER, ROOM(grid.points_per_wavelength), "", "auto", 3.5, 1000, 0,
     .meaning = "grid points to a wavelength at max_frequency; 19-point: 3.5, 4 (\"auto\") and 5 leave 0.8, 0.43 and "
                "0.16 % of error of phase velocity; 7-point: 7.6 (\"auto\") leaves 2 %, at least 5.2",
     .reason = "with fewer the frequency map leaves errors of 1 % and more", .zero = "auto", .needs = "max_frequency",
     .origin = ROOM(grid.points_per_wavelength_origin)},
    {"grid", "precision", KEY_CHOICE, ROOM(grid.precision), CHOICES(precision_names), .fallback = "single",
     .meaning = "of the field"},
    {"grid", "courant", KEY_NUMBER, ROOM(grid.courant), "", "0", 0.01, COURANT_LIMIT, KEY_ZERO,
     .meaning = "Courant number of the 7-point scheme; 0: as close under 1/sqrt(3) as rounding allows",
     .reason = "the scheme is unstable above 1/sqrt(3)"},

    {"", "time", KEY_GROUP, .inner = "time", .meaning = "how long the room is simulated"},
    {"time", "duration", KEY_NUMBER, ROOM(duration), "s", "auto", 0, 3600, KEY_ABOVE,
     .meaning = "length of the response; \"auto\": until the decay has fallen by 60 dB", .zero = "auto",
     .origin = ROOM(duration_origin)},
    {"time", "max_duration", KEY_NUMBER, ROOM(max_duration), "s", "10", 0, 3600, KEY_ABOVE | KEY_OMIT_ZERO,
     .meaning = "the longest that \"auto\" lets the decay take"},

    {"", "sources", KEY_LIST, LIST(sources, source_count, source), .inner = "sources[]", KIND(source, signal),
     .flags = KEY_REQUIRED, .spared_by = "instruments", .meaning = "points that emit; each gives a file of its own"},
    {"sources[]", "name", KEY_NAME, SOURCE(name), .fallback = "S", .meaning = "becomes part of file names"},
    {"sources[]", "position", KEY_POSITION, SOURCE(position), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "where it is, inside the room"},
    {"sources[]", "signal", KEY_CHOICE, SOURCE(signal), CHOICES(signal_names), .fallback = "impulse",
     .meaning = "what it emits"},
    {"sources[]", "directivity", KEY_CHOICE, SOURCE(directivity), CHOICES(directivity_names), .fallback = "omni",
     .meaning = "its pattern; the strength is that in front"},
    {"sources[]", "orientation", KEY_ANGLES, SOURCE(orientation), "degrees", "[0, 0, 0]", -360, 360, 0,
     .meaning = "yaw, pitch, roll of its pattern, as receivers turn; its front is x", .needs = "directivity"},
    {"sources[]", "gain", KEY_NUMBER, SOURCE(gain), "Pa m", "1.0", -1e9, 1e9, 0,
     .meaning = "source strength for a signal of 1; not 0"},
    {"sources[]", "width", KEY_NUMBER, SOURCE(width), "s", "0.001", 1e-6, 10, 0,
     .meaning = "whole width of the raised cosine",
     USED_BY(SIGNAL_RAISED_COSINE)},
    {"sources[]", "width", KEY_NUMBER, SOURCE(width), "s", "0.0002", 1e-6, 10, 0,
     .meaning = "standard deviation of the gaussian",
     USED_BY(SIGNAL_GAUSSIAN)},
    {"sources[]", "low", KEY_NUMBER, SOURCE(low), "Hz", "2", 0, 1e5, KEY_ABOVE,
     .meaning = "where the sweep begins; the response is right from about ten times that on", USED_BY(SIGNAL_SWEEP)},
    {"sources[]", "high", KEY_NUMBER, SOURCE(high), "Hz", "0", 0, 1e6, KEY_ABOVE | KEY_ZERO | KEY_OMIT_ZERO,
     .meaning = "where the sweep ends; 0: a third above the valid band", USED_BY(SIGNAL_SWEEP)},
    {"sources[]", "length", KEY_NUMBER, SOURCE(length), "s", "3.0", 0, 600, KEY_ABOVE,
     .meaning = "length of the sweep", USED_BY(SIGNAL_SWEEP)},
    {"sources[]", "file", KEY_PATH, SOURCE(file), .flags = KEY_REQUIRED,
     .meaning = "sound file to emit, relative to the folder of the room file", USED_BY(SIGNAL_FILE)},

    {"", "receivers", KEY_LIST, LIST(receivers, receiver_count, receiver), .inner = "receivers[]",
     .kind = RECEIVER(kind), .kind_key = "type", .kind_names = receiver_type_names, .kind_count = RECEIVER_KINDS,
     .flags = KEY_REQUIRED, .spared_by = "pickups",
     .meaning = "what listens: microphones, fields, arrays"},
    {"receivers[]", "name", KEY_NAME, RECEIVER(name), .fallback = "R", .meaning = "names its channels, and its file"},
    {"receivers[]", "type", KEY_CHOICE, RECEIVER(kind), CHOICES(receiver_type_names), .fallback = "omni",
     .meaning = "what it records; all but omni get a file of their own"},
    {"receivers[]", "position", KEY_POSITION, RECEIVER(position), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "where it is, inside the room", .uses = ((1u << RECEIVER_KINDS) - 1u) & ~ARRAY},
    {"receivers[]", "position", KEY_POSITION, RECEIVER(position), "m", NULL, -10000, 10000, 0,
     .meaning = "origin of its places: centre of a circle or sphere; [0, 0, 0] where it is not given", .uses = ARRAY},
    {"receivers[]", "orientation", KEY_ANGLES, RECEIVER(orientation), "degrees", "[0, 0, 0]", -360, 360, 0,
     .meaning = "yaw, pitch, roll: right-handed turns about z, y and x; its front is x, its left y, its top z, and "
                "pitch > 0 looks down", .uses = TURNED},
    {"receivers[]", "order", KEY_WHOLE, RECEIVER(order), "", "1", 1, 4, 0,
     .meaning = "ambisonic order: (order + 1) squared channels, AmbiX (ACN, SN3D)", .uses = 1u << RECEIVER_AMBISONIC},
    {"receivers[]", "order", KEY_WHOLE, RECEIVER(order), "", "3", 1, 4, 0,
     .meaning = "ambisonic order that the ears are decoded from", .uses = 1u << RECEIVER_BINAURAL},
    {"receivers[]", "hrtf", KEY_PATH, RECEIVER(hrtf), .flags = KEY_REQUIRED,
     .meaning = "SOFA file of head-related transfer functions, relative to the folder of the room file",
     .uses = 1u << RECEIVER_BINAURAL},
    {"receivers[]", "shape", KEY_CHOICE, RECEIVER(array.shape), CHOICES(array_shape_names), .fallback = "list",
     .meaning = "how its places are given", .uses = ARRAY},
    {"receivers[]", "positions", KEY_POSITIONS, RECEIVER(array.positions), "m", NULL, -10000, 10000, 0,
     .meaning = "a list of places, from position on", .count = RECEIVER(array.position_count), .uses = ARRAY},
    {"receivers[]", "from", KEY_POSITION, RECEIVER(array.from), "m", NULL, -10000, 10000, 0,
     .meaning = "one end of a line, one corner of a grid, from position on", .uses = ARRAY},
    {"receivers[]", "to", KEY_POSITION, RECEIVER(array.to), "m", NULL, -10000, 10000, 0,
     .meaning = "other end of a line, other corner of a grid", .uses = ARRAY},
    {"receivers[]", "count", KEY_WHOLE, RECEIVER(array.count), "", "0", 1, RECEIVERS_MAX, KEY_ZERO | KEY_OMIT_ZERO,
     .meaning = "places on a line, a circle (x to y, from the front on) or a sphere (from the top down)", .uses = ARRAY},
    {"receivers[]", "radius", KEY_NUMBER, RECEIVER(array.radius), "m", NULL, 0, 10000, KEY_ABOVE | KEY_OMIT_ZERO,
     .meaning = "of a circle or sphere", .uses = ARRAY},
    {"receivers[]", "spacing", KEY_NUMBER, RECEIVER(array.spacing), "m", NULL, 0, 10000, KEY_ABOVE | KEY_OMIT_ZERO,
     .meaning = "of a grid, along each axis", .uses = ARRAY},

    {"", "instruments", KEY_LIST, LIST(instruments, instrument_count, instrument), .inner = "instruments[]",
     .kind = INSTRUMENT(type), .kind_key = "type", .kind_names = instrument_type_names,
     .kind_count = COUNT(instrument_type_names), .preset = "preset",
     .meaning = "what aula synth solves together with the air"},
    {"instruments[]", "name", KEY_NAME, INSTRUMENT(name), .fallback = "I", .meaning = "names it in the score"},
    {"instruments[]", "preset", KEY_TEXT, INSTRUMENT(preset),
     .meaning = "takes every key not given here from presets, or from rooms/instruments.cfg"},
    {"instruments[]", "type", KEY_CHOICE, INSTRUMENT(type), CHOICES(instrument_type_names), .flags = KEY_REQUIRED,
     .meaning = "what it is"},
    {"instruments[]", "position", KEY_POSITION, INSTRUMENT(position), "m", NULL, -10000, 10000, KEY_REQUIRED,
     .meaning = "its centre in the room", .uses = MEMBRANE | PLATE},
    {"instruments[]", "normal", KEY_CHOICE, INSTRUMENT(normal), CHOICES(axis_names), .fallback = "z",
     .meaning = "the axis it is perpendicular to; z: it lies", .uses = MEMBRANE | PLATE},
    {"instruments[]", "outline", KEY_CHOICE, INSTRUMENT(outline), CHOICES(outline_names),
     .meaning = "follows from radius or sides when it is not given", .uses = MEMBRANE | PLATE},
    {"instruments[]", "radius", KEY_NUMBER, INSTRUMENT(radius), "m", NULL, 0.005, 10, KEY_REQUIRED | KEY_OMIT_ZERO,
     .meaning = "of a circle", .unless = {"sides"}, .uses = MEMBRANE | PLATE},
    {"instruments[]", "sides", KEY_PAIR, INSTRUMENT(sides), "m", NULL, 0.01, 20, KEY_OMIT_ZERO,
     .meaning = "of a rectangle: along the two axes of its plane, in the order x, y, z", .unless = {"radius"},
     .uses = MEMBRANE | PLATE},
    {"instruments[]", "length", KEY_NUMBER, INSTRUMENT(length), "m", NULL, 0.01, 20, KEY_REQUIRED,
     .meaning = "between its ends", .uses = STRING},
    {"instruments[]", "length", KEY_NUMBER, INSTRUMENT(length), "m", NULL, 0.01, 20, KEY_REQUIRED | KEY_OMIT_ZERO,
     .meaning = "between its ends", .unless = {"pitch"}, .uses = BAR},
    {"instruments[]", "width", KEY_NUMBER, INSTRUMENT(width), "m", NULL, 0.001, 2, KEY_REQUIRED,
     .meaning = "across the bar", .uses = BAR},
    {"instruments[]", "thickness", KEY_NUMBER, INSTRUMENT(thickness), "m", NULL, 1e-5, 0.2, KEY_REQUIRED,
     .meaning = "in the direction in which it bends", .uses = BAR | PLATE},
    {"instruments[]", "diameter", KEY_NUMBER, INSTRUMENT(diameter), "m", NULL, 1e-5, 0.02, KEY_REQUIRED,
     .meaning = "of a round string; of the core of one with a linear_density", .uses = STRING},
    {"instruments[]", "density", KEY_NUMBER, INSTRUMENT(density), "kg/m3", NULL, 50, 25000,
     KEY_REQUIRED | KEY_OMIT_ZERO, .meaning = "of the material", .unless = {"linear_density"}, .uses = STRING},
    {"instruments[]", "density", KEY_NUMBER, INSTRUMENT(density), "kg/m3", NULL, 50, 25000, KEY_REQUIRED,
     .meaning = "of the material", .uses = BAR | PLATE},
    {"instruments[]", "linear_density", KEY_NUMBER, INSTRUMENT(linear_density), "kg/m", NULL, 1e-6, 1, KEY_OMIT_ZERO,
     .meaning = "of a wound string, winding and core", .unless = {"density"}, .uses = STRING},
    {"instruments[]", "surface_density", KEY_NUMBER, INSTRUMENT(surface_density), "kg/m2", NULL, 0.01, 100,
     KEY_REQUIRED, .meaning = "of the head", .uses = MEMBRANE},
    {"instruments[]", "young", KEY_NUMBER, INSTRUMENT(young), "Pa", NULL, 1e8, 1e12, KEY_REQUIRED,
     .meaning = "Young's modulus", .uses = STRING | BAR | PLATE},
    {"instruments[]", "poisson", KEY_NUMBER, INSTRUMENT(poisson), "", "0.3", 0, 0.49, 0,
     .meaning = "Poisson's ratio", .uses = PLATE},
    {"instruments[]", "tension", KEY_NUMBER, INSTRUMENT(tension), "N", NULL, 0.1, 1e5, KEY_REQUIRED | KEY_OMIT_ZERO,
     .meaning = "of the string", .unless = {"pitch"}, .uses = STRING},
    {"instruments[]", "tension", KEY_NUMBER, INSTRUMENT(tension), "N/m", NULL, 1, 1e6, KEY_REQUIRED | KEY_OMIT_ZERO,
     .meaning = "of the head, per metre of its edge", .unless = {"pitch"}, .uses = MEMBRANE},
    {"instruments[]", "pitch", KEY_NUMBER, INSTRUMENT(pitch), "Hz", NULL, 1, 20000, KEY_OMIT_ZERO,
     .meaning = "its lowest mode without air, which sets the tension", .unless = {"tension"},
     .uses = STRING | MEMBRANE},
    {"instruments[]", "pitch", KEY_NUMBER, INSTRUMENT(pitch), "Hz", NULL, 1, 20000, KEY_OMIT_ZERO,
     .meaning = "its lowest mode without air, which sets the length", .unless = {"length"}, .uses = BAR},
    {"instruments[]", "ends", KEY_CHOICE, INSTRUMENT(ends), CHOICES(ends_names), .fallback = "supported",
     .meaning = "both ends of the string; not free", .uses = STRING},
    {"instruments[]", "ends", KEY_CHOICE, INSTRUMENT(ends), CHOICES(ends_names), .fallback = "free",
     .meaning = "both ends of the bar", .uses = BAR},
    {"instruments[]", "ends", KEY_CHOICE, INSTRUMENT(ends), CHOICES(ends_names), .fallback = "supported",
     .meaning = "the edge of the plate", .uses = PLATE},
    {"instruments[]", "decay", KEY_PAIR, INSTRUMENT(decay), "s", NULL, 0.001, 1000, KEY_REQUIRED,
     .meaning = "time to fall by 60 dB at the two frequencies of decay_at; the second is not longer"},
    {"instruments[]", "decay_at", KEY_PAIR, INSTRUMENT(decay_at), "Hz", "[100, 1000]", 1, 1e5, 0,
     .meaning = "the two frequencies, rising"},
    {"instruments[]", "shell", KEY_NUMBER, INSTRUMENT(shell), "m", NULL, 0.01, 10, KEY_OMIT_ZERO,
     .meaning = "depth of the body of a drum, from the head against the normal", .uses = MEMBRANE | PLATE},
    {"instruments[]", "bottom", KEY_CHOICE, INSTRUMENT(bottom), CHOICES(shell_end_names), .fallback = "open",
     .meaning = "other end of the shell", .needs = "shell", .uses = MEMBRANE | PLATE},
    {"instruments[]", "body", KEY_TEXT, INSTRUMENT(body),
     .meaning = "name of the membrane or plate that its end drives", .uses = STRING | BAR},
    {"instruments[]", "body_place", KEY_PLACE, INSTRUMENT(body_place), "", "[0.3, 0.2]", -1, 1, 0,
     .meaning = "where on the body", .needs = "body", .uses = STRING | BAR},
    {"instruments[]", "termination", KEY_CHOICE, INSTRUMENT(termination), CHOICES(termination_names),
     .fallback = "rigid", .meaning = "what joins the end to the body", .needs = "body", .uses = STRING | BAR},
    {"instruments[]", "spring", KEY_NUMBER, INSTRUMENT(spring), "N/m", NULL, 0, 1e12, KEY_ABOVE | KEY_OMIT_ZERO,
     .meaning = "stiffness of the joint, with termination = \"spring\"", .needs = "body", .uses = STRING | BAR},
    {"instruments[]", "bridge_mass", KEY_NUMBER, INSTRUMENT(bridge_mass), "kg", "0", 0, 100, KEY_OMIT_ZERO,
     .meaning = "of a bridge that moves with the body at body_place", .needs = "body", .uses = STRING | BAR},
    {"instruments[]", "played", KEY_CHOICE, INSTRUMENT(played), CHOICES(excitation_names), .fallback = "strike",
     .meaning = "how an event sets it going; a pluck is for strings and bars"},
    {"instruments[]", "force", KEY_NUMBER, INSTRUMENT(force), "N", "10", 0, 1e5, KEY_ABOVE,
     .meaning = "peak of an event that gives none, or of a MIDI note of velocity 127"},
    {"instruments[]", "contact", KEY_NUMBER, INSTRUMENT(contact), "s", "0.002", 1e-5, 1, 0,
     .meaning = "how long a strike lasts, or the force of a pluck rises, in an event that does not say"},
    {"instruments[]", "place", KEY_PLACE, INSTRUMENT(place), "", "0.8", 0, 1, 0,
     .meaning = "where it is played: fraction of the length from the far end; 1 is the end at the body",
     .uses = STRING},
    {"instruments[]", "place", KEY_PLACE, INSTRUMENT(place), "", "0.5", 0, 1, 0,
     .meaning = "where it is played: fraction of the length from the far end; 1 is the end at the body",
     .uses = BAR},
    {"instruments[]", "place", KEY_PLACE, INSTRUMENT(place), "", "[0.3, 0]", -1, 1, 0,
     .meaning = "where it is played: along the axes of its plane, in radii or half sides from the centre",
     .uses = MEMBRANE | PLATE},
    {"instruments[]", "cells", KEY_WHOLE, INSTRUMENT(cells), "", "0", 4, 128, KEY_ZERO | KEY_OMIT_ZERO,
     .meaning = "grid cells along a radius or the longer side; 0: as fine as is stable and useful",
     .reason = "more cells change nothing that can be heard, and take long to prepare"},
    {"instruments[]", "source", KEY_TEXT, INSTRUMENT(source), .meaning = "publication of the figures"},
    {"instruments[]", "description", KEY_NOTE, .meaning = "for people"},

    {"", "pickups", KEY_LIST, LIST(pickups, pickup_count, pickup), .inner = "pickups[]",
     .meaning = "points on instruments whose motion is heard; each gives a channel"},
    {"pickups[]", "name", KEY_NAME, PICKUP(name), .fallback = "P", .meaning = "names its channel"},
    {"pickups[]", "instrument", KEY_INSTRUMENT, PICKUP(instrument), .flags = KEY_REQUIRED,
     .meaning = "what it is on"},
    {"pickups[]", "place", KEY_PLACE, PICKUP(place), "", NULL, -1, 1, KEY_REQUIRED,
     .meaning = "where on it, as the place of an instrument"},

    {"", "score", KEY_GROUP, .inner = "score", .flags = KEY_OMIT_ZERO, .meaning = "what is played"},
    {"score", "file", KEY_PATH, ROOM(score_file),
     .meaning = "Standard MIDI File (.mid) or table (.csv) whose events are added, relative to the room file",
     .origin = ROOM(score_origin)},
    {"score", "events", KEY_LIST, LIST(events, event_count, event), .inner = "score.events[]",
     .meaning = "strikes and plucks, in any order"},
    {"score.events[]", "time", KEY_NUMBER, EVENT(time), "s", NULL, 0, 1e6, KEY_REQUIRED, .meaning = "when it begins"},
    {"score.events[]", "instrument", KEY_INSTRUMENT, EVENT(instrument), .flags = KEY_REQUIRED,
     .meaning = "what is played"},
    {"score.events[]", "place", KEY_PLACE, EVENT(place), "", NULL, -1, 1, 0, .given = EVENT(placed),
     .meaning = "where on it; the instrument's place when it is not given"},
    {"score.events[]", "force", KEY_NUMBER, EVENT(force), "N", "0", 0, 1e5, KEY_OMIT_ZERO,
     .meaning = "its peak; 0: the instrument's"},
    {"score.events[]", "duration", KEY_NUMBER, EVENT(duration), "s", "0", 1e-5, 1, KEY_ZERO | KEY_OMIT_ZERO,
     .meaning = "of the strike, or of the rise of the pluck; 0: the instrument's contact"},
    {"score.events[]", "note", KEY_NOTE_NAME, EVENT(pitch), .unless = {"pitch"},
     .meaning = "a note such as C#4 (A4 = 440 Hz) or its MIDI number, for strings, bars and membranes"},
    {"score.events[]", "pitch", KEY_NUMBER, EVENT(pitch), "Hz", NULL, 1, 20000, KEY_OMIT_ZERO, .unless = {"note"},
     .meaning = "lowest mode while the event sounds, in place of a note"},
    {"score", "channels", KEY_LIST, LIST(midi_channels, midi_channel_count, midi_channel),
     .inner = "score.channels[]",
     .meaning = "what the channels of the MIDI file play; when not given, channel 1 the first instrument that is no "
                "body of another, 2 the second .."},
    {"score.channels[]", "channel", KEY_WHOLE, CHANNEL(channel), "", NULL, 1, MIDI_CHANNELS, KEY_REQUIRED,
     .meaning = "MIDI channel; notes of 10 set no pitch, as it is for drums"},
    {"score.channels[]", "instrument", KEY_INSTRUMENT, CHANNEL(instrument), .flags = KEY_REQUIRED,
     .meaning = "what it plays"},
    {"score.channels[]", "note", KEY_WHOLE, CHANNEL(note), "", "0", 1, 127, KEY_ZERO | KEY_OMIT_ZERO,
     .meaning = "only this MIDI note, which then sets no pitch; 0: every note"},

    {"", "presets", KEY_PRESETS, .inner = "instruments[]", .meaning = "presets of this file, by name"},

    {"", "output", KEY_GROUP, .inner = "output", .meaning = "what is written"},
    {"output", "rate", KEY_NUMBER, ROOM(output.rate), "Hz", "48000", 1000, 1e6, 0,
     .meaning = "sample rate of the files; \"grid\": the grid's",
     .zero = "grid"},
    {"output", "format", KEY_CHOICE, ROOM(output.format), CHOICES(format_names), .fallback = "float",
     .given = ROOM(output.format_given), .meaning = "of the samples"},
    {"output", "filter", KEY_CHOICE, ROOM(output.filter), CHOICES(filter_names), .fallback = "valid",
     .meaning = "to the valid band with the offset removed, \"valid\" being of minimum phase, or the raw field"},
    {"output", "dispersion", KEY_NUMBER, ROOM(output.dispersion), "", "0.02", 0.001, 0.2, 0,
     .meaning = "largest relative error of the phase velocity kept; sets the valid band"},
    {"output", "normalise", KEY_CHOICE, ROOM(output.normalise), CHOICES(normalise_names), .fallback = "none",
     .meaning = "one gain for every channel and file, or none"},

    {"", "materials", KEY_DEFINITIONS, .inner = "materials.NAME", .meaning = "materials of this file, by name"},
    {"materials.NAME", "bands", KEY_OCTAVES, .unit = "Hz", .low = 63, .high = 8000, .needs = "absorption",
     .meaning = "octave bands that absorption is for; others repeat the nearest"},
    {"materials.NAME", "absorption", KEY_BANDS, MATERIAL(absorption), "", NULL, 0, 1.2, KEY_REQUIRED,
     .meaning = "random-incidence absorption in the octaves 63 Hz to 8 kHz, or in those of bands",
     .reason = "0 absorbs nothing, 1 all that arrives; measured values exceed 1 a little at most",
     .unless = {"impedance", "branches"}, .octaves = "bands"},
    {"materials.NAME", "impedance", KEY_NUMBER, MATERIAL(impedance), "", NULL, 0, 1e12, KEY_ABOVE | KEY_OMIT_ZERO,
     .meaning = "real specific impedance, in units of that of air", .unless = {"absorption", "branches"}},
    {"materials.NAME", "branches", KEY_BRANCHES, MATERIAL(branches), "s, 1, 1/s", NULL, 0, 1e12, 0,
     .meaning = "specific admittance as the sum over [D, E, F] of 1/(jwD + E + F/(jw)), w = 2 pi f",
     .unless = {"absorption", "impedance"}, .count = MATERIAL(branch_count)},
    {"materials.NAME", "source", KEY_TEXT, MATERIAL(source), .meaning = "publication of the figures"},
    {"materials.NAME", "description", KEY_NOTE, .meaning = "for people"},
    {"materials.NAME", "measured", KEY_SPAN, .unit = "Hz", .low = 1, .high = 1e5,
     .meaning = "lowest and highest band measured; the rest is extrapolated"},
};
/* clang-format on */
const size_t key_count = sizeof keys / sizeof *keys;

bool key_applies(const struct key *key, unsigned kind)
{
    return !key->uses || (key->uses >> kind & 1);
}

const struct key *key_find(const char *group, const char *name, unsigned kind)
{
    for (size_t i = 0; i < key_count; i++)
        if (!strcmp(keys[i].group, group) && !strcmp(keys[i].name, name) && key_applies(&keys[i], kind))
            return &keys[i];
    return NULL;
}

const struct key *key_list_of(const char *group)
{
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].type == KEY_LIST && !strcmp(keys[i].inner, group))
            return &keys[i];
    return NULL;
}

bool key_in_range(const struct key *key, double value)
{
    if (key->low == 0 && key->high == 0)
        return isfinite(value);
    if (value == 0 && (key->flags & KEY_ZERO))
        return true;
    return isfinite(value) && value >= key->low && value <= key->high &&
           !(value == key->low && (key->flags & KEY_ABOVE));
}
