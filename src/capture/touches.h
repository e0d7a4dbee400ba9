/* SPDX-License-Identifier: MIT */
/* What the submission being captured reaches: the list, in which nothing is twice. Its entries are
 * made by the functions of capture/memory.h.
 */
#ifndef RP_CAPTURE_TOUCHES_H
#define RP_CAPTURE_TOUCHES_H

#include "capture/capture.h"

/* Before the first one of a submission. */
void rp_capture_touches_reset(struct rp_capture_device *c);

/* After the last one: sorts them by object, says which are covered, and leaves out what lies in
 * another one with the same access. */
void rp_capture_touches_settle(struct rp_capture_device *c);

#endif
