/* SPDX-License-Identifier: MIT */
/* Picture order counts and reference picture sets of private streams (8.3.1, 8.3.2).
 */
#ifndef RP_VIDEO_H265_PRIVATE_ORDER_H
#define RP_VIDEO_H265_PRIVATE_ORDER_H

#include "video/h265/private_stream.h"

/* The decoder finds a count by its 16 low bits and the picture before. */
#define RP_H265_PRIVATE_POC_BITS 16u
#define RP_H265_PRIVATE_MAX_STEP 16000

/* Chooses the picture's count; pictures of other sequences that have it are lost. */
void rp_h265_private_choose_poc(struct rp_h265_private_streams *streams,
                                const struct rp_h265_private_request *request,
                                struct rp_h265_private_picture *picture);

/* The count of control picture i of the picture. */
int32_t rp_h265_private_control_poc(const struct rp_h265_private_streams *streams,
                                    const struct rp_h265_private_picture *picture, uint32_t i);

/* After the picture was decoded, or may have been: which pictures the decoder has. */
void rp_h265_private_note_pocs(struct rp_h265_private_streams *streams,
                               const struct rp_h265_private_picture *picture);

/* Makes the picture's reference picture set, which names what is in slots, too. */
void rp_h265_private_make_rps(struct rp_h265_private_streams *streams,
                              const struct rp_h265_private_request *request,
                              struct rp_h265_private_picture *picture);

/* The set of a control picture of the picture, which uses nothing. */
void rp_h265_private_make_control_rps(struct rp_h265_private_streams *streams,
                                      struct rp_h265_private_picture *picture, int32_t poc,
                                      struct rp_h265_private_rps *out);

#endif
