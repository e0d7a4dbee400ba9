/* SPDX-License-Identifier: MIT */
/* Requests as vkCmdDecodeVideoKHR makes them.
 */
#include "engine_decoder.h"

#include "video/decode/engine.h"

#include <vulkan/vulkan_core.h>

static void
enter(const struct engine_decoder *engine, bool is_entering)
{
    if (engine->enters)
        engine->enters(is_entering);
}

static struct rp_picture_key
key_of(const struct engine_decoder *engine, int32_t slot)
{
    return (struct rp_picture_key){.image_id = engine->image_ids[slot]};
}

enum rp_codec_status
engine_decode(void *context, const struct app_job *job)
{
    struct engine_decoder *engine = context;
    VkVideoDecodeVP9PictureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PICTURE_INFO_KHR,
        .pStdPictureInfo = &job->header->std,
        .compressedHeaderOffset = job->header->uncompressed_B,
        .tilesOffset = job->header->uncompressed_B + job->header->compressed_B,
    };
    struct rp_decode_reference refs[APP_SLOTS];
    uint32_t ref_count = 0;
    for (uint32_t i = 0; i < STD_VIDEO_VP9_REFS_PER_FRAME; i++) {
        const int32_t slot = job->name_slots[i];
        info.referenceNameSlotIndices[i] = slot;
        if (slot >= 0)
            refs[ref_count++] =
                (struct rp_decode_reference){.key = key_of(engine, slot), .slot_index = slot};
    }
    if (engine->is_moving || !engine->image_ids[job->setup_slot])
        engine->image_ids[job->setup_slot] = ++engine->last_image_id;
    const struct rp_decode_request request = {
        .picture = &info,
        .src = job->data,
        .src_B = job->data_B,
        .refs = refs,
        .ref_count = ref_count,
        .setup = key_of(engine, job->setup_slot),
        .coded_width_px = job->header->width_px,
        .coded_height_px = job->header->height_px,
        .image_width_px = job->dst.width_px,
        .image_height_px = job->dst.height_px,
        .dst = job->dst,
        .sequence = ++engine->sequence,
    };
    enter(engine, true);
    const enum rp_codec_status status = rp_video_decode_picture(engine->dec, &request);
    enter(engine, false);
    return status;
}
