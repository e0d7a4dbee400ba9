/* SPDX-License-Identifier: MIT */
/* Waiting inside a row of blocks, which is a step of a run (reelpipe/workers.h).
 */
#ifndef RP_CODECS_KVAZAAR_STEP_H
#define RP_CODECS_KVAZAAR_STEP_H

#include "platform/progress.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_workers;

/* Until the number is as large as that. workers: whose step it is; NULL: there are none.
 * is_of_other: of another picture. */
void rp_kvazaar_step_wait(struct rp_workers *workers, struct rp_progress *progress, uint32_t least,
                          bool is_of_other);

#endif
