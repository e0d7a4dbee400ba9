/* SPDX-License-Identifier: MIT */
/* Everything at once: two sessions take turns, each with streams of other sizes that begin while
 * pictures of the one before are in flight; slices, weights, maps, intra refresh, B pictures and
 * rate control meet resets, other rates and other quality levels. The bytes are the same for any
 * number of processors, and what a decoder makes of them is the reconstruction.
 *
 * usage: mixture [FIRST_SEED [COUNT [PROCESSORS...]]]
 *   PROCESSORS  the numbers that are compared (default: 1 8)
 */
#include "pictures.h"
#include "said_processors.h"
#include "test.h"

#include <stdlib.h>

#define SESSIONS 2u
#define SIZES 3u /* of pictures, in a session */
#define MOST_COUNTS 8u
#define MOST_SLICES 8u
#define MAP_MAX_MBS (20 * 34)

static uint64_t state;

static uint32_t
below(uint32_t limit)
{
    return (uint32_t)(test_random(&state) % limit);
}

static bool
one_in(uint32_t count)
{
    return below(count) == 0;
}

/* A stream of one size. */
struct member {
    struct stream *s;
    struct stream_options options;
    uint32_t picture_count;
    uint32_t in_gop; /* pictures since its IDR picture */
    int32_t last_poc;
};

/* Those that share a session, the largest first. */
struct group {
    struct member members[SIZES];
    uint32_t count;
    uint32_t current;
};

/* What a picture refers to while it is recorded. */
struct details {
    StdVideoEncodeH264WeightTable weights;
    struct stream_slice slices[MOST_SLICES];
    uint32_t first_mbs[MOST_SLICES];
    int32_t slice_qps[MOST_SLICES];
    uint8_t map[MAP_MAX_MBS * 4];
};

static struct details details;
static bool is_reset;
static uint32_t new_quality;

static uint32_t
width_of(const struct member *m)
{
    return (m->options.width_px + 15) / 16;
}

static uint32_t
height_of(const struct member *m)
{
    return (m->options.height_px + 15) / 16;
}

static struct stream_options
first_options(void)
{
    static const VkFormat deltas[] = {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT};
    struct stream_options o = {
        .width_px = 16 + 2 * below(150),
        .height_px = one_in(3) ? 16 + 2 * below(100) : 320 + 2 * below(100),
        .slot_count = 5,
        .max_refs = 1 + below(4),
        .is_cavlc = one_in(2),
        .has_transform8x8 = one_in(2),
        .has_constrained_intra = one_in(4),
        .has_weighted_pred = one_in(2),
        .weighted_bipred_idc = below(3),
        .is_layered = one_in(2),
        .is_i420 = one_in(4),
        .has_inline_queries = one_in(3),
        .quality_level = below(8),
        .shot_count = 1 + below(STREAM_MAX_SHOTS),
        .content = below(1000),
        .is_judged_once = true,
    };
    if (one_in(2)) {
        o.average_bps = UINT64_C(30000) << below(7);
        o.is_vbr = one_in(2);
        o.layer_count = 1;
    }
    if (one_in(3))
        o.map_format = o.average_bps && one_in(2) ? VK_FORMAT_R8_UNORM : deltas[below(3)];
    if (one_in(3))
        o.refresh_mode = (VkVideoEncodeIntraRefreshModeFlagBitsKHR)(1u << below(4));
    o.is_overlapped = one_in(2);
    return o;
}

/* Another size, and what a session does not say. */
static struct stream_options
next_options(const struct group *group)
{
    struct stream_options o = group->members[0].options;
    o.session_of = group->members[0].s;
    o.width_px = 16 + 2 * below((o.width_px - 14) / 2);
    o.height_px = 16 + 2 * below((o.height_px - 14) / 2);
    o.is_cavlc = one_in(2);
    o.has_weighted_pred = one_in(2);
    o.shot_count = 1 + below(STREAM_MAX_SHOTS);
    o.is_overlapped = one_in(2);
    o.content = below(1000);
    return o;
}

static void
group_open(struct group *group, struct vk *vk)
{
    *group = (struct group){.count = 1 + below(SIZES)};
    for (uint32_t i = 0; i < group->count; i++) {
        struct member *m = &group->members[i];
        m->options = i == 0 ? first_options() : next_options(group);
        m->options.is_chained = group->count == 1 && one_in(2);
        m->s = stream_open(vk, &m->options);
    }
}

static void
give_weights(struct stream_call *call)
{
    for (uint32_t i = 0; i < call->h264->naluSliceEntryCount; i++) {
        if (call->headers[i].slice_type == STD_VIDEO_H264_SLICE_TYPE_P)
            call->headers[i].pWeightTable = &details.weights;
    }
}

static void
choose_weights(void)
{
    StdVideoEncodeH264WeightTable *table = &details.weights;
    *table = (StdVideoEncodeH264WeightTable){
        .flags = {.luma_weight_l0_flag = below(16), .chroma_weight_l0_flag = below(16)},
        .luma_log2_weight_denom = (uint8_t)below(8),
        .chroma_log2_weight_denom = (uint8_t)below(8),
    };
    for (uint32_t i = 0; i < 4; i++) {
        table->luma_weight_l0[i] = (int8_t)below(128);
        table->luma_offset_l0[i] = (int8_t)(below(64) - 32);
        for (uint32_t c = 0; c < 2; c++) {
            table->chroma_weight_l0[i][c] = (int8_t)below(256);
            table->chroma_offset_l0[i][c] = (int8_t)(below(64) - 32);
        }
    }
}

static void
choose_slices(const struct member *m, struct stream_picture *pic)
{
    const bool is_aligned = one_in(2);
    const uint32_t row_mbs = is_aligned ? width_of(m) : 1;
    const uint32_t places = width_of(m) * height_of(m) / row_mbs;
    const bool has_types = pic->slice_type == 0 && one_in(4);
    pic->slice_count = 1 + below(places < MOST_SLICES ? places : MOST_SLICES);
    for (uint32_t i = 0; i < pic->slice_count; i++) {
        details.first_mbs[i] = places * i / pic->slice_count * row_mbs;
        details.slice_qps[i] = one_in(4) ? 15 + (int32_t)below(30) : pic->qp;
        details.slices[i] = (struct stream_slice){
            .type = has_types && i > 0 && one_in(2) ? 2 : pic->slice_type,
            .cabac_init_idc = below(3),
            .deblocking_idc = below(3),
            .alpha_div2 = (int32_t)below(13) - 6,
            .beta_div2 = (int32_t)below(13) - 6,
        };
    }
    pic->first_mbs = details.first_mbs;
    pic->slice_qps = details.slice_qps;
    pic->slices = details.slices;
}

static void
change_control(struct stream_control *control)
{
    control->quality->qualityLevel = new_quality;
    *control->flags |= VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
    if (is_reset)
        *control->flags |= VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR;
}

static void
change_control_at_constant_qp(struct stream_control *control)
{
    change_control(control);
    control->rate->rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    control->rate->layerCount = 0;
}

/* What comes on top of a picture of a given type. */
static void
add_details(struct member *m, struct stream_picture *pic)
{
    pic->qp = 16 + (int32_t)below(28);
    pic->cabac_init_idc = below(3);
    pic->is_temporal_direct = one_in(2);
    pic->wants_recon = one_in(3);
    if (one_in(2))
        choose_slices(m, pic);
    if (pic->slice_type == 0 && m->options.has_weighted_pred && one_in(2)) {
        choose_weights();
        pic->tamper = give_weights;
    }
    /* The maps of pictures that copy nothing are those of earlier ones. */
    if (m->options.map_format && (m->picture_count < STREAM_MAX_SHOTS || one_in(2))) {
        const uint32_t step = 1 + below(255);
        for (uint32_t i = 0; i < sizeof(details.map); i++)
            details.map[i] = (uint8_t)(i % step * 7);
        pic->map = details.map;
    }
    if (m->options.refresh_mode && pic->slice_type == 0 && one_in(2)) {
        pic->refresh_cycle = 1 + below(12);
        pic->refresh_index = below(pic->refresh_cycle);
    }
    if (one_in(5)) {
        is_reset = one_in(2);
        new_quality = below(8);
        pic->new_average_bps = UINT64_C(30000) << below(7);
        pic->tamper_control =
            m->options.average_bps ? change_control : change_control_at_constant_qp;
    }
}

static void
encode(struct member *m, struct stream_picture *pic)
{
    add_details(m, pic);
    (void)stream_encode(m->s, pic);
    m->picture_count++;
    m->in_gop++;
}

static void
refer_back(const struct member *m, struct stream_picture *pic)
{
    const uint32_t there = stream_model(m->s)->frame_count;
    pic->list_count[0] = 1 + below(there);
    for (uint32_t i = 0; i < pic->list_count[0]; i++)
        pic->list[0][i] = (uint8_t)slot_by_age(m->s, one_in(4) ? below(there) : i);
}

/* Between the two newest references; nobody refers to it. */
static void
encode_b(struct member *m)
{
    struct stream_picture pic = {
        .slice_type = 1,
        .poc = m->last_poc - 2,
        .setup_slot = one_in(2) ? -1 : stream_free_slot(m->s),
        .list_count = {1, 1},
        .list = {{(uint8_t)slot_by_age(m->s, 1)}, {(uint8_t)slot_by_age(m->s, 0)}}};
    encode(m, &pic);
}

static void
encode_next(struct member *m, bool is_idr)
{
    if (is_idr) {
        struct stream_picture pic = picture_idr(m->s);
        m->in_gop = 0;
        m->last_poc = 0;
        encode(m, &pic);
        return;
    }
    const bool has_b = stream_model(m->s)->max_refs > 1 && one_in(3);
    m->last_poc += 4;
    struct stream_picture pic = picture_p(m->s, m->last_poc, slot_by_age(m->s, 0));
    refer_back(m, &pic);
    encode(m, &pic);
    if (has_b)
        encode_b(m);
}

/* A few pictures; a stream that has its turn again begins anew. */
static void
group_go_on(struct group *group)
{
    const uint32_t next = one_in(3) ? below(group->count) : group->current;
    struct member *m = &group->members[next];
    bool is_idr = next != group->current || m->picture_count == 0 || one_in(12);

    group->current = next;
    for (uint32_t i = 1 + below(6); i > 0; i--) {
        encode_next(m, is_idr);
        is_idr = false;
    }
}

/* A hash of all that was coded. */
static uint64_t
group_close(struct group *group)
{
    uint64_t hash = 0;
    for (uint32_t i = group->count; i-- > 0;) {
        struct stream *s = group->members[i].s;
        stream_flush(s);
        hash = hash * 31 + stream_hash(s);
        (void)stream_finish(s);
    }
    return hash;
}

static uint64_t
mixture_hash(struct vk *vk, uint32_t seed)
{
    struct group groups[SESSIONS];
    uint64_t hash = 0;

    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (uint32_t i = 0; i < SESSIONS; i++)
        group_open(&groups[i], vk);
    for (uint32_t i = 0; i < 8; i++)
        group_go_on(&groups[i % SESSIONS]);
    for (uint32_t i = 0; i < SESSIONS; i++)
        hash = hash * 31 + group_close(&groups[i]);
    return hash;
}

int
main(int argc, char **argv)
{
    static struct vk vks[MOST_COUNTS];
    uint32_t counts[MOST_COUNTS] = {1, 8};
    const uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    const uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 12;
    const uint32_t count_count = argc > 3 ? (uint32_t)argc - 3 : 2;
    REQUIRE(count_count <= MOST_COUNTS);
    for (uint32_t i = 0; i < count_count; i++) {
        counts[i] = argc > 3 ? (uint32_t)atoi(argv[3 + i]) : counts[i];
        atomic_store(&said_processors, counts[i]);
        vk_open(&vks[i]);
    }
    for (uint32_t seed = first; seed < first + count; seed++) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < count_count; i++) {
            (void)fprintf(stderr, "seed %u, %u processors \r", seed, counts[i]);
            atomic_store(&said_processors, counts[i]);
            const uint64_t found = mixture_hash(&vks[i], seed);
            REQUIRE(i == 0 || found == hash);
            hash = found;
        }
    }
    for (uint32_t i = 0; i < count_count; i++)
        vk_close(&vks[i]);
    return 0;
}
