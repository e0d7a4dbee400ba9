/* SPDX-License-Identifier: MIT */
/* AV1: its rows in the table of video/standard.h.
 *
 * standard.c            the rows, profiles and limits
 * encode.c              AV1 in the encode engine: the row's half, and rate control structures
 * encode_caps           what AV1 encode can do
 * encode_parameters     the sequence header of a session; encode_sequence makes it
 * encode_resolve.c      a picture as the application describes it becomes a job of the encoder;
 *                       encode_references.c, encode_overrides.c and encode_headers.c are steps of
 it
 *
 * session_parameters    the sequence header of an application that decodes
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
 * std_structures        structures of Vulkan that encode and decode share
 *
 * The contracts are reelpipe/encode_av1.h and reelpipe/decode_av1.h.
 */
#ifndef RP_VIDEO_AV1_STANDARD_H
#define RP_VIDEO_AV1_STANDARD_H

#define RP_AV1_GRANULARITY_PX 8 /* pictures are accessed as far as the next multiple */

struct rp_decode_standard;
struct rp_encode_standard;
struct rp_video_standard;

extern const struct rp_video_standard rp_av1_encode_operation;
extern const struct rp_video_standard rp_av1_decode_operation;

/* Their halves in the engines: encode.c, decode.c. */
extern const struct rp_encode_standard rp_av1_encode;
extern const struct rp_decode_standard rp_av1_decode;

#endif
