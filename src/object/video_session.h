/* SPDX-License-Identifier: MIT */
/* VkVideoSessionKHR and VkVideoSessionParametersKHR: handles around the video engine's objects.
 */
#ifndef RP_OBJECT_VIDEO_SESSION_H
#define RP_OBJECT_VIDEO_SESSION_H

#include "object/object.h"
#include "reelpipe/workers.h"
#include "video/profile.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>

struct rp_video_decode; /* src/video/ */
struct rp_video_encode;
struct rp_video_parameters;

struct rp_video_session {
    struct rp_object base;
    struct rp_video_profile profile;
    VkVideoSessionCreateFlagsKHR flags;
    VkExtent2D max_coded_extent;
    int32_t max_level; /* of encode sessions' streams, in the numbers of the standard */
    VkVideoEncodeIntraRefreshModeFlagBitsKHR intra_refresh_mode; /* of encode sessions */
    struct rp_video_encode *encode; /* owned; of encode sessions, else NULL */
    struct rp_task_series pictures; /* of encode sessions */
    /* Submissions begin in their order: what rate control makes of a picture depends on those
     * before it. */
    atomic_uint_fast64_t submitted_count;
    atomic_uint_fast64_t begun_count; /* one that began out of order counts for those before it */
    uint64_t id;                      /* of encode sessions: unique in the device's life, not 0 */
    uint32_t overlap_id; /* of encode sessions: 24 bits, not 0; whose pictures may overlap */
    struct rp_video_decode *decode; /* owned; of decode sessions, else NULL */
};

struct rp_video_session_parameters {
    struct rp_object base;
    struct rp_video_session *session; /* borrowed */
    struct rp_video_parameters *sets; /* a reference */
};

RP_HANDLE_CASTS(rp_video_session, VkVideoSessionKHR, VK_OBJECT_TYPE_VIDEO_SESSION_KHR)
RP_HANDLE_CASTS(rp_video_session_parameters, VkVideoSessionParametersKHR,
                VK_OBJECT_TYPE_VIDEO_SESSION_PARAMETERS_KHR)

#endif
