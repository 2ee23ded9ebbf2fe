/* SPDX-License-Identifier: MIT */
#include "render/preview/head.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/convolve.h"
#include "dsp/space/harmonics.h"

enum { EARS = 2, ANGLE_BITS = 21 };
static const double STEPS = 4096.0; /* steps per degree of a pose */

struct head {
    int order;
    size_t channels, block;
    double step;              /* degrees per block, at most */
    atomic_uint_least64_t to; /* requested pose: three angles of ANGLE_BITS bits, which change together */
    uint64_t reached;         /* the pose of `turn`; UINT64_MAX: on the way */
    struct turn turn;
    struct field_turn now, next; /* of the field */
    struct convolver *ears;
    float *turned[HARMONICS_MAX]; /* [channels][block] */
    float *memory;
};

static uint64_t packed_angle(double degrees)
{
    const double turn = degrees - 360.0 * floor((degrees + 180.0) / 360.0); /* -180..180 */
    return (uint64_t)llround((turn + 180.0) * STEPS) % (uint64_t)(360.0 * STEPS);
}

static double angle_of(uint64_t packed, int index)
{
    return (double)(packed >> (ANGLE_BITS * index) & ((1u << ANGLE_BITS) - 1)) / STEPS - 180.0;
}

static uint64_t packed_pose(const struct head_pose *p)
{
    return packed_angle(p->yaw) | packed_angle(p->pitch) << ANGLE_BITS | packed_angle(p->roll) << (2 * ANGLE_BITS);
}

static struct head_pose pose_of(uint64_t packed)
{
    return (struct head_pose){angle_of(packed, 0), angle_of(packed, 1), angle_of(packed, 2)};
}

void head_turn(struct head *h, const struct head_pose *pose)
{
    if (isfinite(pose->yaw) && isfinite(pose->pitch) && isfinite(pose->roll))
        atomic_store(&h->to, packed_pose(pose));
}

struct head_pose head_pose(const struct head *h)
{
    return pose_of(atomic_load(&h->to));
}

/* c = a b */
static struct turn product(const struct turn *a, const struct turn *b)
{
    struct turn c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c.row[i][k] = a->row[i][0] * b->row[0][k] + a->row[i][1] * b->row[1][k] + a->row[i][2] * b->row[2][k];
    return c;
}

/* Axis of a rotation: the direction of its antisymmetric part, whose length is the sine of the
 * angle; at 180 degrees, where that vanishes, a column of R + 1. */
static void axis_of(double axis[3], const struct turn *r)
{
    int largest = 0;
    double sine = 0.0, length = 0.0;
    for (int i = 0; i < 3; i++) {
        sine = hypot(sine, axis[i] = r->row[(i + 2) % 3][(i + 1) % 3] - r->row[(i + 1) % 3][(i + 2) % 3]);
        largest = r->row[i][i] > r->row[largest][largest] ? i : largest;
    }
    for (int i = 0; i < 3 && sine < 1e-6; i++)
        axis[i] = r->row[i][largest] + (i == largest ? 1.0 : 0.0);
    for (int i = 0; i < 3; i++)
        length = hypot(length, axis[i]);
    for (int i = 0; i < 3; i++)
        axis[i] /= length;
}

/* Rodrigues' formula. */
static struct turn turn_about(const double axis[3], double angle)
{
    const double c = cos(angle), s = sin(angle);
    struct turn r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double cross = i == k ? 0.0 : ((k - i + 3) % 3 == 1 ? -s : s) * axis[3 - i - k];
            r.row[i][k] = (i == k ? c : 0.0) + (1.0 - c) * axis[i] * axis[k] + cross;
        }
    return r;
}

/* The rotation of the next block: the requested pose, or a step towards it. */
static void step(struct head *h, uint64_t to)
{
    const struct head_pose pose = pose_of(to);
    const struct turn target = turn_of(pose.yaw, pose.pitch, pose.roll), back = turn_back(&h->turn);
    const struct turn rest = product(&target, &back);
    const double cosine = 0.5 * (rest.row[0][0] + rest.row[1][1] + rest.row[2][2] - 1.0);
    const double angle = acos(fmin(fmax(cosine, -1.0), 1.0)), most = h->step * M_PI / 180.0;
    if (angle <= most) {
        h->turn = target;
        h->reached = to;
        return;
    }
    double axis[3];
    axis_of(axis, &rest);
    const struct turn part = turn_about(axis, most);
    h->turn = product(&part, &h->turn);
    h->reached = UINT64_MAX;
}

/* One harmonic of the block, interpolated between two rotations of the field. */
static void turn_channel(float *out, const struct head *h, const float *const *field, int n, int row)
{
    memset(out, 0, h->block * sizeof *out);
    for (int column = 0; column <= 2 * n; column++) {
        const float *in = field[n * n + column];
        const float from = (float)h->now.block[n][row][column], to = (float)h->next.block[n][row][column];
        const float slope = (to - from) / (float)h->block;
        for (size_t i = 0; i < h->block; i++)
            out[i] += (from + slope * (float)(i + 1)) * in[i];
    }
}

void head_run(struct head *h, const float *const *field, float *const *heard)
{
    const uint64_t to = atomic_load(&h->to);
    if (h->reached != to) {
        step(h, to);
        const struct turn back = turn_back(&h->turn);
        field_turn_make(&h->next, h->order, &back);
    }
    for (int n = 0; n <= h->order; n++)
        for (int row = 0; row <= 2 * n; row++)
            turn_channel(h->turned[n * n + row], h, field, n, row);
    h->now = h->next;
    convolver_run(h->ears, (const float *const *)h->turned, heard);
}

static int make_ears(struct head *h, const struct ear_filters *f, struct error *e)
{
    struct convolver_filter filters[EARS * HARMONICS_MAX];
    for (size_t c = 0; c < f->channels; c++)
        for (size_t ear = 0; ear < EARS; ear++)
            filters[EARS * c + ear] = (struct convolver_filter){f->filter + (ear * f->channels + c) * f->taps, f->taps};
    return convolver_make(&h->ears, f->channels, EARS, filters, h->block, e);
}

int head_make(struct head **out, const struct ear_filters *ears, size_t block, struct error *e)
{
    static const struct head_pose front = {0.0, 0.0, 0.0};
    struct head *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!h || !(h->memory = calloc(ears->channels * block, sizeof *h->memory))) {
        head_free(h);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    h->order = ears->order;
    h->channels = ears->channels;
    h->block = block;
    h->step = HEAD_SPEED * (double)block / ears->rate;
    h->turn = turn_of(0.0, 0.0, 0.0);
    h->reached = packed_pose(&front);
    atomic_store(&h->to, h->reached);
    field_turn_make(&h->now, h->order, &h->turn);
    h->next = h->now;
    for (size_t c = 0; c < h->channels; c++)
        h->turned[c] = h->memory + c * block;
    if (make_ears(h, ears, e)) {
        head_free(h);
        return -1;
    }
    *out = h;
    return 0;
}

void head_free(struct head *h)
{
    if (!h)
        return;
    convolver_free(h->ears);
    free(h->memory);
    free(h);
}

int head_cardioids(struct ear_filters *ears, int order, double rate, struct error *e)
{
    *ears = (struct ear_filters){.order = order, .channels = harmonics_count(order), .taps = 1, .rate = rate};
    ears->filter = calloc(EARS * ears->channels, sizeof *ears->filter);
    if (!ears->filter)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t ear = 0; ear < EARS; ear++) {
        ears->filter[ear * ears->channels] = 0.5;
        ears->filter[ear * ears->channels + 1] = ear ? -0.5 : 0.5;
    }
    return 0;
}
