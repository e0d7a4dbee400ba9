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

/* A queue that the device has to have for a part. */
struct need {
    VkQueueFlags queue;                       /* 0: no need */
    VkVideoCodecOperationFlagsKHR operations; /* 0: any */
};

struct part {
    const char *name;
    struct need needs[2];
    void (*run)(void);
    const char *what;
};

#define ENCODE(codec) \
    { \
        VK_QUEUE_VIDEO_ENCODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_ENCODE_##codec##_BIT_KHR \
    }
#define DECODE(codec) \
    { \
        VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_##codec##_BIT_KHR \
    }

static const struct part parts[] = {
    {"copy", {{VK_QUEUE_TRANSFER_BIT, 0}}, check_copy, "fill, buffer to image, image to buffer"},
    {"dispatch",
     {{VK_QUEUE_COMPUTE_BIT, 0}},
     check_dispatch,
     "a compute shader on a storage buffer"},
    {"encode", {ENCODE(H264)}, check_encode, "H.264, the picture is as the source"},
    {"encode H.265", {ENCODE(H265)}, check_encode_h265, "the picture is as the source"},
    {"encode AV1", {ENCODE(AV1)}, check_encode_av1, "the picture is as the source"},
    {"decode",
     {DECODE(H264), ENCODE(H264)},
     check_both_h264,
     "H.264, equals the encoder's reconstruction"},
    {"decode H.265", {DECODE(H265)}, check_decode_h265, "a grey picture"},
    {"H.265",
     {DECODE(H265), ENCODE(H265)},
     check_both_h265,
     "decoded, equals the encoder's reconstruction"},
    {"decode AV1", {DECODE(AV1)}, check_decode_av1, "a grey picture"},
    {"decode VP9", {DECODE(VP9)}, check_decode_vp9, "a grey picture"},
};

static bool
has_queue(const struct info_vulkan *vk, const struct need *need)
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
        if (families[i].queueFamilyProperties.queueFlags & need->queue &&
            (video[i].videoCodecOperations & need->operations) == need->operations)
            return true;
    }
    return false;
}

/* The device has the queues of the part. */
static bool
is_offered(const struct info_vulkan *vk, const struct part *part)
{
    for (uint32_t i = 0; i < sizeof(part->needs) / sizeof(part->needs[0]); i++) {
        if (part->needs[i].queue && !has_queue(vk, &part->needs[i]))
            return false;
    }
    return true;
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
        printf("%-12s OK      %6.1f ms   %s\n", part->name, (double)us / 1000, part->what);
        return true;
    }
    if (WIFSIGNALED(status))
        printf("%-12s FAILED  %s %s\n", part->name,
               WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)), message);
    else
        printf("%-12s FAILED  %s\n", part->name, message);
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
            printf("%-12s -       the device does not offer it\n", parts[i].name);
    }
    printf("%s\n", is_well ? "OK" : "Something is wrong; REELPIPE_LOG=debug says more.");
    return is_well;
}
