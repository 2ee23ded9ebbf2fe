/* SPDX-License-Identifier: MIT */
#include "render/hybrid/near_walls.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double whole = 8.0,
                    gone = 16.0;     /* kL: images count fully up to the first and not at all from the second on */
static const double square_to = 0.1; /* abs(cos) of the angle between the walls of an edge */
static const double same_normal = 0.999, same_distance = 1e-3; /* m: faces of the same wall */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double frequency_of(size_t point)
{
    return RISE_LOWEST * exp2((double)point / RISE_PER_OCTAVE);
}

void near_gain_make(struct near_gain *gain, const struct late_material *material)
{
    enum { ANGLES = 64 };
    for (size_t i = 0; i < RISE_POINTS; i++) {
        double real = 0.0, energy = 0.0;
        const double complex y = material->fixed ? 0.0 : material->admittance(material->context, frequency_of(i));
        for (int a = 0; a < ANGLES; a++) {
            const double cosine = (a + 0.5) / ANGLES;
            const double complex r = material->fixed ? -1.0 : (cosine - y) / (cosine + y);
            real += creal(r);
            energy += 0.5 * (1.0 + creal(r) * creal(r) + cimag(r) * cimag(r));
        }
        gain->at[i] = real / energy;
    }
}

/* Whether the perpendicular from a position meets the plane of a face within its bounding box. */
static bool foot_may_lie(const struct ray_face *face, const double place[3], double above)
{
    const double slack = 1e-6; /* m */
    for (int k = 0; k < 3; k++) {
        const double foot = place[k] - above * face->normal[k];
        const double lower = fmin(fmin(face->corner[0][k], face->corner[1][k]), face->corner[2][k]);
        const double upper = fmax(fmax(face->corner[0][k], face->corner[1][k]), face->corner[2][k]);
        if (!(foot >= lower - slack && foot <= upper + slack))
            return false;
    }
    return true;
}

static bool is_known(const struct near_wall *walls, size_t count, const struct near_wall *wall)
{
    for (size_t i = 0; i < count; i++)
        if (dot(walls[i].normal, wall->normal) > same_normal &&
            fabs(walls[i].distance - wall->distance) < same_distance)
            return true;
    return false;
}

/* Inserts by distance; drops the farthest if the list is full. */
static size_t insert(struct near_wall walls[NEAR_WALLS_MAX], size_t count, const struct near_wall *wall)
{
    size_t at = count < NEAR_WALLS_MAX ? count : NEAR_WALLS_MAX - 1;
    if (count == NEAR_WALLS_MAX && !(wall->distance < walls[at].distance))
        return count;
    for (; at > 0 && walls[at - 1].distance > wall->distance; at--)
        walls[at] = walls[at - 1];
    walls[at] = *wall;
    return count < NEAR_WALLS_MAX ? count + 1 : count;
}

size_t near_walls_find(struct near_wall walls[NEAR_WALLS_MAX], const struct ray_scene *scene,
                       const struct ray_tree *tree, const double place[3], double reach)
{
    const double behind = 1e-6; /* m: search this far behind a face, and from this far in front for a position on it */
    size_t count = 0;
    for (size_t f = 0; f < scene->count; f++) {
        const struct ray_face *face = &scene->faces[f];
        const double above = dot(face->normal, place) - dot(face->normal, face->corner[0]);
        if (!(fabs(above) <= reach) || !foot_may_lie(face, place, above))
            continue;
        struct near_wall wall = {.distance = fabs(above), .material = above < 0.0 ? face->back : face->material};
        struct ray ray = {.reach = wall.distance + 2.0 * behind, .left = RAY_NO_FACE};
        struct ray_hit hit;
        for (int k = 0; k < 3; k++) {
            ray.direction[k] = wall.normal[k] = above > 0.0 ? -face->normal[k] : face->normal[k];
            ray.origin[k] = place[k] - (wall.distance < behind ? behind * wall.normal[k] : 0.0);
        }
        if (is_known(walls, count, &wall) || !ray_tree_closest(tree, &ray, &hit) || hit.face != f)
            continue;
        count = insert(walls, count, &wall);
    }
    return count;
}

double near_walls_reach(double lowest, double sound_speed)
{
    return 0.5 * gone * sound_speed / (2.0 * pi * lowest);
}

/* sin(kL)/(kL), faded out. */
static double coherence(double kl)
{
    const double place = fmin(fmax((kl - whole) / (gone - whole), 0.0), 1.0), fading = cos(0.5 * pi * place);
    return (kl < 1e-4 ? 1.0 - kl * kl / 6.0 : sin(kl) / kl) * fading * fading;
}

/* Adds the image in a set of walls, then those in one more of the following walls. */
struct images {
    const struct near_wall *walls;
    size_t count;
    const struct near_gain *gains;
    double wave_number;
    size_t point;
};

static double add_images(const struct images *s, size_t first, const size_t *chosen, size_t depth, const double way[3],
                         double gain)
{
    double sum = 0.0;
    for (size_t w = first; w < s->count; w++) {
        const struct near_wall *wall = &s->walls[w];
        bool square = true;
        for (size_t i = 0; i < depth; i++)
            square = square && fabs(dot(s->walls[chosen[i]].normal, wall->normal)) < square_to;
        if (!square)
            continue;
        const size_t now[3] = {depth > 0 ? chosen[0] : w, depth > 1 ? chosen[1] : w, w};
        const double image[3] = {way[0] + 2.0 * wall->distance * wall->normal[0],
                                 way[1] + 2.0 * wall->distance * wall->normal[1],
                                 way[2] + 2.0 * wall->distance * wall->normal[2]};
        const double product = gain * s->gains[wall->material].at[s->point];
        sum += product * coherence(s->wave_number * sqrt(dot(image, image)));
        if (depth < 2)
            sum += add_images(s, w + 1, now, depth + 1, image, product);
    }
    return sum;
}

void near_rise_make(struct near_rise *rise, const struct near_wall *walls, size_t count, const struct near_gain *gains,
                    double sound_speed)
{
    const double here[3] = {0.0, 0.0, 0.0};
    rise->none = count == 0;
    for (size_t i = 0; i < RISE_POINTS; i++) {
        const struct images s = {walls, count, gains, 2.0 * pi * frequency_of(i) / sound_speed, i};
        rise->at[i] = fmax(1.0 + add_images(&s, 0, NULL, 0, here, 1.0), 0.0);
    }
}

/* The point below a frequency; *share: weight of the point above. */
static size_t point_below(double *share, double frequency)
{
    const double place = frequency > RISE_LOWEST ? RISE_PER_OCTAVE * log2(frequency / RISE_LOWEST) : 0.0;
    const size_t below = place < RISE_POINTS - 2 ? (size_t)place : RISE_POINTS - 2;
    *share = fmin(place - (double)below, 1.0);
    return below;
}

double near_rise_at(const struct near_rise *rise, double frequency)
{
    double share;
    if (rise->none)
        return 1.0;
    const size_t below = point_below(&share, frequency);
    return (1.0 - share) * rise->at[below] + share * rise->at[below + 1];
}

void near_rise_share(double points[RISE_POINTS], double amount, double frequency)
{
    double share;
    const size_t below = point_below(&share, frequency);
    points[below] += (1.0 - share) * amount;
    points[below + 1] += share * amount;
}

void near_rise_multiply(struct near_rise *rise, const struct near_rise *other)
{
    if (other->none)
        return;
    for (size_t i = 0; i < RISE_POINTS; i++)
        rise->at[i] = rise->none ? other->at[i] : rise->at[i] * other->at[i];
    rise->none = false;
}
