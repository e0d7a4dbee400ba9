/* SPDX-License-Identifier: MIT */
/* Counted references to parameter sets.
 */
#include "video/parameters.h"

void
rp_video_parameters_init(struct rp_video_parameters *params,
                         const struct rp_video_parameters_ops *ops)
{
    params->ops = ops;
    atomic_init(&params->ref_count, 1);
}

struct rp_video_parameters *
rp_video_parameters_ref(struct rp_video_parameters *params)
{
    atomic_fetch_add_explicit(&params->ref_count, 1, memory_order_relaxed);
    return params;
}

void
rp_video_parameters_unref(struct rp_video_parameters *params)
{
    if (params && atomic_fetch_sub_explicit(&params->ref_count, 1, memory_order_acq_rel) == 1)
        params->ops->destroy(params);
}
