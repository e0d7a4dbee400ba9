/* SPDX-License-Identifier: MIT */
/* What a job must be so that kvazaar can code it as the contract says.
 */
#ifndef RP_CODECS_KVAZAAR_CHECK_H
#define RP_CODECS_KVAZAAR_CHECK_H

#include "reelpipe/encode_h265.h"

#include <stdbool.h>

bool rp_kvazaar_job_is_supported(const struct rp_h265_encode_job *job);

#endif
