/* SPDX-License-Identifier: MIT */
/* What comes out: queries, bytes for the decoder, frames held against reconstructions.
 */
#include "stream_state.h"

#include "content.h"
#include "decoder.h"

#include "util/compiler.h"

#include <assert.h>
#include <string.h>

static void
keep_recon(const struct stream *s, const struct shot *shot, struct kept *kept)
{
    const size_t luma_B = (size_t)s->options.width_px * s->options.height_px;
    kept->recon = malloc(frame_B(s));
    REQUIRE(kept->recon);
    memcpy(kept->recon, shot->readback.data, luma_B);
    for (size_t i = 0; i < luma_B / 4; i++) {
        kept->recon[luma_B + i] = shot->readback.data[luma_B + 2 * i];
        kept->recon[luma_B * 5 / 4 + i] = shot->readback.data[luma_B + 2 * i + 1];
    }
}

static struct kept *
kept_of(struct stream *s, uint32_t number)
{
    if (number >= s->kept_capacity) {
        const uint32_t capacity = number * 2 + 64;
        s->kept = realloc(s->kept, capacity * sizeof(*s->kept));
        REQUIRE(s->kept);
        memset(s->kept + s->kept_capacity, 0, (capacity - s->kept_capacity) * sizeof(*s->kept));
        s->kept_capacity = capacity;
    }
    return &s->kept[number];
}

static void
send_to_decoder(struct stream *s, struct shot *shot, const struct stream_result *result)
{
    struct kept *kept = kept_of(s, shot->number);
    if (shot->pic.setup_slot >= 0 && (!s->options.is_overlapped || shot->pic.wants_recon))
        keep_recon(s, shot, kept);
    kept->source = malloc(frame_B(s));
    REQUIRE(kept->source);
    memcpy(kept->source, shot->source, frame_B(s));
    kept->is_sent = true;
    kept->size_B = result->size_B;

    const size_t headers_B = shot->pic.is_idr ? s->headers_B : 0;
    uint8_t *unit = malloc(headers_B + result->size_B);
    REQUIRE(unit);
    memcpy(unit, s->headers, headers_B);
    memcpy(unit + headers_B, result->data, result->size_B);
    decoder_send(s->decoder, unit, headers_B + result->size_B, shot->number);
    stream_second_send(s, shot, unit, headers_B + result->size_B);
    free(unit);

    for (uint32_t i = 0; i < result->size_B; i++)
        s->hash = (s->hash ^ result->data[i]) * UINT64_C(0x100000001b3);
}

void
stream_write_opening(const struct stream *s, uint8_t *out)
{
    static const uint8_t units[] = {0, 0, 0, 1, 9, 0xf0, 0, 0, 1, 6, 5, 0, 0x80}; /* AUD, SEI */
    static_assert(sizeof(units) == DST_OFFSET_B, "they end where the picture starts");
    if (s->options.has_opening_units)
        memcpy(out, units, sizeof(units));
    else
        memset(out, GUARD, sizeof(units));
}

/* Before the offset and after the bytes (or the range) everything is as it was. */
static void
check_guards(const struct stream *s, const struct shot *shot, uint32_t size_B)
{
    uint8_t opening[DST_OFFSET_B];
    stream_write_opening(s, opening);
    REQUIRE(memcmp(shot->dst.data, opening, sizeof(opening)) == 0);
    const size_t range_B =
        shot->pic.has_no_range ? shot->dst.size_B - DST_OFFSET_B : shot->pic.range_B;
    for (size_t i = DST_OFFSET_B + range_B; i < shot->dst.size_B; i++)
        REQUIRE_EQ(shot->dst.data[i], GUARD);
    REQUIRE(size_B <= range_B);
}

/* The feedback as vkGetQueryPoolResults() writes it. */
struct feedback {
    uint32_t offset_B;
    uint32_t size_B;
    uint32_t has_overrides;
    int32_t average_qp;
    int32_t min_qp;
    int32_t max_qp;
    uint32_t intra_px;
    uint32_t inter_px;
    uint32_t skipped_px;
    uint32_t partition_count;
    int32_t status;
    struct {
        int32_t status;
        uint32_t offset_B;
        uint32_t size_B;
    } partitions[STREAM_MAX_SLICES];
};

static void
check_feedback(const struct stream *s, const struct shot *shot, const struct feedback *f)
{
    const bool has_one_qp = s->options.average_bps == 0 && !shot->pic.map && !shot->pic.slice_qps;
    REQUIRE_EQ(f->intra_px + f->inter_px, 256 * width_mb(s) * height_mb(s));
    REQUIRE(f->skipped_px <= f->inter_px);
    REQUIRE(shot->pic.slice_type != 2 || f->inter_px == 0);
    REQUIRE(f->min_qp <= f->average_qp && f->average_qp <= f->max_qp);
    REQUIRE(!has_one_qp || (f->min_qp == shot->pic.qp && f->max_qp == shot->pic.qp));
    REQUIRE_EQ(f->partition_count, shot->pic.slice_count);
    uint32_t end_B = 0;
    for (uint32_t i = 0; i < f->partition_count; i++) {
        REQUIRE_EQ(f->partitions[i].status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE_EQ(f->partitions[i].offset_B, end_B);
        const uint8_t *nal = shot->dst.data + DST_OFFSET_B + end_B;
        REQUIRE(nal[0] == 0 && nal[1] == 0 && (nal[2] == 1 || nal[3] == 1));
        end_B += f->partitions[i].size_B;
    }
    REQUIRE(end_B == f->size_B || (s->options.has_cbr_hrd && end_B < f->size_B));
}

static void
wait_for_shot(const struct stream *s, const struct shot *shot)
{
    if (!s->options.is_chained) {
        CHECK(vkQueueWaitIdle(s->vk->queue));
        return;
    }
    const uint64_t value = shot->number + 1;
    const VkSemaphore chain = chain_of(s, shot->number);
    CHECK(vkWaitSemaphores(s->vk->dev,
                           &(VkSemaphoreWaitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                                  .semaphoreCount = 1,
                                                  .pSemaphores = &chain,
                                                  .pValues = &value},
                           UINT64_MAX));
}

struct stream_result
stream_collect(struct stream *s, uint32_t number)
{
    struct shot *shot = shot_of(s, number);
    REQUIRE(shot->is_busy && shot->number == number);
    wait_for_shot(s, shot);
    shot->is_busy = false;

    struct feedback feedback;
    CHECK(vkGetQueryPoolResults(s->vk->dev, s->queries, number % s->options.shot_count, 1,
                                sizeof(feedback), &feedback, sizeof(feedback),
                                VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    const struct stream_result result = {
        .status = feedback.status,
        .offset_B = feedback.offset_B,
        .size_B = feedback.size_B,
        .has_overrides = feedback.has_overrides,
        .min_qp = feedback.min_qp,
        .max_qp = feedback.max_qp,
        .data = shot->dst.data + DST_OFFSET_B,
        .source = shot->source,
    };
    REQUIRE_EQ(result.offset_B, 0);
    check_guards(s, shot, result.size_B);
    if (result.status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR && !shot->pic.is_noise) {
        check_feedback(s, shot, &feedback);
        send_to_decoder(s, shot, &result);
    }
    return result;
}

const struct vk_image *
stream_slot_image(const struct stream *s, int32_t slot)
{
    return &s->dpb[s->options.is_layered ? 0 : slot];
}

void
stream_touch_slot(struct stream *s, int32_t slot)
{
    const struct vk_image *img = stream_slot_image(s, slot);
    const uint32_t layer = s->options.is_layered ? (uint32_t)slot : 0;
    uint8_t *pixels = malloc(frame_B(s));
    REQUIRE(pixels);
    vk_image_read_i420(s->vk, img, layer, pixels);
    vk_image_write_i420(s->vk, img, layer, pixels);
    free(pixels);
}

uint32_t
stream_picture_size_B(const struct stream *s, uint32_t number)
{
    REQUIRE(number < s->kept_capacity && s->kept[number].is_sent);
    return s->kept[number].size_B;
}

uint64_t
stream_hash(const struct stream *s)
{
    return s->hash;
}

const uint8_t *
stream_recon(const struct stream *s, uint32_t number)
{
    REQUIRE(number < s->kept_capacity && s->kept[number].recon);
    return s->kept[number].recon;
}

const uint8_t *
stream_headers(const struct stream *s, size_t *size_B)
{
    *size_B = s->headers_B;
    return s->headers;
}

static void
compare_frame(void *ctx, uint32_t number, uint32_t width_px, uint32_t height_px,
              const uint8_t *pixels)
{
    struct stream *s = ctx;
    REQUIRE(number < s->prepared_count);
    struct kept *kept = kept_of(s, number);
    REQUIRE(kept->is_sent && !kept->is_seen);
    kept->is_seen = true;
    REQUIRE_EQ(width_px, s->options.width_px);
    REQUIRE_EQ(height_px, s->options.height_px);

    for (size_t i = 0; kept->recon && i < frame_B(s); i++) {
        if (kept->recon[i] != pixels[i]) {
            (void)fprintf(stderr, "picture %u differs at byte %zu of %zu\n", number, i, frame_B(s));
            exit(1);
        }
    }
    const uint32_t half_px = width_px / 2;
    const int32_t psnr = content_psnr(pixels, kept->source, width_px, width_px, height_px);
    const int32_t left = content_psnr(pixels, kept->source, width_px, half_px, height_px);
    const int32_t right =
        content_psnr(pixels + half_px, kept->source + half_px, width_px, half_px, height_px);
    s->worst_psnr = RP_MIN(s->worst_psnr, psnr);
    s->halves.left = RP_MIN(s->halves.left, left);
    s->halves.right = RP_MIN(s->halves.right, right);
}

void
stream_flush(struct stream *s)
{
    /* In coding order: the decoder wants it. */
    for (uint32_t i = 0; i < s->options.shot_count; i++) {
        struct shot *oldest = NULL;
        for (uint32_t j = 0; j < s->options.shot_count; j++) {
            struct shot *shot = &s->shots[j];
            if (shot->is_busy && (!oldest || shot->number < oldest->number))
                oldest = shot;
        }
        if (!oldest)
            continue;
        const bool may_fail = oldest->pic.is_noise;
        const struct stream_result result = stream_collect(s, oldest->number);
        REQUIRE(may_fail || result.status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    }
}

int32_t
stream_finish(struct stream *s)
{
    struct stream_halves halves;
    return stream_finish_halves(s, &halves);
}

int32_t
stream_finish_halves(struct stream *s, struct stream_halves *out)
{
    stream_flush(s);
    uint32_t sent_count = 0;
    for (uint32_t i = 0; i < s->prepared_count; i++)
        sent_count += kept_of(s, i)->is_sent;
    REQUIRE_EQ(decoder_finish(s->decoder, compare_frame, s), sent_count);
    stream_second_finish(s);

    const int32_t psnr = s->worst_psnr;
    *out = s->halves;
    stream_destroy_objects(s);
    for (uint32_t i = 0; i < s->kept_capacity; i++) {
        free(s->kept[i].recon);
        free(s->kept[i].source);
    }
    free(s->kept);
    free(s);
    return psnr;
}
