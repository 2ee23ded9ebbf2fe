#include "model/receivers.h"

#include "model/placement.h"

/* Places the channels of one receiver: placed[receiver_kinds[r->kind].channels]. */
typedef int placer(struct placed *placed, struct model *m, size_t receiver, struct error *e);

/* One channel, the pressure. */
static int place_omni(struct placed *placed, struct model *m, size_t receiver, struct error *e)
{
    const struct receiver *r = &m->room->receivers[receiver];
    const size_t *voxel = room_voxels_seed(&m->voxels, m->room->source_count + receiver);
    const struct placement p = {"receiver", r->name, &r->origin, r->position, voxel, .scale = 1.0};
    return placement_make(placed, m, &p, e);
}

static placer *const placers[RECEIVER_KINDS] = {
    [RECEIVER_OMNI] = place_omni,
};

int receivers_place(struct model *m, struct error *e)
{
    struct placed *placed = m->receivers;
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const struct receiver *r = &m->room->receivers[i];
        if (placers[r->kind](placed, m, i, e))
            return -1;
        placed += receiver_kinds[r->kind].channels;
    }
    return 0;
}
