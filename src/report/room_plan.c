#include "report/room_plan.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/drawing.h"
#include "io/svg_axis.h"

static const double WIDTH = 480.0, TALLEST = 560.0; /* of the drawing, units */
static const double SIDE = 30.0, HEAD = 24.0, GAP = 46.0, FOOT = 40.0;

static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Andrew's monotone chain (1979). */
static size_t hull(double out[][2], double points[][2], size_t count)
{
    size_t n = 0;
    qsort(points, count, sizeof *points, by_place);
    for (int half = 0; half < 2; half++) {
        const size_t start = n;
        for (size_t i = 0; i < count; i++) {
            double *point = points[half ? count - 1 - i : i];
            while (n >= start + 2 && turn(out[n - 2], out[n - 1], point) <= 0.0)
                n--;
            memcpy(out[n++], point, sizeof *points);
        }
        n--; /* the last one begins the other half */
    }
    return n;
}

/* A point on the rim of one end of a cylinder. */
static void rim_point(double point[3], const struct object *o, const double *end, double angle)
{
    double axis[3], across[3], third[3], length = 0.0;
    for (int i = 0; i < 3; i++)
        length = hypot(length, axis[i] = o->to[i] - o->from[i]);
    for (int i = 0; i < 3; i++)
        axis[i] = length > 0.0 ? axis[i] / length : i == 2;
    const int least = fabs(axis[0]) < 0.6 ? 0 : 1; /* an axis that is not along it */
    double norm = 0.0;
    for (int i = 0; i < 3; i++)
        norm = hypot(norm, across[i] = (i == least) - axis[i] * axis[least]);
    for (int i = 0; i < 3; i++)
        across[i] /= norm;
    for (int i = 0; i < 3; i++)
        third[i] = axis[(i + 1) % 3] * across[(i + 2) % 3] - axis[(i + 2) % 3] * across[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        point[i] = end[i] + o->radius * (across[i] * cos(angle) + third[i] * sin(angle));
}

size_t object_outline(double outline[OUTLINE_POINTS][2], const struct object *o, int along)
{
    enum { RIM = 48 };
    double points[2 * RIM][2];
    size_t count = 0;
    for (int k = 0; k < (o->shape == SHAPE_BOX ? 8 : 2 * RIM); k++) {
        double p[3];
        if (o->shape == SHAPE_BOX)
            for (int i = 0; i < 3; i++)
                p[i] = k >> i & 1 ? o->to[i] : o->from[i];
        else
            rim_point(p, o, k < RIM ? o->from : o->to, 2.0 * M_PI * k / RIM);
        points[count][0] = p[0];
        points[count++][1] = p[along == 2 ? 1 : 2];
    }
    return hull(outline, points, count);
}

/* One of the two views: where the corner (0, 0) lies, and labels that are taken. */
struct view {
    struct drawing *d;
    const struct room *room;
    int along, up;      /* axis one looks along, axis that points upwards on the page */
    double x, y, scale; /* units of the corner; units a metre */
    double taken[64][4];
    size_t taken_count;
};

static double place_x(const struct view *v, double x)
{
    return v->x + v->scale * x;
}

static double place_y(const struct view *v, double y)
{
    return v->y - v->scale * y;
}

static bool is_free(const struct view *v, const double box[4])
{
    for (size_t i = 0; i < v->taken_count; i++) {
        const double *t = v->taken[i];
        if (box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3])
            return false;
    }
    return box[0] > 0.0 && box[2] < WIDTH;
}

static void take(struct view *v, double x0, double y0, double x1, double y1)
{
    if (v->taken_count < sizeof v->taken / sizeof *v->taken)
        memcpy(v->taken[v->taken_count++], (double[4]){x0, y0, x1, y1}, sizeof *v->taken);
}

/* The label beside a mark where nothing else stands; none where there is no space. */
static void label_mark(struct view *v, double x, double y, const char *text)
{
    const double width = svg_text_width(text, 12.0);
    const double tries[][2] = {{8.0, 4.0},           {-8.0 - width, 4.0},  {-0.5 * width, -9.0},
                               {-0.5 * width, 18.0}, {8.0, -7.0},          {8.0, 15.0},
                               {-8.0 - width, -7.0}, {-8.0 - width, 15.0}, {-0.5 * width, 30.0}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const double left = x + tries[i][0], base = y + tries[i][1];
        const double box[4] = {left, base - 10.0, left + width, base + 2.0};
        if (!is_free(v, box))
            continue;
        take(v, box[0], box[1], box[2], box[3]);
        drawing_text(v->d, left, base, 12.0, "start", DRAWING_INK, text);
        return;
    }
}

static void draw_objects(const struct view *v)
{
    for (size_t k = 0; k < v->room->object_count; k++) {
        double outline[OUTLINE_POINTS][2];
        const size_t count = object_outline(outline, &v->room->objects[k], v->along);
        for (size_t i = 0; i < count; i++)
            (i ? drawing_line : drawing_move)(v->d, place_x(v, outline[i][0]), place_y(v, outline[i][1]));
        drawing_close_path(v->d);
        drawing_fill(v->d, DRAWING_SOLID, 0.55);
        drawing_stroke(v->d, DRAWING_FAINT, 1.0);
    }
}

static void draw_source(const struct view *v, double x, double y)
{
    drawing_move(v->d, x - 6.0, y + 5.0);
    drawing_line(v->d, x + 6.0, y + 5.0);
    drawing_line(v->d, x, y - 6.0);
    drawing_close_path(v->d);
    drawing_fill(v->d, DRAWING_SERIES + 1, 1.0);
    drawing_stroke(v->d, DRAWING_SERIES + 1, 1.0);
}

static void draw_receiver(const struct view *v, double x, double y)
{
    drawing_circle(v->d, x, y, 4.5);
    drawing_fill(v->d, DRAWING_SERIES, 0.35);
    drawing_stroke(v->d, DRAWING_SERIES, 1.75);
}

static void draw_marks(struct view *v)
{
    const size_t sources = v->room->source_count, all = sources + v->room->receiver_count;
    for (int pass = 0; pass < 2; pass++) /* first all marks, so that no label covers one */
        for (size_t i = 0; i < all; i++) {
            const bool source = i < sources;
            const double *at = source ? v->room->sources[i].position : v->room->receivers[i - sources].position;
            const double x = place_x(v, at[0]), y = place_y(v, at[v->up]);
            char text[32];
            snprintf(text, sizeof text, "%c%zu", source ? 'S' : 'R', source ? i + 1 : i - sources + 1);
            if (pass) {
                label_mark(v, x, y, text);
            } else {
                (source ? draw_source : draw_receiver)(v, x, y);
                take(v, x - 5.0, y - 5.0, x + 5.0, y + 5.0);
            }
        }
}

static void draw_sizes(struct view *v, const char *title)
{
    const double *size = v->room->size;
    char text[48];
    drawing_text(v->d, v->x, place_y(v, size[v->up]) - 8.0, 12.0, "start", DRAWING_INK, title);
    snprintf(text, sizeof text, "%.4g m", size[0]);
    const double middle = place_x(v, 0.5 * size[0]), half = 0.5 * svg_text_width(text, 12.0);
    drawing_text(v->d, middle, v->y + 16.0, 12.0, "middle", DRAWING_FAINT, text);
    take(v, middle - half, v->y + 5.0, middle + half, v->y + 18.0);
    snprintf(text, sizeof text, "%.4g m", size[v->up]);
    drawing_text_up(v->d, v->x - 8.0, place_y(v, 0.5 * size[v->up]), 12.0, "middle", DRAWING_FAINT, text);
}

static void draw_view(struct view *v, const char *title)
{
    const double *size = v->room->size;
    draw_objects(v);
    drawing_move(v->d, place_x(v, 0.0), place_y(v, 0.0));
    drawing_line(v->d, place_x(v, size[0]), place_y(v, 0.0));
    drawing_line(v->d, place_x(v, size[0]), place_y(v, size[v->up]));
    drawing_line(v->d, place_x(v, 0.0), place_y(v, size[v->up]));
    drawing_close_path(v->d);
    drawing_stroke(v->d, DRAWING_INK, 2.0);
    draw_sizes(v, title);
    draw_marks(v);
}

static void draw_scale_bar(struct drawing *d, double scale, double y)
{
    char text[32];
    double length = pow(10.0, floor(log10(120.0 / scale)));
    for (int k = 5; k > 1; k -= 3) /* 5 or 2 times that, where it fits */
        if (k * length * scale <= 120.0) {
            length *= k;
            break;
        }
    const double left = WIDTH - SIDE - scale * length, right = WIDTH - SIDE;
    drawing_move(d, left, y - 4.0);
    drawing_line(d, left, y);
    drawing_line(d, right, y);
    drawing_line(d, right, y - 4.0);
    drawing_stroke(d, DRAWING_FAINT, 1.5);
    snprintf(text, sizeof text, "%g m", length);
    drawing_text(d, left - 6.0, y + 2.0, 12.0, "end", DRAWING_FAINT, text);
}

int room_plan(FILE *stream, const struct room *room, const char *name, struct error *e)
{
    const double *size = room->size;
    const double scale = fmin((WIDTH - 2.0 * SIDE) / size[0], TALLEST / (size[1] + size[2]));
    const double left = 0.5 * (WIDTH - scale * size[0]);
    const double plan = HEAD + scale * size[1], section = plan + GAP + scale * size[2];
    struct drawing *d;
    if (drawing_open(&d, name, WIDTH, section + FOOT, e))
        return -1;
    struct view above = {.d = d, .room = room, .along = 2, .up = 1, .x = left, .y = plan, .scale = scale};
    struct view front = {.d = d, .room = room, .along = 1, .up = 2, .x = left, .y = section, .scale = scale};
    draw_view(&above, "plan (x, y)");
    draw_view(&front, "section (x, z)");
    draw_scale_bar(d, scale, section + 28.0);
    return drawing_finish(d, "The room in plan and section", stream, e);
}
