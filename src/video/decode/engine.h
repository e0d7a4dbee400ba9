/* SPDX-License-Identifier: MIT */
/* The decode engine of one video session: from what a command says of a picture to a job of the
 * codec.
 *
 * engine.c   sessions, and the life of a picture
 * session.h  what a session keeps
 * slots      which slot of the decoder holds the picture of which image
 * identity.h how pictures are told apart
 * standard.h what a standard has to provide: it builds the job (h264/decode.c)
 *
 * Calls come from the threads that replay; several queues may use one session alternately. A
 * picture is complete when its call returns.
 */
#ifndef RP_VIDEO_DECODE_ENGINE_H
#define RP_VIDEO_DECODE_ENGINE_H

#include "reelpipe/decode_identity.h"
#include "reelpipe/picture_key.h"
#include "util/compiler.h"

#include "reelpipe/decode.h"
#include "reelpipe/picture.h"

#include <stddef.h>
#include <stdint.h>

#define RP_DECODE_MAX_REFERENCES 32u /* slots that one command may list */

struct rp_decode_standard;
struct rp_video_decode;
struct rp_video_parameters;

struct rp_decode_reference {
    struct rp_picture_key key; /* of the slot's picture resource */
    int32_t slot_index;        /* the application's */
    const void *info;          /* of the standard's reference_info_type; NULL: it has none */
};

/* One vkCmdDecodeVideoKHR; all that it points to is of the call only. */
struct rp_decode_request {
    const struct rp_video_parameters *parameters; /* NULL: all sets are inlined */
    const void *inlined;                          /* of inline_parameters_type, or NULL */
    const void *picture;                          /* of picture_info_type, or NULL */
    const uint8_t *src;
    size_t src_B;
    const struct rp_decode_reference *refs;
    uint32_t ref_count;
    struct rp_picture_key setup; /* of the setup slot's picture resource; image_id 0: none */
    uint32_t coded_width_px;     /* of the picture's resource */
    uint32_t coded_height_px;
    uint32_t image_width_px; /* of the image, from dst's first pixel on */
    uint32_t image_height_px;
    struct rp_picture dst;
    struct rp_picture dst_setup;    /* the setup slot's image when it is another one; or no data */
    struct rp_decode_target target; /* of dst when it may be decoded in place */
    uint64_t sequence;              /* of the submission */
};

/* Loads the codec's library. NULL: *status_out says why. */
struct rp_video_decode *rp_video_decode_create(const struct rp_decode_standard *standard,
                                               const struct rp_decode_codec *codec,
                                               uint32_t thread_count,
                                               enum rp_codec_status *status_out);
void rp_video_decode_destroy(struct rp_video_decode *dec); /* accepts NULL */

/* vkCmdControlVideoCodingKHR: what was submitted before it is in no slot any more. FFmpeg does not
 * wait for its first reset, and other queues may have decoded later pictures already. */
void rp_video_decode_reset(struct rp_video_decode *dec, uint64_t sequence);
/* Is a picture of a later submission in a slot already, so that such a reset comes too late? */
bool rp_video_decode_is_past(struct rp_video_decode *dec, uint64_t sequence);

/* A picture was submitted; sequence: of its submission. Where pictures must follow each other (the
 * two fields of a frame), what is submitted later does not come between them. */
void rp_video_decode_expect(struct rp_video_decode *dec, const struct rp_decode_identity *picture,
                            uint64_t sequence);

/* The picture will not be decoded. */
void rp_video_decode_give_up(struct rp_video_decode *dec, const struct rp_decode_identity *picture,
                             uint64_t sequence);

enum rp_codec_status rp_video_decode_picture(struct rp_video_decode *dec,
                                             const struct rp_decode_request *request) RP_MUST_CHECK;

#endif
