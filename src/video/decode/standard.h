/* SPDX-License-Identifier: MIT */
/* What the decode engine asks of a standard: the decode half of a row of video/standard.h.
 */
#ifndef RP_VIDEO_DECODE_STANDARD_H
#define RP_VIDEO_DECODE_STANDARD_H

#include "reelpipe/codec.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_decode_codec;
struct rp_decode_identity;
struct rp_decode_request;
struct rp_video_decode;

struct rp_decode_standard {
    /* The codec; NULL when the build or the machine does not have it. */
    const struct rp_decode_codec *(*codec)(void);

    /* Slots of the decoder: all references that one picture may list, and the picture. At most
     * RP_DECODE_SLOT_LIMIT. spare_slot_count: of them, for pictures of frame threads that overtake
     * others. */
    uint32_t slot_count;
    uint32_t spare_slot_count;

    /* The standard's structures: in the chains of VkVideoDecodeInfoKHR, of each of its
     * VkVideoReferenceSlotInfoKHR (0: the standard has none), and of VkVideoDecodeInfoKHR with
     * inlined parameter sets. */
    VkStructureType picture_info_type;
    VkStructureType reference_info_type;
    VkStructureType inline_parameters_type;

    /* Fill in all of out but its key. False when the structure (which may be NULL) names no
     * picture: then out is as it was. */
    bool (*identify_picture)(const void *picture_info, struct rp_decode_identity *out);
    bool (*identify_reference)(const void *reference_info, struct rp_decode_identity *out);

    /* Makes the codec's job of the request and has it decoded. With the session's mutex. */
    enum rp_codec_status (*decode)(struct rp_video_decode *dec,
                                   const struct rp_decode_request *request);

    /* State that the standard keeps in each session, zeroed before state_init(). The functions are
     * NULL when it keeps none; state_reset(), with the mutex, when all slots became empty, is also
     * NULL when what it keeps is not of their pictures. */
    size_t state_B;
    void (*state_init)(void *state);
    void (*state_finish)(void *state);
    void (*state_reset)(void *state);

    /* Pictures that must follow each other, such as the two fields of a frame. A picture is
     * expected when it is submitted (any thread, no lock held); it enters before it is decoded,
     * which may wait on mutex, the session's; then it leaves, or it is given up without being
     * decoded. All three with the mutex. NULL, all of them, when the standard has no such
     * pictures. */
    void (*expect)(void *state, const struct rp_decode_identity *picture, uint64_t sequence);
    void (*enter)(void *state, pthread_mutex_t *mutex, const struct rp_decode_identity *picture,
                  uint64_t sequence);
    void (*leave)(void *state, const struct rp_decode_identity *picture, uint64_t sequence);
    void (*give_up)(void *state, const struct rp_decode_identity *picture, uint64_t sequence);
};

#endif
