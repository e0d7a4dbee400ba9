/* SPDX-License-Identifier: MIT */
/* What dispatches did that they should not: by kind and by the instructions that did it, with the
 * first time that they did.
 */
#ifndef RP_PROFILE_FINDINGS_H
#define RP_PROFILE_FINDINGS_H

#include "compute/record.h"
#include "profile/source.h"
#include "util/json.h"

#define RP_MAX_FINDINGS 256u /* of a pipeline */

enum rp_finding_kind {
    RP_FINDING_OUTSIDE,     /* of what is bound: reads gave zero, writes were dropped */
    RP_FINDING_UNWRITTEN,   /* workgroup memory was read that nobody had written */
    RP_FINDING_RACE,        /* of invocations of one workgroup */
    RP_FINDING_RACE_ACROSS, /* of two workgroups */
};

struct rp_finding {
    enum rp_finding_kind kind;
    uint32_t site;
    uint32_t other; /* site of the earlier access of a race, else site */
    uint64_t count;
    /* Where it was found first. */
    uint32_t group[3];
    uint32_t lane;
    uint32_t other_lane;
    uint64_t offset_B;
    uint32_t size_B;
    uint32_t binding;
};

struct rp_findings {
    struct rp_finding items[RP_MAX_FINDINGS];
    uint32_t count;
    bool is_short; /* there were more */
};

struct rp_profile_pipeline;

void rp_findings_add(struct rp_findings *findings, const struct rp_finding *first);

/* The key "findings". */
void rp_findings_write(struct rp_json *json, const struct rp_findings *findings,
                       const struct rp_profile_pipeline *pp, const struct rp_access_site *sites,
                       const struct rp_profile_place *places);

#endif
