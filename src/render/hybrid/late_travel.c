/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_travel.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "render/hybrid/late_walls.h"

static const double pi = 3.14159265358979323846;
static const float faintest = 1e-10f; /* of its initial energy: a ray ends */

/* Factor on a ray's scattered energy, relative to the mean of rays, that gives its number of splits. */
static const double divided = 0.25;

/* of the mean energy of rays after an equal path: below the first a ray ends at random, or
 * continues with the second. */
static const double weight_least = 0.25, weight_kept = 0.5;
static const double weight_of_guide_rays = 0.125; /* weaker guide rays end */

enum { WAITING_MAX = 32, BORN_MAX = 256 }; /* splits of a ray: waiting at a time, in total */

struct traveller {
    struct ray ray;
    double way;                              /* m from the source */
    int reflections;                         /* specular, since the source */
    bool by_images;                          /* image sources may find this path */
    uint32_t passed[LATE_EDGE_TURNS], turns; /* edges that deflected it since the last face */
    bool last_diffuse;                       /* rain has counted its next segment, if there is rain */
    size_t cell;                             /* of a guide ray: cell of its initial direction */
    float kind;  /* weight with which rays of its kind leave and scatter; small weights mean many rays */
    float whole; /* energy without absorption: 1 per ray on average */
    struct random random;
    float energy[LATE_BANDS_MAX]; /* by band of the group; `kind` at the source */
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double pattern_of(const struct late_point *p, const double direction[3])
{
    return p->pattern ? p->pattern(p->context, direction) : 1.0;
}

/* Even rays leave on a randomly rotated Fibonacci spiral. The random numbers of a ray depend only
 * on the seed and its index. */
static void begin(struct traveller *a, const struct tracer *t, size_t index)
{
    struct ray_guide aim = {.energy = 1.0};
    if (t->aims)
        aim = ray_guide_of(t->aims, index, t->rays, t->seed);
    else
        late_spiral(aim.direction, index, t->rays);
    const double *d = aim.direction;
    *a = (struct traveller){.by_images = true,
                            .cell = ray_guide_cell(d),
                            .kind = (float)aim.energy,
                            .whole = (float)aim.energy,
                            .random = {t->seed}};
    a->random.state = random_bits(&a->random) + index * 0xd1342543de82ef95u;
    a->random.state = random_bits(&a->random);
    memcpy(a->ray.origin, t->source->position, sizeof a->ray.origin);
    for (int k = 0; k < 3; k++)
        a->ray.direction[k] = dot(t->turn[k], d);
    const float energy = (float)(aim.energy * pattern_of(t->source, a->ray.direction));
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] = energy;
    a->ray.left = RAY_NO_FACE;
    a->ray.reach = INFINITY;
}

static void count(struct late_tally *tally, const struct tracer *t, const struct traveller *a, size_t receiver,
                  double way, double share, const double towards[3])
{
    const size_t bin = (size_t)(way / t->room->sound_speed / tally->bin);
    if (bin < tally->bins)
        late_tally_add(tally, receiver, bin, t->group.first, t->group.count, a->energy,
                       t->share * share * pattern_of(&t->receivers[receiver], towards), towards);
}

/* Whether a receiver sees a random point of a segment: on average, the visible fraction of the
 * segment. */
static bool sees(const struct tracer *t, struct traveller *a, size_t receiver, double start, double end)
{
    const double at = start + (end - start) * random_unit(&a->random);
    double place[3];
    for (int k = 0; k < 3; k++)
        place[k] = a->ray.origin[k] + at * a->ray.direction[k];
    return late_sphere_sees(t->room->tree, t->receivers[receiver].position, place);
}

/* Counts the part of a segment up to the next face that lies in the sphere around a receiver. */
static void pass_sphere(struct late_tally *tally, const struct tracer *t, struct traveller *a, size_t receiver,
                        double length)
{
    double from[3];
    for (int k = 0; k < 3; k++)
        from[k] = t->receivers[receiver].position[k] - a->ray.origin[k];
    const double along = dot(from, a->ray.direction);
    const struct late_ball ball = late_sphere_after(&t->spheres[receiver], a->way + along);
    const double square = ball.radius * ball.radius - dot(from, from) + along * along;
    if (!(square > 0.0))
        return;
    const double half = sqrt(square), start = fmax(along - half, 0.0), end = fmin(along + half, length);
    if (!(end > start) || (ball.cut && !sees(t, a, receiver, start, end)))
        return;
    const double back[3] = {-a->ray.direction[0], -a->ray.direction[1], -a->ray.direction[2]};
    count(tally, t, a, receiver, a->way + 0.5 * (start + end),
          (end - start) / (4.0 / 3.0 * pi * pow(ball.radius, 3.0) * ball.share), back);
}

static void pass_spheres(struct late_tally *tally, const struct tracer *t, struct traveller *a, double length)
{
    if (a->by_images && a->reflections <= t->settings->image_order)
        return;
    for (size_t r = 0; r < t->receiver_count; r++)
        if (!a->last_diffuse || !t->spheres[r].rained)
            pass_sphere(tally, t, a, r, length);
}

/* Counts the energy that a hit scatters towards one random receiver, weighted for the others. */
static void rain(struct late_tally *tally, const struct tracer *t, struct traveller *a, const struct late_wall *wall,
                 const double normal[3])
{
    const double chosen = random_unit(&a->random) * (double)t->receiver_count / t->rain_chance;
    if (!(chosen < (double)t->receiver_count))
        return;
    const size_t receiver = (size_t)chosen;
    if (!t->spheres[receiver].rained)
        return;
    struct traveller drop = {.ray = a->ray};
    double distance = 0.0;
    for (int k = 0; k < 3; k++) {
        drop.ray.direction[k] = t->receivers[receiver].position[k] - a->ray.origin[k];
        distance += drop.ray.direction[k] * drop.ray.direction[k];
    }
    distance = sqrt(distance);
    for (int k = 0; k < 3; k++)
        drop.ray.direction[k] /= distance;
    const double cosine = dot(drop.ray.direction, normal);
    drop.ray.reach = distance;
    if (!(cosine > 0.0) || a->way + distance > t->farthest || ray_tree_blocked(t->room->tree, &drop.ray))
        return;
    for (size_t b = 0; b < t->group.count; b++)
        drop.energy[b] = a->energy[b] * wall->scattered[t->group.first + b];
    const double back[3] = {-drop.ray.direction[0], -drop.ray.direction[1], -drop.ray.direction[2]};
    count(tally, t, &drop, receiver, a->way + distance,
          (double)t->receiver_count / t->rain_chance * cosine / (pi * distance * distance), back);
}

static void mirror(struct traveller *a, const double normal[3])
{
    late_mirror(a->ray.direction, normal);
    a->reflections++;
    a->last_diffuse = false;
}

static void diffuse(struct traveller *a, const struct tracer *t, const double normal[3])
{
    const float weight = (float)late_scatter(a->ray.direction, normal, t->aims, t->turn, &a->random);
    a->kind *= fminf(weight, 1.0f);
    a->whole *= weight;
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] *= weight;
    a->by_images = false;
    a->last_diffuse = true;
}

/* energy *= part/chance in each band, with the scattered or the specular part. */
static void weigh(struct traveller *a, const struct tracer *t, const struct late_wall *wall, bool is_diffuse,
                  double chance)
{
    const float *scattered = wall->scattered + t->group.first;
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] *= (is_diffuse ? scattered[b] : 1.0f - scattered[b]) / (float)chance;
}

/* A ray and its splits, which wait for their turn. */
struct family {
    struct traveller waiting[WAITING_MAX];
    size_t count, born;
};

/* Specular reflection of a guide ray, with the energy that is not scattered. */
static void guide_ray_on(struct traveller *a, const struct tracer *t, const struct late_wall *wall,
                         const double normal[3])
{
    weigh(a, t, wall, false, 1.0);
    mirror(a, normal);
}

/* Takes either path at random. A ray with much more energy than others of its kind takes both, and
 * splits the diffuse one. */
static void turn_off(struct traveller *a, struct family *f, const struct tracer *t, const struct late_wall *wall,
                     double chance, const double normal[3])
{
    const double weight = late_reference_weight(t->reference, a->way, a->energy, t->group.count);
    const double parts = floor(divided * chance * weight / fmax(a->kind, 1.0) + 0.5);
    size_t children = t->reference && parts >= 1.0 ? (size_t)fmin(parts, 8.0) : 0;
    children = f->count + children <= WAITING_MAX && f->born + children <= BORN_MAX ? children : 0;
    for (size_t i = 0; i < children; i++) {
        struct traveller *child = &f->waiting[f->count++];
        *child = *a;
        child->random.state = random_bits(&a->random);
        weigh(child, t, wall, true, (double)children);
        child->whole *= (float)(chance / (double)children);
        diffuse(child, t, normal);
    }
    f->born += children;
    if (children)
        a->whole *= (float)(1.0 - chance);
    const bool is_diffuse = !children && chance > 0.0 && random_unit(&a->random) < chance;
    if (chance > 0.0)
        weigh(a, t, wall, is_diffuse, children ? 1.0 : is_diffuse ? chance : 1.0 - chance);
    if (is_diffuse)
        diffuse(a, t, normal);
    else
        mirror(a, normal);
}

static bool is_faint(const struct traveller *a, size_t bands)
{
    float most = 0.0f;
    for (size_t b = 0; b < bands; b++)
        most = a->energy[b] > most ? a->energy[b] : most;
    return !(most > faintest * a->kind);
}

/* Russian roulette; false: the ray has ended. It compares the energy relative to the weight of its
 * kind, because rays of small weight are many. */
static bool goes_on(struct traveller *a, const struct tracer *t)
{
    if (is_faint(a, t->group.count))
        return false;
    const double weight = late_reference_weight(t->reference, a->way, a->energy, t->group.count) / (double)a->kind;
    if (!t->reference || weight >= weight_least)
        return true;
    if (t->guiding)
        return weight >= weight_of_guide_rays;
    const double chance = weight / weight_kept;
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] /= (float)chance;
    a->whole /= (float)chance;
    return random_unit(&a->random) < chance;
}

static void see(struct late_seen *seen, const struct tracer *t, const struct traveller *a, double length)
{
    late_reference_see(&seen->energies, a->way, length, a->energy, t->group.count);
    if (t->guiding)
        ray_guiding_see(&seen->shares, a->cell, (a->way + 0.5 * length) / t->farthest,
                        length * late_reference_weight(t->reference, a->way, a->energy, t->group.count));
}

static void go(struct late_tally *tally, struct late_seen *seen, const struct tracer *t, struct traveller *a,
               double length)
{
    if (seen)
        see(seen, t, a, isinf(length) ? 0.0 : length);
    else
        pass_spheres(tally, t, a, length);
}

/* Number of splits at an edge: more than one for a ray with much more energy than others. */
static size_t ways_on(const struct traveller *a, const struct family *f, const struct tracer *t)
{
    if (!t->reference || t->guiding)
        return 1;
    const double weight = late_reference_weight(t->reference, a->way, a->energy, t->group.count);
    const double parts = fmin(floor(divided * weight / fmax(a->kind, 1.0) + 0.5), 8.0);
    return parts > 1.0 && f->count + (size_t)parts <= WAITING_MAX && f->born + (size_t)parts <= BORN_MAX ? (size_t)parts
                                                                                                         : 1;
}

/* Image sources keep what is hardly deflected. */
static void turn(struct traveller *a, const struct tracer *t, const struct ray_passage *passage)
{
    const double angle = late_edge_angle(passage->distance / t->wavelength, 2.0 * random_unit(&a->random) - 1.0);
    a->by_images = a->by_images && fabs(angle) <= LATE_EDGE_KEPT;
    late_edge_turn(a->ray.direction, t->room->edges->list[passage->edge].along, angle);
}

/* Continues from the point closest to an edge. */
static void turn_at(struct traveller *a, struct family *f, const struct tracer *t, const struct ray_passage *passage)
{
    const size_t ways = ways_on(a, f, t);
    for (int k = 0; k < 3; k++)
        a->ray.origin[k] += passage->at * a->ray.direction[k];
    a->way += passage->at;
    a->ray.left = RAY_NO_FACE;
    a->passed[a->turns++] = passage->edge;
    a->whole /= (float)ways;
    for (size_t b = 0; b < t->group.count && ways > 1; b++)
        a->energy[b] /= (float)ways;
    for (size_t i = 1; i < ways; i++) {
        struct traveller *other = &f->waiting[f->count++];
        *other = *a;
        other->random.state = random_bits(&a->random);
        turn(other, t, passage);
    }
    f->born += ways - 1;
    turn(a, t, passage);
}

/* Passes edges up to the next face; false: there is none within the duration. */
static bool fly(struct ray_hit *hit, struct traveller *a, struct family *f, struct late_tally *tally,
                struct late_seen *seen, const struct tracer *t)
{
    for (;;) {
        const bool met = ray_tree_closest(t->room->tree, &a->ray, hit);
        const double length = met ? hit->distance : INFINITY;
        const struct ray_flight flight = {.origin = a->ray.origin,
                                          .direction = a->ray.direction,
                                          .length = fmin(length, t->farthest - a->way),
                                          .reach = LATE_EDGE_REACH * t->wavelength,
                                          .passed = a->passed,
                                          .passed_count = a->turns};
        struct ray_passage passage = {.edge = RAY_NO_EDGE};
        if (t->wavelength > 0.0 && a->turns < LATE_EDGE_TURNS)
            ray_edges_first(t->room->edges, &flight, &passage);
        if (seen) {
            seen->work += 1.0 + passage.looked / LATE_LEAVES;
            seen->hits += passage.edge == RAY_NO_EDGE;
        }
        if (passage.edge == RAY_NO_EDGE) {
            go(tally, seen, t, a, length);
            if (!met)
                tally->lost += (uint64_t)((double)a->whole * t->share / LATE_LOST_UNIT + 0.5);
            a->turns = 0;
            return met && a->way + length <= t->farthest;
        }
        go(tally, seen, t, a, passage.at);
        turn_at(a, f, t, &passage);
    }
}

/* Moves to the next face and reflects; false: the ray has ended. */
static bool advance(struct traveller *a, struct family *f, struct late_tally *tally, struct late_seen *seen,
                    const struct tracer *t)
{
    struct ray_hit hit;
    double normal[3], origin[3];
    if (!fly(&hit, a, f, tally, seen, t))
        return false;
    const struct ray_face *face = &t->room->scene->faces[hit.face];
    const uint32_t material = ray_face_material(face, a->ray.direction);
    const struct late_wall *wall = &t->room->walls[material];
    const double chance = t->chances[material];
    ray_leave(origin, normal, t->room->scene, &a->ray, &hit);
    late_wall_reflect(a->energy, wall, t->group.first, t->group.count, -dot(a->ray.direction, normal));
    memcpy(a->ray.origin, origin, sizeof origin);
    a->way += hit.distance;
    a->ray.left = hit.face;
    a->by_images = a->by_images && !face->curved;
    if (!goes_on(a, t))
        return false;
    if (chance > 0.0 && t->receiver_count && !seen)
        rain(tally, t, a, wall, normal);
    if (t->guiding)
        guide_ray_on(a, t, wall, normal);
    else
        turn_off(a, f, t, wall, chance, normal);
    return true;
}

void late_travel(struct late_tally *tally, struct late_seen *seen, const struct tracer *t, size_t index)
{
    struct family f;
    f.count = f.born = 1;
    begin(&f.waiting[0], t, index);
    while (f.count > 0) {
        struct traveller a = f.waiting[--f.count];
        while (advance(&a, &f, tally, seen, t))
            continue;
    }
}
