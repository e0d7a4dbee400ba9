/* SPDX-License-Identifier: MIT */
/* Accesses that read what their dispatch writes nowhere: they race with nobody.
 */
#ifndef RP_PROFILE_UNWRITTEN_H
#define RP_PROFILE_UNWRITTEN_H

#include "compute/compute.h"
#include "compute/record.h"

/* For each site whether it is one; site_count > 0 sites of the dispatch's kernel. may_be_stale: by
 * binding, what is bound and not used may be gone; NULL: nowhere. */
void rp_unwritten_find(const struct rp_access_site *sites, uint32_t site_count,
                       const struct rp_dispatch *dispatch, const bool *may_be_stale,
                       bool *are_unwritten_out);

#endif
