/* SPDX-License-Identifier: MIT */
/* Streams of H.265 through the decoder's commands: every picture is one of libavcodec's own, and
 * what is missing is reported.
 *
 * usage: video_decode_h265 [--distinct] [--layered] [--inline] [--main10]
 *                          [--drop PERCENT | --misuse SEED] FILE...
 *
 * Several files, of one bit depth, share one session, picture by picture. --main10: of that profile
 * even when they have 8 bits. --misuse: the first file is decoded alone before, with slots and
 * references that no application may name, and is not compared.
 */
#include "tests/codec_h265/judge.h"
#include "tests/test.h"
#include "vulkan_h265.h"

#include <stdlib.h>
#include <string.h>

#define MISUSE_ROUNDS 8u

static uint64_t misuse_random;

static uint32_t
misuse_below(uint32_t limit)
{
    misuse_random = misuse_random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(misuse_random >> 33) % limit;
}

static void
misuse_set(uint8_t set[STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE])
{
    for (uint32_t i = 0; i < STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE; i++) {
        if (misuse_below(3) == 0)
            set[i] = (uint8_t)misuse_below(misuse_below(4) ? RP_H265_DECODE_SLOTS : 256);
    }
}

static void
misuse_slots(VkVideoReferenceSlotInfoKHR *slots, uint32_t count)
{
    static const int32_t strange[] = {-1, -2, 17, 31, 32, 255, INT32_MAX, INT32_MIN};
    for (uint32_t i = 0; i < count; i++) {
        if (misuse_below(6) == 0)
            slots[i].slotIndex = misuse_below(3) ? (int32_t)misuse_below(RP_H265_DECODE_SLOTS)
                                                 : strange[misuse_below(8)];
        if (misuse_below(8) == 0)
            slots[i].pPictureResource = misuse_below(2) ? slots[0].pPictureResource : NULL;
        if (misuse_below(16) == 0)
            slots[i].pNext = NULL;
    }
}

static void
misuse(VkVideoDecodeInfoKHR *info, VkVideoBeginCodingInfoKHR *begin,
       StdVideoDecodeH265PictureInfo *std)
{
    misuse_slots((VkVideoReferenceSlotInfoKHR *)info->pReferenceSlots, begin->referenceSlotCount);
    misuse_slots((VkVideoReferenceSlotInfoKHR *)info->pSetupReferenceSlot, 1);
    if (misuse_below(4) == 0)
        info->referenceSlotCount = misuse_below(begin->referenceSlotCount + 1);
    if (misuse_below(4) == 0)
        begin->referenceSlotCount = misuse_below(begin->referenceSlotCount + 1);
    if (misuse_below(8) == 0)
        info->pSetupReferenceSlot = NULL;
    if (misuse_below(3) == 0)
        misuse_set(std->RefPicSetStCurrBefore);
    if (misuse_below(3) == 0)
        misuse_set(std->RefPicSetStCurrAfter);
    if (misuse_below(3) == 0)
        misuse_set(std->RefPicSetLtCurr);
    if (misuse_below(10) == 0)
        std->PicOrderCntVal = (int32_t)misuse_below(UINT32_MAX);
    if (misuse_below(10) == 0)
        std->flags.IdrPicFlag ^= 1;
}

struct arguments {
    struct vulkan_h265_options options;
    bool has_misuse;
    const char *names[APP_MAX_STREAMS];
    uint32_t count;
};

static void
arguments_parse(struct arguments *args, struct session *session, char **argv)
{
    *args = (struct arguments){.count = 0};
    for (argv++; *argv; argv++) {
        if (strcmp(*argv, "--distinct") == 0) {
            args->options.is_distinct = true;
        } else if (strcmp(*argv, "--layered") == 0) {
            args->options.is_layered = true;
        } else if (strcmp(*argv, "--inline") == 0) {
            args->options.is_inlined = true;
        } else if (strcmp(*argv, "--main10") == 0) {
            args->options.is_main_10 = true;
        } else if (strcmp(*argv, "--drop") == 0) {
            REQUIRE(*++argv);
            session->dropped_percent = (uint32_t)atoi(*argv);
            session->may_fail = true;
        } else if (strcmp(*argv, "--misuse") == 0) {
            REQUIRE(*++argv);
            misuse_random = strtoull(*argv, NULL, 10);
            args->has_misuse = true;
        } else {
            REQUIRE(args->count < APP_MAX_STREAMS);
            args->names[args->count++] = *argv;
        }
    }
    REQUIRE(args->count > 0);
}

static void
run(struct stream *streams, uint32_t count)
{
    for (bool is_alive = true; is_alive;) {
        is_alive = false;
        for (uint32_t i = 0; i < count; i++)
            is_alive |= stream_step(&streams[i]);
    }
}

static void
run_misuse(struct stream *stream, struct session *session, const char *name)
{
    vulkan_h265_set_change(session->context, misuse);
    session->may_fail = true;
    for (uint32_t round = 0; round < MISUSE_ROUNDS; round++) {
        stream_open(stream, session, name);
        run(stream, 1);
        stream_close(stream);
    }
    vulkan_h265_set_change(session->context, NULL);
    session->may_fail = false;
    REQUIRE(session->damaged_count > 0);
    session->damaged_count = 0;
}

int
main(int argc, char **argv)
{
    static struct stream streams[APP_MAX_STREAMS];
    static struct session session;
    struct arguments args;
    struct vk vk;
    session.random = 1;
    arguments_parse(&args, &session, argv);
    session.codec = rp_codec_h265_decode();
    vk_open_for(&vk, 0, VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR);
    if (!session.codec || vk.decode_family == UINT32_MAX) {
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    session.decode = vulkan_h265_decode;
    session.context = vulkan_h265_open(&vk, &args.options);
    if (args.has_misuse)
        run_misuse(&streams[0], &session, args.names[0]);
    for (uint32_t i = 0; i < args.count; i++)
        stream_open(&streams[i], &session, args.names[i]);
    run(streams, args.count);

    bool is_good = true;
    for (uint32_t i = 0; i < args.count; i++) {
        if (!session.may_fail)
            is_good &= judge_compare(&streams[i]);
        stream_close(&streams[i]);
    }
    vulkan_h265_close(session.context);
    vk_close(&vk);
    REQUIRE(session.dropped_percent == 0 || session.incomplete_count > 0);
    REQUIRE_EQ(session.damaged_count, session.incomplete_count);
    return !is_good;
}
