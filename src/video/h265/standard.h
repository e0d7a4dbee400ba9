/* SPDX-License-Identifier: MIT */
/* H.265: its rows in the table of video/standard.h.
 *
 * standard.c            the rows, profiles and limits
 * session_parameters    the parameter sets of an application
 * decode.c              H.265 in the decode engine: a picture becomes a job of the decoder
 *
 * private_stream        the streams that the decoder gets; private_headers and private_order are
 *                       parts of it
 *
 * parameter_sets, slice_header
 *                       headers, read and written by one description of their syntax
 *                       (code_parameter_sets.c); ref_pic_set.c and scaling_lists.c are parts of it
 * syntax                its descriptors
 * nal_units             NAL units of a byte stream
 *
 * The contract is reelpipe/decode_h265.h.
 */
#ifndef RP_VIDEO_H265_STANDARD_H
#define RP_VIDEO_H265_STANDARD_H

struct rp_decode_standard;
struct rp_video_standard;

extern const struct rp_video_standard rp_h265_decode_operation;

/* Its half in the engine: decode.c. */
extern const struct rp_decode_standard rp_h265_decode;

#endif
