/* SPDX-License-Identifier: MIT */
/* A session, an image for each slot, and a command buffer for each picture.
 */
#include "job_decoder.h"

#include "test.h"
#include "tools/client/video_h264.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define NO_SLOT RP_H264_DECODE_SLOTS /* the image of pictures that are not kept */
#define IMAGES (RP_H264_DECODE_SLOTS + 1)
#define MAX_PICTURES 512u
#define MAX_PARAMETERS 64
#define BITSTREAM_B (UINT64_C(24) << 20)

/* By value, for comparison. */
struct parameter_key {
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264ScalingLists sps_lists;
    StdVideoH264ScalingLists pps_lists;
};

struct parameters {
    struct parameter_key key;
    VkVideoSessionParametersKHR handle;
};

struct rp_decoder {
    struct vk *vk;
    struct job_decoder_options options;
    VkVideoDecodeH264ProfileInfoKHR h264_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    struct parameters parameters[MAX_PARAMETERS];
    uint32_t parameters_count;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cbs[MAX_PICTURES];
    uint32_t count;
    struct vk_buffer bitstream;
    VkDeviceSize bitstream_B;         /* used */
    struct guarded_image dpb[IMAGES]; /* [0] has all layers when layered */
    struct guarded_image dst[IMAGES]; /* distinct */
    uint8_t filling;                  /* the next, of overwritten images */
    bool shall_reset;
};

/* The slots of one command. */
struct job_slots {
    uint32_t count;
    StdVideoDecodeH264ReferenceInfo std[RP_H264_DECODE_SLOTS + 1];
    VkVideoDecodeH264DpbSlotInfoKHR h264[RP_H264_DECODE_SLOTS + 1];
    VkVideoPictureResourceInfoKHR resources[RP_H264_DECODE_SLOTS + 1];
    VkVideoReferenceSlotInfoKHR infos[RP_H264_DECODE_SLOTS + 1];
};

static void
profile_init(struct rp_decoder *dec)
{
    dec->h264_profile = (VkVideoDecodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR,
    };
    dec->profile = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &dec->h264_profile);
    dec->profiles = video_profile_list(&dec->profile);
}

static void
session_create(struct rp_decoder *dec)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = dec->vk->decode_family,
        .pVideoProfile = &dec->profile,
        .pictureFormat = dec->options.dst_format,
        .maxCodedExtent = {1920, 1088},
        .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxDpbSlots = RP_H264_DECODE_SLOTS,
        .maxActiveReferencePictures = 16,
        .pStdHeaderVersion = video_std_version(dec->profile.videoCodecOperation),
    };
    CHECK(video_session_create(&dec->vk->video, &info, &dec->session));
}

struct rp_decoder *
job_decoder_open(struct vk *vk, const struct job_decoder_options *options)
{
    struct rp_decoder *dec = calloc(1, sizeof(*dec));
    REQUIRE(dec);
    dec->vk = vk;
    dec->options = *options;
    if (!dec->options.queue)
        dec->options.queue = vk->decode_queue;
    REQUIRE(vkCmdDecodeVideoKHR);
    dec->shall_reset = true;
    profile_init(dec);
    session_create(dec);
    vk_decode_commands_create(dec->vk, &dec->profile, MAX_PICTURES, &dec->status, &dec->pool,
                              dec->cbs);
    dec->bitstream =
        vk_buffer_create(vk, BITSTREAM_B, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &dec->profiles);
    return dec;
}

void
job_decoder_close(struct rp_decoder *dec)
{
    CHECK(vkDeviceWaitIdle(dec->vk->dev));
    for (uint32_t i = 0; i < IMAGES; i++) {
        guarded_image_destroy(dec->vk, &dec->dpb[i]);
        guarded_image_destroy(dec->vk, &dec->dst[i]);
    }
    for (uint32_t i = 0; i < dec->parameters_count; i++)
        vkDestroyVideoSessionParametersKHR(dec->vk->dev, dec->parameters[i].handle, NULL);
    vk_buffer_destroy(dec->vk, &dec->bitstream);
    vkDestroyCommandPool(dec->vk->dev, dec->pool, NULL);
    vkDestroyQueryPool(dec->vk->dev, dec->status, NULL);
    video_session_destroy(&dec->vk->video, &dec->session);
    free(dec);
}

static void
key_init(struct parameter_key *key, const struct rp_h264_decode_job *job)
{
    memset(key, 0, sizeof(*key));
    key->sps = *job->sps;
    key->pps = *job->pps;
    if (job->sps->pScalingLists)
        key->sps_lists = *job->sps->pScalingLists;
    if (job->pps->pScalingLists)
        key->pps_lists = *job->pps->pScalingLists;
}

/* The parameters of the picture, made when they are new. */
static VkVideoSessionParametersKHR
parameters_get(struct rp_decoder *dec, const struct rp_h264_decode_job *job)
{
    struct parameter_key key;
    key_init(&key, job);
    for (uint32_t i = 0; i < dec->parameters_count; i++) {
        if (memcmp(&dec->parameters[i].key, &key, sizeof(key)) == 0)
            return dec->parameters[i].handle;
    }
    REQUIRE(dec->parameters_count < MAX_PARAMETERS);
    struct parameters *params = &dec->parameters[dec->parameters_count++];
    params->key = key;
    struct video_h264_decode_sets h264;
    video_h264_decode_sets_init(&h264, job->sps, job->pps);
    CHECK(video_parameters_create(&dec->vk->video, dec->session.handle, 0, &h264.info,
                                  &params->handle));
    return params->handle;
}

/* As far as the images go. */
static VkExtent2D
picture_extent(const struct rp_decoder *dec, const StdVideoH264SequenceParameterSet *sps)
{
    const uint32_t cut_px = dec->options.border_px < 0 ? (uint32_t)-dec->options.border_px : 0;
    return (VkExtent2D){
        .width = 16 * (sps->pic_width_in_mbs_minus1 + 1) - cut_px,
        .height = 16 * (sps->pic_height_in_map_units_minus1 + 1) *
                      (sps->flags.frame_mbs_only_flag ? 1 : 2) -
                  cut_px,
    };
}

static void
image_fit(struct rp_decoder *dec, struct guarded_image *img, VkExtent2D extent, uint32_t layers,
          VkFormat format, VkImageUsageFlags usage)
{
    const uint32_t border_px = dec->options.border_px < 0 ? 0 : (uint32_t)dec->options.border_px;
    const uint32_t width_px = extent.width + dec->options.offset_px + border_px;
    const uint32_t height_px = extent.height + dec->options.offset_px + border_px;
    if (img->image.width_px == width_px && img->image.height_px == height_px)
        return;
    guarded_image_destroy(dec->vk, img);
    *img = guarded_image_create(dec->vk,
                                &(struct vk_image_info){.format = format,
                                                        .width_px = width_px,
                                                        .height_px = height_px,
                                                        .layer_count = layers,
                                                        .usage = usage,
                                                        .next = &dec->profiles},
                                dec->options.memory, dec->options.is_aliased);
}

/* Where the slot's pictures are; *layer_out is 0 but for layered ones. */
static struct guarded_image *
dpb_image(struct rp_decoder *dec, uint32_t slot, uint32_t *layer_out)
{
    *layer_out = dec->options.is_layered ? slot : 0;
    return &dec->dpb[dec->options.is_layered ? 0 : slot];
}

static void
images_fit(struct rp_decoder *dec, uint32_t slot, VkExtent2D extent)
{
    const VkImageUsageFlags dst =
        VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageUsageFlags readable =
        dec->options.is_dpb_readable ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0;
    const VkImageUsageFlags dpb =
        VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | (dec->options.is_distinct ? readable : dst);
    uint32_t layer;
    struct guarded_image *img = dpb_image(dec, slot, &layer);
    image_fit(dec, img, extent, dec->options.is_layered ? IMAGES : 1,
              dec->options.is_distinct ? VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
                                       : dec->options.dst_format,
              dpb);
    if (dec->options.is_distinct)
        image_fit(dec, &dec->dst[slot], extent, 1, dec->options.dst_format, dst);
}

static VkVideoPictureResourceInfoKHR
resource_of(const struct rp_decoder *dec, const struct rp_h264_decode_job *job,
            const struct guarded_image *img, uint32_t layer)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedOffset = {(int32_t)dec->options.offset_px, (int32_t)dec->options.offset_px},
        .codedExtent = picture_extent(dec, job->sps),
        .baseArrayLayer = layer,
        .imageViewBinding = img->image.view,
    };
}

static VkVideoReferenceSlotInfoKHR *
slots_add(struct rp_decoder *dec, const struct rp_h264_decode_job *job, struct job_slots *slots,
          int32_t slot)
{
    const uint32_t i = slots->count++;
    slots->h264[i] = (VkVideoDecodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &slots->std[i],
    };
    slots->infos[i] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &slots->h264[i],
        .slotIndex = slot,
    };
    if (slot >= 0) {
        uint32_t layer;
        const struct guarded_image *img = dpb_image(dec, (uint32_t)slot, &layer);
        slots->resources[i] = resource_of(dec, job, img, layer);
        slots->infos[i].pPictureResource = &slots->resources[i];
    }
    return &slots->infos[i];
}

static void
slots_fill(struct rp_decoder *dec, const struct rp_h264_decode_job *job, struct job_slots *slots)
{
    for (uint32_t i = 0; i < job->ref_count; i++) {
        const struct rp_h264_decode_reference *ref = &job->refs[i];
        slots->std[slots->count] = (StdVideoDecodeH264ReferenceInfo){
            .flags = {.top_field_flag = ref->has_top,
                      .bottom_field_flag = ref->has_bottom,
                      .used_for_long_term_reference = ref->is_long_term,
                      .is_non_existing = ref->is_non_existing},
            .FrameNum = (uint16_t)ref->frame_num,
            .PicOrderCnt = {ref->poc[0], ref->poc[1]},
        };
        (void)slots_add(dec, job, slots, ref->slot);
    }
}

/* The slices, with others before and behind them. Returns the offset. */
static VkDeviceSize
bitstream_add(struct rp_decoder *dec, const struct rp_h264_decode_job *job)
{
    static const uint8_t other[8] = {0, 0, 1, 0x65, 0x88, 0x84, 0, 0x7f};
    const uint32_t margin_B = dec->options.margin_B;
    if (!dec->options.is_only_recorded)
        dec->bitstream_B = 0;
    REQUIRE(dec->bitstream_B + job->common.data_B + 2 * margin_B <= dec->bitstream.size_B);
    uint8_t *at = dec->bitstream.data + dec->bitstream_B;
    for (uint32_t i = 0; i < margin_B; i++) {
        at[i] = other[i % sizeof(other)];
        at[margin_B + job->common.data_B + i] = other[i % sizeof(other)];
    }
    memcpy(at + margin_B, job->common.data, job->common.data_B);
    const VkDeviceSize offset_B = dec->bitstream_B + margin_B;
    dec->bitstream_B += job->common.data_B + 2 * margin_B;
    return offset_B;
}

static StdVideoDecodeH264PictureInfo
picture_info(const struct rp_h264_decode_job *job)
{
    return (StdVideoDecodeH264PictureInfo){
        .flags = {.field_pic_flag = job->is_field,
                  .IdrPicFlag = job->is_idr,
                  .bottom_field_flag = job->is_bottom_field,
                  .is_reference = job->is_reference},
        .seq_parameter_set_id = job->sps->seq_parameter_set_id,
        .pic_parameter_set_id = job->pps->pic_parameter_set_id,
        .frame_num = (uint16_t)job->frame_num,
        .PicOrderCnt = {job->poc[0], job->poc[1]},
    };
}

static void
coding_record(struct rp_decoder *dec, uint32_t number, const VkVideoBeginCodingInfoKHR *begin,
              const VkVideoDecodeInfoKHR *info)
{
    static const VkVideoCodingControlInfoKHR reset = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    VkCommandBuffer cb = dec->cbs[number];
    CHECK(vkBeginCommandBuffer(
        cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdResetQueryPool(cb, dec->status, number, 1);
    vkCmdBeginVideoCodingKHR(cb, begin);
    if (dec->shall_reset)
        vkCmdControlVideoCodingKHR(cb, &reset);
    dec->shall_reset = false;
    vkCmdBeginQuery(cb, dec->status, number, 0);
    vkCmdDecodeVideoKHR(cb, info);
    vkCmdEndQuery(cb, dec->status, number);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(cb));
}

static void
job_record(struct rp_decoder *dec, const struct rp_h264_decode_job *job, uint32_t number,
           const struct guarded_image *dst, uint32_t dst_layer)
{
    const StdVideoDecodeH264PictureInfo std = picture_info(job);
    struct job_slots slots = {.count = 0};
    slots_fill(dec, job, &slots);
    const uint32_t ref_count = slots.count;
    VkVideoReferenceSlotInfoKHR setup = {.slotIndex = -1};
    if (job->common.setup_slot >= 0) {
        slots.std[ref_count] = (StdVideoDecodeH264ReferenceInfo){
            .FrameNum = (uint16_t)job->frame_num, .PicOrderCnt = {job->poc[0], job->poc[1]}};
        VkVideoReferenceSlotInfoKHR *active = slots_add(dec, job, &slots, job->common.setup_slot);
        setup = *active;
        active->slotIndex = -1; /* it becomes active with this picture */
    }
    const VkVideoDecodeH264PictureInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
        .pStdPictureInfo = &std,
        .sliceCount = job->slice_count,
        .pSliceOffsets = job->slice_offsets_B,
    };
    const VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &h264,
        .srcBuffer = dec->bitstream.handle,
        .srcBufferOffset = bitstream_add(dec, job),
        .srcBufferRange = job->common.data_B,
        .dstPictureResource = resource_of(dec, job, dst, dst_layer),
        .pSetupReferenceSlot = job->common.setup_slot >= 0 ? &setup : NULL,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots.infos,
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = dec->session.handle,
        .videoSessionParameters = parameters_get(dec, job),
        .referenceSlotCount = slots.count,
        .pReferenceSlots = slots.infos,
    };
    coding_record(dec, number, &begin, &info);
}

/* One plane of the image's pixels: what is in the picture goes to the plane, if there is one; all
 * the rest still is what the image was filled with. */
static void
plane_take(const struct guarded_image *img, const uint8_t *pixels, uint32_t shift,
           VkOffset2D offset_px, VkExtent2D extent, const struct rp_plane *to)
{
    const size_t row_B = img->image.width_px >> shift;
    const size_t x = (size_t)offset_px.x >> shift;
    const size_t y = (size_t)offset_px.y >> shift;
    const size_t width_B = extent.width >> shift;
    const size_t rows = extent.height >> shift;
    for (size_t i = 0; i < img->image.height_px >> shift; i++) {
        const uint8_t *row = pixels + i * row_B;
        const bool has_picture = i >= y && i < y + rows;
        if (has_picture)
            memcpy(to->data + (i - y) * to->stride_B, row + x, width_B);
        for (size_t k = 0; k < row_B; k++)
            REQUIRE((has_picture && k >= x && k < x + width_B) || row[k] == img->filling);
    }
}

static void
picture_read(struct rp_decoder *dec, const struct rp_h264_decode_job *job,
             const struct guarded_image *img, uint32_t layer)
{
    const struct rp_picture *out = &job->common.dst;
    const size_t luma_B = (size_t)img->image.width_px * img->image.height_px;
    const VkVideoPictureResourceInfoKHR at = resource_of(dec, job, img, layer);
    uint8_t *pixels = malloc(luma_B * 3 / 2);
    REQUIRE(pixels && out->layout == RP_PICTURE_I420);
    REQUIRE(out->width_px == at.codedExtent.width && out->height_px == at.codedExtent.height);
    vk_image_read_i420(dec->vk, img->alias.handle ? &img->alias : &img->image, layer, pixels);
    plane_take(img, pixels, 0, at.codedOffset, at.codedExtent, &out->plane[0]);
    for (uint32_t i = 0; i < 2; i++)
        plane_take(img, pixels + luma_B + i * luma_B / 4, 1, at.codedOffset, at.codedExtent,
                   &out->plane[1 + i]);
    free(pixels);
}

static bool
is_reference(const struct rp_h264_decode_job *job, int32_t slot)
{
    for (uint32_t i = 0; i < job->ref_count; i++) {
        if (job->refs[i].slot == slot)
            return true;
    }
    return false;
}

/* An application may do so that has no use for these pictures any more. */
static void
images_overwrite(struct rp_decoder *dec, const struct rp_h264_decode_job *job)
{
    for (uint32_t i = 0; i < IMAGES; i++) {
        const int32_t slot = i == NO_SLOT ? -1 : (int32_t)i;
        const bool is_own = job->is_field && slot == job->common.setup_slot;
        if (!is_own && !is_reference(job, slot) && dec->dpb[i].data)
            guarded_image_fill(&dec->dpb[i], dec->filling++);
        if (!is_own && dec->dst[i].data)
            guarded_image_fill(&dec->dst[i], dec->filling++);
    }
}

static bool
is_complete(struct rp_decoder *dec, uint32_t number)
{
    int32_t status = 0;
    CHECK(vkGetQueryPoolResults(dec->vk->dev, dec->status, number, 1, sizeof(status), &status,
                                sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    return status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR;
}

void
job_decoder_submit(struct rp_decoder *dec, uint32_t index)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &dec->cbs[index],
    };
    CHECK(vkQueueSubmit(dec->options.queue, 1, &info, VK_NULL_HANDLE));
}

uint32_t
job_decoder_count(const struct rp_decoder *dec)
{
    return dec->count;
}

uint32_t
job_decoder_error_count(struct rp_decoder *dec)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < dec->count; i++)
        count += !is_complete(dec, i);
    return count;
}

static enum rp_codec_status
job_decode(struct rp_decoder *dec, const struct rp_decode_job *common)
{
    const struct rp_h264_decode_job *job = rp_h264_decode_job_of(common);
    const uint32_t slot = job->common.setup_slot < 0 ? NO_SLOT : (uint32_t)job->common.setup_slot;
    if (dec->options.is_moving && !job->is_field)
        guarded_image_destroy(dec->vk, &dec->dpb[slot]);
    if (dec->options.is_overwritten)
        images_overwrite(dec, job);
    images_fit(dec, slot, picture_extent(dec, job->sps));
    uint32_t layer;
    struct guarded_image *img = dpb_image(dec, slot, &layer);
    if (dec->options.is_distinct) {
        img = &dec->dst[slot];
        layer = 0;
    }
    const uint32_t number = dec->options.is_only_recorded ? dec->count++ : 0;
    REQUIRE(number < MAX_PICTURES);
    job_record(dec, job, number, img, layer);
    if (dec->options.is_only_recorded)
        return RP_CODEC_OK;
    job_decoder_submit(dec, number);
    CHECK(vkQueueWaitIdle(dec->options.queue));
    if (dec->options.is_dpb_readable && job->common.setup_slot >= 0)
        img = dpb_image(dec, slot, &layer);
    picture_read(dec, job, img, layer);
    return is_complete(dec, number) ? RP_CODEC_OK : RP_CODEC_DAMAGED;
}

static void
job_reset(struct rp_decoder *dec)
{
    dec->shall_reset = true;
}

const struct rp_decode_codec job_decoder_codec = {
    .name = "Vulkan",
    .reset = job_reset,
    .decode = job_decode,
};
