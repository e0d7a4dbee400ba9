/* SPDX-License-Identifier: MIT */
/* A ring of identities.
 */
#include "video/decode_order.h"

#include "util/compiler.h"

/* More than threads overtake each other by, less than it takes an image to come back. */
#define MAX_AGE_PICTURES 4

static bool
is_same_place(const struct rp_decode_key *a, const struct rp_decode_key *b)
{
    return a->image_id == b->image_id && a->layer == b->layer && a->x_px == b->x_px &&
           a->y_px == b->y_px;
}

bool
rp_decode_identity_take(struct rp_decode_identity *wanted, const struct rp_decode_identity *made)
{
    if (!is_same_place(&wanted->key, &made->key) ||
        (!wanted->is_long_term && wanted->frame_num != made->frame_num))
        return false;

    uint32_t taken = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t field = RP_DECODE_TOP << i;
        if (wanted->fields & made->fields & field && wanted->poc[i] == made->poc[i])
            taken |= field;
    }
    wanted->fields &= ~taken;
    return taken != 0;
}

/* The index of what is there, or that of the next free one. */
static uint32_t
find(const struct rp_decode_order *order, const struct rp_decode_key *key)
{
    for (uint32_t i = 0; i < RP_DECODE_ORDER_PICTURES; i++) {
        if (order->at[i].fields && is_same_place(&order->at[i].key, key))
            return i;
    }
    return order->next;
}

bool
rp_decode_order_has(struct rp_decode_order *order, const struct rp_decode_identity *wanted)
{
    const uint32_t i = find(order, &wanted->key);
    struct rp_decode_identity rest = *wanted;
    rp_decode_identity_take(&rest, &order->at[i]);
    if (rest.fields ||
        (order->is_disorderly && order->picture_count - order->last_use[i] > MAX_AGE_PICTURES))
        return false;
    order->last_use[i] = order->picture_count;
    return true;
}

void
rp_decode_order_add(struct rp_decode_order *order, const struct rp_decode_identity *made)
{
    const uint32_t i = find(order, &made->key);
    struct rp_decode_identity *at = &order->at[i];

    order->last_use[i] = ++order->picture_count;
    if (i == order->next)
        order->next = (order->next + 1) % RP_DECODE_ORDER_PICTURES;
    if (!is_same_place(&at->key, &made->key) || at->fields & made->fields ||
        at->frame_num != made->frame_num) {
        *at = *made; /* another picture than was there */
        return;
    }
    at->poc[made->fields == RP_DECODE_BOTTOM] = made->poc[made->fields == RP_DECODE_BOTTOM];
    at->fields |= made->fields;
}
