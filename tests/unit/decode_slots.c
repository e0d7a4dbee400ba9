/* SPDX-License-Identifier: MIT */
/* Which pictures stay while others come, in order and out of order.
 */
#include "video/decode/slots.h"

#include "test.h"

#define COUNT 31u
#define USUAL 16u

static struct rp_picture_key
key_of(uint32_t picture)
{
    return (struct rp_picture_key){.image_id = picture + 1};
}

/* Decodes a picture that refers to those from first on, ref_count of them. */
static int32_t
decode(struct rp_decode_slots *slots, uint32_t picture, uint32_t first, uint32_t ref_count)
{
    const struct rp_picture_key key = key_of(picture);
    rp_decode_slots_begin(slots);
    for (uint32_t i = 0; i < ref_count; i++) {
        const struct rp_picture_key ref = key_of(first + i);
        REQUIRE(rp_decode_slots_use(slots, &ref) >= 0);
    }
    return rp_decode_slots_take(slots, &key, picture);
}

static void
in_order_few_more_than_usual_stay(void)
{
    struct rp_decode_slots slots = {.count = 0};
    rp_decode_slots_init(&slots, COUNT, USUAL);
    for (uint32_t i = 0; i < 200; i++)
        (void)decode(&slots, i, i > 4 ? i - 4 : 0, i > 4 ? 4 : i);

    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        kept_count += slots.at[i].key.image_id != 0;
    REQUIRE(kept_count >= USUAL);
    REQUIRE(kept_count <= USUAL + 5); /* the last 16 pictures, and what the first of them used */
}

/* A picture refers to as many as are usual; its successors, which do not, come first. */
static void
references_stay_for_a_picture_that_is_overtaken(void)
{
    struct rp_decode_slots slots = {.count = 0};
    rp_decode_slots_init(&slots, COUNT, USUAL);
    for (uint32_t i = 0; i < USUAL; i++)
        (void)decode(&slots, i, 0, i);
    for (uint32_t i = 0; i < 13; i++)
        (void)decode(&slots, 20 + i, 20, i);
    (void)decode(&slots, 40, 0, USUAL);
    (void)decode(&slots, 41, 20, 13);
}

static void
a_picture_may_list_all_there_are(void)
{
    struct rp_decode_slots slots = {.count = 0};
    rp_decode_slots_init(&slots, USUAL + 1, USUAL);
    for (uint32_t i = 0; i < USUAL; i++)
        (void)decode(&slots, i, 0, i);
    REQUIRE_EQ(decode(&slots, 16, 0, USUAL), (int32_t)USUAL);
    REQUIRE_EQ(decode(&slots, 17, 1, USUAL - 1), 0);
}

int
main(void)
{
    RUN(in_order_few_more_than_usual_stay);
    RUN(references_stay_for_a_picture_that_is_overtaken);
    RUN(a_picture_may_list_all_there_are);
    return 0;
}
