/* SPDX-License-Identifier: MIT */
/* Materials of rooms/materials.cfg by surface and use. */
#include "render/batch/furnished/sketch.h"

enum {
    BED = 1 << USE_BEDROOM,
    OFF = 1 << USE_OFFICE,
    CLA = 1 << USE_CLASSROOM,
    LIV = 1 << USE_LIVING_ROOM,
    COR = 1 << USE_CORRIDOR,
    HOME = BED | LIV,
    WORK = OFF | CLA | COR,
    ANY = HOME | WORK
};

static const struct {
    enum surface surface;
    int uses;
    const char *material;
    double weight;
} finishes[] = {
    {SURFACE_WALL, ANY, "plaster", 3.0},
    {SURFACE_WALL, ANY, "gypsum_board", 2.0},
    {SURFACE_WALL, ANY, "double_gypsum_board", 2.0},
    {SURFACE_WALL, HOME, "wallpaper", 3.0},
    {SURFACE_WALL, CLA | COR, "painted_brick", 1.0},
    {SURFACE_WALL, WORK, "painted_concrete", 1.0},
    {SURFACE_WALL, LIV | OFF, "brick", 0.5},
    {SURFACE_FLOOR, HOME, "parquet", 3.0},
    {SURFACE_FLOOR, HOME, "wood_floor", 2.0},
    {SURFACE_FLOOR, HOME, "wood_on_solid_floor", 2.0},
    {SURFACE_FLOOR, HOME | OFF, "carpet_thin", 2.0},
    {SURFACE_FLOOR, HOME, "carpet_10mm", 2.0},
    {SURFACE_FLOOR, OFF, "needle_felt", 2.0},
    {SURFACE_FLOOR, WORK, "linoleum", 3.0},
    {SURFACE_FLOOR, WORK, "vinyl_floor", 2.0},
    {SURFACE_FLOOR, CLA, "parquet", 1.0},
    {SURFACE_FLOOR, COR | LIV, "ceramic_tile", 1.0},
    {SURFACE_FLOOR, COR, "terrazzo", 1.0},
    {SURFACE_CEILING, HOME, "plaster", 4.0},
    {SURFACE_CEILING, HOME | COR, "gypsum_ceiling", 2.0},
    {SURFACE_CEILING, HOME | COR, "painted_concrete", 1.0},
    {SURFACE_CEILING, COR, "acoustic_tile_suspended", 3.0},
    {SURFACE_CEILING, COR, "plaster", 1.0},
    {SURFACE_CEILING, OFF | CLA, "acoustic_tile_suspended", 4.0}, /* few of them have hard ceilings */
    {SURFACE_CEILING, OFF | CLA, "perforated_gypsum_ceiling", 1.5},
    {SURFACE_CEILING, OFF | CLA, "painted_concrete", 0.3},
    {SURFACE_CEILING, OFF | CLA, "plaster", 0.7},
    {SURFACE_DOOR, ANY, "wooden_door", 1.0},
    {SURFACE_WINDOW, ANY, "double_glazing", 2.0},
    {SURFACE_WINDOW, ANY, "double_glazing_narrow", 2.0},
    {SURFACE_WINDOW, ANY, "glass_window", 1.0},
    {SURFACE_CURTAIN, ANY, "curtain", 2.0},
    {SURFACE_CURTAIN, ANY, "light_curtain", 2.0},
    {SURFACE_CURTAIN, ANY, "medium_curtain", 1.0},
    {SURFACE_CURTAIN, HOME, "heavy_curtain", 0.5},
    {SURFACE_BOARD, CLA, "plate_glass", 1.0},
    {SURFACE_BOARD, CLA, "chipboard_panel", 1.0},
    {SURFACE_CARPET, ANY, "carpet", 1.0},
    {SURFACE_CARPET, ANY, "carpet_thin", 2.0},
    {SURFACE_CARPET, ANY, "carpet_10mm", 2.0},
    {SURFACE_FURNITURE, ANY, "solid_wood", 1.0},
    {SURFACE_FURNITURE, ANY, "chipboard_panel", 2.0},
    {SURFACE_FURNITURE, ANY, "wood", 1.0},
    {SURFACE_CHAIR, ANY, "wooden_chairs", 2.0},
    {SURFACE_CHAIR, WORK, "plastic_chairs", 2.0},
    {SURFACE_CHAIR, OFF | LIV, "light_upholstered_seats", 2.0},
    {SURFACE_UPHOLSTERY, ANY, "upholstered_chairs", 3.0},
    {SURFACE_UPHOLSTERY, ANY, "heavy_upholstered_seats", 1.0},
    {SURFACE_UPHOLSTERY, LIV, "leather_chairs", 1.0},
};
enum { FINISHES = sizeof finishes / sizeof *finishes };

void finishes_draw(struct sketch *s, struct random *r)
{
    for (int surface = 0; surface < SURFACES; surface++) {
        double sum = 0.0;
        for (size_t i = 0; i < FINISHES; i++)
            if ((int)finishes[i].surface == surface && finishes[i].uses & (1 << s->use))
                sum += finishes[i].weight;
        double at = random_unit(r) * sum;
        for (size_t i = 0; i < FINISHES && at >= 0.0; i++)
            if ((int)finishes[i].surface == surface && finishes[i].uses & (1 << s->use)) {
                s->materials[surface] = finishes[i].material;
                at -= finishes[i].weight;
            }
    }
}
