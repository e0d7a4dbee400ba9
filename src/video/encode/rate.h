/* SPDX-License-Identifier: MIT */
/* Rate control as vkCmdControlVideoCodingKHR sets it, in the terms of the codec.
 */
#ifndef RP_VIDEO_ENCODE_RATE_H
#define RP_VIDEO_ENCODE_RATE_H

#include "reelpipe/rate.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

struct rp_encode_standard;

struct rp_encode_rate_control {
    VkVideoEncodeRateControlModeFlagBitsKHR mode;
    struct rp_rate_settings settings; /* of CBR and VBR */
    bool wants_hrd;                   /* the stream is to keep what its SPS promises */
};

/* chain: of VkVideoCodingControlInfoKHR; structures in any order. What is zero or missing gets a
 * usable value. False when the chain has no VkVideoEncodeRateControlInfoKHR. */
bool rp_encode_rate_control_parse(const struct rp_encode_standard *standard, const void *chain,
                                  struct rp_encode_rate_control *out);

#endif
