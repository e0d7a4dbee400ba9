/* SPDX-License-Identifier: MIT */
/* Parameter sets and slice segment headers of private streams.
 */
#ifndef RP_VIDEO_H265_PRIVATE_HEADERS_H
#define RP_VIDEO_H265_PRIVATE_HEADERS_H

#include "video/h265/private_stream.h"

/* Makes picture->sps, pps and parameter_sets of app_sps and app_pps; *sps_B_out: VPS and SPS come
 * first. */
bool rp_h265_private_write_sets(struct rp_h265_private_picture *picture, size_t *sps_B_out);

/* Appends the private header of the slice segment whose header was read from rbsp into
 * picture->header, to picture->headers, and the slice to picture->slices; its header is an offset
 * until rp_h265_private_settle(). False when memory is short. */
bool rp_h265_private_add_slice(struct rp_h265_private_picture *picture, const uint8_t *rbsp,
                               size_t data_offset_B, size_t data_B);

/* Puts the control pictures in front of it. False when memory is short. */
bool rp_h265_private_add_control(struct rp_h265_private_streams *streams,
                                 struct rp_h265_private_picture *picture);

#endif
