#include "model/room_surface.h"

#include <stdlib.h>
#include <string.h>

#include "acoustics/cell.h"
#include "geometry/floor_plan.h"

enum { BLOCK_TRIANGLES = 12 };

/* Corners of the six sides of a box, in the order of enum face; numbered as by object_corner. */
static const size_t sides[FACES][4] = {
    [FACE_X_MIN] = {0, 2, 6, 4}, [FACE_X_MAX] = {1, 3, 7, 5}, [FACE_Y_MIN] = {0, 1, 5, 4},
    [FACE_Y_MAX] = {2, 3, 7, 6}, [FACE_Z_MIN] = {0, 1, 3, 2}, [FACE_Z_MAX] = {4, 5, 7, 6}};

void room_surface_free(struct room_surface *s)
{
    free(s->materials);
    free(s->triangles);
    free(s->solids);
    memset(s, 0, sizeof *s);
}

static bool is_wedge(const struct object *o)
{
    return o->shape == SHAPE_WEDGE;
}

/* At most, for the memory that they take. */
static size_t triangles_of(const struct object *o)
{
    return is_wedge(o) ? BLOCK_TRIANGLES : o->shape == SHAPE_POLYGON ? 4 * o->corner_count : 0;
}

static bool same_place(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void add_triangle(struct room_surface *s, const double a[3], const double b[3], const double c[3],
                         size_t material)
{
    if (same_place(a, b) || same_place(b, c) || same_place(c, a))
        return;
    struct surface_triangle *t = &s->triangles[s->surface.triangle_count++];
    memcpy(t->corner[0], a, sizeof t->corner[0]);
    memcpy(t->corner[1], b, sizeof t->corner[1]);
    memcpy(t->corner[2], c, sizeof t->corner[2]);
    t->material = (uint32_t)material;
}

static void add_quad(struct room_surface *s, const double a[3], const double b[3], const double c[3], const double d[3],
                     size_t material)
{
    add_triangle(s, a, b, c, material);
    add_triangle(s, a, c, d, material);
}

/* `corners` as of object_corner; a material for each side. */
static void add_block(struct room_surface *s, const double (*corners)[3], const size_t materials[FACES])
{
    for (int side = 0; side < FACES; side++)
        add_quad(s, corners[sides[side][0]], corners[sides[side][1]], corners[sides[side][2]], corners[sides[side][3]],
                 materials[side]);
}

static void add_box_walls(struct room_surface *s, const struct room *room, const double size[3])
{
    double corners[OBJECT_CORNERS][3];
    for (size_t k = 0; k < OBJECT_CORNERS; k++)
        for (int i = 0; i < 3; i++)
            corners[k][i] = k >> i & 1 ? size[i] : 0.0;
    add_block(s, (const double(*)[3])corners, room->walls);
}

/* A prism over a floor plan: its two ends, cut into triangles, and its walls. */
struct prism {
    const double (*corners)[2];
    size_t count;
    const uint32_t (*plan)[3]; /* [plan_count] */
    size_t plan_count;
    const double *tops; /* [count]; NULL: all at `top` */
    double bottom, top;
    size_t ends[2];      /* materials of the lower and the upper end */
    const size_t *walls; /* [count]: materials; NULL: that of the lower end */
};

static void prism_corner(const struct prism *p, size_t index, bool upper, double corner[3])
{
    corner[0] = p->corners[index][0];
    corner[1] = p->corners[index][1];
    corner[2] = upper ? p->tops ? p->tops[index] : p->top : p->bottom;
}

static void add_prism(struct room_surface *s, const struct prism *p)
{
    double corners[4][3];
    for (size_t i = 0; i < p->plan_count; i++)
        for (int upper = 0; upper < 2; upper++) {
            for (int k = 0; k < 3; k++)
                prism_corner(p, p->plan[i][k], upper, corners[k]);
            add_triangle(s, corners[0], corners[1], corners[2], p->ends[upper]);
        }
    for (size_t i = 0; i < p->count; i++) {
        const size_t next = (i + 1) % p->count;
        prism_corner(p, i, false, corners[0]);
        prism_corner(p, next, false, corners[1]);
        prism_corner(p, next, true, corners[2]);
        prism_corner(p, i, true, corners[3]);
        add_quad(s, corners[0], corners[1], corners[2], corners[3], p->walls ? p->walls[i] : p->ends[0]);
    }
}

static void add_polygon_walls(struct room_surface *s, const struct room *room)
{
    add_prism(s, &(struct prism){.corners = (const double(*)[2])room->corners,
                                 .count = room->corner_count,
                                 .plan = (const uint32_t(*)[3])room->plan,
                                 .plan_count = room->plan_count,
                                 .tops = room->heights,
                                 .ends = {room->walls[FACE_Z_MIN], room->walls[FACE_Z_MAX]},
                                 .walls = room->sides});
}

static void add_mesh(struct room_surface *s, const struct room *room)
{
    const struct mesh *m = &room->mesh;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const struct triangle *t = &m->triangles[i];
        add_triangle(s, m->vertices[t->vertex[0]], m->vertices[t->vertex[1]], m->vertices[t->vertex[2]],
                     room->mesh_materials[t->material]);
    }
}

static int add_polygon(struct room_surface *s, const struct object *o, struct error *e)
{
    const double(*corners)[2] = (const double(*)[2])o->corners;
    struct prism p = {.corners = corners,
                      .count = o->corner_count,
                      .bottom = o->bottom,
                      .top = o->top,
                      .ends = {o->material, o->material}};
    uint32_t(*plan)[3] = calloc(o->corner_count, sizeof *plan);
    if (!plan)
        return fail(e, ERROR_MEMORY, "out of memory for a polygon of %zu corners", o->corner_count);
    const int result = floor_plan_triangles(corners, o->corner_count, plan, &p.plan_count, e);
    p.plan = (const uint32_t(*)[3])plan;
    if (!result)
        add_prism(s, &p);
    free(plan);
    return result;
}

static void add_wedge(struct room_surface *s, const struct object *o)
{
    double corners[OBJECT_CORNERS][3];
    size_t materials[FACES];
    for (size_t k = 0; k < OBJECT_CORNERS; k++)
        object_corner(o, k, corners[k]);
    for (int side = 0; side < FACES; side++)
        materials[side] = o->material;
    add_block(s, (const double(*)[3])corners, materials);
}

/* A box that is turned by quarters is one whose corners are elsewhere. */
static void add_box(struct surface_solid *solid, const struct object *o)
{
    double matrix[3][3];
    if (object_is_axis_parallel(o)) {
        solid->shape = SOLID_BOX;
        object_bounds(o, solid->from, solid->to);
        return;
    }
    solid->shape = SOLID_TURNED_BOX;
    object_turn(o, matrix);
    for (int i = 0; i < 3; i++) {
        solid->centre[i] = 0.5 * (o->from[i] + o->to[i]);
        solid->half[i] = 0.5 * (o->to[i] - o->from[i]);
        for (int k = 0; k < 3; k++)
            solid->axes[k][i] = matrix[i][k];
    }
}

static void add_solid(struct room_surface *s, const struct object *o)
{
    struct surface_solid *solid = &s->solids[s->surface.solid_count++];
    *solid = (struct surface_solid){.radius = o->radius, .material = (uint32_t)o->material};
    if (o->shape == SHAPE_BOX) {
        add_box(solid, o);
    } else if (o->shape == SHAPE_SPHERE) {
        solid->shape = SOLID_SPHERE;
        memcpy(solid->centre, o->position, sizeof solid->centre);
    } else {
        solid->shape = SOLID_CYLINDER;
        memcpy(solid->from, o->from, sizeof solid->from);
        memcpy(solid->to, o->to, sizeof solid->to);
    }
}

static int add_object(struct room_surface *s, const struct object *o, struct error *e)
{
    if (o->shape == SHAPE_POLYGON)
        return add_polygon(s, o, e);
    if (is_wedge(o))
        add_wedge(s, o);
    else
        add_solid(s, o);
    return 0;
}

static void add_materials(struct room_surface *s, const struct room *room)
{
    for (size_t i = 0; i < room->material_count; i++) {
        const bool fixed = boundary_kind_of(&room->materials[i])->fixed;
        s->materials[i] = (struct surface_material){.name = room->materials[i].name,
                                                    .code = fixed ? CELL_FIXED : (uint8_t)(CELL_SOLID + i)};
    }
}

/* Memory for all that the room may give. */
static int make_arrays(struct room_surface *s, const struct room *room, struct error *e)
{
    size_t triangles = BLOCK_TRIANGLES + 4 * room->corner_count + room->mesh.triangle_count;
    for (size_t i = 0; i < room->object_count; i++)
        triangles += triangles_of(&room->objects[i]);
    if (triangles > SURFACE_TRIANGLES_MAX)
        return fail(e, ERROR_INPUT, "%s: the room has %zu triangles, and %d can be put on a grid: simplify the model",
                    room->path, triangles, (int)SURFACE_TRIANGLES_MAX);
    if (room->material_count > CELL_CODES - CELL_SOLID)
        return fail(e, ERROR_INPUT, "%s: the room has %zu materials; a grid tells %d apart", room->path,
                    room->material_count, CELL_CODES - CELL_SOLID);
    s->materials = calloc(room->material_count + 1, sizeof *s->materials);
    s->triangles = calloc(triangles, sizeof *s->triangles);
    s->solids = calloc(room->object_count + 1, sizeof *s->solids);
    if (!s->materials || !s->triangles || !s->solids)
        return fail(e, ERROR_MEMORY, "%s: out of memory for %zu triangles", room->path, triangles);
    s->surface.materials = s->materials;
    s->surface.material_count = room->material_count;
    s->surface.triangles = s->triangles;
    s->surface.solids = s->solids;
    return 0;
}

int room_surface_make(struct room_surface *s, const struct room *room, const double size[3], struct error *e)
{
    const enum room_form form = room_form(room);
    if (make_arrays(s, room, e))
        return -1;
    add_materials(s, room);
    if (form == ROOM_MESH)
        add_mesh(s, room);
    else if (form == ROOM_POLYGON)
        add_polygon_walls(s, room);
    else if (size)
        add_box_walls(s, room, size);
    for (size_t i = 0; i < room->object_count; i++)
        if (add_object(s, &room->objects[i], e))
            return -1;
    return 0;
}
