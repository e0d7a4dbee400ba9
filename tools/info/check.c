/* SPDX-License-Identifier: MIT */
/* reelpipe-info --check: a self-test through the loader. Each part runs in a process of its own, so
 * that whatever happens in one is only a line of the report.
 */
#include "check.h"

#include "info.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PART_TIMEOUT_S 30
#define MESSAGE_CHARS 512
#define MAX_FAMILIES 16

struct part {
    const char *name;
    VkQueueFlags queue;                       /* that the device has to have for it */
    VkVideoCodecOperationFlagsKHR operations; /* of such a queue; 0: any */
    void (*run)(void);
    const char *what;
};

static const struct part parts[] = {
    {"copy", VK_QUEUE_TRANSFER_BIT, 0, check_copy, "fill, buffer to image, image to buffer"},
    {"dispatch", VK_QUEUE_COMPUTE_BIT, 0, check_dispatch, "a compute shader on a storage buffer"},
    {"encode", VK_QUEUE_VIDEO_ENCODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
     check_encode, "H.264, the picture is as the source"},
    {"encode AV1", VK_QUEUE_VIDEO_ENCODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
     check_encode_av1, "the picture is as the source"},
    {"decode", VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
     check_decode, "H.264, equals the encoder's reconstruction"},
    {"decode H.265", VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
     check_decode_h265, "a grey picture"},
    {"decode AV1", VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
     check_decode_av1, "a grey picture"},
    {"decode VP9", VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR,
     check_decode_vp9, "a grey picture"},
};

/* The device has a queue that can do the part. */
static bool
is_offered(const struct info_vulkan *vk, const struct part *part)
{
    VkQueueFamilyVideoPropertiesKHR video[MAX_FAMILIES];
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;

    for (uint32_t i = 0; i < MAX_FAMILIES; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR,
        };
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
            .pNext = &video[i],
        };
    }
    vk->GetPhysicalDeviceQueueFamilyProperties2(vk->device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (families[i].queueFamilyProperties.queueFlags & part->queue &&
            (video[i].videoCodecOperations & part->operations) == part->operations)
            return true;
    }
    return false;
}

static uint64_t
now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* The child's side: what it says goes to the pipe. */
_Noreturn static void
part_run(const struct part *part, int message)
{
    (void)dup2(message, STDERR_FILENO);
    (void)alarm(PART_TIMEOUT_S);
    part->run();
    _exit(0);
}

/* Reads until the child has closed its end; only the beginning is kept. */
static void
message_read(int pipe, char message[MESSAGE_CHARS])
{
    char rest[MESSAGE_CHARS];
    size_t used = 0;
    ssize_t got;

    while ((got = read(pipe, rest, sizeof(rest))) > 0) {
        const size_t space = MESSAGE_CHARS - 1 - used;
        const size_t take = (size_t)got < space ? (size_t)got : space;
        memcpy(message + used, rest, take);
        used += take;
    }
    message[used] = '\0';
    if (used > 0 && message[used - 1] == '\n')
        message[used - 1] = '\0';
}

static bool
part_report(const struct part *part, int status, const char *message, uint64_t us)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        printf("%-10s OK      %6.1f ms   %s\n", part->name, (double)us / 1000, part->what);
        return true;
    }
    if (WIFSIGNALED(status))
        printf("%-10s FAILED  %s %s\n", part->name,
               WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)), message);
    else
        printf("%-10s FAILED  %s\n", part->name, message);
    return false;
}

static bool
part_check(const struct part *part)
{
    const uint64_t start_us = now_us();
    char message[MESSAGE_CHARS];
    int ends[2];
    int status = 0;

    (void)fflush(stdout);
    if (pipe(ends) != 0) {
        perror("pipe");
        return false;
    }
    const pid_t child = fork();
    if (child == 0)
        part_run(part, ends[1]);
    (void)close(ends[1]);
    message_read(ends[0], message);
    (void)close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("fork");
        return false;
    }
    return part_report(part, status, message, now_us() - start_us);
}

bool
check_all(const struct info_vulkan *vk)
{
    bool is_well = true;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (is_offered(vk, &parts[i]))
            is_well &= part_check(&parts[i]);
        else
            printf("%-10s -       the device does not offer it\n", parts[i].name);
    }
    printf("%s\n", is_well ? "OK" : "Something is wrong; REELPIPE_LOG=debug says more.");
    return is_well;
}
