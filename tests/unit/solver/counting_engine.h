/* SPDX-License-Identifier: MIT */
/* For tests of parts: an engine that only counts, a box with a drive and a tap that cuts go through, and a run of it.
 * One program includes it once. */
#ifndef AULA_TESTS_COUNTING_ENGINE_H
#define AULA_TESTS_COUNTING_ENGINE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/links.h"
#include "solver/schemes/leapfrog/leapfrog.h"

#include <cmocka.h>

enum { NX = 3, NY = 2, NZ = 23, PLANE = NX * NY, STEPS = 40 };

/* cmocka has a macro of the name of fail(): it is called as (fail)(..). */

/* --- an engine whose step is u⁺ = (u below + 3 u + u above) mod 997, and which has a state for each plane --- */

struct counting {
    const struct problem *problem;
    double *levels[2], *states; /* [planes][PLANE], [planes] */
};

static atomic_int fails_in_open, fails_in_run; /* in the last part; in_run: which call from now on, 1: the next */
static atomic_int opened_on[8], last_on;       /* parts by device; the last part's */
static atomic_bool prefers_depths;             /* passes of 5 steps in the last part, of 3 in the others */
static atomic_bool fails_when_told;            /* in the last part: a depth that it is told */
static atomic_int open_now, most_beside;       /* parts; most that were open when the first of `round` parts opened */
static atomic_bool odd_halo;                   /* the last part gives a byte more */
static atomic_int round_of_parts;              /* 0: not asked */
static atomic_int opened, depth_of_last;       /* parts; what the last one was told when it opened last; 0: nothing */

static int is_last_part(const struct problem *p)
{
    return p->counted[0] > 0 && p->counted[1] == p->points[2];
}

static int count_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    const int preferred = !prefers_depths ? 0 : is_last_part(p) ? 5 : 3;
    (void)e;
    *r = (struct solver_plan){.engine = "cpu",
                              .kernel = "counting",
                              .air_points = PLANE,
                              .time_block = c->time_block ? c->time_block : preferred};
    return 0;
}

static int count_open(void **state, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                      struct error *e)
{
    opened_on[c->device]++;
    if (round_of_parts && opened % round_of_parts == 0 && open_now > most_beside)
        most_beside = open_now;
    opened++;
    if (is_last_part(p)) {
        last_on = c->device;
        depth_of_last = c->time_block;
    }
    if (c->time_block && is_last_part(p) && fails_when_told)
        return (fail)(e, ERROR_ENGINE, "no pass of this depth fits");
    if (fails_in_open && is_last_part(p))
        return (fail)(e, ERROR_MEMORY, "the memory of this part is too small");
    struct counting *s = calloc(1, sizeof *s);
    assert_non_null(s);
    open_now++;
    s->problem = p;
    for (int level = 0; level < 2; level++)
        s->levels[level] = calloc(p->points[2] * PLANE, sizeof(double));
    s->states = calloc(p->points[2], sizeof *s->states);
    for (size_t z = 0; z < p->points[2]; z++)
        s->states[z] = 1.0;
    *state = s;
    return count_plan(r, p, c, e);
}

static void count_step(struct counting *s, const struct block *b, size_t n)
{
    const struct problem *p = s->problem;
    const size_t points = p->points[2] * PLANE;
    double *u = s->levels[0], *next = s->levels[1];
    for (size_t i = 0; i < points; i++) {
        const uint64_t below = i >= PLANE ? (uint64_t)u[i - PLANE] : 0;
        const uint64_t above = i + PLANE < points ? (uint64_t)u[i + PLANE] : 0;
        next[i] = (double)((below + 3 * (uint64_t)u[i] + above + (uint64_t)s->states[i / PLANE]) % 997);
    }
    for (size_t c = 0; c < p->drive_count && b->drive; c++)
        for (size_t i = 0; i < p->drives[c].count; i++)
            next[p->drives[c].entries[i].point] += b->drive[c * b->drive_stride + n];
    for (size_t z = 0; z < p->points[2]; z++)
        s->states[z] = (double)(((uint64_t)s->states[z] + (uint64_t)next[z * PLANE]) % 991);
    for (size_t c = 0; c < p->tap_count && b->taps; c++) {
        double sum = 0.0;
        for (size_t i = 0; i < p->taps[c].count; i++)
            sum += p->taps[c].entries[i].weight * next[p->taps[c].entries[i].point];
        b->taps[c * b->tap_stride + n] = sum;
    }
    s->levels[0] = next;
    s->levels[1] = u;
}

static int count_run(void *state, size_t steps, const struct block *b, struct error *e)
{
    struct counting *s = state;
    if (is_last_part(s->problem) && fails_in_run > 0 && --fails_in_run == 0)
        return (fail)(e, ERROR_DEVICE, "this part fell off the bus");
    for (size_t n = 0; n < steps; n++)
        count_step(s, b, n);
    return 0;
}

static int count_put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    struct counting *s = state;
    (void)e;
    memcpy(s->levels[array] + z0 * PLANE, values, nz * PLANE * sizeof(double));
    return 0;
}

static int count_get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    struct counting *s = state;
    (void)e;
    memcpy(values, s->levels[array] + z0 * PLANE, nz * PLANE * sizeof(double));
    return 0;
}

static int count_audit(void *state, struct audit *a, struct error *e)
{
    struct counting *s = state;
    const size_t *counted = s->problem->counted;
    (void)e;
    *a = (struct audit){.balanced = true};
    for (size_t i = counted[0] * PLANE; i < (counted[1] ? counted[1] : s->problem->points[2]) * PLANE; i++)
        a->stored += s->levels[0][i];
    return 0;
}

static void count_close(void *state)
{
    struct counting *s = state;
    free(s->levels[0]);
    free(s->levels[1]);
    free(s->states);
    open_now--;
    free(s);
}

static size_t states_bytes(const void *state, size_t z0, size_t nz)
{
    (void)state;
    (void)z0;
    return nz * sizeof(double);
}

static int get_states(void *state, size_t z0, size_t nz, void *states, struct error *e)
{
    (void)e;
    memcpy(states, ((struct counting *)state)->states + z0, nz * sizeof(double));
    return 0;
}

static int put_states(void *state, size_t z0, size_t nz, const void *states, struct error *e)
{
    (void)e;
    memcpy(((struct counting *)state)->states + z0, states, nz * sizeof(double));
    return 0;
}

static const struct state_access states = {states_bytes, get_states, put_states};
static const struct stepper counting = {.plan = count_plan,
                                        .open = count_open,
                                        .run = count_run,
                                        .put = count_put,
                                        .get = count_get,
                                        .audit = count_audit,
                                        .close = count_close,
                                        .states = &states};

/* The same engine with halos of its own: what it gives is copied from memory to memory. As on GPUs, what was given is
 * not changed by the next giving, but by the one after; ThreadSanitizer knows no other order than that of messages. */
struct counting_halo {
    struct counting_halo *next; /* of those that are open */
    struct halo_planes planes;
    unsigned turn;
    double values[2][NZ * (2 * PLANE + 1)]; /* both levels, then the states */
    double on_host[NZ * (2 * PLANE + 1)];
    bool odd;
};

static pthread_mutex_t halos_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct counting_halo *open_halos;

static int open_halo(void *state, void **halo, const struct halo_planes *planes, struct error *e)
{
    struct counting_halo *h = calloc(1, sizeof *h);
    (void)e;
    assert_non_null(h);
    h->planes = *planes;
    h->odd = odd_halo && !planes->taken && is_last_part(((struct counting *)state)->problem);
    pthread_mutex_lock(&halos_mutex);
    h->next = open_halos;
    open_halos = h;
    pthread_mutex_unlock(&halos_mutex);
    *halo = h;
    return 0;
}

static int send_halo(void *state, void *halo, const void *reader, struct error *e)
{
    struct counting *s = state;
    struct counting_halo *h = halo;
    const size_t z0 = h->planes.z0, nz = h->planes.nz;
    double *values = h->values[h->turn % 2];
    assert_false(h->planes.taken);
    assert_int_equal(reader == NULL, h->planes.way != HALOS_READ || h->turn == 0);
    assert_true(!reader || ((const struct counting_halo *)reader)->planes.taken);
    h->turn++;
    for (size_t level = 0; level < 2; level++)
        count_get(s, level, z0, nz, values + level * nz * PLANE, e);
    return get_states(s, h->planes.sz0, h->planes.snz, values + 2 * nz * PLANE, e);
}

static atomic_int halos_staged; /* taken from the host's memory */

static int take_values(struct counting *s, const struct counting_halo *h, const double *values, struct error *e)
{
    const size_t nz = h->planes.nz;
    for (size_t level = 0; level < 2; level++)
        count_put(s, level, h->planes.z0, nz, values + level * nz * PLANE, e);
    return put_states(s, h->planes.sz0, h->planes.snz, values + 2 * nz * PLANE, e);
}

static int receive_halo(void *state, void *halo, const void *given, struct error *e)
{
    struct counting *s = state;
    struct counting_halo *h = halo;
    const struct counting_halo *from = given;
    const size_t nz = h->planes.nz;
    assert_true(h->planes.taken && !from->planes.taken);
    assert_int_equal(from->planes.nz, nz);
    return take_values(s, h, from->values[h->turn++ % 2], e);
}

static size_t halo_bytes(const void *halo)
{
    const struct counting_halo *h = halo;
    return (2 * h->planes.nz * PLANE + h->planes.snz) * sizeof(double) + (h->odd ? 1 : 0);
}

static void *halo_on_host(void *halo)
{
    return ((struct counting_halo *)halo)->on_host;
}

static int send_halo_to_host(void *state, void *halo, struct error *e)
{
    struct counting_halo *h = halo;
    (void)state;
    (void)e;
    assert_true(!h->planes.taken && h->planes.way == HALOS_STAGED && h->turn > 0);
    memcpy(h->on_host, h->values[(h->turn - 1) % 2], halo_bytes(h));
    return 0;
}

static int receive_halo_from_host(void *state, void *halo, struct error *e)
{
    struct counting_halo *h = halo;
    assert_true(h->planes.taken && h->planes.way == HALOS_STAGED);
    halos_staged++;
    return take_values(state, h, h->on_host, e);
}

static int run_exchanging(void *state, size_t steps, const struct block *b, const struct exchanges *x, struct error *e)
{
    for (size_t done = 0, some; done < steps; done += some) {
        some = steps - done < x->every ? steps - done : x->every;
        const struct block of_some = {b->drive ? b->drive + done : NULL, b->drive_stride,
                                      b->taps ? b->taps + done : NULL, b->tap_stride};
        if (count_run(state, some, &of_some, e) || x->exchange(x->context, e))
            return -1;
    }
    return 0;
}

static int wait_for_halos(void *state, struct error *e)
{
    (void)state;
    (void)e;
    return 0;
}

static void close_halo(void *state, void *halo)
{
    struct counting_halo **at = &open_halos;
    (void)state;
    pthread_mutex_lock(&halos_mutex);
    while (*at != halo)
        at = &(*at)->next;
    *at = (*at)->next;
    pthread_mutex_unlock(&halos_mutex);
    free(halo);
}

/* Frees those that are open still, and counts them. */
static int drop_halos(void)
{
    int count = 0;
    for (; open_halos; count++) {
        struct counting_halo *h = open_halos;
        open_halos = h->next;
        free(h);
    }
    return count;
}

/* --- its links: bytes pass between threads; those that pass halos wait for each other --- */

enum { LINKED_PARTS_MAX = 8 };

struct counting_links {
    int part;
};

static pthread_mutex_t links_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t links_changed = PTHREAD_COND_INITIALIZER;
static const void *link_sent[LINKED_PARTS_MAX][LINKED_PARTS_MAX]; /* [from][to]: NULL: nothing is on its way */
static int links_named, links_broken;                             /* guarded by the mutex, as those above */
static atomic_int links_open, halos_passed, odd_halos_taken;
static atomic_bool lost_device;                /* that fails to link */
static atomic_int has_no_links, fails_to_link; /* of the device of this number, counted from 1 */

static int identify(char id[LINK_DEVICE_BYTES], int device, struct error *e)
{
    if (has_no_links == device + 1)
        return (fail)(e, ERROR_ENGINE, "there is no library of links");
    memset(id, 0, LINK_DEVICE_BYTES);
    id[0] = (char)(device + 1);
    return 0;
}

static int make_link_name(char name[LINK_NAME_BYTES], struct error *e)
{
    (void)e;
    memset(name, 'a', LINK_NAME_BYTES);
    pthread_mutex_lock(&links_mutex);
    links_named++;
    links_broken = 0;
    memset(link_sent, 0, sizeof link_sent);
    pthread_mutex_unlock(&links_mutex);
    return 0;
}

static int open_links(void **links, const char name[LINK_NAME_BYTES], int part, int count, int device, struct error *e)
{
    *links = NULL;
    assert_int_equal(name[LINK_NAME_BYTES - 1], 'a');
    assert_true(part < count && count <= LINKED_PARTS_MAX);
    if (fails_to_link == device + 1)
        return (fail)(e, lost_device ? ERROR_DEVICE : ERROR_ENGINE, "the other parts did not come");
    struct counting_links *own = malloc(sizeof *own);
    assert_non_null(own);
    own->part = part;
    links_open++;
    *links = own;
    return 0;
}

static void close_links(void *links, int broken)
{
    if (!links)
        return;
    links_open--;
    pthread_mutex_lock(&links_mutex);
    links_broken = links_broken || broken;
    pthread_cond_broadcast(&links_changed);
    pthread_mutex_unlock(&links_mutex);
    free(links);
}

static void describe_links(char *text, size_t size)
{
    snprintf(text, size, "threads");
}

static const struct link_access counting_links_access = {identify, make_link_name, open_links, close_links,
                                                         describe_links};

/* What was given last is on its way to a neighbour until that has taken it. */
static int pass_halos(void *state, void *links, const struct halo_passage *passages, int count, struct error *e)
{
    const int own = ((const struct counting_links *)links)->part;
    int status = 0;
    pthread_mutex_lock(&links_mutex);
    for (int i = 0; i < count; i++) {
        assert_true(((const struct counting_halo *)passages[i].given)->planes.way == HALOS_LINKED);
        link_sent[own][passages[i].neighbour] = passages[i].given;
    }
    pthread_cond_broadcast(&links_changed);
    for (int i = 0; i < count && !status; i++) {
        const void **from = &link_sent[passages[i].neighbour][own];
        while (!*from && !links_broken)
            pthread_cond_wait(&links_changed, &links_mutex);
        odd_halos_taken += !links_broken && ((const struct counting_halo *)*from)->odd;
        status =
            links_broken ? (fail)(e, ERROR_DEVICE, "a link broke") : receive_halo(state, passages[i].taken, *from, e);
        *from = NULL;
        pthread_cond_broadcast(&links_changed);
    }
    for (int i = 0; i < count && !status; i++)
        while (link_sent[own][passages[i].neighbour] && !links_broken)
            pthread_cond_wait(&links_changed, &links_mutex);
    pthread_mutex_unlock(&links_mutex);
    halos_passed += count;
    return status;
}

static const struct halo_access halos = {open_halo,      send_halo,      receive_halo,      halo_bytes,
                                         pass_halos,     halo_on_host,   send_halo_to_host, receive_halo_from_host,
                                         run_exchanging, wait_for_halos, close_halo};
static const struct stepper counting_with_halos = {.plan = count_plan,
                                                   .open = count_open,
                                                   .run = count_run,
                                                   .put = count_put,
                                                   .get = count_get,
                                                   .audit = count_audit,
                                                   .close = count_close,
                                                   .states = &states,
                                                   .halos = &halos};

static const char *here(void)
{
    return NULL;
}

static const struct stepper *stepper(const struct scheme *scheme)
{
    (void)scheme;
    return &counting;
}

static const struct stepper *stepper_with_halos(const struct scheme *scheme)
{
    (void)scheme;
    return &counting_with_halos;
}

const struct engine cpu_engine = {.name = "cpu", .unavailable = here, .stepper = stepper};
const struct engine cuda_engine = {
    .name = "cuda", .unavailable = here, .stepper = stepper_with_halos, .links = &counting_links_access};

/* --- a box with a drive and a tap that cuts go through --- */

struct box {
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct channel_entry entries[2][3];
    struct channel drive, tap;
};

static void make_box(struct box *b)
{
    static const size_t count[3] = {NX, NY, NZ};
    const uint8_t rigid[FACES] = {CELL_SOLID, CELL_SOLID, CELL_SOLID, CELL_SOLID, CELL_SOLID, CELL_SOLID};
    struct voxel_set *voxels;
    struct error e;
    *b = (struct box){.leapfrog = {.courant_squared = 0.25}};
    assert_int_equal(voxel_set_of_box(&voxels, count, rigid, &e), 0);
    b->leapfrog.voxels = voxels;
    for (size_t i = 0; i < 3; i++) {
        b->entries[0][i] = (struct channel_entry){.point = (5 + 6 * i) * PLANE + i, .weight = 1.0, .level = 1};
        b->entries[1][i] = (struct channel_entry){.point = (3 + 8 * i) * PLANE, .weight = 1.0, .level = 1};
    }
    b->drive = (struct channel){b->entries[0], 3};
    b->tap = (struct channel){b->entries[1], 3};
    b->problem = (struct problem){.scheme = &cartesian7_scheme,
                                  .parameters = &b->leapfrog,
                                  .points = {NX, NY, NZ},
                                  .precision = PRECISION_DOUBLE,
                                  .drives = &b->drive,
                                  .drive_count = 1,
                                  .taps = &b->tap,
                                  .tap_count = 1};
}

static void free_box(struct box *b)
{
    voxel_set_free((struct voxel_set *)b->leapfrog.voxels);
}

struct counted {
    double field[NZ * PLANE], taps[STEPS], energy;
};

static void count_with(struct counted *out, const struct box *b, const struct solver_options *c, char halo_path[192])
{
    struct solver *s;
    struct error e = {ERROR_NONE, ""};
    struct audit a;
    double drive[STEPS];
    for (size_t i = 0; i < NZ * PLANE; i++)
        out->field[i] = (double)(i * i % 101);
    for (size_t n = 0; n < STEPS; n++)
        drive[n] = (double)(n % 7);
    if (solver_open(&s, &b->problem, c, &e))
        fail_msg("%s", e.message);
    if (halo_path)
        snprintf(halo_path, 192, "%s", solver_plan_of(s)->parts.halo_path);
    assert_int_equal(solver_put(s, "p", 0, NZ, out->field, &e), 0);
    for (size_t done = 0, steps = 1; done < STEPS; done += steps, steps = steps % 11 + 1) {
        steps = steps < STEPS - done ? steps : STEPS - done;
        const struct block block = {drive + done, STEPS, out->taps + done, STEPS};
        if (solver_run(s, steps, &block, &e))
            fail_msg("%s", e.message);
    }
    assert_int_equal(solver_audit(s, &a, &e), 0);
    assert_int_equal(solver_get(s, "p", 0, NZ, out->field, &e), 0);
    out->energy = a.stored;
    solver_close(s);
}

#endif
