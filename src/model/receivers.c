#include "model/receivers.h"

#include "model/placement.h"

/* Places the channels of one receiver: placed[receiver_kinds[r->kind].channels]. */
typedef int placer(struct placed *placed, const struct receiver *r, const struct voxels *v, const struct grid *g,
                   struct error *e);

/* One channel, the pressure. */
static int place_omni(struct placed *placed, const struct receiver *r, const struct voxels *v, const struct grid *g,
                      struct error *e)
{
    return placement_make(placed, v, g, r->position, 1.0, "receiver", r->name, &r->origin, e);
}

static placer *const placers[RECEIVER_KINDS] = {
    [RECEIVER_OMNI] = place_omni,
};

int receivers_place(struct placed *placed, const struct room *room, const struct voxels *v, const struct grid *g,
                    struct error *e)
{
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        if (placers[r->kind](placed, r, v, g, e))
            return -1;
        placed += receiver_kinds[r->kind].channels;
    }
    return 0;
}
