/* SPDX-License-Identifier: MIT */
/* What a command buffer decodes and refers to, told when it is submitted.
 */
#ifndef RP_CMD_DECODE_SURVEY_H
#define RP_CMD_DECODE_SURVEY_H

#include "reelpipe/quirks.h"
#include "util/compiler.h"
#include "video/decode/engine.h"

#include <vulkan/vulkan_core.h>

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_cmd_buffer;
struct rp_video_session;

static_assert(RP_QUIRK_MAX_REFERENCES == RP_DECODE_MAX_REFERENCES, "references of a command");

/* While the commands of a command buffer are gone through. */
struct rp_decode_survey {
    /* Called for each vkCmdDecodeVideoKHR. */
    void (*visit)(void *ctx, struct rp_video_session *session,
                  const struct rp_quirk_decode *decode);
    void *ctx;

    struct rp_video_session *session; /* of the open scope, or NULL */
    const VkVideoBeginCodingInfoKHR *begin;
};

/* Calls survey->visit for every picture, in order. */
void rp_decode_survey_run(struct rp_decode_survey *survey, const struct rp_cmd_buffer *cb);

#endif
