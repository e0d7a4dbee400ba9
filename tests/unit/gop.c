/* SPDX-License-Identifier: MIT */
/* Groups of pictures as reelpipe-encode makes them: every picture is coded once, refers to what is
 * there, and comes to its turn as soon as can be.
 */
#include "tools/encode/gop.h"

#include "test.h"

#include <string.h>

#define MAX_PICTURES 100u

/* What a decoder would know. */
struct account {
    bool is_coded[MAX_PICTURES]; /* by the order of display */
    struct gop_picture in_slot[GOP_MAX_SLOTS];
    bool is_alive[GOP_MAX_SLOTS];
    uint32_t coded_count;
    uint32_t shown_count;
};

static void
check_refs(const struct gop *gop, const struct gop_picture *picture, const struct account *a)
{
    if (picture->is_key)
        REQUIRE_EQ(gop->ref_count, 0);
    else if (picture->is_b)
        REQUIRE_EQ(gop->ref_count, 2);
    else
        REQUIRE(gop->ref_count >= 1 && gop->ref_count <= gop->max_refs);
    for (uint32_t i = 0; i < gop->ref_count; i++) {
        const struct gop_picture *ref = &gop->refs[i];
        REQUIRE(a->is_alive[ref->slot] && a->in_slot[ref->slot].display == ref->display);
        REQUIRE(ref->group == picture->group && ref->refs_before < picture->refs_before);
        REQUIRE((ref->position > picture->position) == (picture->is_b && i == 1));
        REQUIRE(picture->is_b || !ref->is_b);
    }
    if (picture->is_b) { /* the nearest */
        for (uint64_t i = gop->refs[0].display + 1; i < gop->refs[1].display; i++)
            REQUIRE(!a->is_coded[i]);
    }
}

static void
account_code(struct gop *gop, const struct gop_picture *picture, struct account *a)
{
    REQUIRE(picture->slot < gop->slot_count);
    if (picture->is_key)
        memset(a->is_alive, 0, sizeof(a->is_alive));
    REQUIRE(!a->is_alive[picture->slot]);
    check_refs(gop, picture, a);
    REQUIRE(!a->is_coded[picture->display]);
    a->is_coded[picture->display] = true;
    a->coded_count++;
    for (uint32_t i = 0; i < gop->ended_count; i++) {
        REQUIRE(a->is_alive[gop->ended[i].slot]);
        a->is_alive[gop->ended[i].slot] = false;
    }
    a->in_slot[picture->slot] = *picture;
    a->is_alive[picture->slot] = picture->is_reference;
    uint32_t alive = 0;
    for (uint32_t i = 0; i < GOP_MAX_SLOTS; i++)
        alive += a->is_alive[i];
    REQUIRE(alive < gop->slot_count);
}

/* In the order of display, each once, hidden ones from their slots. */
static void
account_show(const struct gop_picture *picture, struct account *a)
{
    REQUIRE_EQ(picture->is_early, picture->display > a->shown_count);
    if (picture->is_early)
        return;
    REQUIRE_EQ(picture->display, a->shown_count++);
    if (picture->next_slot >= 0) {
        REQUIRE(a->is_alive[picture->next_slot] && a->in_slot[picture->next_slot].is_early);
        REQUIRE_EQ(a->in_slot[picture->next_slot].display, a->shown_count++);
    }
}

static void
pictures_are_coded_and_shown_once(uint32_t period, uint32_t max_refs, uint32_t max_b)
{
    struct gop gop;
    struct account a = {.coded_count = 0};
    struct gop_picture picture;
    gop_init(&gop, period, max_refs, max_b);
    for (uint32_t i = 0; i < MAX_PICTURES; i++) {
        gop_come(&gop);
        while (gop_next(&gop, i + 1 == MAX_PICTURES, &picture)) {
            account_code(&gop, &picture, &a);
            account_show(&picture, &a);
            REQUIRE(a.coded_count <= i + 1 &&
                    a.coded_count <= a.shown_count + gop_reordered(max_b));
            gop_coded(&gop, &picture);
        }
        REQUIRE(a.coded_count == a.shown_count && a.shown_count + max_b >= i + 1);
        if (max_b == 0)
            REQUIRE_EQ(a.shown_count, i + 1);
    }
    REQUIRE_EQ(a.shown_count, MAX_PICTURES);
}

static void
all_groups(void)
{
    static const uint32_t periods[] = {0, 1, 2, 7, 16, 33};
    for (uint32_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
        for (uint32_t max_refs = 1; max_refs <= GOP_MAX_REFS; max_refs++) {
            for (uint32_t max_b = 0; max_b <= GOP_MAX_B; max_b++) {
                if ((periods[i] == 0 || max_b < periods[i]) &&
                    gop_slots(max_refs, max_b) <= GOP_MAX_SLOTS)
                    pictures_are_coded_and_shown_once(periods[i], max_refs, max_b);
            }
        }
    }
}

/* Seven between two anchors: numbers in the order of coding. */
static void
b_pictures_are_a_tree(void)
{
    static const uint32_t expected[] = {0, 8, 4, 2, 1, 3, 6, 5, 7, 16};
    struct gop gop;
    struct gop_picture picture;
    uint32_t count = 0;
    gop_init(&gop, 0, 1, 7);
    for (uint32_t i = 0; i < 17; i++) {
        gop_come(&gop);
        while (gop_next(&gop, false, &picture)) {
            if (count < sizeof(expected) / sizeof(expected[0]))
                REQUIRE_EQ(picture.display, expected[count]);
            REQUIRE_EQ(picture.is_b, picture.display % 8 != 0);
            REQUIRE_EQ(picture.is_reference, picture.display % 2 == 0);
            count++;
            gop_coded(&gop, &picture);
        }
    }
    REQUIRE_EQ(count, 17);
    REQUIRE_EQ(gop.slot_count, 5);
    REQUIRE_EQ(gop_reordered(7), 3);
}

int
main(void)
{
    RUN(all_groups);
    RUN(b_pictures_are_a_tree);
    return 0;
}
