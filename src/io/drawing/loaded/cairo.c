/* SPDX-License-Identifier: MIT */
/* The functions of cairo that drawings use, in a library that loads cairo when it first draws. */
#include <cairo-svg.h>
#include <cairo.h>

#include "io/drawing/loaded/loaded.h"

/* The name of each function: X(name). */
/* clang-format off */
#define FUNCTIONS(X) \
    X(cairo_append_path) X(cairo_arc) X(cairo_clip) X(cairo_close_path) X(cairo_copy_path) X(cairo_create) \
    X(cairo_destroy) X(cairo_fill) X(cairo_fill_preserve) X(cairo_get_source) X(cairo_image_surface_create) \
    X(cairo_image_surface_get_data) X(cairo_image_surface_get_stride) X(cairo_line_to) X(cairo_move_to) \
    X(cairo_new_path) X(cairo_new_sub_path) X(cairo_path_destroy) X(cairo_path_extents) \
    X(cairo_pattern_set_extend) X(cairo_rectangle) X(cairo_rel_move_to) X(cairo_restore) X(cairo_rotate) \
    X(cairo_save) X(cairo_scale) X(cairo_select_font_face) X(cairo_set_dash) X(cairo_set_font_size) \
    X(cairo_set_line_cap) X(cairo_set_line_join) X(cairo_set_line_width) X(cairo_set_source_rgba) \
    X(cairo_set_source_surface) X(cairo_status) X(cairo_stroke) X(cairo_stroke_preserve) \
    X(cairo_surface_destroy) X(cairo_surface_finish) X(cairo_surface_flush) X(cairo_surface_mark_dirty) \
    X(cairo_surface_status) X(cairo_svg_surface_create_for_stream) X(cairo_text_extents) X(cairo_text_path) \
    X(cairo_translate)
/* clang-format on */

LOADED_FUNCTIONS

const struct loaded_library loaded_cairo = {"libcairo.so.2", "libcairo2", functions,
                                            sizeof functions / sizeof *functions};

TELL(cairo_append_path, (cairo_t * a, const cairo_path_t *b), (a, b))
TELL(cairo_arc, (cairo_t * a, double b, double c, double d, double e, double f), (a, b, c, d, e, f))
TELL(cairo_clip, (cairo_t * a), (a))
TELL(cairo_close_path, (cairo_t * a), (a))
CALL(cairo_path_t *, cairo_copy_path, (cairo_t * a), (a))
CALL(cairo_t *, cairo_create, (cairo_surface_t * a), (a))
TELL(cairo_destroy, (cairo_t * a), (a))
TELL(cairo_fill, (cairo_t * a), (a))
TELL(cairo_fill_preserve, (cairo_t * a), (a))
CALL(cairo_pattern_t *, cairo_get_source, (cairo_t * a), (a))
CALL(cairo_surface_t *, cairo_image_surface_create, (cairo_format_t a, int b, int c), (a, b, c))
CALL(unsigned char *, cairo_image_surface_get_data, (cairo_surface_t * a), (a))
CALL(int, cairo_image_surface_get_stride, (cairo_surface_t * a), (a))
TELL(cairo_line_to, (cairo_t * a, double b, double c), (a, b, c))
TELL(cairo_move_to, (cairo_t * a, double b, double c), (a, b, c))
TELL(cairo_new_path, (cairo_t * a), (a))
TELL(cairo_new_sub_path, (cairo_t * a), (a))
TELL(cairo_path_destroy, (cairo_path_t * a), (a))
TELL(cairo_path_extents, (cairo_t * a, double *b, double *c, double *d, double *e), (a, b, c, d, e))
TELL(cairo_pattern_set_extend, (cairo_pattern_t * a, cairo_extend_t b), (a, b))
TELL(cairo_rectangle, (cairo_t * a, double b, double c, double d, double e), (a, b, c, d, e))
TELL(cairo_rel_move_to, (cairo_t * a, double b, double c), (a, b, c))
TELL(cairo_restore, (cairo_t * a), (a))
TELL(cairo_rotate, (cairo_t * a, double b), (a, b))
TELL(cairo_save, (cairo_t * a), (a))
TELL(cairo_scale, (cairo_t * a, double b, double c), (a, b, c))
TELL(cairo_select_font_face, (cairo_t * a, const char *b, cairo_font_slant_t c, cairo_font_weight_t d), (a, b, c, d))
TELL(cairo_set_dash, (cairo_t * a, const double *b, int c, double d), (a, b, c, d))
TELL(cairo_set_font_size, (cairo_t * a, double b), (a, b))
TELL(cairo_set_line_cap, (cairo_t * a, cairo_line_cap_t b), (a, b))
TELL(cairo_set_line_join, (cairo_t * a, cairo_line_join_t b), (a, b))
TELL(cairo_set_line_width, (cairo_t * a, double b), (a, b))
TELL(cairo_set_source_rgba, (cairo_t * a, double b, double c, double d, double e), (a, b, c, d, e))
TELL(cairo_set_source_surface, (cairo_t * a, cairo_surface_t *b, double c, double d), (a, b, c, d))
CALL(cairo_status_t, cairo_status, (cairo_t * a), (a))
TELL(cairo_stroke, (cairo_t * a), (a))
TELL(cairo_stroke_preserve, (cairo_t * a), (a))
TELL(cairo_surface_destroy, (cairo_surface_t * a), (a))
TELL(cairo_surface_finish, (cairo_surface_t * a), (a))
TELL(cairo_surface_flush, (cairo_surface_t * a), (a))
TELL(cairo_surface_mark_dirty, (cairo_surface_t * a), (a))
CALL(cairo_status_t, cairo_surface_status, (cairo_surface_t * a), (a))
CALL(cairo_surface_t *, cairo_svg_surface_create_for_stream, (cairo_write_func_t a, void *b, double c, double d),
     (a, b, c, d))
TELL(cairo_text_extents, (cairo_t * a, const char *b, cairo_text_extents_t *c), (a, b, c))
TELL(cairo_text_path, (cairo_t * a, const char *b), (a, b))
TELL(cairo_translate, (cairo_t * a, double b, double c), (a, b, c))
