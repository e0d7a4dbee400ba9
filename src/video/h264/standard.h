/* SPDX-License-Identifier: MIT */
/* H.264: its rows in the table of video/standard.h.
 *
 * standard.c            the rows, profiles and limits
 * session_parameters.c  parameter sets from and to the application's structures
 * parameters            storage of parameter sets, overrides what our encoder cannot do
 * writer, slice_header  the syntax that we write (7.3)
 *
 * encode.c              H.264 in the encode engine: the row's half, and rate control structures
 * encode_caps           what H.264 encode can do
 * resolve.c             a picture as the application describes it becomes a job of the encoder;
 *                       slices.c, references.c, weights.c, idr_ids are steps of it
 * preceding             what an application wrote of the access unit in front of the picture
 *
 * decode.c              H.264 in the decode engine: a picture becomes a job of the decoder
 * sets                  the parameter sets of a picture that is decoded
 * fields                the two fields of a frame follow each other
 *
 * The contracts are reelpipe/encode_h264.h and reelpipe/decode_h264.h.
 */
#ifndef RP_VIDEO_H264_STANDARD_H
#define RP_VIDEO_H264_STANDARD_H

struct rp_decode_standard;
struct rp_encode_standard;
struct rp_video_standard;

extern const struct rp_video_standard rp_h264_encode_operation;
extern const struct rp_video_standard rp_h264_decode_operation;

/* Their halves in the engines: encode.c, decode.c. */
extern const struct rp_encode_standard rp_h264_encode;
extern const struct rp_decode_standard rp_h264_decode;

#endif
