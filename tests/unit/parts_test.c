/* SPDX-License-Identifier: MIT */
/* Parts of a grid with an engine that only counts: what the transport between threads promises, and what is heard of a part
 * that fails. Runs under ThreadSanitizer, for no thread of libgomp takes part. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts/cut.h"
#include "schemes/leapfrog/leapfrog.h"
#include "solver/solver.h"
#include "transport/thread_transport.h"

#include <cmocka.h>

enum { NX = 3, NY = 2, NZ = 23, PLANE = NX * NY, STEPS = 40 };

/* cmocka has a macro of the name of fail(): it is called as (fail)(..). */

/* --- an engine whose step is u⁺ = (u below + 3 u + u above) mod 997, and which has a state for each plane --- */

struct counting {
    const struct problem *problem;
    double *levels[2], *states; /* [planes][PLANE], [planes] */
};

static atomic_int fails_in_open, fails_in_run; /* in the last part; in_run: which call from now on, 1: the next */
static atomic_int opened_on[4], last_on;       /* parts by device; the last part's */
static atomic_bool prefers_depths;             /* passes of 5 steps in the last part, of 3 in the others */
static atomic_bool fails_when_told;            /* in the last part: a depth that it is told */
static atomic_int opened, depth_of_last;       /* parts; what the last one was told when it opened last; 0: nothing */

static int is_last_part(const struct problem *p)
{
    return p->counted[0] > 0 && p->counted[1] == p->points[2];
}

static int count_require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    const int preferred = !prefers_depths ? 0 : is_last_part(p) ? 5 : 3;
    (void)e;
    *r = (struct requirement){.engine = "cpu",
                              .kernel = "counting",
                              .air_points = PLANE,
                              .time_block = c->time_block ? c->time_block : preferred};
    return 0;
}

static int count_open(void **state, struct requirement *r, const struct problem *p, const struct choice *c,
                      struct error *e)
{
    opened_on[c->device]++;
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
    s->problem = p;
    for (int level = 0; level < 2; level++)
        s->levels[level] = calloc(p->points[2] * PLANE, sizeof(double));
    s->states = calloc(p->points[2], sizeof *s->states);
    for (size_t z = 0; z < p->points[2]; z++)
        s->states[z] = 1.0;
    *state = s;
    return count_require(r, p, c, e);
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
static const struct stepper counting = {.require = count_require,
                                        .open = count_open,
                                        .run = count_run,
                                        .put = count_put,
                                        .get = count_get,
                                        .audit = count_audit,
                                        .close = count_close,
                                        .states = &states};

/* The same engine with halos of its own: what it gives is copied from memory to memory. As on GPUs, what was given is not
 * changed by the next giving, but by the one after; ThreadSanitizer knows no other order than that of messages. */
struct counting_halo {
    struct counting_halo *next; /* of those that are open */
    struct halo_planes planes;
    unsigned turn;
    double values[2][NZ * (2 * PLANE + 1)]; /* both levels, then the states */
};

static pthread_mutex_t halos_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct counting_halo *open_halos;

static int open_halo(void *state, void **halo, const struct halo_planes *planes, struct error *e)
{
    struct counting_halo *h = calloc(1, sizeof *h);
    (void)state;
    (void)e;
    assert_non_null(h);
    h->planes = *planes;
    pthread_mutex_lock(&halos_mutex);
    h->next = open_halos;
    open_halos = h;
    pthread_mutex_unlock(&halos_mutex);
    *halo = h;
    return 0;
}

static int give_halo(void *state, void *halo, const void *reader, struct error *e)
{
    struct counting *s = state;
    struct counting_halo *h = halo;
    const size_t z0 = h->planes.z0, nz = h->planes.nz;
    double *values = h->values[h->turn % 2];
    assert_false(h->planes.taken);
    assert_int_equal(reader == NULL, h->turn == 0);
    assert_true(!reader || ((const struct counting_halo *)reader)->planes.taken);
    h->turn++;
    for (size_t level = 0; level < 2; level++)
        count_get(s, level, z0, nz, values + level * nz * PLANE, e);
    return get_states(s, h->planes.sz0, h->planes.snz, values + 2 * nz * PLANE, e);
}

static int take_halo(void *state, void *halo, const void *given, struct error *e)
{
    struct counting *s = state;
    struct counting_halo *h = halo;
    const struct counting_halo *from = given;
    const size_t nz = h->planes.nz;
    const double *values = from->values[h->turn++ % 2];
    assert_true(h->planes.taken && !from->planes.taken);
    assert_int_equal(from->planes.nz, nz);
    for (size_t level = 0; level < 2; level++)
        count_put(s, level, h->planes.z0, nz, values + level * nz * PLANE, e);
    return put_states(s, h->planes.sz0, h->planes.snz, values + 2 * nz * PLANE, e);
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

static int settle_halos(void *state, struct error *e)
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

static const struct halo_access halos = {open_halo, give_halo, take_halo, run_exchanging, settle_halos, close_halo};
static const struct stepper counting_with_halos = {.require = count_require,
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
const struct engine cuda_engine = {.name = "cuda", .unavailable = here, .stepper = stepper_with_halos};

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
    b->problem = (struct problem){.scheme = &leapfrog_scheme,
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

static void count(struct counted *out, const struct box *b, const char *engine, int parts, int halo)
{
    const struct choice c = {.engine = engine, .threads = 1, .parts = parts, .halo = halo};
    struct solver *s;
    struct error e = {ERROR_NONE, ""};
    struct audit a;
    double drive[STEPS];
    for (size_t i = 0; i < NZ * PLANE; i++)
        out->field[i] = (double)(i * i % 101);
    for (size_t n = 0; n < STEPS; n++)
        drive[n] = (double)(n % 7);
    if (solver_open(&s, &b->problem, &c, &e))
        fail_msg("%s", e.message);
    assert_int_equal(solver_put(s, "p", 0, NZ, out->field, &e), 0);
    for (size_t done = 0, steps = 1; done < STEPS; done += steps, steps = steps % 11 + 1) {
        steps = steps < STEPS - done ? steps : STEPS - done;
        const struct block block = {drive + done, STEPS, out->taps + done, STEPS};
        assert_int_equal(solver_run(s, steps, &block, &e), 0);
    }
    assert_int_equal(solver_audit(s, &a, &e), 0);
    assert_int_equal(solver_get(s, "p", 0, NZ, out->field, &e), 0);
    out->energy = a.stored;
    solver_close(s);
}

static void any_number_of_parts_counts_the_same(void **state)
{
    (void)state;
    struct box b;
    struct counted one, cut;
    make_box(&b);
    count(&one, &b, "cpu", 1, 0);
    for (int parts = 2; parts <= NZ; parts += parts < 7 ? 1 : 8)
        for (int halo = 0; halo < 6; halo++) {
            count(&cut, &b, "cpu", parts, halo);
            assert_memory_equal(cut.field, one.field, sizeof one.field);
            assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
            assert_true(cut.energy == one.energy);
        }
    free_box(&b);
}

static void halos_go_from_memory_to_memory_where_the_engine_can(void **state)
{
    (void)state;
    struct box b;
    struct counted one, cut;
    make_box(&b);
    count(&one, &b, "cpu", 1, 0);
    for (int parts = 2; parts <= 6; parts++)
        for (int halo = 0; halo < 6; halo++) {
            count(&cut, &b, "cuda", parts, halo);
            assert_memory_equal(cut.field, one.field, sizeof one.field);
            assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
            assert_true(cut.energy == one.energy);
            assert_int_equal(drop_halos(), 0);
        }
    free_box(&b);
}

/* They open once more, told the least; where one then cannot, a third time, as they were. */
static void parts_of_different_depths_open_with_the_least(void **state)
{
    (void)state;
    struct box b;
    struct counted one, cut;
    make_box(&b);
    count(&one, &b, "cpu", 1, 0);
    prefers_depths = true;
    for (int told = 0; told < 2; told++)
        for (int parts = 2; parts <= 4; parts++) {
            opened = 0;
            fails_when_told = told;
            count(&cut, &b, "cuda", parts, 5);
            assert_memory_equal(cut.field, one.field, sizeof one.field);
            assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
            assert_int_equal(opened, (told ? 3 : 2) * parts);
            assert_int_equal(depth_of_last, told ? 0 : 3);
            assert_int_equal(drop_halos(), 0);
        }
    prefers_depths = fails_when_told = false;
    free_box(&b);
}

static void parts_share_the_devices_in_their_order(void **state)
{
    (void)state;
    struct box b;
    struct solver *s;
    struct error e;
    struct choice c = {.threads = 1, .parts = 5, .devices = {3, 1}, .device_count = 2};
    make_box(&b);
    for (int device = 0; device < 4; device++)
        opened_on[device] = 0;
    assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_string_equal(solver_requirement(s)->kernel, "counting");
    assert_true(opened_on[0] == 0 && opened_on[1] == 2 && opened_on[2] == 0 && opened_on[3] == 3 && last_on == 1);
    solver_close(s);
    c.parts = 0; /* as many as devices */
    assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_int_equal(solver_requirement(s)->parts, 2);
    assert_true(opened_on[1] == 3 && opened_on[3] == 4);
    solver_close(s);
    c.parts = 1;
    assert_int_not_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    free_box(&b);
}

static void a_part_that_cannot_open_is_named(void **state)
{
    (void)state;
    struct box b;
    struct solver *s;
    struct error e;
    const struct choice c = {.engine = "cpu", .threads = 1, .parts = 3};
    make_box(&b);
    fails_in_open = 1;
    assert_int_not_equal(solver_open(&s, &b.problem, &c, &e), 0);
    fails_in_open = 0;
    assert_string_equal(e.message, "part 2: the memory of this part is too small");
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_null(s);
    free_box(&b);
}

static void a_part_that_fails_in_a_run_ends_the_others_and_is_named(void **state)
{
    (void)state;
    struct box b;
    struct solver *s;
    struct error e;
    const struct block silence = {.drive = NULL};
    const struct choice c = {.engine = "cpu", .threads = 1, .parts = 4};
    make_box(&b);
    assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_int_equal(solver_run(s, 5, &silence, &e), 0);
    fails_in_run = 1;
    assert_int_not_equal(solver_run(s, 5, &silence, &e), 0);
    fails_in_run = 0;
    assert_string_equal(e.message, "part 3: this part fell off the bus");
    assert_int_equal(e.code, ERROR_DEVICE);
    solver_close(s);
    free_box(&b);
}

/* What a part has lent is not freed when it ends: a neighbour that has not heard of the failure yet may be reading it. */
static void a_part_that_fails_while_halos_are_lent_ends_the_others_and_no_lent_halo_is_freed(void **state)
{
    (void)state;
    struct box b;
    const struct block silence = {.drive = NULL};
    make_box(&b);
    for (int parts = 2; parts <= 6; parts++)
        for (int call = 1; call <= 5; call++) {
            const struct choice c = {.engine = "cuda", .threads = 1, .parts = parts, .halo = 2};
            struct solver *s;
            struct error e;
            char expected[64];
            assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
            assert_int_equal(solver_run(s, 5, &silence, &e), 0);
            fails_in_run = call;
            assert_int_not_equal(solver_run(s, STEPS, &silence, &e), 0);
            assert_int_equal(fails_in_run, 0);
            snprintf(expected, sizeof expected, "part %d: this part fell off the bus", parts - 1);
            assert_string_equal(e.message, expected);
            assert_int_equal(e.code, ERROR_DEVICE);
            solver_close(s);
            assert_int_equal(drop_halos(), 4 * (parts - 1)); /* given and taken, at both sides of each cut */
        }
    free_box(&b);
}

static void more_parts_than_planes_are_refused(void **state)
{
    (void)state;
    struct box b;
    struct slab slabs[NZ + 1];
    struct error e;
    make_box(&b);
    assert_int_not_equal(cut_grid(slabs, NZ + 1, &b.problem, 0, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_int_equal(cut_grid(slabs, NZ, &b.problem, 0, &e), 0);
    for (size_t k = 0; k < NZ; k++)
        assert_true(slabs[k].first == k && slabs[k].end == k + 1);
    free_box(&b);
}

static void slabs_share_the_air_and_keep_room_for_a_halo(void **state)
{
    (void)state;
    struct box b;
    struct slab slabs[NZ];
    struct error e;
    make_box(&b);
    for (size_t parts = 2; parts <= 7; parts++)
        for (size_t halo = 1; halo <= 9; halo++) {
            assert_int_equal(cut_grid(slabs, parts, &b.problem, halo, &e), 0);
            for (size_t k = 0; k < parts; k++) {
                assert_true(slabs[k].first == (k ? slabs[k - 1].end : 0));
                assert_true(slabs[k].end - slabs[k].first >= slabs[0].above);
                assert_true(slabs[k].end - slabs[k].first <= NZ / parts + 2);
            }
            assert_true(slabs[parts - 1].end == NZ);
        }
    free_box(&b);
}

/* --- the transport alone --- */

enum { MESSAGES = 3000 };

static void *talk(void *end)
{
    struct transport *t = end;
    struct error e;
    const int other = 1 - t->part;
    uint64_t sent[16], got[16];
    for (uint64_t i = 0; i < MESSAGES; i++) {
        const size_t length = (size_t)(i % 16) * sizeof *sent;
        for (size_t k = 0; k < 16; k++)
            sent[k] = i * 16 + k + (uint64_t)t->part;
        if (transport_send(t, other, sent, length, &e) || transport_receive(t, other, got, length, &e) ||
            transport_flush(t, &e))
            return "it failed";
        for (size_t k = 0; k < length / sizeof *got; k++)
            if (got[k] != i * 16 + k + (uint64_t)other)
                return "another message came";
    }
    return NULL;
}

static void messages_come_whole_and_in_order(void **state)
{
    (void)state;
    struct thread_hub *hub;
    struct error e;
    pthread_t thread;
    void *fault;
    assert_int_equal(thread_hub_open(&hub, 2, &e), 0);
    assert_int_equal(pthread_create(&thread, NULL, talk, thread_hub_end(hub, 1)), 0);
    const void *own = talk(thread_hub_end(hub, 0));
    pthread_join(thread, &fault);
    assert_null(own);
    assert_null(fault);
    thread_hub_close(hub);
}

static void a_message_of_another_length_is_an_error(void **state)
{
    (void)state;
    struct thread_hub *hub;
    struct error e;
    const char sent[8] = "seven";
    char got[16];
    assert_int_equal(thread_hub_open(&hub, 2, &e), 0);
    assert_int_equal(transport_send(thread_hub_end(hub, 0), 1, sent, sizeof sent, &e), 0);
    assert_int_not_equal(transport_receive(thread_hub_end(hub, 1), 0, got, sizeof got, &e), 0);
    assert_string_equal(e.message, "part 0 sent 8 bytes where 16 were expected");
    thread_hub_close(hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_whole_and_in_order),
        cmocka_unit_test(a_message_of_another_length_is_an_error),
        cmocka_unit_test(any_number_of_parts_counts_the_same),
        cmocka_unit_test(halos_go_from_memory_to_memory_where_the_engine_can),
        cmocka_unit_test(parts_of_different_depths_open_with_the_least),
        cmocka_unit_test(parts_share_the_devices_in_their_order),
        cmocka_unit_test(a_part_that_cannot_open_is_named),
        cmocka_unit_test(a_part_that_fails_in_a_run_ends_the_others_and_is_named),
        cmocka_unit_test(a_part_that_fails_while_halos_are_lent_ends_the_others_and_no_lent_halo_is_freed),
        cmocka_unit_test(more_parts_than_planes_are_refused),
        cmocka_unit_test(slabs_share_the_air_and_keep_room_for_a_halo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
