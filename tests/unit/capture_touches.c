/* SPDX-License-Identifier: MIT */
/* What a captured submission reaches, of which nothing is looked at twice: against the rule, for
 * every pair.
 */
#include "test.h"

#include "capture/touches.h"

#define OBJECTS 3u
#define MOST 60u

static uint32_t
random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % limit);
}

static bool
holds(const struct rp_capture_touch *a, const struct rp_capture_touch *b)
{
    return a->object == b->object && !(a->access & RP_CAPTURE_OUTPUT) &&
           a->offset_B <= b->offset_B && b->offset_B + b->size_B <= a->offset_B + a->size_B;
}

/* Kept is one of the list that holds it and is alike, or is the same. */
static void
check_that_all_are_reached(const struct rp_capture_device *c, const struct rp_capture_touch *all,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_reached = false;
        for (uint32_t k = 0; k < c->touch_count; k++) {
            const struct rp_capture_touch *kept = &c->touches[k];
            const bool is_it = kept->object == all[i].object && kept->access == all[i].access &&
                               kept->offset_B == all[i].offset_B && kept->size_B == all[i].size_B;
            is_reached |= is_it || (kept->access == all[i].access && holds(kept, &all[i]));
        }
        REQUIRE(is_reached);
    }
}

static void
check_that_none_is_twice(const struct rp_capture_device *c)
{
    for (uint32_t i = 0; i < c->touch_count; i++) {
        const struct rp_capture_touch *touch = &c->touches[i];
        bool is_held_by_one_that_is_not = false;
        for (uint32_t k = 0; k < c->touch_count; k++) {
            const struct rp_capture_touch *other = &c->touches[k];
            REQUIRE(k == i || other->access != touch->access || !holds(other, touch));
            REQUIRE(k == i || touch->is_covered || other->is_covered || !holds(other, touch));
            is_held_by_one_that_is_not |= k != i && !other->is_covered && holds(other, touch);
        }
        REQUIRE_EQ(touch->is_covered, is_held_by_one_that_is_not);
        REQUIRE(i == 0 || touch->object->id >= touch[-1].object->id);
    }
}

static void
what_is_held_by_another_is_left_out_or_covered(void)
{
    uint64_t state = 1;
    for (uint32_t round = 0; round < 2000; round++) {
        struct rp_capture_object objects[OBJECTS];
        struct rp_capture_touch all[MOST], touches[MOST];
        uint32_t slots[MOST] = {0};
        const uint32_t count = random_below(&state, MOST);
        struct rp_capture_device c = {
            .touches = touches, .touch_count = count, .touch_slots = slots};
        bool repeats = true;
        for (uint32_t i = 0; i < OBJECTS; i++)
            objects[i] = (struct rp_capture_object){.id = 1 + i};
        for (uint32_t i = 0; i < count; i++) {
            const bool is_image = random_below(&state, 5) == 0;
            slots[i] = i + 1;
            touches[i] = all[i] = (struct rp_capture_touch){
                .object = &objects[is_image ? 0 : 1 + random_below(&state, OBJECTS - 1)],
                .offset_B = is_image ? 0 : random_below(&state, 20),
                .size_B = is_image ? 0 : 1 + random_below(&state, 10),
                .access = random_below(&state, is_image ? 4 : 8),
                .slot = i,
            };
            repeats &= !(all[i].access & RP_CAPTURE_UNREPEATABLE);
        }
        rp_capture_touches_settle(&c);
        check_that_all_are_reached(&c, all, count);
        check_that_none_is_twice(&c);
        REQUIRE_EQ(c.touches_repeat, repeats);
        for (uint32_t i = 0; i < count; i++)
            REQUIRE_EQ(slots[i], 0);
    }
}

int
main(void)
{
    RUN(what_is_held_by_another_is_left_out_or_covered);
    return 0;
}
