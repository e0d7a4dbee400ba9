/* SPDX-License-Identifier: MIT */
/* The table of video coding standards: one row for each VkVideoCodecOperation, with all that the
 * neutral half of the driver asks of a codec.
 *
 * Map of src/video/:
 *
 *   standard    this table, and which of its codecs a physical device has
 *   profile     a VkVideoProfileInfoKHR, taken apart and checked
 *   parameters  counted parameter sets of any standard
 *   parameter_table
 *               storage of sets that are added by and by
 *   formats     the formats of images that hold pictures and maps
 *   picture_key which pixels hold a picture
 *   encode/     the encode engine: sessions, slots, rate control, maps, intra refresh
 *   decode/     the decode engine: sessions, slots
 *   rgb/        conversion of RGB input
 *   h264/       what is H.264's alone; its rows are in h264/standard.h
 *   h265/       what is H.265's alone; its rows are in h265/standard.h
 *   av1/        what is AV1's alone; its rows are in av1/standard.h
 *   vp9/        what is VP9's alone; its row is in vp9/standard.h
 *
 * encode/, decode/, rgb/ and the files above name no codec; nor do src/object/video_session*.c,
 * src/cmd/video_*.c and icd/video_*.c. A new codec brings a contract (include/reelpipe/), a folder
 * here, one in codecs/, and its rows in standard.c.
 */
#ifndef RP_VIDEO_STANDARD_H
#define RP_VIDEO_STANDARD_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_decode_codec;
struct rp_decode_standard;
struct rp_encode_codec;
struct rp_encode_standard;
struct rp_video_parameters_ops;
struct rp_video_profile;

struct rp_video_standard {
    VkVideoCodecOperationFlagBitsKHR operation;
    const char *header_name; /* VK_STD_VULKAN_VIDEO_CODEC_*_EXTENSION_NAME */
    uint32_t header_version;

    VkVideoChromaSubsamplingFlagsKHR chroma_subsamplings;
    VkVideoComponentBitDepthFlagsKHR bit_depths; /* luma and chroma have the same */
    VkExtent2D access_granularity_px;
    VkExtent2D min_extent_px;
    VkExtent2D max_extent_px;
    uint32_t max_dpb_slots;
    uint32_t max_active_references;

    /* Reads the codec's structures in the chain of info into out->idc. VK_ERROR_VIDEO_PROFILE_
     * CODEC_ or _PICTURE_LAYOUT_NOT_SUPPORTED_KHR. */
    VkResult (*parse_profile)(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out);

    /* A session of this size may be; max_extent_px may bound an area and not its sides. */
    bool (*extent_is_valid)(VkExtent2D extent_px);

    /* One structure in the chain of VkVideoCapabilitiesKHR: fills it if it is this codec's. */
    void (*fill_capabilities)(const struct rp_video_profile *profile, VkBaseOutStructure *s);

    const struct rp_video_parameters_ops *parameters;
    VkImageUsageFlags missing_map_usages;    /* encode: of maps that the capabilities do not have */
    const struct rp_encode_standard *encode; /* of encode operations, else NULL */
    const struct rp_decode_standard *decode; /* of decode operations, else NULL */
};

#define RP_VIDEO_STANDARD_LIMIT 8u /* rows that the table may have */

const struct rp_video_standard *const *rp_video_standards(uint32_t *count_out);

/* The codecs of a physical device: entry i belongs to row i of the table; NULL: not there. */
struct rp_video_codecs {
    const struct rp_encode_codec *encode[RP_VIDEO_STANDARD_LIMIT];
    const struct rp_decode_codec *decode[RP_VIDEO_STANDARD_LIMIT];
    VkVideoCodecOperationFlagsKHR encode_operations; /* that are there */
    VkVideoCodecOperationFlagsKHR decode_operations;
    VkVideoComponentBitDepthFlagsKHR encode_bit_depths; /* that one of them has */
    VkVideoComponentBitDepthFlagsKHR decode_bit_depths;
    bool depth_names_profile; /* the application names one profile for all depths (src/quirks/) */
};

/* Asks every codec whether it is there; no library is loaded. */
void rp_video_codecs_init(struct rp_video_codecs *codecs);

/* The name of the codec of row i; NULL when it is not there. */
const char *rp_video_codecs_name(const struct rp_video_codecs *codecs, uint32_t i);

/* The codec that says how images of these operations must look to be worked on in place: the first
 * one of them, or when none is named the first of all. NULL when no codec minds. */
const struct rp_encode_codec *
rp_video_codecs_encode_layout(const struct rp_video_codecs *codecs,
                              VkVideoCodecOperationFlagsKHR operations);
const struct rp_decode_codec *
rp_video_codecs_decode_layout(const struct rp_video_codecs *codecs,
                              VkVideoCodecOperationFlagsKHR operations);

#endif
