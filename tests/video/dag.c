/* SPDX-License-Identifier: MIT */
/* Random legal streams: pictures in any coding order that refer to any pictures that a decoder
 * keeps, with every kind of marking, slices, filters and formats; in some of them rates, quality
 * levels, quantization maps and intra refresh change from picture to picture.
 *
 * video_dag [first seed [number of seeds]]
 */
#include "stream.h"
#include "test.h"

#include <string.h>

#define MAP_MAX_MBS (13 * 10) /* of the largest pictures */
#define GOP_MAX 14            /* so that no decoder runs out of room for pictures that wait */

static uint32_t state;

static uint32_t
below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
}

static bool
one_in(uint32_t n)
{
    return below(n) == 0;
}

/* A sequence of its own: what it decides leaves the structure of a seed's stream as it is. */
static uint32_t change_state;

static uint32_t
change_below(uint32_t limit)
{
    change_state = change_state * 1664525u + 1013904223u;
    return (change_state >> 8) % limit;
}

static bool
change_one_in(uint32_t n)
{
    return change_below(n) == 0;
}

struct gop {
    int32_t pocs[GOP_MAX]; /* in coding order */
    uint32_t length;
    uint32_t next;
    uint32_t long_term_limit; /* MaxLongTermFrameIdx + 1 */
};

struct scene {
    struct stream *s;
    struct stream_options options;
    struct gop gop;
    bool can_b;
    bool has_mmco5; /* since the last IDR picture */
    bool was_reference;
    struct dpb_mark marks[8];
    int32_t slice_qps[STREAM_MAX_SLICES];
    struct stream_slice slices[12];
    uint32_t first_mbs[STREAM_MAX_SLICES];
    uint8_t map[4 * MAP_MAX_MBS];
};

/* The first picture is the first to come out; the others in any order unless only P is legal. */
static void
gop_start(struct gop *gop, bool may_reorder)
{
    const int32_t step = one_in(4) ? 1 : one_in(8) ? 20 : 2;
    gop->length = 2 + below(GOP_MAX - 2);
    gop->next = 0;
    for (uint32_t i = 0; i < gop->length; i++)
        gop->pocs[i] = (int32_t)i * step;
    const uint32_t window = 1 + below(gop->length);
    for (uint32_t i = gop->length - 1; i > 1 && may_reorder; i--) {
        const uint32_t reach = i - 1 < window ? i - 1 : window;
        const uint32_t j = i - below(reach + 1);
        const int32_t swapped = gop->pocs[i];
        gop->pocs[i] = gop->pocs[j];
        gop->pocs[j] = swapped;
    }
}

static struct stream_options
random_options(void)
{
    static const StdVideoH264ProfileIdc profiles[] = {66, 77, 77, 100, 100, 100};
    struct stream_options o = {
        .width_px = 16 + 2 * below(90),
        .height_px = 16 + 2 * below(70),
        .profile_idc = profiles[below(6)],
        .has_constrained_intra = one_in(4),
        .chroma_qp_offset = one_in(2) ? 0 : (int32_t)below(25) - 12,
        .init_qp_minus26 = one_in(2) ? 0 : (int32_t)below(52) - 26,
        .log2_max_frame_num_minus4 = one_in(3) ? below(13) : 0,
        .slot_count = 2 + below(16),
        .is_layered = one_in(2),
        .is_i420 = one_in(3),
        .is_linear = one_in(4),
        .has_inline_queries = one_in(3),
        .quality_level = below(8),
        .shot_count = 1 + below(4),
        .content = below(1000),
        .reorder_count = 16,
    };
    o.is_cavlc = o.profile_idc == STD_VIDEO_H264_PROFILE_IDC_BASELINE || one_in(3);
    o.has_transform8x8 = o.profile_idc == STD_VIDEO_H264_PROFILE_IDC_HIGH && one_in(2);
    if (o.profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE) {
        o.has_weighted_pred = one_in(3);
        o.weighted_bipred_idc = below(3);
    }
    o.poc_type = one_in(5) ? 1 + below(2) : 0;
    return o;
}

/* What comes on top of the structure. */
static void
add_changes(struct stream_options *o)
{
    static const VkFormat deltas[] = {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT};
    if (change_one_in(3)) {
        o->average_bps = UINT64_C(20000) << change_below(7);
        o->is_vbr = change_one_in(2);
    }
    if (change_one_in(3))
        o->map_format =
            o->average_bps && change_one_in(2) ? VK_FORMAT_R8_UNORM : deltas[change_below(3)];
    if (change_one_in(3))
        o->refresh_mode = (VkVideoEncodeIntraRefreshModeFlagBitsKHR)(1u << change_below(4));
}

static uint32_t
pick_list(const struct scene *sc, uint8_t *out, uint32_t limit)
{
    const struct dpb_model *model = stream_model(sc->s);
    uint32_t count = 1 + below(model->frame_count);
    if (one_in(4))
        count += below(3); /* the same picture more than once */
    count = count < limit ? count : limit;
    for (uint32_t i = 0; i < count; i++)
        out[i] = (uint8_t)model->frames[below(model->frame_count)].slot;
    return count;
}

static const struct dpb_frame *
random_frame(const struct dpb_model *model, bool is_long_term, int32_t but_slot)
{
    const uint32_t start = below(model->frame_count + 1);
    for (uint32_t i = 0; i < model->frame_count; i++) {
        const struct dpb_frame *frame = &model->frames[(start + i) % model->frame_count];
        if (frame->is_long_term == is_long_term && frame->slot != but_slot)
            return frame;
    }
    return NULL;
}

/* Frames that an operation 4 or an index that is taken over drops. */
static uint32_t
count_with_index(const struct dpb_model *model, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->frame_count; i++) {
        const struct dpb_frame *frame = &model->frames[i];
        count += frame->is_long_term && frame->long_term_frame_idx >= from &&
                 frame->long_term_frame_idx < to;
    }
    return count;
}

/* Adaptive marking that leaves room for the picture; 0 operations: the sliding window does. */
static uint32_t
pick_marks(struct scene *sc, struct dpb_mark *marks)
{
    const struct dpb_model *model = stream_model(sc->s);
    struct gop *gop = &sc->gop;
    uint32_t count = 0;
    const bool is_full = model->frame_count == model->max_refs;
    const struct dpb_frame *short_frame = random_frame(model, false, -1);
    if (!(is_full && !short_frame) && !one_in(3))
        return 0;

    uint32_t left = model->frame_count;
    if (one_in(3) && gop->long_term_limit == 0 && model->max_refs > 1) {
        gop->long_term_limit = 1 + below(model->max_refs - 1);
        marks[count++] = (struct dpb_mark){.op = 4, .index = gop->long_term_limit};
    } else if (one_in(8) && gop->long_term_limit > 0) {
        const uint32_t limit = below(gop->long_term_limit);
        left -= count_with_index(model, limit, gop->long_term_limit);
        gop->long_term_limit = limit;
        marks[count++] = (struct dpb_mark){.op = 4, .index = limit};
        if (left == model->max_refs)
            marks[count++] = (struct dpb_mark){.op = STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_ALL};
        return count;
    }
    /* One frame goes when there is no room, or just so. */
    int32_t gone = -1;
    if (is_full || one_in(3)) {
        const struct dpb_frame *frame = random_frame(model, one_in(2), -1);
        frame = frame ? frame : random_frame(model, true, -1);
        frame = frame ? frame : short_frame;
        if (frame) {
            gone = frame->slot;
            marks[count++] =
                (struct dpb_mark){.op = frame->is_long_term ? 2 : 1, .slot = frame->slot};
        }
    }
    const uint32_t index = gop->long_term_limit ? below(gop->long_term_limit) : 0;
    const struct dpb_frame *kept = random_frame(model, false, gone);
    if (gop->long_term_limit > 0 && kept && one_in(2))
        marks[count++] = (struct dpb_mark){.op = 3, .slot = kept->slot, .index = index};
    else if (gop->long_term_limit > 0 && one_in(2))
        marks[count++] = (struct dpb_mark){.op = 6, .index = index};
    return count;
}

static void
pick_slices(struct scene *sc, struct stream_picture *pic)
{
    const uint32_t width_mb = (sc->options.width_px + 15) / 16;
    const uint32_t height_mb = (sc->options.height_px + 15) / 16;
    const bool is_aligned = one_in(2);
    const uint32_t places = is_aligned ? height_mb : width_mb * height_mb;
    pic->slice_count = one_in(2) ? 1 : 1 + below(places < 12 ? places : 12);
    for (uint32_t i = 0; i < pic->slice_count; i++) {
        const uint32_t place = places * i / pic->slice_count;
        sc->first_mbs[i] = is_aligned ? place * width_mb : place;
        sc->slice_qps[i] = one_in(6) ? (int32_t)below(52) : pic->qp;
    }
    pic->first_mbs = sc->first_mbs;
    pic->slice_qps = sc->slice_qps;
    pic->deblocking_idc = below(3);
    pic->alpha_div2 = (int32_t)below(13) - 6;
    pic->beta_div2 = (int32_t)below(13) - 6;
    pic->cabac_init_idc = below(3);
}

/* After the picture's type is chosen. */
static void
pick_slice_kinds(struct scene *sc, struct stream_picture *pic)
{
    const bool has_types = pic->slice_type != 2 && one_in(2);
    const uint32_t kept = below(pic->slice_count); /* one makes the picture what it is */
    if (one_in(2))
        return;
    for (uint32_t i = 0; i < pic->slice_count; i++) {
        sc->slices[i] = (struct stream_slice){
            .type = !has_types || i == kept || one_in(2) ? pic->slice_type
                    : one_in(2)                          ? 2
                                                         : 0,
            .cabac_init_idc = below(3),
            .deblocking_idc = below(3),
            .alpha_div2 = (int32_t)below(13) - 6,
            .beta_div2 = (int32_t)below(13) - 6,
        };
    }
    pic->slices = sc->slices;
}

static int32_t
random_free_slot(const struct scene *sc)
{
    const uint32_t start = below(sc->options.slot_count);
    for (uint32_t i = 0; i < sc->options.slot_count; i++) {
        const int32_t slot = (int32_t)((start + i) % sc->options.slot_count);
        if (!dpb_model_find(stream_model(sc->s), slot))
            return slot;
    }
    REQUIRE(!"a free slot");
    return -1;
}

/* The loop filter asks whether two blocks refer to the same picture. libavcodec numbers long-term
 * pictures by their indices up to the count of them (h264_slice.c, ref2frm), and takes those with
 * higher ones for one picture: where there are two, it is no judge of the filter (seed 5967). */
static bool
can_judge_filter(const struct dpb_model *model)
{
    uint32_t long_count = 0;
    uint32_t high_count = 0;
    for (uint32_t i = 0; i < model->frame_count; i++)
        long_count += model->frames[i].is_long_term;
    for (uint32_t i = 0; i < model->frame_count; i++)
        high_count +=
            model->frames[i].is_long_term && model->frames[i].long_term_frame_idx >= long_count;
    return high_count < 2;
}

static void
drop_filter(struct scene *sc, struct stream_picture *pic)
{
    pic->deblocking_idc = 1;
    for (uint32_t i = 0; i < pic->slice_count; i++)
        sc->slices[i].deblocking_idc = 1;
}

static void
next_picture(struct scene *sc, struct stream_picture *pic)
{
    struct gop *gop = &sc->gop;
    const bool is_only_p = sc->options.poc_type != 0;
    if (gop->next == gop->length)
        gop_start(gop, !is_only_p);
    *pic = (struct stream_picture){
        .is_idr = gop->next == 0,
        .slice_type = 2,
        .is_reference = true,
        .poc = gop->pocs[gop->next],
        .setup_slot = random_free_slot(sc),
        .qp = 18 + (int32_t)below(24),
        .is_temporal_direct = one_in(2),
    };
    pick_slices(sc, pic);
    gop->next++;
    if (pic->is_idr) {
        pic->is_long_term = one_in(4);
        gop->long_term_limit = pic->is_long_term;
        sc->has_mmco5 = false;
        sc->was_reference = true;
        return;
    }
    /* By 8.2.1 a picture with operation 5 has the POC 0 once it is decoded. libavcodec goes on with
     * the one that it had, in the lists, implicit weights and temporal direct prediction of B
     * pictures (seeds 586, 5168): it is no judge of them until the next IDR picture. */
    const bool may_b = sc->can_b && !is_only_p && !sc->has_mmco5;
    pic->slice_type = one_in(8) ? 2 : may_b && one_in(2) ? 1 : 0;
    pick_slice_kinds(sc, pic);
    if (!can_judge_filter(stream_model(sc->s)))
        drop_filter(sc, pic);
    if (pic->slice_type != 2)
        pic->list_count[0] = pick_list(sc, pic->list[0], 16);
    if (pic->slice_type == 1)
        pic->list_count[1] = pick_list(sc, pic->list[1], 4);
    /* POC type 2 has no two such pictures in a row (8.2.1.3). */
    pic->is_reference = !sc->was_reference || !one_in(4);
    sc->was_reference = pic->is_reference;
    if (pic->is_reference) {
        pic->marks = sc->marks;
        pic->mark_count = pick_marks(sc, sc->marks);
    } else if (one_in(2)) {
        pic->setup_slot = -1;
    }
}

/* After operation 5 counting starts again: so does a group without IDR picture. */
static void
handle_mmco5(struct scene *sc, const struct stream_picture *pic)
{
    for (uint32_t i = 0; i < pic->mark_count; i++) {
        if (pic->marks[i].op != STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_ALL)
            continue;
        gop_start(&sc->gop, sc->options.poc_type == 0);
        sc->gop.long_term_limit = 0;
        sc->gop.next = 1;
        sc->has_mmco5 = true;
    }
}

/* Operation 5 only where all pictures before come out before it. */
static void
fix_mmco5(struct scene *sc, struct stream_picture *pic)
{
    for (uint32_t i = 0; i < pic->mark_count; i++) {
        if (pic->marks[i].op != STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_ALL)
            continue;
        for (uint32_t j = 0; j < sc->gop.next; j++) {
            if (sc->gop.pocs[j] > pic->poc)
                pic->poc = sc->gop.pocs[j];
        }
        pic->poc += 2;
    }
}

/* A new quality level, and a rate where the stream has one. */
static void
change_quality(struct stream_control *control)
{
    control->quality->qualityLevel = change_below(8);
    *control->flags |= VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
}

static void
change_quality_at_constant_qp(struct stream_control *control)
{
    change_quality(control);
    control->rate->rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    control->rate->layerCount = 0;
}

static void
change_picture(struct scene *sc, struct stream_picture *pic)
{
    const struct stream_options *o = &sc->options;
    if (change_one_in(4)) {
        pic->new_average_bps = UINT64_C(20000) << change_below(7);
        pic->tamper_control = o->average_bps ? change_quality : change_quality_at_constant_qp;
    }
    if (o->map_format && change_one_in(2)) {
        const uint32_t step = 1 + change_below(255);
        for (uint32_t i = 0; i < sizeof(sc->map); i++)
            sc->map[i] = (uint8_t)(i % step * change_below(256));
        pic->map = sc->map;
    }
    if (o->refresh_mode && pic->slice_type == 0 && change_one_in(2)) {
        pic->refresh_cycle = 1 + change_below(40);
        pic->refresh_index = change_below(pic->refresh_cycle);
    }
}

static void
run_seed(struct vk *vk, uint32_t seed)
{
    struct scene sc = {0};
    state = seed * 2654435761u + 12345u;
    change_state = state;
    sc.options = random_options();
    add_changes(&sc.options);
    sc.can_b = sc.options.profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE;
    sc.options.max_refs = sc.options.slot_count - 1;
    sc.s = stream_open(vk, &sc.options);
    const uint32_t count = 10 + below(12);
    for (uint32_t i = 0; i < count; i++) {
        struct stream_picture pic;
        next_picture(&sc, &pic);
        fix_mmco5(&sc, &pic);
        change_picture(&sc, &pic);
        if (sc.options.shot_count == 1 && pic.list_count[0] && one_in(6))
            stream_touch_slot(sc.s, pic.list[0][0]);
        (void)stream_encode(sc.s, &pic);
        handle_mmco5(&sc, &pic);
    }
    (void)stream_finish(sc.s);
}

/* Streams that once failed; with the default seeds.
 * 3935: implicit weights of modified lists. 3986: a B picture after the quality level changed.
 * 110232, 141806, 160569: I_PCM with coarse quantizers and a positive chroma offset. */
static const uint32_t kept_seeds[] = {3935, 3986, 110232, 141806, 160569};

int
main(int argc, char **argv)
{
    struct vk vk;
    const uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    const uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 300;
    vk_open(&vk);
    for (uint32_t seed = first; seed < first + count; seed++) {
        (void)fprintf(stderr, "seed %u\r", seed);
        run_seed(&vk, seed);
    }
    for (uint32_t i = 0; argc == 1 && i < sizeof(kept_seeds) / sizeof(kept_seeds[0]); i++)
        run_seed(&vk, kept_seeds[i]);
    vk_close(&vk);
    const struct stream_opinions opinions = stream_second_opinions();
    (void)fprintf(stderr, "%u pictures, %u of them by OpenH264 too\n", opinions.coded,
                  opinions.judged);
    return 0;
}
