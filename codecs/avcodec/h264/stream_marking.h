/* SPDX-License-Identifier: MIT */
/* What the stream's own marking (8.2.5) means for the frames that libavcodec holds.
 */
#ifndef RP_CODECS_AVCODEC_H264_STREAM_MARKING_H
#define RP_CODECS_AVCODEC_H264_STREAM_MARKING_H

#include "codecs/avcodec/h264/held.h"
#include "codecs/avcodec/h264/references.h"

#include <stdint.h>

/* Adds to marking, of a reference frame or first field that header (of its first slice) is from,
 * what a full DPB asks for: the dropping of one frame (that the stream drops, else one that is not
 * listed, else the oldest), and long-term assignments, of this picture and of those before it, for
 * which control pictures would have no room. */
void rp_h264dec_marking_follow_stream(struct rp_h264dec_marking *marking,
                                      const struct rp_h264dec_dpb *dpb,
                                      const struct rp_h264dec_references *refs,
                                      const struct rp_h264dec_current *cur,
                                      const struct rp_h264dec_slice_header *header,
                                      uint32_t max_num_ref_frames);

#endif
