/* SPDX-License-Identifier: MIT */
#include "render/preview/osc.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NUMBERS_MAX = 4, DEPTH_MAX = 4 };

/* Bytes that are left of a packet. */
struct rest {
    const uint8_t *at;
    size_t size;
};

/* A text that ends in zero, padded to a multiple of four bytes; NULL: there is none. */
static const char *take_text(struct rest *r)
{
    const uint8_t *end = memchr(r->at, 0, r->size);
    if (!end)
        return NULL;
    const char *text = (const char *)r->at;
    const size_t length = ((size_t)(end - r->at) / 4 + 1) * 4;
    if (length > r->size)
        return NULL;
    r->at += length;
    r->size -= length;
    return text;
}

/* A number of `bytes` bytes, the most significant one first. */
static bool take_bits(uint64_t *bits, struct rest *r, size_t bytes)
{
    if (r->size < bytes)
        return false;
    *bits = 0;
    for (size_t i = 0; i < bytes; i++)
        *bits = *bits << 8 | r->at[i];
    r->at += bytes;
    r->size -= bytes;
    return true;
}

static bool take_number(double *value, struct rest *r, char type)
{
    uint64_t bits;
    float single;
    if ((type != 'f' && type != 'd' && type != 'i' && type != 'h') ||
        !take_bits(&bits, r, type == 'f' || type == 'i' ? 4 : 8))
        return false;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    if (type == 'd')
        memcpy(value, &bits, sizeof *value);
    else
        *value = type == 'f' ? (double)single : type == 'i' ? (double)(int32_t)low : (double)(int64_t)bits;
    return isfinite(*value);
}

/* Yaw, pitch and roll of the turn that a quaternion is, of any length. */
static bool pose_of_quaternion(struct head_pose *pose, const double q[4])
{
    const double length = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (!(length > 1e-6 && isfinite(length)))
        return false;
    const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
    const double down = fmin(fmax(2.0 * (w * y - x * z), -1.0), 1.0);
    pose->yaw = atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)) * 180.0 / M_PI;
    pose->pitch = asin(down) * 180.0 / M_PI;
    pose->roll = atan2(2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)) * 180.0 / M_PI;
    return true;
}

static bool take_pose(struct head_pose *pose, const char *word, const double *number, size_t count)
{
    double *const angle[] = {&pose->yaw, &pose->pitch, &pose->roll};
    static const char *const names[] = {"yaw", "pitch", "roll"};
    for (int i = 0; i < 3; i++)
        if (count == 1 && !strcmp(word, names[i])) {
            *angle[i] = number[0];
            return true;
        }
    if (count == 3 && !strcmp(word, "ypr")) {
        *pose = (struct head_pose){number[0], number[1], number[2]};
        return true;
    }
    return count == 4 && (!strcmp(word, "quaternion") || !strcmp(word, "quaternions") || !strcmp(word, "quat")) &&
           pose_of_quaternion(pose, number);
}

static size_t read_message(struct head_pose *pose, struct rest r)
{
    const char *address = take_text(&r), *types = address ? take_text(&r) : NULL;
    double number[NUMBERS_MAX];
    if (!types || address[0] != '/' || types[0] != ',')
        return 0;
    const size_t count = strlen(types + 1);
    if (count > NUMBERS_MAX)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (!take_number(&number[i], &r, types[1 + i]))
            return 0;
    return take_pose(pose, strrchr(address, '/') + 1, number, count) ? 1 : 0;
}

static size_t read_packet(struct head_pose *pose, struct rest r, int depth)
{
    static const char bundle[8] = "#bundle";
    uint64_t bits;
    size_t found = 0;
    if (r.size < sizeof bundle || memcmp(r.at, bundle, sizeof bundle) != 0)
        return read_message(pose, r);
    r.at += sizeof bundle;
    r.size -= sizeof bundle;
    if (depth >= DEPTH_MAX || !take_bits(&bits, &r, 8)) /* when: at once */
        return 0;
    while (take_bits(&bits, &r, 4) && bits <= r.size) {
        found += read_packet(pose, (struct rest){r.at, (size_t)bits}, depth + 1);
        r.at += bits;
        r.size -= (size_t)bits;
    }
    return found;
}

size_t osc_read_pose(struct head_pose *pose, const uint8_t *packet, size_t size)
{
    return size <= OSC_PACKET_MAX ? read_packet(pose, (struct rest){packet, size}, 0) : 0;
}
