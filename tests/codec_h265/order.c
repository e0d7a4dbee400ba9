/* SPDX-License-Identifier: MIT */
/* Counts of private streams: libavcodec, which sees their low bits alone, finds each of them, in
 * whatever order the pictures of several sequences come.
 */
#include "tests/test.h"
#include "video/h265/private_order.h"

#include <string.h>

#define KEPT 12 /* pictures that an application has images for */
#define GOP 5

struct model {
    struct rp_h265_private_streams streams;
    int32_t decoder_poc; /* of the picture before, as libavcodec has it */
    uint32_t last_use[KEPT];
    uint32_t picture_count;
};

/* A picture that is decoded. */
struct coded {
    int32_t slot;
    int32_t poc; /* the application's */
};

/* As ff_hevc_compute_poc() has it, with C's remainder. */
static bool
decoder_finds(struct model *m, int32_t poc)
{
    const int32_t range = 1 << RP_H265_PRIVATE_POC_BITS;
    const int32_t before_low = m->decoder_poc % range;
    const int32_t low = (int32_t)((uint32_t)poc & (uint32_t)(range - 1));

    m->decoder_poc += low - before_low;
    if (low < before_low && before_low - low >= range / 2)
        m->decoder_poc += range;
    else if (low > before_low && low - before_low > range / 2)
        m->decoder_poc -= range;
    return m->decoder_poc == poc;
}

/* The least recently used one. */
static int32_t
choose_slot(const struct model *m)
{
    int32_t oldest = 0;
    for (int32_t i = 1; i < KEPT; i++) {
        if (m->last_use[i] < m->last_use[oldest])
            oldest = i;
    }
    return oldest;
}

/* ref: NULL for an IDR picture. */
static struct coded
decode(struct model *m, int32_t poc, const struct coded *ref)
{
    m->picture_count++;
    if (ref)
        m->last_use[ref->slot] = m->picture_count;
    const struct coded coded = {choose_slot(m), poc};
    struct rp_h265_private_request request = {
        .poc = poc,
        .is_idr = !ref,
        .setup_slot = coded.slot,
    };
    static struct rp_h265_private_picture picture;

    memset(&picture, 0, sizeof(picture));
    picture.starts_stream = m->picture_count == 1;
    picture.setup_slot = coded.slot;
    if (ref) {
        request.before.at[0] = (struct rp_h265_private_reference){ref->slot, true, ref->poc};
        request.before.count = 1;
    }
    rp_h265_private_choose_poc(&m->streams, &request, &picture);
    for (uint32_t i = 0; i < picture.control_count; i++)
        REQUIRE(decoder_finds(m, rp_h265_private_control_poc(&m->streams, &picture, i)));
    REQUIRE(decoder_finds(m, picture.poc));
    REQUIRE(picture.poc >= 0 && picture.poc < 1 << 21);
    REQUIRE(!ref || picture.poc - m->streams.slots[ref->slot].poc == poc - ref->poc);
    m->streams.slots[coded.slot].stream = -1;
    rp_h265_private_note_pocs(&m->streams, &picture);
    m->streams.slots[coded.slot] = (struct rp_h265_private_slot){0, picture.poc};
    m->last_use[coded.slot] = m->picture_count;
    return coded;
}

static void
model_init(struct model *m)
{
    *m = (struct model){.decoder_poc = 0};
    for (uint32_t i = 0; i < RP_H265_DECODE_SLOTS; i++)
        m->streams.slots[i].stream = -1;
}

/* As FFmpeg's frame threads do it: the last pictures of a group come after the IDR picture of the
 * next one, and some that refer to it. */
static void
groups_may_overlap(uint32_t late_count)
{
    struct model m;
    model_init(&m);
    struct coded idr = decode(&m, 0, NULL);
    for (uint32_t group = 0; group < 20000; group++) {
        int32_t poc = 1;
        for (; poc < GOP - (int32_t)late_count; poc++)
            (void)decode(&m, poc, &idr);
        const struct coded next_idr = decode(&m, 0, NULL);
        for (; poc < GOP; poc++) {
            (void)decode(&m, poc, &idr);
            (void)decode(&m, poc, &next_idr);
        }
        idr = next_idr;
    }
}

static void
intra_pictures_never_run_out_of_counts(void)
{
    struct model m;
    model_init(&m);
    for (uint32_t i = 0; i < 300000; i++)
        (void)decode(&m, 0, NULL);
}

/* Two that take turns, one of which has no IDR picture after its first. */
static void
a_long_sequence_lives_beside_short_ones(void)
{
    struct model m;
    model_init(&m);
    struct coded last = decode(&m, 0, NULL);
    for (int32_t i = 1; i < 7000; i++) {
        const struct coded idr = decode(&m, 0, NULL);
        (void)decode(&m, 4, &idr);
        last = decode(&m, i, &last);
    }
}

int
main(void)
{
    for (uint32_t late_count = 0; late_count < GOP; late_count++)
        RUN(groups_may_overlap, late_count);
    RUN(intra_pictures_never_run_out_of_counts);
    RUN(a_long_sequence_lives_beside_short_ones);
    return 0;
}
