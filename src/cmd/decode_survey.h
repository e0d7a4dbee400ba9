/* SPDX-License-Identifier: MIT */
/* What a command buffer decodes and refers to, told before it is replayed.
 */
#ifndef RP_CMD_DECODE_SURVEY_H
#define RP_CMD_DECODE_SURVEY_H

#include "video/decode/engine.h"
#include "video/decode_order.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_cmd_buffer;
struct rp_video_session;

/* One vkCmdDecodeVideoKHR. */
struct rp_surveyed_decode {
    struct rp_video_session *session;
    struct rp_decode_identity refs[RP_DECODE_MAX_REFERENCES];
    uint32_t ref_count;
    struct rp_decode_identity picture; /* key.image_id 0: it is not kept */
};

/* While the commands of a command buffer are gone through. */
struct rp_decode_survey {
    void (*visit)(void *ctx, const struct rp_surveyed_decode *decode);
    void *ctx;

    struct rp_video_session *session; /* of the open scope, or NULL */
    const VkVideoBeginCodingInfoKHR *begin;
};

/* Calls survey->visit for every picture, in order. */
void rp_decode_survey_run(struct rp_decode_survey *survey, const struct rp_cmd_buffer *cb);

#endif
