/* SPDX-License-Identifier: MIT */
/* What objects tell a profile (REELPIPE_PROFILE), which src/profile makes.
 *
 * Any thread. Without a profile one pointer is looked at.
 */
#ifndef RP_OBJECT_PROFILE_H
#define RP_OBJECT_PROFILE_H

struct rp_cache_key_info;
struct rp_pipeline;
struct rp_pipeline_layout;
struct rp_profile;

struct rp_profile_ops {
    /* pipeline was made from source; layout may be NULL. Sets pipeline->profile. */
    void (*pipeline_created)(struct rp_profile *profile, struct rp_pipeline *pipeline,
                             const struct rp_cache_key_info *source,
                             const struct rp_pipeline_layout *layout);
    /* Writes it. No queue works any more. */
    void (*finish)(struct rp_profile *profile);
};

/* The base of src/profile's struct. */
struct rp_profile {
    const struct rp_profile_ops *ops;
};

#endif
