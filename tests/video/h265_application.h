/* SPDX-License-Identifier: MIT */
/* The application of tests/codec_kvazaar over Vulkan: its pictures go through
 * vkCmdEncodeVideoKHR(), and its images are read back from DPB images.
 */
#ifndef RP_TESTS_VIDEO_H265_APPLICATION_H
#define RP_TESTS_VIDEO_H265_APPLICATION_H

#include "vk.h"

#include "tests/codec_kvazaar/app.h"
#include "tests/codec_kvazaar/description.h"

#define H265_QUALITY_LEVELS 5

/* A picture in front of vkCmdEncodeVideoKHR(): what a test may spoil. */
struct h265_call {
    VkVideoEncodeInfoKHR *info;
    struct app_description *description;
    VkVideoReferenceSlotInfoKHR *slots; /* info->referenceSlotCount, then the one of the setup */
    VkVideoEncodeQuantizationMapInfoKHR *map; /* NULL: the picture has none */
};
typedef void h265_change_fn(void *ctx, struct h265_call *call);

/* The feedback as vkGetQueryPoolResults() writes it. */
struct h265_feedback {
    uint32_t offset_B;
    uint32_t size_B;
    uint32_t has_overrides;
    int32_t average_qp;
    int32_t min_qp;
    int32_t max_qp;
    uint32_t intra_px;
    uint32_t inter_px;
    uint32_t skipped_px;
    uint32_t slice_count;
    int32_t status; /* VkQueryResultStatusKHR */
    struct {
        int32_t status;
        uint32_t offset_B;
        uint32_t size_B;
    } slices[RP_H265_ENCODE_MAX_SLICES];
};

/* For struct app. The device of applications that are made from now on; false when it does not
 * encode H.265. */
bool h265_route_init(struct vk *vk);
extern const struct app_route h265_route;

/* Options of applications that are made from now on; all zero, until something is said. */
struct h265_route_options {
    VkVideoEncodeIntraRefreshModeFlagBitsKHR refresh_mode; /* of the session */
    bool has_private_references;   /* DPB images cannot be read: there are no reconstructions */
    uint64_t average_bps;          /* VBR; 0: the quantizer is constant */
    int32_t least_qp, greatest_qp; /* the rate's bounds; 0: it has none */
    bool has_emphasis;             /* maps are common.emphasis, not common.qp_delta */
};
void h265_route_set_options(const struct h265_route_options *options);

/* The last feedback of an application whose sets are written. */
const struct h265_feedback *h265_last_feedback(const struct app *app);

/* For pictures that are recorded from now on. What is around the range that a picture was told
 * stays as it is, whatever change does. change: or NULL. */
void h265_set_change(struct app *app, h265_change_fn *change, void *ctx);

/* Other bytes than the DPB image of the slot had. */
void h265_write_slot(struct app *app, uint32_t slot, const uint8_t *planes);

/* Each gets the other's DPB image of the slot, with what it holds. */
void h265_swap_images(struct app *a, struct app *b, uint32_t slot);

/* The profile, which must stay where it is: all of the session's resources name it. */
struct h265_profile {
    VkVideoEncodeH265ProfileInfoKHR h265;
    VkVideoProfileInfoKHR info;
    VkVideoProfileListInfoKHR list;
};
/* Main, of 8 bits, or Main 10, of 10. */
void h265_profile_init(struct h265_profile *profile, uint32_t bit_depth);

#endif
