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

/* A picture of this request. ref: what it refers to, or NULL. */
static struct coded
decode_request(struct model *m, struct rp_h265_private_request request, const struct coded *ref)
{
    m->picture_count++;
    if (ref)
        m->last_use[ref->slot] = m->picture_count;
    const struct coded coded = {choose_slot(m), request.poc};
    static struct rp_h265_private_picture picture;
    request.setup_slot = coded.slot;

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
    REQUIRE(!ref || m->streams.slots[ref->slot].stream == 0);
    REQUIRE(!ref || picture.poc - m->streams.slots[ref->slot].poc == request.poc - ref->poc);
    m->streams.slots[coded.slot].stream = -1;
    rp_h265_private_note_pocs(&m->streams, &picture);
    m->streams.slots[coded.slot] =
        (struct rp_h265_private_slot){.stream = 0, .poc = picture.poc, .bias = picture.bias};
    m->last_use[coded.slot] = m->picture_count;
    return coded;
}

/* ref: NULL for an IDR picture. */
static struct coded
decode(struct model *m, int32_t poc, const struct coded *ref)
{
    return decode_request(m, (struct rp_h265_private_request){.poc = poc, .is_idr = !ref}, ref);
}

static void
request_list(struct rp_h265_private_request *request, const struct coded *kept)
{
    request->listed[request->listed_count++] =
        (struct rp_h265_private_reference){kept->slot, true, kept->poc};
}

/* A CRA picture, which lists what is kept for its leading pictures; NULL: nothing is. */
static struct coded
decode_cra(struct model *m, int32_t poc, const struct coded *kept)
{
    struct rp_h265_private_request request = {.poc = poc};
    if (kept)
        request_list(&request, kept);
    return decode_request(m, request, NULL);
}

static int32_t
private_poc(const struct model *m, const struct coded *coded)
{
    return m->streams.slots[coded->slot].poc;
}

static void
model_init(struct model *m)
{
    *m = (struct model){.decoder_poc = 0};
    for (uint32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++)
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
leading_pictures_refer_to_what_comes_before_their_cra_picture(void)
{
    struct model m;
    model_init(&m);
    const struct coded idr = decode(&m, 0, NULL);
    const struct coded other = decode(&m, 0, NULL);
    const struct coded cra = decode_cra(&m, 8, &idr);
    REQUIRE_EQ(private_poc(&m, &cra) - private_poc(&m, &idr), 8);
    REQUIRE(private_poc(&m, &other) != private_poc(&m, &cra));
}

/* Of an application that lists only what a picture uses nothing else is known. */
static void
a_cra_picture_goes_on_where_nothing_is_listed(void)
{
    struct model m;
    model_init(&m);
    const struct coded idr = decode(&m, 0, NULL);
    (void)decode(&m, 4, &idr);
    const struct coded cra = decode_cra(&m, 8, NULL);
    REQUIRE_EQ(private_poc(&m, &cra) - private_poc(&m, &idr), 8);
}

/* After an end of sequence, while frame threads still have pictures of the sequence before. */
static void
a_cra_picture_begins_anew_before_the_last_of_a_sequence(bool has_listed)
{
    struct model m;
    model_init(&m);
    const struct coded idr = decode(&m, 0, NULL);
    const struct coded p = decode(&m, 9, &idr);
    if (has_listed)
        (void)decode_cra(&m, 10, &p);
    const struct coded cra = decode_cra(&m, has_listed ? 40 : 8, NULL);
    for (int32_t i = 1; i < 60; i++) {
        (void)decode(&m, 10 + i, &p);
        (void)decode(&m, cra.poc + i, &cra);
    }
}

/* FFmpeg lists a picture that it misses, with an image that had another one. */
static void
what_was_never_decoded_gives_no_count(void)
{
    struct model m;
    model_init(&m);
    const struct coded idr = decode(&m, 0, NULL);
    const struct coded p = decode(&m, 33, &idr);
    const struct coded missing = {p.slot, 30};
    const struct coded cra = decode_cra(&m, 35, &missing);
    for (int32_t i = 1; i < 60; i++) {
        (void)decode(&m, 33 + i, &p);
        (void)decode(&m, 35 + i, &cra);
    }
}

/* The application's counts may be any. */
static void
counts_begin_anywhere(int32_t first)
{
    struct model m;
    model_init(&m);
    const struct coded idr = decode(&m, 0, NULL);
    (void)decode(&m, 1, &idr);
    const struct coded cra =
        decode_request(&m, (struct rp_h265_private_request){.poc = first, .is_idr = true}, NULL);
    const int32_t next_poc = first < 0 ? first + 4 : first - 4;
    const struct coded next = decode(&m, next_poc, &cra);
    REQUIRE_EQ((int64_t)private_poc(&m, &next) - private_poc(&m, &cra), (int64_t)next_poc - first);
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
    RUN(leading_pictures_refer_to_what_comes_before_their_cra_picture);
    RUN(a_cra_picture_goes_on_where_nothing_is_listed);
    RUN(a_cra_picture_begins_anew_before_the_last_of_a_sequence, false);
    RUN(a_cra_picture_begins_anew_before_the_last_of_a_sequence, true);
    RUN(what_was_never_decoded_gives_no_count);
    RUN(counts_begin_anywhere, INT32_MIN);
    RUN(counts_begin_anywhere, INT32_MAX);
    RUN(intra_pictures_never_run_out_of_counts);
    RUN(a_long_sequence_lives_beside_short_ones);
    return 0;
}
