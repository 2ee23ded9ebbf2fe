/* SPDX-License-Identifier: MIT */
/* The functions of libpng that drawings use, in a library that loads libpng when it first draws. */
#include <png.h>
#include <stdlib.h>

#include "io/drawing/loaded/loaded.h"

/* The name of each function: X(name). */
/* clang-format off */
#define FUNCTIONS(X) \
    X(png_create_info_struct) X(png_create_write_struct) X(png_destroy_write_struct) X(png_init_io) \
    X(png_longjmp) X(png_set_IHDR) X(png_set_PLTE) X(png_set_compression_level) X(png_set_longjmp_fn) \
    X(png_set_tRNS) X(png_set_text) X(png_write_end) X(png_write_info) X(png_write_row)
/* clang-format on */

LOADED_FUNCTIONS

const struct loaded_library loaded_png = {"libpng16.so.16", "libpng16-16", functions,
                                          sizeof functions / sizeof *functions};

CALL(png_infop, png_create_info_struct, (png_const_structrp a), (a))
CALL(png_structp, png_create_write_struct, (png_const_charp a, png_voidp b, png_error_ptr c, png_error_ptr d),
     (a, b, c, d))
TELL(png_destroy_write_struct, (png_structpp a, png_infopp b), (a, b))
TELL(png_init_io, (png_structrp a, png_FILE_p b), (a, b))
TELL(png_set_IHDR,
     (png_const_structrp a, png_inforp b, png_uint_32 c, png_uint_32 d, int e, int f, int g, int h, int i),
     (a, b, c, d, e, f, g, h, i))
TELL(png_set_PLTE, (png_structrp a, png_inforp b, png_const_colorp c, int d), (a, b, c, d))
TELL(png_set_compression_level, (png_structrp a, int b), (a, b))
CALL(jmp_buf *, png_set_longjmp_fn, (png_structrp a, png_longjmp_ptr b, size_t c), (a, b, c))
TELL(png_set_tRNS, (png_structrp a, png_inforp b, png_const_bytep c, int d, png_const_color_16p e), (a, b, c, d, e))
TELL(png_set_text, (png_const_structrp a, png_inforp b, png_const_textp c, int d), (a, b, c, d))
TELL(png_write_end, (png_structrp a, png_inforp b), (a, b))
TELL(png_write_info, (png_structrp a, png_const_inforp b), (a, b))
TELL(png_write_row, (png_structrp a, png_const_bytep b), (a, b))

void png_longjmp(png_const_structrp a, int b)
{
    loaded.png_longjmp(a, b);
    abort(); /* it does not return */
}
