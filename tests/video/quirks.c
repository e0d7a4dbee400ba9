/* SPDX-License-Identifier: MIT */
/* What the driver works round for FFmpeg (src/quirks/) it does for nobody else: /proc is read for
 * the names of FFmpeg's frame threads on the way of an application with a row in the table, and
 * only then. Opening files is watched from here, where the driver's calls of libc come by.
 */
#include "test.h"
#include "vk.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SEEN_BY_THE_DRIVER __attribute__((visibility("default")))

static atomic_uint task_reads; /* of /proc/self/task */

static void
watch(const char *path)
{
    if (strncmp(path, "/proc/self/task", strlen("/proc/self/task")) == 0)
        atomic_fetch_add(&task_reads, 1);
}

SEEN_BY_THE_DRIVER DIR *
opendir(const char *path)
{
    DIR *(*next)(const char *);
    *(void **)&next = dlsym(RTLD_NEXT, "opendir");
    watch(path);
    return next(path);
}

SEEN_BY_THE_DRIVER int
open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "open");
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    watch(path);
    return next(path, flags, mode);
}

struct picture {
    struct vk *vk;
    const char *thread_name;
};

/* Makes a view of a picture that may be decoded, under the name of a thread of a decoder. */
static void *
make_view(void *arg)
{
    const struct picture *pic = arg;
    const VkVideoDecodeH264ProfileInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR,
    };
    const VkVideoProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = &h264,
        .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
    const VkVideoProfileListInfoKHR profiles = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = &profile,
    };
    REQUIRE_EQ(pthread_setname_np(pthread_self(), pic->thread_name), 0);
    struct vk_image img = vk_image_create(
        pic->vk, &(struct vk_image_info){.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                         .width_px = 64,
                                         .height_px = 64,
                                         .layer_count = 1,
                                         .usage = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                                  VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR,
                                         .next = &profiles});
    vk_image_destroy(pic->vk, &img);
    return NULL;
}

/* How often /proc is read while two frame threads begin their pictures, one after the other. */
static unsigned
task_reads_of(const char *engine, uint32_t engine_version)
{
    struct vk vk;
    vk_open_as(&vk, engine, engine_version);
    if (vk.decode_family == UINT32_MAX)
        exit(77); /* no decoder on this machine */
    const unsigned before = atomic_load(&task_reads);
    struct picture pics[2] = {{&vk, "av:h264:df0"}, {&vk, "av:h264:df1"}};
    for (uint32_t i = 0; i < 2; i++) {
        pthread_t thread;
        REQUIRE_EQ(pthread_create(&thread, NULL, make_view, &pics[i]), 0);
        pthread_join(thread, NULL);
    }
    const unsigned after = atomic_load(&task_reads);
    vk_close(&vk);
    return after - before;
}

#define FFMPEG_7 VK_MAKE_VERSION(59, 39, 100)
#define FFMPEG_9 VK_MAKE_VERSION(61, 5, 100)

static void
frame_threads_with_a_row_are_looked_for(void)
{
    REQUIRE(task_reads_of("libavutil", FFMPEG_7) > 0);
}

static void
an_application_without_a_row_reads_no_proc(void)
{
    REQUIRE_EQ(task_reads_of("libavutil", FFMPEG_9), 0);
    REQUIRE_EQ(task_reads_of("libavutil-like", FFMPEG_7), 0);
    REQUIRE_EQ(task_reads_of(NULL, 0), 0);
}

static uint32_t
largest_subgroup_of(const char *engine, uint32_t engine_version)
{
    VkPhysicalDeviceSubgroupSizeControlProperties control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &control};
    struct vk vk;
    vk_open_as(&vk, engine, engine_version);
    vkGetPhysicalDeviceProperties2(vk.pdev, &properties);
    vk_close(&vk);
    return control.maxSubgroupSize;
}

/* FFmpeg 9's prores_ks_vulkan takes the largest for what it gets. */
static void
the_largest_subgroup_is_the_usual_one_for_ffmpeg_9(void)
{
    REQUIRE_EQ(largest_subgroup_of("libavutil", FFMPEG_9), 32);
    REQUIRE_EQ(largest_subgroup_of("libavutil", FFMPEG_7), 64);
    REQUIRE_EQ(largest_subgroup_of(NULL, 0), 64);
}

static void
rows_can_be_switched_off(void)
{
    REQUIRE_EQ(setenv("REELPIPE_QUIRKS", "0", 1), 0);
    REQUIRE_EQ(task_reads_of("libavutil", FFMPEG_7), 0);
    REQUIRE_EQ(largest_subgroup_of("libavutil", FFMPEG_9), 64);
    REQUIRE_EQ(setenv("REELPIPE_QUIRKS", "1", 1), 0);
    REQUIRE(task_reads_of("libavutil", FFMPEG_7) > 0);
    REQUIRE_EQ(unsetenv("REELPIPE_QUIRKS"), 0);
}

int
main(void)
{
    RUN(frame_threads_with_a_row_are_looked_for);
    RUN(an_application_without_a_row_reads_no_proc);
    RUN(the_largest_subgroup_is_the_usual_one_for_ffmpeg_9);
    RUN(rows_can_be_switched_off);
    return 0;
}
