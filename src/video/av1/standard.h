/* SPDX-License-Identifier: MIT */
/* AV1: its rows in the table of video/standard.h.
 *
 * standard.c            the rows, profiles and limits
 * session_parameters    the sequence header of an application
 * decode.c              AV1 in the decode engine: a picture becomes a job of the decoder
 *
 * private_stream        the streams that the decoder gets; private_headers and private_references
 *                       are parts of it
 *
 * obu, sequence, frame  headers, read and written by one description of their syntax; color,
 *                       frame_refs, frame_size, tile_info, quantization, filters, global_motion
 *                       and film_grain are parts of it
 * syntax                its descriptors
 * state                 what headers leave to those behind them
 *
 * The contract is reelpipe/decode_av1.h.
 */
#ifndef RP_VIDEO_AV1_STANDARD_H
#define RP_VIDEO_AV1_STANDARD_H

struct rp_decode_standard;
struct rp_video_standard;

extern const struct rp_video_standard rp_av1_decode_operation;

/* Its half in the engine: decode.c. */
extern const struct rp_decode_standard rp_av1_decode;

#endif
