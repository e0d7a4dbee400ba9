/* SPDX-License-Identifier: MIT */
/* H.264 byte streams as an application reads them, into the structs that Vulkan hands over.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_SYNTAX_H
#define RP_TESTS_CODEC_AVCODEC_SYNTAX_H

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sps {
    StdVideoH264SequenceParameterSet std; /* without VUI; borrows the two below */
    StdVideoH264ScalingLists lists;
    int32_t offsets[255];
    bool is_known;
};

struct pps {
    StdVideoH264PictureParameterSet std;
    StdVideoH264ScalingLists lists;
    bool is_known;
};

/* A NAL unit in the stream: header byte and what follows, with emulation prevention. */
struct nal {
    const uint8_t *data;
    size_t size_B;
};

/* The part of a slice header that finds pictures and orders them. */
struct slice_start {
    uint32_t nal_type;
    uint32_t nal_ref_idc;
    uint32_t first_mb;
    uint32_t pps_id;
    uint32_t frame_num;
    bool is_field;
    bool is_bottom_field;
    uint32_t idr_pic_id;
    uint32_t poc_lsb;
    int32_t delta_poc_bottom;
    int32_t delta_poc[2];
};

/* The next NAL unit from *position_B on. False at the end. */
bool nal_next(const uint8_t *data, size_t size_B, size_t *position_B, struct nal *out);

/* Without emulation prevention and trailing zeros; dst has room for nal->size_B. */
size_t nal_to_rbsp(const struct nal *nal, uint8_t *dst);

/* rbsp with its header byte. False when it is not a set that the tests know. */
bool sps_parse(struct sps *out, const uint8_t *rbsp, size_t rbsp_B);
bool pps_parse(struct pps *out, const struct sps sps[32], const uint8_t *rbsp, size_t rbsp_B);
bool slice_start_parse(struct slice_start *out, const struct sps sps[32], const struct pps pps[256],
                       const uint8_t *rbsp, size_t rbsp_B);

/* 7.4.1.2.4 */
bool slice_starts_picture(const struct slice_start *a, const struct slice_start *b);

#endif
