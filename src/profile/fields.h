/* SPDX-License-Identifier: MIT */
/* The values of a pipeline's uniform data: push constants, uniform and inline uniform blocks, and
 * storage blocks that its kernel does not write.
 */
#ifndef RP_PROFILE_FIELDS_H
#define RP_PROFILE_FIELDS_H

#include "profile/profile.h"
#include "util/compiler.h"
#include "util/json.h"

#define RP_PROFILE_MAX_VALUES 4096u /* different ones of a field that are counted */

/* Its words and slots are there. False: memory is short. */
bool rp_profile_fields_init(struct rp_profile_pipeline *pp) RP_MUST_CHECK;
void rp_profile_fields_finish(struct rp_profile_pipeline *pp);

/* Before the dispatch runs. */
void rp_profile_fields_add(const struct rp_profile_dispatch *d);

/* The key "blocks". Bytes that no lane has read are known where lanes are counted (simt.h). */
void rp_profile_fields_write(struct rp_json *json, const struct rp_profile_pipeline *pp);

#endif
