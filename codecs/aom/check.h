/* SPDX-License-Identifier: MIT */
/* What a job must be so that libaom can code it as the contract says.
 */
#ifndef RP_CODECS_AOM_CHECK_H
#define RP_CODECS_AOM_CHECK_H

#include "reelpipe/encode_av1.h"

#include <stdbool.h>

bool rp_aom_job_is_supported(const struct rp_av1_encode_job *job);

#endif
