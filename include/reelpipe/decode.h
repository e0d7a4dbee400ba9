/* SPDX-License-Identifier: MIT */
/* What every decoder behind the video engine has in common: its session, its slots, the picture
 * that a job decodes, and how it answers.
 *
 * A contract of one codec (decode_h264.h) adds what its standard says of a picture: its job begins
 * with struct rp_decode_job. The decoder keeps the pixels and the motion of every slot itself. One
 * call decodes one picture (a frame or a field) and is complete when it returns.
 */
#ifndef REELPIPE_DECODE_H
#define REELPIPE_DECODE_H

#include "reelpipe/codec.h"
#include "reelpipe/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_decoder; /* one per video session; each codec defines its own, nobody else looks inside */

/* How the luma of a semi-planar image must look to be decoded into. */
struct rp_decode_layout {
    size_t stride_B;
    uint32_t rows; /* of memory: those of whole coding blocks, and some that are only read */
};

/* An image that a frame may stay in, its luma in place, for as long as the decoder refers to it.
 *
 * The decoder writes it only during the job. Later it may be read at any time until the decoder
 * has called release(), even when the application has given the image and its memory back: memory
 * must stay readable; what it then holds does not matter, as no legal stream refers to it. */
struct rp_decode_target {
    void *memory;                 /* NULL: the image is an output only */
    void (*retain)(void *memory); /* may be called often; each is released once, by any thread */
    void (*release)(void *memory);
    uint32_t rows; /* of plane[0] that may be written and read; as many as layout() says */
};

/* What every codec's job begins with. The job and all that it points to are of the call only. */
struct rp_decode_job {
    /* The source range: nothing outside of it is read, and every byte once, as the memory may
     * change meanwhile. Offsets into it are checked by the codec. */
    const uint8_t *data;
    size_t data_B;

    int32_t setup_slot; /* the slot that the picture is kept in; -1: it is not kept */

    /* Where the pixels go: of the coded extent, or less (the right and the bottom are cut off);
     * plane[0].data NULL: nowhere. A field is written to its lines (interleaved). When the status
     * is neither OK nor DAMAGED they may hold what was begun. */
    struct rp_picture dst;          /* the output picture */
    struct rp_picture dst_setup;    /* the setup slot's image if it is another one that is read */
    struct rp_decode_target target; /* of dst, when dst has the layout and is the setup picture */
};

/* What decoders of 8-bit 4:2:0 ask: they refuse the rest as UNSUPPORTED. */
static inline bool
rp_decode_outputs_are_8_bit_420(const struct rp_decode_job *job)
{
    return (!job->dst.plane[0].data || rp_picture_is_8_bit_420(&job->dst)) &&
           (!job->dst_setup.plane[0].data || rp_picture_is_8_bit_420(&job->dst_setup));
}

struct rp_decode_codec {
    const char *name; /* "libavcodec" */

    /* The layout that images of this extent need. NULL: the codec never decodes in place. Pure; any
     * thread. */
    void (*layout)(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out);

    /* Cheap but for the library, which is loaded with the first one. thread_count: for the parts
     * of one picture. On failure NULL, and the reason (NO_MEMORY, or FAILED when the library cannot
     * be had). */
    struct rp_decoder *(*create)(uint32_t thread_count, enum rp_codec_status *status_out);
    void (*destroy)(struct rp_decoder *dec); /* accepts NULL */

    /* vkCmdControlVideoCodingKHR with RESET: all slots become empty. */
    void (*reset)(struct rp_decoder *dec);

    /* job: the job of this codec's contract. One thread at a time per decoder. Slots are named by
     * the engine and hold what was decoded into them on this decoder, pixels and motion; images are
     * outputs only, unless they are targets. A reference that has no picture is replaced by another
     * one, or by grey: DAMAGED.
     *
     *   OK           exact
     *   DAMAGED      something was wrong or missing and is concealed; dst and slot are written
     *   FAILED       nothing was decoded; slots are as before, or empty after an internal error
     *   NO_MEMORY    as FAILED
     *   UNSUPPORTED  parameters outside of what the codec decodes, or pictures that are not of
     *                their format; as FAILED */
    enum rp_codec_status (*decode)(struct rp_decoder *dec, const struct rp_decode_job *job);
};

#endif
