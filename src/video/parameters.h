/* SPDX-License-Identifier: MIT */
/* The parameter sets of a VkVideoSessionParametersKHR, whatever their standard.
 *
 * What a set is, only its standard knows (h264/parameters.h): its object begins with struct
 * rp_video_parameters. The engines hand it on to the standard's own half.
 */
#ifndef RP_VIDEO_PARAMETERS_H
#define RP_VIDEO_PARAMETERS_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_video_parameters_ops;
struct rp_video_profile;

struct rp_video_parameters {
    const struct rp_video_parameters_ops *ops;
    atomic_uint ref_count;
};

struct rp_video_parameters_info {
    const struct rp_video_profile *profile;     /* the session's */
    int32_t max_level;                          /* encode: the greatest of the session's streams */
    const struct rp_video_parameters *template; /* of the same standard; may be NULL */
    bool has_quantization_maps;                 /* encode: pictures may have them */
    bool may_optimize;                          /* encode: overrides that no stream needs, too */
    VkExtent2D max_coded_extent;                /* encode: of the session */
    const void *chain;                          /* of VkVideoSessionParametersCreateInfoKHR */
};

struct rp_video_parameters_ops {
    /* VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR for sets that no session of the profile can use,
     * VK_ERROR_OUT_OF_HOST_MEMORY. One reference is the creator's. callbacks are copied: what is
     * added later uses them too. */
    VkResult (*create)(const VkAllocationCallbacks *callbacks,
                       const struct rp_video_parameters_info *info,
                       struct rp_video_parameters **out);
    void (*destroy)(struct rp_video_parameters *params); /* when the last reference goes */

    /* chain: of VkVideoSessionParametersUpdateInfoKHR. All of its sets or, on failure, none. */
    VkResult (*update)(struct rp_video_parameters *params, const void *chain);

    /* For encode operations: writes the sets that chain (of
     * VkVideoEncodeSessionParametersGetInfoKHR) names, as the stream has them, nothing past
     * capacity_B, and says in feedback (or NULL) what was overridden. Their size goes to
     * size_B_out. False when chain does not name any. */
    bool (*write)(const struct rp_video_parameters *params, const void *chain, uint8_t *dst,
                  size_t capacity_B, VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
                  size_t *size_B_out);
};

/* For the create() of a standard. */
void rp_video_parameters_init(struct rp_video_parameters *params,
                              const struct rp_video_parameters_ops *ops);

/* Any thread: command buffers keep the sets that they were recorded with. */
struct rp_video_parameters *rp_video_parameters_ref(struct rp_video_parameters *params);
void rp_video_parameters_unref(struct rp_video_parameters *params); /* accepts NULL */

#endif
