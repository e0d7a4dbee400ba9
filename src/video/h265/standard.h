/* SPDX-License-Identifier: MIT */
/* H.265: its rows in the table of video/standard.h.
 *
 * standard.c            the rows, profiles and limits
 *
 * encode.c              H.265 in the encode engine: the row's half, and rate control structures
 * encode_caps           what H.265 encode can do
 * encode_parameters     parameter sets of an encode session, from and to the application;
 *                       encode_overrides changes what our encoder cannot do
 * encode_resolve.c      a picture as the application describes it becomes a job of the encoder;
 *                       encode_references.c, encode_slices.c are steps of it
 *
 * session_parameters    the parameter sets of a decode session
 * decode.c              H.265 in the decode engine: a picture becomes a job of the decoder
 *
 * private_stream        the streams that the decoder gets; private_headers and private_order are
 *                       parts of it
 *
 * parameter_sets, slice_header
 *                       headers, read and written by one description of their syntax
 *                       (code_parameter_sets.c); ref_pic_set.c, scaling_lists.c and vui.c are
 *                       parts of it
 * syntax                its descriptors
 * nal_units             NAL units of a byte stream
 *
 * The contracts are reelpipe/encode_h265.h and reelpipe/decode_h265.h.
 */
#ifndef RP_VIDEO_H265_STANDARD_H
#define RP_VIDEO_H265_STANDARD_H

struct rp_decode_standard;
struct rp_encode_standard;
struct rp_video_standard;

extern const struct rp_video_standard rp_h265_encode_operation;
extern const struct rp_video_standard rp_h265_decode_operation;

/* Their halves in the engines: encode.c, decode.c. */
extern const struct rp_encode_standard rp_h265_encode;
extern const struct rp_decode_standard rp_h265_decode;

#endif
