/* SPDX-License-Identifier: MIT */
/* Places are few, and looked at once for each reference of a picture.
 */
#include "object/image_coders.h"

#include <stdbool.h>

/* A place that was not known, or is no longer, has another generation than all before. */
static struct rp_image_coder *
coder_at(struct rp_image_coders *coders, const struct rp_image_place *place)
{
    for (uint32_t i = 0; i < coders->count; i++) {
        struct rp_image_coder *coder = &coders->items[i];
        if (coder->place.x_px == place->x_px && coder->place.y_px == place->y_px)
            return coder;
    }
    uint32_t index = coders->count;
    if (index < RP_MAX_CODER_PLACES) {
        coders->count++;
    } else {
        index = coders->oldest;
        coders->oldest = (index + 1) % RP_MAX_CODER_PLACES;
    }
    coders->items[index] =
        (struct rp_image_coder){.place = *place, .generation = ++coders->generation};
    return &coders->items[index];
}

static bool
places_overlap(const struct rp_image_place *a, const struct rp_image_place *b)
{
    return a->x_px < b->x_px + b->width_px && b->x_px < a->x_px + a->width_px &&
           a->y_px < b->y_px + b->height_px && b->y_px < a->y_px + a->height_px;
}

void
rp_image_coders_write(struct rp_image_coders *coders, const struct rp_image_place *place,
                      uint64_t session_id)
{
    struct rp_image_coder *own = coder_at(coders, place);
    for (uint32_t i = 0; i < coders->count; i++) {
        struct rp_image_coder *coder = &coders->items[i];
        if (coder != own && places_overlap(&coder->place, place))
            coder->generation = ++coders->generation;
    }
    if (own->session_id != session_id)
        own->generation = ++coders->generation;
    own->session_id = session_id;
    own->place = *place;
}

uint64_t
rp_image_coders_generation(struct rp_image_coders *coders, const struct rp_image_place *place)
{
    return coder_at(coders, place)->generation;
}
